import { awakened, belongs, passes } from './folders.js';
import { cutText } from './graphemes.js';
import type { Entry, EntryFolder, Message, SnoozeEvent } from './types.js';
import type { InboxFilter } from './wire.js';

/**
 * The client's copy of the inbox, as an immutable value: entries by thread, and how far the pages of each folder have
 * been loaded. Entries below a folder's horizon (known from events only) are not listed, because entries between them
 * may be missing.
 */
export interface Inbox {
  entries: Readonly<Record<string, Entry>>;
  /** The filter of all folders. */
  filter: InboxFilter;
  folders: Readonly<Record<EntryFolder, FolderState>>;
}

export interface FolderState {
  loaded: boolean;
  cursor: string | null;
  /** Last entry of the last page; null if the folder is loaded to its end. */
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

/** Applies a live change to a card (of any kind but a safety report) or to the thread's status, kind or binding. */
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
 * Returns the folder in display order. In `all` pinned entries come first, but the server's pages ignore that; so the
 * folder `pinned` is loaded as well, and an entry pinned long ago need not wait for its page.
 */
export function listed(inbox: Inbox, folder: EntryFolder): Entry[] {
  const shown = visible(inbox, folder);
  if (folder !== 'all' || !inbox.folders.all.loaded) return shown;
  const pinned = new Set([...visible(inbox, 'pinned'), ...shown.filter((entry) => entry.pinned)]);
  return [...inOrder([...pinned]), ...shown.filter((entry) => !entry.pinned)];
}

/** Counts the held requests that wait for the viewer's answer; `more`: the server has others. */
export function pendingRequests({ entries, folders }: Inbox): { count: number; more: boolean } {
  const pending = Object.values(entries).filter((entry) => entry.gated === true && entry.request?.state === 'pending');
  return { count: pending.length, more: folders.requests.cursor !== null };
}

/** Changes the filter: entries stay, but their folders count as not loaded. */
export function narrowed(inbox: Inbox, filter: InboxFilter): Inbox {
  return { ...inbox, filter, folders: kEmptyInbox.folders };
}

export interface EntryPage {
  entries: readonly Entry[];
  cursor: string | null;
}

/** Returns the last position of a page; null at the end of its folder. */
export function endOf({ entries, cursor }: EntryPage): Position | null {
  const last = entries.at(-1);
  return cursor === null || last === undefined ? null : positionOf(last);
}

/** Adds a page of `inbox.list`. REQUIRES: pages of a folder come in order; the first one passes `first`. */
export function withPage(inbox: Inbox, folder: EntryFolder, page: EntryPage, first: boolean): Inbox {
  return first ? withRenewed(inbox, folder, page, null) : withEntries(inbox, folder, page, { ...inbox.entries }, horizonOf(page));
}

/**
 * Replaces the page after `after`. If the folder was loaded further down, it stays so: the reader may be there, and
 * the pages up to there are read again one by one.
 */
export function withRenewed(inbox: Inbox, folder: EntryFolder, page: EntryPage, after: Position | null): Inbox {
  const end = endOf(page);
  const deeper = loadedOf(inbox, folder).some((entry) => isBelow(positionOf(entry), end));
  return withEntries(inbox, folder, page, forget(inbox, folder, page, after), deeper ? inbox.folders[folder] : horizonOf(page));
}

/** Lists only the part of a folder above the end of `page`, since nothing below was read again. */
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

/** Removes the entries that a renewed page should contain but does not: they have left the folder. */
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
  /** The update was older than the held entry, so its unread number was skipped: request `inbox.explain`. */
  stale: boolean;
}

/** Takes personal fields from the update, and fields that follow from messages from the copy with the higher lastSeq. */
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

/** Evicts the oldest entries above the limit and raises every folder's horizon, so that no list shows a gap. */
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
 * Applies a live message of an open thread, for which the server sends no `inbox.updated`. Unread is counted as the
 * server does: one more for another's message, zero after an own one. An archived entry returns at the next message;
 * a snoozed one, too, unless it waits for another event.
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

/** Applies an edit or delete. The entry keeps its place; the preview changes if it showed that message. */
export function withChangedMessage(entry: Entry, message: Message, seq: number): Entry {
  if (seq <= entry.lastSeq) return entry;
  const last = entry.lastMessage;
  if (last?.messageId !== message.messageId) return { ...entry, lastSeq: seq };
  return { ...entry, lastSeq: seq, lastMessage: { ...last, preview: cutText(message.body, kPreviewChars) } };
}
