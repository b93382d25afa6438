import { threadWith, type ThreadState } from './thread_fixture.js';
import { describe, expect, it } from 'vitest';
import { message, participant, range } from '../../sdk/test/items.js';
import { buildRows, firstUnread, newLine, receipts } from '../src/rows.js';
import type { Me, OutboxItem } from '@parley/sdk';

const kMe = 'usr_alice';
const mine = (msgNo: number, change = {}) => message(msgNo, { authorUserId: kMe, ...change });
const item = (clientId: string, change: Partial<OutboxItem> = {}): OutboxItem => ({
  threadId: 'thrd_a',
  clientId,
  body: clientId,
  replyTo: null,
  writtenAt: Date.UTC(2025, 10, 5, 13),
  state: 'pending',
  hint: null,
  code: null,
  ack: null,
  ...change,
});

describe('the rows of a thread', () => {
  it('end with pending own sends, in the order written', () => {
    const rows = buildRows(range(1, 2), [item('c1', { state: 'failed' }), item('c2')], kMe, null);
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      ['msg_000001', 'sent'],
      ['msg_000002', 'sent'],
      ['c:c1', 'failed'],
      ['c:c2', 'pending'],
    ]);
  });

  it('keep their key when a send becomes a message', () => {
    const before = buildRows([], [item('c1')], kMe, null);
    const after = buildRows([mine(1, { clientId: 'c1' })], [], kMe, null);
    expect(after[0]!.key).toBe(before[0]!.key);
  });

  it('name the author once per run, and again after a pause, a change of author or a new day', () => {
    const at = (msgNo: number, time: string, change = {}) => message(msgNo, { createdAt: time, ...change });
    const rows = buildRows(
      [
        at(1, '2025-11-05T12:00:00Z'),
        at(2, '2025-11-05T12:01:00Z'),
        at(3, '2025-11-05T12:30:00Z'),
        at(4, '2025-11-05T12:31:00Z', { authorUserId: 'usr_carol' }),
        at(5, '2025-11-08T12:31:30Z', { authorUserId: 'usr_carol' }),
      ],
      [],
      kMe,
      null,
    );
    expect(rows.map(({ leads }) => leads)).toEqual([true, false, true, true, true]);
    expect(rows.map(({ newDay }) => newDay)).toEqual([true, false, false, false, true]);
  });
});

describe('the first unread message', () => {
  const me = (change: Partial<Me>): Me => ({ ...participant(kMe), joinedAt: '2025-11-05T00:00:00.000Z', muted: false, mutedUntil: null, blockedUntil: null, ...change }) as Me;

  it('is the first one after the last read number, without deleted ones', () => {
    expect(firstUnread(range(1, 6), me({ readNo: 3 }))).toBe('msg_000004');
    expect(firstUnread([...range(1, 3), message(4, { deletedAt: 'now' }), message(5)], me({ readNo: 3 }))).toBe('msg_000005');
    expect(firstUnread(range(1, 3), me({ readNo: 3 }))).toBeNull();
  });

  it('is the first one after the cursor and after joining, if the server sends no number', () => {
    expect(firstUnread(range(1, 6), me({ lastReadMsgId: 'msg_000002' }))).toBe('msg_000003');
    expect(firstUnread(range(1, 6), me({}))).toBe('msg_000001');
    expect(firstUnread(range(1, 6), me({ joinedAt: message(5).createdAt }))).toBe('msg_000005');
  });

  it('is never before an own message, and null for non-members', () => {
    expect(firstUnread([message(1), mine(2), message(3)], me({ readNo: 0 }))).toBe('msg_000003');
    expect(firstUnread([message(1), mine(2)], me({}))).toBeNull();
    expect(firstUnread(range(1, 3), null)).toBeNull();
  });
});

describe('the line “New”', () => {
  const me: Me = { ...participant(kMe), joinedAt: '2025-11-05T00:00:00.000Z', muted: false, mutedUntil: null, blockedUntil: null, readNo: 2 };
  const at = (msgNo: number): string => message(msgNo).messageId;

  it('does not move while the user looks, and marks the first message that arrived while they did not', () => {
    let line = newLine(null, range(1, 3), me, true);
    expect(line.messageId).toBe(at(3));
    line = newLine(line, range(1, 3), me, true);
    line = newLine(line, range(1, 4), me, true);
    expect(line.messageId).toBe(at(3));
    line = newLine(line, range(1, 4), me, false);
    expect(line.messageId).toBe(at(3));
    for (const last of [5, 6, 7]) line = newLine(line, range(1, last), me, false);
    expect(line.messageId).toBe(at(5));
    line = newLine(line, range(1, 8), me, true);
    expect(line.messageId).toBe(at(5));
    line = newLine(line, range(1, 9), me, false);
    expect(line.messageId).toBe(at(9));
  });

  it('stays at the first unread message until the user looks at the thread', () => {
    const line = newLine(null, range(1, 4), me, false);
    expect(newLine(line, range(1, 6), me, false)).toMatchObject({ messageId: at(3) });
  });

  it('is not drawn for or before messages that the viewer wrote elsewhere', () => {
    const line = newLine(null, range(1, 2), me, true);
    expect(newLine(line, [...range(1, 3), mine(4)], me, false).messageId).toBeNull();
    expect(newLine(line, [...range(1, 3), mine(4), message(5)], me, false).messageId).toBe(at(5));
  });
});

describe('read receipts', () => {
  const withPeople = (people: ThreadState['participants']): ThreadState =>
    threadWith([mine(1), message(2), mine(3), mine(4)], people);

  it('are at the newest own message that each participant has read', () => {
    const marks = receipts(
      withPeople([
        participant(kMe, { lastReadMsgId: 'msg_000004' }),
        participant('usr_carol', { lastReadMsgId: 'msg_000003' }),
        participant('usr_dave'),
      ]),
      kMe,
    );
    expect([...marks].map(([id, readers]) => [id, readers.map(({ userId }) => userId)])).toEqual([['msg_000003', ['usr_carol']]]);
  });

  it('count an answer as reading, even if its author never moved their cursor', () => {
    expect([...receipts(withPeople([participant('usr_bob')]), kMe).keys()]).toEqual(['msg_000001']);
  });
});
