// The types of moderation: cases, reports, decisions and the audit. Times are RFC 3339 strings; a field with `?` may
// be left out.
import type { ThreadStatus } from './wire_types.js';
import type { CaseActionKind, CaseDecision, CaseStatus, CaseType, Severity } from './staff_types.js';

export type { Moderation as MessageModeration } from './wire_types.js';
export type {
  Case, CaseActionKind as CaseAction, CaseApproval as Approval, CaseContext, CaseDecision as Decision, CaseOrigin, CaseReport, CaseResolution as Resolution,
  CaseStats as QueueStats, CaseStatus, CaseType, ChainEntry as AuditEntry, LadderPlace, ModeratedUser as Conduct, ModerationAuditReply as AuditPage,
  ModerationCaseOpReply as CaseView, ModerationQueueReply as QueuePage, ModerationThreadsReply as ThreadPage, Severity, UserState as ConductState,
} from './staff_types.js';

export interface CaseActionArgs {
  action: CaseActionKind;
  messageId?: string | null;
  userId?: string | null;
  /** When it ends by itself; if left out, never. */
  until?: string | null;
}

export interface QueueFilter {
  status?: CaseStatus;
  type?: CaseType;
  severity?: Severity;
  threadId?: string;
  userId?: string;
}

export interface DecideArgs {
  decision: CaseDecision;
  notes: string;
  actions?: readonly CaseActionArgs[];
  /** Version of the case that was read; the server answers VERSION_CONFLICT if the case has changed since. */
  version?: number;
}

/** What is left out stays as it is. */
export interface FileDecision {
  state?: 'ready' | 'quarantined';
  /** 0 safe, 1 suggestive, 2 mature. */
  nsfwBand?: number;
}

export interface AuditFilter {
  threadId?: string;
  actor?: string;
  userId?: string;
  caseId?: string;
  from?: string;
  to?: string;
}

export interface ThreadFilter {
  userId?: string;
  status?: ThreadStatus;
  flagged?: boolean;
}

