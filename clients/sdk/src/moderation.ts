import { bindMethods } from './bound.js';
import type { Frame } from './codec.js';
import type {
  AuditFilter,
  AuditPage,
  Case,
  CaseView,
  Conduct,
  ConductState,
  DecideArgs,
  FileDecision,
  MessageModeration,
  QueueFilter,
  QueuePage,
  ThreadFilter,
  ThreadPage,
} from './moderation_types.js';
import type { Attachment, Message } from './types.js';

type Request = (op: string, args: Frame) => Promise<Frame>;

/** The ops for moderators; the server records each read and each act. All methods reject with ParleyError. */
export class Moderation {
  constructor(private readonly request: Request) {
    bindMethods(this);
  }

  async queue(filter: QueueFilter, cursor: string | null = null, limit?: number): Promise<QueuePage> {
    return (await this.request('moderation.queue', given({ ...filter, cursor, limit }))) as unknown as QueuePage;
  }

  /** Returns a case with its context. */
  async openCase(caseId: string): Promise<CaseView> {
    return (await this.request('moderation.case', { caseId })) as unknown as CaseView;
  }

  async decide(caseId: string, { decision, notes, actions, version }: DecideArgs): Promise<Case> {
    const listed = actions === undefined || actions.length === 0 ? {} : { actions: actions.map((action) => given({ ...action })) };
    return (await this.request('moderation.decide', { caseId, decision, notes, ...listed, ...(version === undefined ? {} : { version }) }))['case'] as Case;
  }

  async moderateMessage(threadId: string, messageId: string, moderation: MessageModeration, reason: string): Promise<Message> {
    return (await this.request('moderation.message', { threadId, messageId, moderation, reason }))['message'] as Message;
  }

  /** Releases a file, puts it into quarantine, or judges its band. */
  async decideFile(attachmentId: string, decision: FileDecision, reason: string): Promise<Attachment> {
    return (await this.request('moderation.file', given({ attachmentId, ...decision, reason })))['attachment'] as Attachment;
  }

  /** Returns the sanctions of a user; the access log records the call. */
  async user(userId: string): Promise<Conduct> {
    return (await this.request('moderation.user', { userId }))['user'] as Conduct;
  }

  async setUser(userId: string, state: ConductState, reason: string, until: string | null = null): Promise<Conduct> {
    return (await this.request('moderation.user', given({ userId, state, reason, until })))['user'] as Conduct;
  }

  async threads(filter: ThreadFilter, cursor: string | null = null): Promise<ThreadPage> {
    return (await this.request('moderation.threads', given({ ...filter, cursor }))) as unknown as ThreadPage;
  }

  async audit(filter: AuditFilter, cursor: string | null = null, limit?: number): Promise<AuditPage> {
    return (await this.request('moderation.audit', given({ ...filter, cursor, limit }))) as unknown as AuditPage;
  }

  async resetLadder(userId: string, reason: string, threadId?: string): Promise<void> {
    await this.request('moderation.resetLadder', given({ userId, reason, threadId }));
  }
}

/** Removes undefined arguments. */
function given(args: Record<string, unknown>): Frame {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
