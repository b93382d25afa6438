import { describe, expect, it } from 'vitest';
import { applyChanges, applyEvent, emptyThread, opened, readPresence, readUpTo, rejoined, withReadCursor, withTyping } from '../src/thread_state.js';
import { pinnedMessages } from '../src/pins.js';
import { card, message, openReply, participant, range, tab, thread } from './items.js';

const open = opened(emptyThread('thrd_a'), openReply('thrd_a', range(1, 3)));

describe('a thread', () => {
  it('is known up to the lastSeq of the reply that opened it', () => {
    expect(open).toMatchObject({ loaded: true, tracker: { held: 103, catchingUp: false } });
  });

  it('takes the latest state of messages, people and its own fields from changes in any order', () => {
    const changed = applyChanges(open, [
      { seq: 112, kind: 'message', item: message(2, { seq: 112, body: 'edited' }) },
      { seq: 110, kind: 'thread', item: thread('thrd_a', { seq: 110, subject: 'New' }) },
      { seq: 109, kind: 'thread', item: thread('thrd_a', { seq: 109, subject: 'Older' }) },
      { seq: 111, kind: 'participant', item: participant('usr_carol', { seq: 111 }) },
      { seq: 113, kind: 'card', item: card('msg_000002', { seq: 113 }) },
      { seq: 114, kind: 'tab', item: tab(1, { seq: 114 }) },
    ]);
    expect(changed.timeline.messages[1]?.body).toBe('edited');
    expect(changed.thread?.subject).toBe('New');
    expect(changed.cards['msg_000002']?.state).toBe('PENDING');
    expect(changed.panel.brief?.version).toBe(1);
    expect(changed.participants.map(({ userId }) => userId)).toContain('usr_carol');
  });

  it('updates its list of pins from its messages, also outside of the window', () => {
    const pin = { by: 'usr_bob', at: '2025-11-05T12:00:00.000Z' };
    const pinned = applyChanges(open, [
      { seq: 110, kind: 'message', item: message(2, { seq: 110, pin }) },
      { seq: 111, kind: 'message', item: message(0, { seq: 111, pin }) },
    ]);
    expect(pinned.thread?.pins).toEqual(['msg_000002', 'msg_000000']);
    expect(pinnedMessages(pinned.thread, pinned.timeline, pinned.farPins).map(({ messageId }) => messageId)).toEqual(['msg_000000', 'msg_000002']);
    expect(applyChanges(pinned, [{ seq: 112, kind: 'message', item: message(2, { seq: 112 }) }]).thread?.pins).toEqual(['msg_000000']);
  });

  it('contains the open cards of its reply', () => {
    const state = opened(emptyThread('thrd_a'), openReply('thrd_a', range(1, 3), { cards: [card('msg_000002', { open: true, allowed: ['accept'] })] }));
    expect(state.cards['msg_000002']?.allowed).toEqual(['accept']);
  });

  it('advances the last read number with the cursor', () => {
    const me = { ...open.me!, readNo: 1 };
    expect(withReadCursor({ ...open, me }, 'usr_alice', 'msg_000003', null).me?.readNo).toBe(3);
    expect(withReadCursor(open, 'usr_alice', 'msg_000003', null).me).not.toHaveProperty('readNo');
  });

  it('names the first open dispute of its cards', () => {
    const dispute = (no: number, seq: number, state = 'OPEN') => ({
      seq,
      kind: 'card' as const,
      item: card(`msg_00000${no}`, { type: 'DISPUTE_OPEN', seq, state }),
    });
    const one = applyChanges(open, [dispute(2, 110)]);
    expect(one.thread?.disputeMessageId).toBe('msg_000002');
    const two = applyChanges(one, [dispute(3, 111)]);
    expect(two.thread?.disputeMessageId).toBe('msg_000002');
    const settled = applyChanges(two, [dispute(2, 112, 'SETTLED')]);
    expect(settled.thread?.disputeMessageId).toBe('msg_000003');
    expect(applyChanges(settled, [dispute(3, 113, 'RESOLVED')]).thread?.disputeMessageId).toBeNull();

    // A dispute whose card is not held stays open until its own end arrives.
    const reported = { ...open, thread: { ...open.thread!, disputeMessageId: 'msg_000001' } };
    expect(applyChanges(reported, [dispute(2, 110)]).thread?.disputeMessageId).toBe('msg_000001');
  });

  it('loses a participant whose latest state is removed, even if their addition arrives late', () => {
    const gone = participant('usr_bob', { seq: 120, removedAt: '2025-11-05T12:00:00.000Z' });
    const removed = applyEvent(open, { ev: 'participant.removed', threadId: 'thrd_a', seq: 120, item: gone });
    expect(removed.participants.map(({ userId }) => userId)).toEqual(['usr_alice']);
  });

  it('moves read cursors forward only, from events and from items alike', () => {
    const read = withReadCursor(open, 'usr_bob', 'msg_000003', null);
    expect(withReadCursor(read, 'usr_bob', 'msg_000001', null)).toEqual(read);
    const item = participant('usr_bob', { seq: 130, permission: 'read', lastReadMsgId: 'msg_000002' });
    const after = applyEvent(read, { ev: 'participant.updated', threadId: 'thrd_a', seq: 130, item });
    expect(after.participants.find(({ userId }) => userId === 'usr_bob')).toMatchObject({
      permission: 'read',
      lastReadMsgId: 'msg_000003',
    });
  });

  it('counts a participant’s own message as reading up to it', () => {
    const bob = open.participants.find(({ userId }) => userId === 'usr_bob')!;
    expect(readUpTo(open, bob)).toBe('msg_000003');
    expect(readUpTo(open, participant('usr_carol', { lastReadMsgId: 'msg_000001' }))).toBe('msg_000001');
  });

  it('clears the typing of an author when their message arrives', () => {
    const typing = withTyping(open, ['usr_bob', 'usr_carol']);
    const spoken = applyEvent(typing, { ev: 'message.created', threadId: 'thrd_a', seq: 104, item: message(4) });
    expect(spoken.typing).toEqual(['usr_carol']);
  });

  it('keeps its window of messages when it is opened again after a resume', () => {
    const again = rejoined(open, openReply('thrd_a', [message(3)], { lastSeq: 140, changes: [{ seq: 140, kind: 'message', item: message(1, { seq: 140, body: 'changed' }) }] }));
    expect(again.timeline.messages.map(({ body }) => body)).toEqual(['changed', 'body 2', 'body 3']);
    expect(again.tracker.held).toBe(140);
  });

  it('reads presence from a list or a map, and nothing from nonsense', () => {
    expect(readPresence([{ userId: 'usr_a', online: true }])['usr_a']?.online).toBe(true);
    expect(readPresence({ usr_a: { online: true } })['usr_a']?.online).toBe(true);
    expect(readPresence([null, 3, { online: true }])).toEqual({});
    expect(readPresence('x')).toEqual({});
  });
});
