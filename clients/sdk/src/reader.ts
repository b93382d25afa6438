import type { Frame } from './codec.js';
import type { Store } from './store.js';
import { withReadCursor } from './thread_state.js';
import { newest } from './timeline.js';
import type { Me, Message } from './types.js';

interface UnreadNumbers {
  setUnread(threadId: string, unread: number): void;
  explain(threadId: string): Promise<void>;
}

/** Advances the read cursor to the messages on screen, one request per thread at a time. */
export class Reader {
  private attended: string | null = null;
  /** By thread: the last message that was on screen, whether or not it is the newest. */
  private readonly seen = new Map<string, string>();
  private readonly marking = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly numbers: UnreadNumbers,
  ) {}

  /**
   * Sets the thread whose newest message the user is looking at, or null. New messages there are marked as read at
   * once.
   */
  attend(threadId: string | null): void {
    this.attended = threadId;
    this.markAttended();
  }

  attends(threadId: string): boolean {
    return this.attended === threadId;
  }

  markAttended(): void {
    const threads = new Set([...this.seen.keys(), ...(this.attended === null ? [] : [this.attended])]);
    for (const threadId of threads) void this.mark(threadId);
  }

  /** Marks everything up to this message as read; newer ones were not on screen yet. */
  readTo(threadId: string, messageId: string): void {
    if (messageId <= (this.seen.get(threadId) ?? '')) return;
    this.seen.set(threadId, messageId);
    void this.mark(threadId);
  }

  private async mark(threadId: string): Promise<void> {
    const messageId = this.unmarked(threadId);
    if (messageId === null || this.marking.has(threadId)) return;
    this.marking.add(threadId);
    try {
      const reply = await this.request('read.mark', { threadId, messageId });
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
    const next = this.unmarked(threadId);
    if (next === null) this.seen.delete(threadId);
    else if (next !== messageId) void this.mark(threadId);
  }

  /** Returns the message up to which to mark, or null if the cursor is there already. */
  private unmarked(threadId: string): string | null {
    const thread = this.store.thread(threadId);
    if (!thread?.loaded || thread.me === null) return null;
    const last = this.attended === threadId && !thread.timeline.hasNewer ? newest(thread.timeline)?.messageId : undefined;
    const seen = this.seen.get(threadId) ?? '';
    const upTo = last !== undefined && last > seen ? last : seen;
    if (upTo === '') return null;
    const unread = this.store.get().inbox.entries[threadId]?.unread ?? 0;
    if (!hasUnreadFromOthers(thread.timeline.messages, thread.me) && unread === 0) return null;
    return (thread.me.lastReadMsgId ?? '') >= upTo ? null : upTo;
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
