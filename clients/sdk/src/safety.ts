import { bindMethods } from './bound.js';
import type { Frame } from './codec.js';
import type { InboxSync } from './inbox_sync.js';
import type { Store } from './store.js';
import type { ThreadManager } from './thread_manager.js';
import type { Entry } from './types.js';
import type { BlockedUser, ReportReply } from './wire.js';

export interface ReportArgs {
  /** A message of this thread, or the thread itself; or where a user was met. */
  threadId?: string;
  messageId?: string;
  userId?: string;
  reason: string;
  severity?: 'low' | 'medium' | 'high' | 'critical';
  notes?: string;
}

const kBlocksPage = 200;
const kBlockedMax = 10_000;

/** What keeps people safe from each other: requests of strangers, blocks, reports. All reject with ParleyError. */
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

  /** Lets them in; the thread, if it is shown, is read. */
  async accept(threadId: string): Promise<void> {
    await this.answer('request.accept', threadId);
    this.threads.letIn(threadId);
  }

  decline(threadId: string): Promise<void> {
    return this.answer('request.decline', threadId);
  }

  /** Declines, and blocks who asked; they are told only that it was declined. */
  async blockRequest(threadId: string): Promise<void> {
    await this.answer('request.block', threadId);
    if (this.store.get().blocked !== null) await this.readBlocks();
  }

  /** Brings in what the viewer was asked, whatever folder is shown. */
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
    // Whether somebody else stands in the way shows with the next message.
    const others = Object.entries(refusals).filter(([, { code }]) => code !== 'MSG_BLOCKED_BY_USER');
    const rest = blocked?.filter((held) => held.userId !== userId) ?? null;
    this.store.update({ blocked: rest, refusals: Object.fromEntries(others) });
    this.unmark(userId);
  }

  /** `me` said that the block holds, as of when the thread was opened. */
  private unmark(userId: string): void {
    for (const { threadId, participants, me } of Object.values(this.store.get().threads)) {
      if (me === null || !participants.some((participant) => participant.userId === userId)) continue;
      this.store.updateThread(threadId, (thread) => ({ ...thread, me: { ...me, blockedUntil: null } }));
    }
  }

  /** Asks for the list unless it is held. May be called as often as it is drawn. */
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

  // What was said of own messages

  dismissNudge(threadId: string): void {
    const { [threadId]: _, ...nudges } = this.store.get().nudges;
    this.store.update({ nudges });
  }

  /** What stood in the way may have gone: the next message shows it. */
  forgetRefusal(threadId: string): void {
    const { [threadId]: _, ...refusals } = this.store.get().refusals;
    this.store.update({ refusals });
  }

  // Reports

  /** Of a message where one is named, else of a user, else of a thread. Nobody but staff learns of it. */
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
