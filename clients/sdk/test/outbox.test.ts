import { describe, expect, it } from 'vitest';
import { acked, added, failed, kReplayWindowMs, ofThread, persistent, removed, restored, retried, seen, sendable, settled, type Outbox } from '../src/outbox.js';
import { message } from './items.js';

const kNobody = new Set<string>();
const write = (outbox: Outbox, clientId: string, threadId = 'thrd_a'): Outbox =>
  added(outbox, { threadId, clientId, body: clientId, replyTo: null, writtenAt: 1_000 });
const three = write(write(write([], 'c1'), 'c2'), 'c3', 'thrd_b');
const ids = (outbox: Outbox): string[] => outbox.map(({ clientId }) => clientId);
const ack = { messageId: 'msg_000001', createdAt: '2025-11-05T12:00:00.000Z', seq: 9, msgNo: 1, duplicate: false };

describe('an outbox', () => {
  it('sends one at a time per thread, in the order written', () => {
    expect(ids(sendable(three, kNobody))).toEqual(['c1', 'c3']);
    expect(ids(sendable(three, new Set(['thrd_a'])))).toEqual(['c3']);
    expect(ids(sendable(acked(three, 'c1', ack), kNobody))).toEqual(['c2', 'c3']);
  });

  it('continues after a rejected item, and keeps it with the reason', () => {
    const after = failed(three, 'c1', 'Too long.', 'TOO_LARGE');
    expect(ids(sendable(after, kNobody))).toEqual(['c2', 'c3']);
    expect(ofThread(after, 'thrd_a')[0]).toMatchObject({ state: 'failed', hint: 'Too long.' });
  });

  it('retries a rejected item after those written since, under the same clientId', () => {
    const after = retried(failed(three, 'c1', 'no', null), 'c1', 2_000);
    expect(ids(after)).toEqual(['c2', 'c3', 'c1']);
    expect(after.at(-1)).toMatchObject({ state: 'pending', hint: null, writtenAt: 2_000 });
  });

  it('does not retry an item that has not failed', () => {
    expect(retried(three, 'c1', 2_000)).toBe(three);
  });

  it('removes an item when its message arrives, also before the reply', () => {
    expect(ids(seen(three, message(1, { clientId: 'c1', authorUserId: 'usr_alice' }), 'usr_alice'))).toEqual(['c2', 'c3']);
  });

  it('ignores the same clientId of another author or thread', () => {
    expect(seen(three, message(1, { clientId: 'c1', authorUserId: 'usr_bob' }), 'usr_alice')).toBe(three);
    expect(seen(three, message(1, { clientId: 'c3', authorUserId: 'usr_alice' }), 'usr_alice')).toBe(three);
  });

  it('settles answered items once the thread is known up to them', () => {
    const answered = acked(three, 'c1', { ...ack, msgNo: 5 });
    expect(settled(answered, 'thrd_a', 4)).toBe(answered);
    expect(ids(settled(answered, 'thrd_a', 5))).toEqual(['c2', 'c3']);
  });

  it('survives a reload without items that the server has, and drops malformed ones', () => {
    const stored: unknown = JSON.parse(JSON.stringify(persistent(acked(three, 'c1', ack))));
    expect(ids(restored(stored, 2_000))).toEqual(['c2', 'c3']);
    expect(restored('nonsense', 0)).toEqual([]);
    expect(restored([{ clientId: 7 }, null, 'x'], 0)).toEqual([]);
  });

  it('does not retry an item by itself after the server may have forgotten its clientId', () => {
    const late = restored(persistent(three), 1_000 + kReplayWindowMs + 1);
    expect(late.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(removed(late, 'c2')).toHaveLength(2);
  });
});
