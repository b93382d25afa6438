import type { Frame } from './codec.js';
import type { Store } from './store.js';
import type { ThreadState } from './thread_state.js';
import { findMessage, fromPage, newest, oldest, withNewer, withOlder } from './timeline.js';
import { firstUnreadId } from './timeline_opening.js';
import type { Message } from './types.js';

interface Page {
  messages: Message[];
  cursor: string | null;
}

const kPage = 50;

/** Moves the window on a thread's messages: to older and newer pages, and to a message far away. */
export class Pager {
  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {}

  async older(threadId: string): Promise<void> {
    const thread = this.store.thread(threadId);
    const first = thread && oldest(thread.timeline);
    if (!thread?.loaded || thread.loadingOlder || !thread.timeline.hasOlder || first === undefined) return;
    const page = await this.page(threadId, 'loadingOlder', { before: first.messageId });
    if (page === null) return;
    this.store.updateThread(threadId, (held) =>
      oldest(held.timeline)?.messageId === first.messageId ? { ...held, timeline: withOlder(held.timeline, page.messages, page.cursor) } : held,
    );
  }

  async newer(threadId: string): Promise<void> {
    const thread = this.store.thread(threadId);
    const last = thread && newest(thread.timeline);
    if (!thread?.loaded || thread.loadingNewer || !thread.timeline.hasNewer || last === undefined) return;
    const page = await this.page(threadId, 'loadingNewer', { after: last.messageId });
    if (page === null) return;
    this.store.updateThread(threadId, (held) =>
      newest(held.timeline)?.messageId === last.messageId ? { ...held, timeline: withNewer(held.timeline, page.messages, page.cursor) } : held,
    );
  }

  /**
   * Moves the window to this message; returns false if it does not exist. The new window is a single page, so no
   * change can fall between two reads of it.
   */
  async around(threadId: string, messageId: string): Promise<boolean> {
    const holds = (): boolean => {
      const thread = this.store.thread(threadId);
      return thread !== undefined && findMessage(thread.timeline, messageId) !== undefined;
    };
    if (holds()) return true;
    const end = (await this.list(threadId, { after: messageId, limit: kPage / 2 })).messages.at(-1);
    const page = await this.list(threadId, end === undefined ? { limit: kPage } : { before: end.messageId, limit: kPage });
    if (!page.messages.some((message) => message.messageId === messageId)) return false;
    const timeline = { ...fromPage(page.messages, page.cursor), hasNewer: end !== undefined };
    this.store.updateThread(threadId, (held) => ({ ...held, timeline, loadingOlder: false, loadingNewer: false }));
    return holds();
  }

  /** Moves the window to the first unread message. */
  async toUnread(threadId: string): Promise<void> {
    const me = this.store.thread(threadId)?.me;
    if (me == null) return;
    const first = await firstUnreadId(me, async (after, limit) => (await this.list(threadId, { after, limit })).messages);
    if (first !== null) await this.around(threadId, first);
  }

  /** Reads a single message: the last one before its successor. */
  async one(threadId: string, messageId: string): Promise<Message | undefined> {
    const [next] = (await this.list(threadId, { after: messageId, limit: 1 })).messages;
    const page = await this.list(threadId, next === undefined ? { limit: 1 } : { before: next.messageId, limit: 1 });
    return page.messages.find((message) => message.messageId === messageId);
  }

  private async list(threadId: string, where: Frame): Promise<Page> {
    return (await this.request('message.list', { threadId, ...where })) as unknown as Page;
  }

  private async page(threadId: string, flag: 'loadingOlder' | 'loadingNewer', where: Frame): Promise<Page | null> {
    const mark = (value: boolean) => (thread: ThreadState) => ({ ...thread, [flag]: value });
    this.store.updateThread(threadId, mark(true));
    try {
      return await this.list(threadId, { limit: kPage, ...where });
    } catch {
      return null; // the next scroll retries
    } finally {
      this.store.updateThread(threadId, mark(false));
    }
  }
}
