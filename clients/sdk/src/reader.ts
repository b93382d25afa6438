import type { Frame } from './codec.js';
import type { Store } from './store.js';
import { withReadCursor } from './thread_state.js';
import { newest } from './timeline.js';
import type { Me, Message } from './types.js';

interface UnreadNumbers {
  setUnread(threadId: string, unread: number): void;
  explain(threadId: string): Promise<void>;
}

/** Moves the read cursor along with what a person has on screen, one request per thread at a time. */
export class Reader {
  private attended: string | null = null;
  private readonly marking = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly numbers: UnreadNumbers,
  ) {}

  /**
   * The thread whose newest message a person is looking at, or null. While it is set, what arrives there is marked
   * as read at once.
   */
  attend(threadId: string | null): void {
    this.attended = threadId;
    this.markAttended();
  }

  attends(threadId: string): boolean {
    return this.attended === threadId;
  }

  markAttended(): void {
    if (this.attended !== null) void this.mark(this.attended);
  }

  private async mark(threadId: string): Promise<void> {
    const last = this.unmarked(threadId);
    if (last === null || this.marking.has(threadId)) return;
    this.marking.add(threadId);
    try {
      const reply = await this.request('read.mark', { threadId, messageId: last.messageId });
      const { userId } = this.store.get();
      const lastReadAt = (reply['lastReadAt'] as string | null) ?? null;
      this.store.updateThread(threadId, (held) => withReadCursor(held, userId, reply['lastReadMsgId'] as string, lastReadAt));
      this.numbers.setUnread(threadId, reply['unread'] as number);
    } catch {
      void this.numbers.explain(threadId);
      return;
    } finally {
      this.marking.delete(threadId);
    }
    const now = this.store.thread(threadId);
    const moreArrived = now !== undefined && newest(now.timeline)?.messageId !== last.messageId;
    if (moreArrived && this.attended === threadId) void this.mark(threadId);
  }

  /** The newest message, if it is on screen and there is something to mark. */
  private unmarked(threadId: string): Message | null {
    const thread = this.store.thread(threadId);
    const last = thread && newest(thread.timeline);
    if (!thread?.loaded || thread.me === null || last === undefined || thread.timeline.hasNewer) return null;
    const unread = this.store.get().inbox.entries[threadId]?.unread ?? 0;
    if (!hasUnreadFromOthers(thread.timeline.messages, thread.me) && unread === 0) return null;
    return (thread.me.lastReadMsgId ?? '') >= last.messageId ? null : last;
  }
}

function hasUnreadFromOthers(messages: readonly Message[], me: Me): boolean {
  for (let i = messages.length - 1; i >= 0; --i) {
    const message = messages[i]!;
    if (message.messageId <= (me.lastReadMsgId ?? '')) return false;
    if (message.authorUserId !== me.userId) return true;
  }
  return false;
}
