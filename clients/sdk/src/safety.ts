import { bindMethods } from './bound.js';
import type { Frame } from './codec.js';
import type { InboxSync } from './inbox_sync.js';
import type { Store } from './store.js';
import type { ThreadManager } from './thread_manager.js';
import type { Entry } from './types.js';
import type { BlockedUser, ReportReply } from './wire.js';

export interface ReportArgs {
  /** The thread of the message, the reported thread itself, or the thread in which the user was met. */
  threadId?: string;
  messageId?: string;
  userId?: string;
  reason: string;
  severity?: 'low' | 'medium' | 'high' | 'critical';
  notes?: string;
}

const kBlocksPage = 200;
const kBlockedMax = 10_000;

/** Requests of strangers, blocks and reports. All methods reject with ParleyError. */
export class Safety {
  private reading: Promise<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly inbox: InboxSync,
    private readonly threads: Pick<ThreadManager, 'letIn'>,
  ) {
    bindMethods(this);
  }

  // Requests

  /** Accepts a request, and reads its thread if it is on screen. */
  async accept(threadId: string): Promise<void> {
    await this.answer('request.accept', threadId);
    this.threads.letIn(threadId);
  }

  decline(threadId: string): Promise<void> {
    return this.answer('request.decline', threadId);
  }

  /** Declines, and blocks the sender, who sees only that it was declined. */
  async blockRequest(threadId: string): Promise<void> {
    await this.answer('request.block', threadId);
    if (this.store.get().blocked !== null) await this.readBlocks();
  }

  /** Loads the requests that the viewer received, whatever folder is shown. */
  readRequests(): Promise<void> {
    return this.inbox.readRequests();
  }

  private async answer(op: string, threadId: string): Promise<void> {
    const { entry } = await this.request(op, { threadId });
    if (entry !== undefined && entry !== null) this.inbox.onEntry(entry as Entry);
  }

  // Blocks

  async block(userId: string): Promise<void> {
    await this.request('user.block', { userId });
    const { blocked } = this.store.get();
    if (blocked === null) return this.readBlocks();
    if (!blocked.some((held) => held.userId === userId)) {
      this.store.update({ blocked: [...blocked, { userId, at: new Date().toISOString() }] });
    }
  }

  async unblock(userId: string): Promise<void> {
    await this.request('user.unblock', { userId });
    const { blocked, refusals } = this.store.get();
    // The next message shows whether another block is left.
    const others = Object.entries(refusals).filter(([, { code }]) => code !== 'MSG_BLOCKED_BY_USER');
    const rest = blocked?.filter((held) => held.userId !== userId) ?? null;
    this.store.update({ blocked: rest, refusals: Object.fromEntries(others) });
    this.unmark(userId);
  }

  /** The thread's `me` was read before the unblock, so clears its mark. */
  private unmark(userId: string): void {
    for (const { threadId, participants, me } of Object.values(this.store.get().threads)) {
      if (me === null || !participants.some((participant) => participant.userId === userId)) continue;
      this.store.updateThread(threadId, (thread) => ({ ...thread, me: { ...me, blockedUntil: null } }));
    }
  }

  /** Loads the list unless it is held. Cheap enough to call on every render. */
  wantBlocks(): void {
    if (this.store.get().blocked === null) void this.readBlocks().catch(() => undefined);
  }

  readBlocks(): Promise<void> {
    this.reading ??= this.allBlocks()
      .then((blocked) => this.store.update({ blocked }))
      .finally(() => {
        this.reading = null;
      });
    return this.reading;
  }

  private async allBlocks(): Promise<BlockedUser[]> {
    const items: BlockedUser[] = [];
    let cursor: string | null = null;
    do {
      const args: Frame = cursor === null ? { limit: kBlocksPage } : { limit: kBlocksPage, cursor };
      const page = (await this.request('user.blocks', args)) as { items?: BlockedUser[]; cursor?: string | null };
      items.push(...(page.items ?? []));
      cursor = page.cursor ?? null;
    } while (cursor !== null && items.length < kBlockedMax);
    return items;
  }

  // Nudges and refusals of own messages

  dismissNudge(threadId: string): void {
    const { [threadId]: _, ...nudges } = this.store.get().nudges;
    this.store.update({ nudges });
  }

  /** The reason may have ended; the next message shows it. */
  forgetRefusal(threadId: string): void {
    const { [threadId]: _, ...refusals } = this.store.get().refusals;
    this.store.update({ refusals });
  }

  // Reports

  /** Reports a message, else a user, else a thread, whichever is named first. Only staff see the report. */
  async report({ threadId, messageId, userId, reason, severity, notes }: ReportArgs): Promise<ReportReply> {
    const more = { ...(severity === undefined ? {} : { severity }), ...(notes === undefined || notes === '' ? {} : { notes }) };
    const [op, args] =
      messageId !== undefined
        ? ['message.report', { threadId, messageId }]
        : userId !== undefined
          ? ['user.report', { userId, ...(threadId === undefined ? {} : { threadId }) }]
          : ['thread.report', { threadId }];
    return (await this.request(op as string, { ...(args as Frame), reason, ...more })) as unknown as ReportReply;
  }
}
