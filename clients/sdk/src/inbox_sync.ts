import type { Frame } from './codec.js';
import { hintOf, ParleyError } from './errors.js';
import { countsOtherwise, CountsSync } from './counts_sync.js';
import { seenBy } from './folders.js';
import { cutAt, endOf, isBelow, kEmptyInbox, kInboxMax, mergeEntry, narrowed, visible, withChangedMessage, withEntry, withEvent, withNewMessage, without, withPage, withRenewed, type EntryPage, type Inbox } from './inbox.js';
import { PeopleSync } from './people_sync.js';
import type { Store } from './store.js';
import type { Card, Entry, EntryFolder, Message, MessageRequest, Thread } from './types.js';
import type { Counts, InboxFilter, SharedEvent } from './wire.js';

const kPage = 30;
const kNextPage = 100;
const kPinnedPage = 200;
const kRenewedPage = 200;

/** How much of the shown folder is read again: the first page if events kept the rest current, or everything loaded. */
type Depth = 'top' | 'loaded';

type PutPage = (inbox: Inbox, folder: EntryFolder, page: EntryPage) => Inbox;
const withFirst: PutPage = (inbox, folder, page) => withPage(inbox, folder, page, true);
const withNext: PutPage = (inbox, folder, page) => withPage(inbox, folder, page, false);

/** Keeps the folder on screen in step with the server: pages, `inbox.updated`, and events of open threads. */
export class InboxSync {
  private refreshing: Promise<void> | null = null;
  private again: Depth | null = null;
  private readonly counts: CountsSync;
  private readonly people: PeopleSync;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {
    this.counts = new CountsSync(store, request, (counts) => this.lookForRequests(counts));
    this.people = new PeopleSync(store, request);
  }

  stop(): void {
    this.counts.stop();
  }

  show(folder: EntryFolder): void {
    this.store.update({ folder });
    void this.refresh();
  }

  narrow(filter: InboxFilter): void {
    this.store.update({ inbox: narrowed(this.store.get().inbox, filter) });
    void this.refresh();
  }

  /** Reads the shown folder again. One read at a time; a call during it causes one more round. */
  refresh(depth: Depth = 'top'): Promise<void> {
    if (this.refreshing !== null) {
      this.again = this.again === 'loaded' ? this.again : depth;
      return this.refreshing;
    }
    this.refreshing = this.readAgain(depth).finally(() => {
      this.refreshing = null;
      const again = this.again;
      this.again = null;
      if (again !== null) void this.refresh(again);
    });
    return this.refreshing;
  }

  /** Marks the other folders as outdated: they are read again when shown next. */
  markOthersUnknown(): void {
    const { inbox, folder } = this.store.get();
    const shown = { [folder]: inbox.folders[folder], ...(folder === 'all' ? { pinned: inbox.folders.pinned } : {}) };
    this.store.update({ inbox: { ...inbox, folders: { ...kEmptyInbox.folders, ...shown } } });
    this.counts.soon();
  }

  async more(): Promise<void> {
    const { inbox, folder } = this.store.get();
    const { cursor } = inbox.folders[folder];
    if (cursor === null || this.store.get().inboxLoading || Object.keys(inbox.entries).length >= kInboxMax) return;
    await this.read(folder, { folder, limit: kNextPage, cursor }, withNext);
  }

  private async readAgain(depth: Depth): Promise<void> {
    const { inbox, folder } = this.store.get();
    const limit = Math.min(kRenewedPage, Math.max(kPage, visible(inbox, folder).length));
    const pinned = folder === 'all' ? this.read('pinned', { folder: 'pinned', limit: kPinnedPage }, withFirst) : undefined;
    await Promise.all([this.readDown(folder, limit, depth), pinned]);
  }

  /**
   * Reads pages down to the loaded depth. The list keeps its scroll position during this, and after a lost
   * connection.
   */
  private async readDown(folder: EntryFolder, limit: number, depth: Depth): Promise<void> {
    let page = await this.read(folder, { folder, limit }, withFirst);
    while (depth === 'loaded' && page !== null && page.cursor !== null && isBelow(this.store.get().inbox.folders[folder].horizon, endOf(page))) {
      const { inbox, folder: shown } = this.store.get();
      if (shown !== folder) return this.store.update({ inbox: cutAt(inbox, folder, page) });
      const after = endOf(page);
      page = await this.read(folder, { folder, limit: kRenewedPage, cursor: page.cursor }, (held, name, next) => withRenewed(held, name, next, after));
    }
  }

  /** Returns the page, or null if it could not be read or is outdated. */
  private async read(folder: EntryFolder, args: Frame, put: PutPage): Promise<EntryPage | null> {
    const { filter } = this.store.get().inbox;
    this.store.update({ inboxLoading: true });
    try {
      const reply = (await this.request('inbox.list', { ...filter, ...args })) as unknown as EntryPage;
      const { inbox, userId } = this.store.get();
      if (inbox.filter !== filter) return null; // the filter changed during the request
      const page = { ...reply, entries: reply.entries.map((entry) => seenBy(entry, userId)) };
      this.store.update({ inbox: put(inbox, folder, page), inboxFailure: null });
      void this.people.look();
      return page;
    } catch (error) {
      const lost = error instanceof ParleyError && error.code === 'DISCONNECTED';
      if (!lost) this.store.update({ inboxFailure: hintOf(error) });
      return null;
    } finally {
      this.store.update({ inboxLoading: false });
    }
  }

  onEntry(news: Entry): void {
    const { inbox, userId } = this.store.get();
    const { entry, stale } = mergeEntry(inbox.entries[news.threadId], seenBy(news, userId));
    this.put(entry);
    if (stale) void this.explain(news.threadId);
  }

  /** Applies a change of a request, sent or received by the viewer. */
  onRequest(threadId: string, request: MessageRequest): void {
    const { inbox, userId } = this.store.get();
    const entry = inbox.entries[threadId];
    if (entry?.kind === 'group' && request.fromUserId === userId) return; // one of several users that they invited
    if (entry !== undefined) this.put(seenBy({ ...entry, request }, userId));
    else this.counts.soon(); // its own update adds the entry if it is visible
  }

  /** Reads the requests that the viewer received, whatever folder is shown. */
  readRequests(): Promise<void> {
    return this.read('requests', { folder: 'requests', limit: kPage }, withFirst).then(() => undefined);
  }

  /**
   * Reads received requests if the counts show new ones, because they are visible in every folder and appear only as
   * entries.
   */
  private lookForRequests({ folders }: Counts): void {
    const { inbox, folder } = this.store.get();
    const some = folders.some((one) => one.folder === 'requests' && one.threads > 0);
    if (some && folder !== 'requests' && !inbox.folders.requests.loaded) void this.readRequests();
  }

  /** Applies an event of an open thread to its entry. `attended`: the reader has the message on screen. */
  onShared(event: SharedEvent, attended: boolean): void {
    const { inbox, userId } = this.store.get();
    const entry = inbox.entries[event.threadId];
    if (entry === undefined) {
      if (event.ev === 'message.created') void this.refresh(); // moved to the top from a page that is not loaded
      return;
    }
    const changed = this.changedBy(entry, event, userId, attended);
    if (changed !== entry) this.put(changed);
    const deleted = event.ev === 'message.updated' && (event.item as Message).deletedAt !== null;
    if (deleted && entry.unread > 0) void this.explain(event.threadId);
  }

  private changedBy(entry: Entry, event: SharedEvent, userId: string, attended: boolean): Entry {
    switch (event.ev) {
      case 'message.created': {
        const created = withNewMessage(entry, event.item as Message, event.seq, userId);
        return attended && created !== entry ? { ...created, unread: entry.unread } : created;
      }
      case 'message.updated':
        return withChangedMessage(entry, event.item as Message, event.seq);
      case 'thread.updated': {
        const { subject, kind, status } = event.item as Thread;
        const moved = kind !== entry.kind || status !== entry.status;
        const updated = { ...entry, subject, kind, status };
        return moved ? withEvent(updated, 'status', event.seq) : updated;
      }
      case 'card.updated':
        return (event.item as Card).type === 'SAFETY' ? entry : withEvent(entry, 'card', event.seq);
      default:
        return entry;
    }
  }

  private put(entry: Entry): void {
    const { inbox } = this.store.get();
    const before = inbox.entries[entry.threadId];
    this.store.update({ inbox: withEntry(inbox, entry) });
    if (countsOtherwise(before, entry)) this.counts.soon();
    if (before === undefined) void this.people.look();
  }

  setUnread(threadId: string, unread: number): void {
    const entry = this.store.get().inbox.entries[threadId];
    if (entry !== undefined) this.put({ ...entry, unread });
  }

  remove(threadId: string): void {
    this.store.update({ inbox: without(this.store.get().inbox, threadId) });
    this.counts.soon();
  }

  /** Requests the exact unread number if events cannot determine it. */
  async explain(threadId: string): Promise<void> {
    try {
      const reply = (await this.request('inbox.explain', { threadId })) as { unread: number };
      this.setUnread(threadId, reply.unread);
    } catch {
      return; // the next refresh brings it
    }
  }
}
