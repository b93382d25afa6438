import { describe, expect, it } from 'vitest';
import { kEmptyInbox, kInboxMax, mergeEntry, visible, withChangedMessage, withEntry, withNewMessage, without, withPage, type Inbox } from '../src/inbox.js';
import type { Entry } from '../src/types.js';
import { entry, message } from './items.js';

const at = (minute: number): string => new Date(Date.UTC(2025, 10, 5, 12, minute)).toISOString();
const ids = (inbox: Inbox): string[] => visible(inbox, 'all').map(({ threadId }) => threadId);
const loaded = (entries: Entry[], cursor: string | null = null): Inbox => withPage(kEmptyInbox, 'all', { entries, cursor }, true);

describe('an inbox', () => {
  it('stands newest first, ties by threadId descending', () => {
    const inbox = loaded([
      entry('thrd_a', { lastMessageAt: at(1) }),
      entry('thrd_b', { lastMessageAt: at(2) }),
      entry('thrd_c', { lastMessageAt: at(1) }),
    ]);
    expect(ids(inbox)).toEqual(['thrd_b', 'thrd_c', 'thrd_a']);
  });

  it('withholds an entry below the loaded pages until its page comes', () => {
    const first = loaded([entry('thrd_b', { lastMessageAt: at(9) }), entry('thrd_c', { lastMessageAt: at(8) })], 'more');
    const told = withEntry(first, entry('thrd_x', { lastMessageAt: at(1) }));
    expect(ids(told)).toEqual(['thrd_b', 'thrd_c']);
    const second = withPage(told, 'all', { entries: [entry('thrd_d', { lastMessageAt: at(7) })], cursor: null }, false);
    expect(ids(second)).toEqual(['thrd_b', 'thrd_c', 'thrd_d', 'thrd_x']);
  });

  it('drops from a renewed first page what has left it, and nothing below it', () => {
    const all = loaded([entry('thrd_a', { lastMessageAt: at(9) }), entry('thrd_b', { lastMessageAt: at(8) }), entry('thrd_c', { lastMessageAt: at(2) })]);
    const renewed = withPage(all, 'all', { entries: [entry('thrd_b', { lastMessageAt: at(8) })], cursor: 'more' }, true);
    expect(Object.keys(renewed.entries).sort()).toEqual(['thrd_b', 'thrd_c']);
  });

  it('shows archived, pinned and unread entries in their folders', () => {
    let inbox = loaded([
      entry('thrd_a', { archived: true, unread: 2 }),
      entry('thrd_b', { pinned: true }),
      entry('thrd_c', { unread: 1 }),
    ]);
    for (const folder of ['unread', 'pinned', 'archived'] as const) {
      inbox = withPage(inbox, folder, { entries: visible({ ...inbox, folders: { ...inbox.folders, [folder]: { loaded: true, cursor: null, horizon: null } } }, folder), cursor: null }, true);
    }
    expect(ids(inbox)).toEqual(['thrd_c', 'thrd_b']);
    expect(visible(inbox, 'unread').map(({ threadId }) => threadId)).toEqual(['thrd_c']);
    expect(visible(inbox, 'pinned').map(({ threadId }) => threadId)).toEqual(['thrd_b']);
    expect(visible(inbox, 'archived').map(({ threadId }) => threadId)).toEqual(['thrd_a']);
  });

  it('takes personal flags from an older entry, but neither its unread number nor its preview', () => {
    const held = entry('thrd_a', { lastSeq: 10, unread: 3, lastMessageAt: at(5) });
    const { entry: merged, stale } = mergeEntry(held, entry('thrd_a', { lastSeq: 8, unread: 1, pinned: true, lastMessageAt: at(1) }));
    expect(merged).toMatchObject({ pinned: true, unread: 3, lastSeq: 10, lastMessageAt: at(5) });
    expect(stale).toBe(true);
  });

  it('counts a message of another as unread once, however often its event is seen', () => {
    const before = entry('thrd_a', { lastSeq: 10, archived: true });
    const after = withNewMessage(before, message(1, { body: 'hi' }), 11, 'usr_alice');
    expect(after).toMatchObject({ unread: 1, lastSeq: 11, archived: false, lastMessage: { preview: 'hi' } });
    expect(withNewMessage(after, message(1), 11, 'usr_alice')).toBe(after);
  });

  it('has nothing unread after an own message', () => {
    const before = entry('thrd_a', { lastSeq: 10, unread: 4 });
    expect(withNewMessage(before, message(1, { authorUserId: 'usr_alice' }), 11, 'usr_alice').unread).toBe(0);
  });

  it('does not move for an edit, and follows it in the preview only if it is the last message', () => {
    const before = withNewMessage(entry('thrd_a', { lastSeq: 10 }), message(2), 11, 'usr_alice');
    const edited = withChangedMessage(before, message(2, { body: 'edited' }), 12);
    expect(edited).toMatchObject({ lastMessageAt: before.lastMessageAt, lastMessage: { preview: 'edited' }, unread: 1 });
    expect(withChangedMessage(edited, message(1, { body: 'other' }), 13).lastMessage?.preview).toBe('edited');
  });

  it('forgets a thread that was left', () => {
    expect(ids(without(loaded([entry('thrd_a'), entry('thrd_b')]), 'thrd_b'))).toEqual(['thrd_a']);
  });

  it('holds a bounded number of entries, the newest ones', () => {
    const many = Array.from({ length: kInboxMax + 10 }, (_, i) => entry(`thrd_${i}`, { lastMessageAt: at(i) }));
    const inbox = loaded(many);
    expect(ids(inbox)).toHaveLength(kInboxMax);
    expect(ids(inbox)).not.toContain('thrd_9');
    expect(ids(inbox)[0]).toBe(`thrd_${kInboxMax + 9}`);
  });
});
