import { describe, expect, it } from 'vitest';
import { hidden } from '../src/folders.js';
import { endOf, kEmptyInbox, kInboxMax, listed, mergeEntry, narrowed, visible, withChangedMessage, withEntry, withEvent, withNewMessage, without, withPage, withRenewed, type Inbox } from '../src/inbox.js';
import type { Entry, EntryFolder } from '../src/types.js';
import type { InboxFilter } from '../src/wire.js';
import { entry, message } from './items.js';

const at = (minute: number): string => new Date(Date.UTC(2025, 10, 5, 12, minute)).toISOString();
const ids = (inbox: Inbox): string[] => visible(inbox, 'all').map(({ threadId }) => threadId);
const loaded = (entries: Entry[], cursor: string | null = null): Inbox => withPage(kEmptyInbox, 'all', { entries, cursor }, true);

describe('an inbox', () => {
  it('is sorted newest first, ties by threadId descending', () => {
    const inbox = loaded([
      entry('thrd_a', { lastMessageAt: at(1) }),
      entry('thrd_b', { lastMessageAt: at(2) }),
      entry('thrd_c', { lastMessageAt: at(1) }),
    ]);
    expect(ids(inbox)).toEqual(['thrd_b', 'thrd_c', 'thrd_a']);
  });

  it('hides an entry below the loaded pages until its page arrives', () => {
    const first = loaded([entry('thrd_b', { lastMessageAt: at(9) }), entry('thrd_c', { lastMessageAt: at(8) })], 'more');
    const reported = withEntry(first, entry('thrd_x', { lastMessageAt: at(1) }));
    expect(ids(reported)).toEqual(['thrd_b', 'thrd_c']);
    const second = withPage(reported, 'all', { entries: [entry('thrd_d', { lastMessageAt: at(7) })], cursor: null }, false);
    expect(ids(second)).toEqual(['thrd_b', 'thrd_c', 'thrd_d', 'thrd_x']);
  });

  it('lists pinned entries first in `all`, each group newest first, from any page', () => {
    const far = entry('thrd_far', { lastMessageAt: at(1), pinned: true });
    const all = loaded([entry('thrd_b', { lastMessageAt: at(9) }), entry('thrd_p', { lastMessageAt: at(8), pinned: true }), entry('thrd_c', { lastMessageAt: at(7) })], 'more');
    const order = (inbox: Inbox): string[] => listed(inbox, 'all').map(({ threadId }) => threadId);
    expect(order(all)).toEqual(['thrd_p', 'thrd_b', 'thrd_c']);
    const beside = withPage(all, 'pinned', { entries: [all.entries['thrd_p']!, far], cursor: null }, true);
    expect(order(beside)).toEqual(['thrd_p', 'thrd_far', 'thrd_b', 'thrd_c']);
    const unpinned = withEntry(beside, { ...far, pinned: false });
    expect(order(unpinned)).toEqual(['thrd_p', 'thrd_b', 'thrd_c']);
    expect(listed(beside, 'pinned').map(({ threadId }) => threadId)).toEqual(['thrd_p', 'thrd_far']);
  });

  it('uses the creation time of a thread without messages, if the server sends it', () => {
    const inbox = loaded([entry('thrd_a', { lastMessageAt: null, createdAt: at(5) }), entry('thrd_b', { lastMessageAt: at(9) }), entry('thrd_c', { lastMessageAt: at(1) })]);
    expect(ids(inbox)).toEqual(['thrd_b', 'thrd_a', 'thrd_c']);
  });

  it('shows only matching entries of a filtered folder, and resets how far it was loaded', () => {
    const all = loaded([entry('thrd_a', { label: 'wedding' }), entry('thrd_b', { muted: true }), entry('thrd_c')]);
    const fitting = (filter: InboxFilter, page: Entry[]): string[] => ids(withPage(narrowed(all, filter), 'all', { entries: page, cursor: null }, true));
    expect(ids(narrowed(all, { label: 'wedding' }))).toEqual([]);
    expect(fitting({ label: 'wedding' }, [all.entries['thrd_a']!])).toEqual(['thrd_a']);
    expect(fitting({ label: 'wedding' }, [])).toEqual([]);
    expect(fitting({ muted: true }, [all.entries['thrd_b']!])).toEqual(['thrd_b']);
    expect(fitting({ muted: false, safeModeRequired: false }, [all.entries['thrd_a']!, all.entries['thrd_c']!])).toEqual(['thrd_c', 'thrd_a']);
    expect(fitting({ kind: 'project' }, [])).toEqual([]);
    // Entries that do not match the filter stay held, although a filtered page omits them.
    expect(Object.keys(withPage(narrowed(all, { label: 'wedding' }), 'all', { entries: [], cursor: null }, true).entries)).toEqual(['thrd_b', 'thrd_c']);
  });

  it('keeps entries further down when its first page is read again, unless none are held there', () => {
    const first = loaded([entry('thrd_a', { lastMessageAt: at(9) }), entry('thrd_b', { lastMessageAt: at(8) })], 'to b');
    const all = withPage(first, 'all', { entries: [entry('thrd_c', { lastMessageAt: at(7) }), entry('thrd_d', { lastMessageAt: at(6) })], cursor: 'to d' }, false);
    const renewed = withPage(all, 'all', { entries: [entry('thrd_c', { lastMessageAt: at(10) }), entry('thrd_a', { lastMessageAt: at(9) })], cursor: 'to a' }, true);
    expect(ids(renewed)).toEqual(['thrd_c', 'thrd_a', 'thrd_b', 'thrd_d']);
    expect(renewed.folders.all.cursor).toBe('to d');
    const rest = withRenewed(renewed, 'all', { entries: [entry('thrd_d', { lastMessageAt: at(6) })], cursor: 'to d again' }, endOf({ entries: [entry('thrd_a', { lastMessageAt: at(9) })], cursor: 'to a' }));
    expect(ids(rest)).toEqual(['thrd_c', 'thrd_a', 'thrd_d']); // b has left; entries above its page have not
    expect(rest.folders.all.cursor).toBe('to d again');
    const complete = loaded([entry('thrd_a', { lastMessageAt: at(9) })]);
    expect(withPage(complete, 'all', { entries: [entry('thrd_a', { lastMessageAt: at(9) })], cursor: 'more' }, true).folders.all.cursor).toBe('more');
  });

  it('drops entries that have left a renewed first page, and none below it', () => {
    const all = loaded([entry('thrd_a', { lastMessageAt: at(9) }), entry('thrd_b', { lastMessageAt: at(8) }), entry('thrd_c', { lastMessageAt: at(2) })]);
    const renewed = withPage(all, 'all', { entries: [entry('thrd_b', { lastMessageAt: at(8) })], cursor: 'more' }, true);
    expect(Object.keys(renewed.entries).sort()).toEqual(['thrd_b', 'thrd_c']);
  });

  // The server's division (fanout/cells.cc): one line per folder.
  it.each<[EntryFolder, string[]]>([
    ['all', ['unread', 'plain', 'pinned', 'invited', 'cards', 'booked']],
    ['unread', ['unread']],
    ['pinned', ['pinned']],
    ['starred', ['pinned']],
    ['action', ['cards']],
    ['inquiries', ['unread', 'plain', 'pinned', 'cards']],
    ['invites', ['invited']],
    ['bookings', ['booked']],
    ['archived', ['archived-snoozed', 'archived']],
    ['snoozed', ['snoozed']],
    ['requests', ['requested-archived', 'requested']],
    ['spam', ['spam-archived', 'spam']],
  ])('shows in folder %s what the server would', (folder, expected) => {
    const out = { pinned: true, unread: 2, openCards: 1 }; // only in the folder it was moved to
    const until = '2030-01-01T00:00:00.000Z';
    const entries = [
      entry('unread', { unread: 1 }),
      entry('spam-archived', { ...out, spam: true, archived: true, snoozedUntil: until, gated: true }),
      entry('spam', { ...out, spam: true }),
      entry('snoozed', { ...out, snoozedUntil: until }),
      entry('requested-archived', { ...out, gated: true, archived: true, snoozedUntil: until }),
      entry('requested', { ...out, gated: true }),
      entry('plain'),
      entry('pinned', { pinned: true }),
      entry('invited', { subtype: 'invite' }),
      entry('cards', { openCards: 1 }),
      entry('booked', { kind: 'project' }),
      entry('archived-snoozed', { ...out, archived: true, snoozedUntil: until }),
      entry('archived', { ...out, archived: true }),
    ];
    const reported = entries.reduce(withEntry, withPage(kEmptyInbox, folder, { entries: [], cursor: null }, true));
    expect(visible(reported, folder).map(({ threadId }) => threadId)).toEqual(expected);
  });

  it('shows a snoozed entry again with the next message', () => {
    const before = entry('thrd_a', { lastSeq: 10, snoozedUntil: '2030-01-01T00:00:00.000Z' });
    expect(hidden(before)).toBe(true);
    expect(hidden(withNewMessage(before, message(1), 11, 'usr_alice'))).toBe(false);
  });

  it('shows an entry snoozed until an event again with that event, and with no other', () => {
    const before = entry('thrd_a', { lastSeq: 10, snoozedUntilEvent: 'card' });
    expect(hidden(before)).toBe(true);
    const spoken = withNewMessage(before, message(1), 11, 'usr_alice');
    expect(hidden(spoken)).toBe(true);
    expect(hidden(withEvent(spoken, 'status', 12))).toBe(true);
    expect(hidden(withEvent(spoken, 'card', 11))).toBe(true); // already known
    expect(withEvent(spoken, 'card', 12)).toMatchObject({ snoozedUntil: null, lastSeq: 12 });
    expect(hidden(withEvent(spoken, 'card', 12))).toBe(false);
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

  it('keeps its order after an edit, which changes the preview only for the last message', () => {
    const before = withNewMessage(entry('thrd_a', { lastSeq: 10 }), message(2), 11, 'usr_alice');
    const edited = withChangedMessage(before, message(2, { body: 'edited' }), 12);
    expect(edited).toMatchObject({ lastMessageAt: before.lastMessageAt, lastMessage: { preview: 'edited' }, unread: 1 });
    expect(withChangedMessage(edited, message(1, { body: 'other' }), 13).lastMessage?.preview).toBe('edited');
  });

  it('removes a thread that the user left', () => {
    expect(ids(without(loaded([entry('thrd_a'), entry('thrd_b')]), 'thrd_b'))).toEqual(['thrd_a']);
  });

  it('keeps a bounded number of entries, the newest ones', () => {
    const many = Array.from({ length: kInboxMax + 10 }, (_, i) => entry(`thrd_${i}`, { lastMessageAt: at(i) }));
    const inbox = loaded(many);
    expect(ids(inbox)).toHaveLength(kInboxMax);
    expect(ids(inbox)).not.toContain('thrd_9');
    expect(ids(inbox)[0]).toBe(`thrd_${kInboxMax + 9}`);
  });
});
