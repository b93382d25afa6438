import { awakened, belongs, passes } from './folders.js';
import { cutText } from './graphemes.js';
import type { Entry, EntryFolder, Message, SnoozeEvent } from './types.js';
import type { InboxFilter } from './wire.js';

/**
 * The inbox as held by a client, as an immutable value: entries by thread, and for each folder how far its pages
 * have been loaded. Entries below a folder's horizon (known from events only) are withheld, since the ones between
 * would be missing.
 */
export interface Inbox {
  entries: Readonly<Record<string, Entry>>;
  /** What the pages of all folders are narrowed to. */
  filter: InboxFilter;
  folders: Readonly<Record<EntryFolder, FolderState>>;
}

export interface FolderState {
  loaded: boolean;
  cursor: string | null;
  /** Last entry of the last page; null when the folder is loaded to its end. */
  horizon: Position | null;
}

export interface Position {
  at: string;
  threadId: string;
}

export const kInboxMax = 20_000;

const kNotLoaded: FolderState = { loaded: false, cursor: null, horizon: null };

export const kEmptyInbox: Inbox = {
  entries: {},
  filter: {},
  folders: {
    all: kNotLoaded,
    unread: kNotLoaded,
    pinned: kNotLoaded,
    archived: kNotLoaded,
    requests: kNotLoaded,
    action: kNotLoaded,
    snoozed: kNotLoaded,
    spam: kNotLoaded,
    starred: kNotLoaded,
    inquiries: kNotLoaded,
    invites: kNotLoaded,
    bookings: kNotLoaded,
  },
};

/** Newest first, ties by threadId descending: the server's order. */
function compare(a: Position, b: Position): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return a.threadId === b.threadId ? 0 : a.threadId < b.threadId ? 1 : -1;
}

function positionOf(entry: Entry): Position {
  return { at: entry.lastMessageAt ?? entry.createdAt ?? '', threadId: entry.threadId };
}

/** A live change to a card (of any kind but a safety report) or to the thread's status, kind or binding. */
export function withEvent(entry: Entry, event: SnoozeEvent, seq: number): Entry {
  return seq <= entry.lastSeq ? entry : awakened({ ...entry, lastSeq: seq }, event);
}

function shows(inbox: Inbox, folder: EntryFolder): (entry: Entry) => boolean {
  return (entry) => belongs(entry, folder) && passes(entry, inbox.filter);
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => compare(positionOf(a), positionOf(b)));
}

export function visible(inbox: Inbox, folder: EntryFolder): Entry[] {
  return inOrder(loadedOf(inbox, folder));
}

function loadedOf(inbox: Inbox, folder: EntryFolder): Entry[] {
  const { loaded, horizon } = inbox.folders[folder];
  if (!loaded) return [];
  const shown = shows(inbox, folder);
  return Object.values(inbox.entries).filter((entry) => shown(entry) && !(horizon !== null && isBelow(positionOf(entry), horizon)));
}

/**
 * The folder as it is put on screen. In `all` what is pinned stands on top, which the server's pages do not know; so the
 * folder `pinned` is loaded beside it, and an entry pinned long ago does not wait for its page.
 */
export function listed(inbox: Inbox, folder: EntryFolder): Entry[] {
  const shown = visible(inbox, folder);
  if (folder !== 'all' || !inbox.folders.all.loaded) return shown;
  const pinned = new Set([...visible(inbox, 'pinned'), ...shown.filter((entry) => entry.pinned)]);
  return [...inOrder([...pinned]), ...shown.filter((entry) => !entry.pinned)];
}

/** Requests that wait for the viewer's answer, of those that are held; `more`: there are others. */
export function pendingRequests({ entries, folders }: Inbox): { count: number; more: boolean } {
  const pending = Object.values(entries).filter((entry) => entry.gated === true && entry.request?.state === 'pending');
  return { count: pending.length, more: folders.requests.cursor !== null };
}

/** Narrowed to something else: what is held stays, but how far its folders are loaded is unknown. */
export function narrowed(inbox: Inbox, filter: InboxFilter): Inbox {
  return { ...inbox, filter, folders: kEmptyInbox.folders };
}

export interface EntryPage {
  entries: readonly Entry[];
  cursor: string | null;
}

/** Where a page ends; null: at the end of its folder. */
export function endOf({ entries, cursor }: EntryPage): Position | null {
  const last = entries.at(-1);
  return cursor === null || last === undefined ? null : positionOf(last);
}

/** One page of `inbox.list`. REQUIRES: pages of a folder come in order; the first one passes `first`. */
export function withPage(inbox: Inbox, folder: EntryFolder, page: EntryPage, first: boolean): Inbox {
  return first ? withRenewed(inbox, folder, page, null) : withEntries(inbox, folder, page, { ...inbox.entries }, horizonOf(page));
}

/**
 * A page that is read again, the one after `after`. A folder that was loaded further down stays so: the reader may be there, and the
 * pages up to there are read again one by one.
 */
export function withRenewed(inbox: Inbox, folder: EntryFolder, page: EntryPage, after: Position | null): Inbox {
  const end = endOf(page);
  const deeper = loadedOf(inbox, folder).some((entry) => isBelow(positionOf(entry), end));
  return withEntries(inbox, folder, page, forget(inbox, folder, page, after), deeper ? inbox.folders[folder] : horizonOf(page));
}

/** Shows of a folder what stands above the end of `page`, since nothing below was read again. */
export function cutAt(inbox: Inbox, folder: EntryFolder, page: EntryPage): Inbox {
  return { ...inbox, folders: { ...inbox.folders, [folder]: horizonOf(page) } };
}

/** null, the end of the folder, is below everything but itself. */
export function isBelow(position: Position | null, other: Position | null): boolean {
  return other !== null && (position === null || compare(position, other) > 0);
}

function horizonOf(page: EntryPage): FolderState {
  return { loaded: true, cursor: page.cursor, horizon: endOf(page) };
}

function withEntries(inbox: Inbox, folder: EntryFolder, page: EntryPage, entries: Record<string, Entry>, horizon: FolderState): Inbox {
  for (const entry of page.entries) entries[entry.threadId] = mergeEntry(inbox.entries[entry.threadId], entry).entry;
  return bounded({ ...inbox, entries, folders: { ...inbox.folders, [folder]: horizon } });
}

/** A renewed page is the truth about its stretch: what stood there and is not in it any more has left. */
function forget(inbox: Inbox, folder: EntryFolder, page: EntryPage, after: Position | null): Record<string, Entry> {
  const end = endOf(page);
  const named = new Set(page.entries.map((entry) => entry.threadId));
  const shown = shows(inbox, folder);
  const outside = (at: Position): boolean => (after !== null && !isBelow(at, after)) || (end !== null && isBelow(at, end));
  const kept = Object.values(inbox.entries).filter((entry) => named.has(entry.threadId) || !shown(entry) || outside(positionOf(entry)));
  return Object.fromEntries(kept.map((entry) => [entry.threadId, entry]));
}

export interface Merged {
  entry: Entry;
  /** The news was older than what is held, so its unread number could not be taken: ask `inbox.explain`. */
  stale: boolean;
}

/** Personal fields are always the news'; what follows from messages is taken from the copy with the higher lastSeq. */
export function mergeEntry(held: Entry | undefined, news: Entry): Merged {
  if (held === undefined || news.lastSeq >= held.lastSeq) return { entry: news, stale: false };
  const { lastSeq, lastMessageAt, lastMessage, unread, subject, kind } = held;
  return { entry: { ...news, lastSeq, lastMessageAt, lastMessage, unread, subject, kind }, stale: true };
}

export function withEntry(inbox: Inbox, entry: Entry): Inbox {
  return bounded({ ...inbox, entries: { ...inbox.entries, [entry.threadId]: entry } });
}

export function without(inbox: Inbox, threadId: string): Inbox {
  const entries = { ...inbox.entries };
  delete entries[threadId];
  return { ...inbox, entries };
}

/** Over the bound the oldest go; every folder's horizon rises with them, so that no list shows a gap. */
function bounded(inbox: Inbox): Inbox {
  const all = Object.values(inbox.entries);
  if (all.length <= kInboxMax) return inbox;
  const kept = all.sort((a, b) => compare(positionOf(a), positionOf(b))).slice(0, kInboxMax);
  const floor = positionOf(kept.at(-1)!);
  const folders = { ...inbox.folders };
  for (const name of Object.keys(folders) as EntryFolder[]) {
    const folder = folders[name];
    if (folder.horizon === null || compare(folder.horizon, floor) > 0) folders[name] = { ...folder, horizon: floor };
  }
  return { ...inbox, entries: Object.fromEntries(kept.map((entry) => [entry.threadId, entry])), folders };
}

const kPreviewChars = 140;

/**
 * A live message of an opened thread, for which no `inbox.updated` is sent. Unread as the server counts it: one more
 * for another's message, none after an own one. Put away, an entry returns at the next message; snoozed, unless it
 * waits for another event.
 */
export function withNewMessage(entry: Entry, message: Message, seq: number, myUserId: string): Entry {
  if (seq <= entry.lastSeq) return entry;
  return {
    ...awakened(entry, 'message'),
    lastSeq: seq,
    lastMessageAt: message.createdAt,
    archived: false,
    unread: message.authorUserId === myUserId ? 0 : entry.unread + 1,
    lastMessage: {
      messageId: message.messageId,
      authorUserId: message.authorUserId,
      type: message.type,
      preview: cutText(message.body, kPreviewChars),
      createdAt: message.createdAt,
    },
  };
}

/** An edit or delete keeps the entry's place; the preview follows if it was the last message. */
export function withChangedMessage(entry: Entry, message: Message, seq: number): Entry {
  if (seq <= entry.lastSeq) return entry;
  const last = entry.lastMessage;
  if (last?.messageId !== message.messageId) return { ...entry, lastSeq: seq };
  return { ...entry, lastSeq: seq, lastMessage: { ...last, preview: cutText(message.body, kPreviewChars) } };
}
