// What staff read and decide. Times are RFC 3339 strings; a field with `?` is left out where the comment says so, or by
// servers that do not know it yet.
import type { Message, MessageFlags, Participant, Thread, UserRole } from './types.js';

/** What a case is about. */
export type CaseType = 'message' | 'thread' | 'user';
/** What opened it: a member's report, a card of that kind, or the text policy. */
export type CaseOrigin = 'report' | 'safety' | 'dispute' | 'policy';
export type CaseStatus = 'pending' | 'awaiting_second_approval' | 'resolved' | 'rejected' | 'escalated';
export type Severity = 'low' | 'medium' | 'high' | 'critical';
export type Decision = 'approve' | 'reject' | 'escalate' | 'override';
export type CaseAction = 'redact' | 'warn' | 'mute' | 'shadow' | 'suspend' | 'lock';
export type MessageModeration = MessageFlags['moderation'];
export type ConductState = 'ok' | 'warned' | 'shadow' | 'muted' | 'suspended';

export interface Approval {
  actorId: string;
  actorRole: string;
  decision: Decision;
  notes: string | null;
  at: string;
}

export interface Resolution {
  outcome: string;
  notes: string | null;
  resolvedBy: string | null;
  resolvedAt: string;
}

export interface Case {
  caseId: string;
  type: CaseType;
  /** Left out by servers that know reports only. */
  origin?: CaseOrigin;
  threadId: string | null;
  messageId: string | null;
  userId: string | null;
  status: CaseStatus;
  severity: Severity;
  reason: string | null;
  /** The first ones. */
  reportedBy: readonly string[];
  /** How many reported it. */
  reportCount?: number;
  reportedAt: string;
  updatedAt: string;
  requiresDualApproval: boolean;
  /** Lifts the masking. */
  escalated?: boolean;
  approvals: readonly Approval[];
  resolution: Resolution | null;
  auditId?: string | null;
  /** What happens, or happened, with the decision. */
  actions?: readonly CaseActionArgs[] | null;
}

export interface CaseActionArgs {
  action: CaseAction;
  messageId?: string | null;
  userId?: string | null;
  /** When it ends by itself; left out: never. */
  until?: string | null;
}

/** How many cases the tenant has, by status, whatever is filtered. */
export interface QueueStats {
  pending: number;
  awaitingSecondApproval: number;
  escalated: number;
  resolved: number;
  rejected: number;
  /** Of the open ones, those that two have to approve. */
  dualApproval: number;
}

/** One person's report. */
export interface CaseReport {
  userId: string;
  reason: string;
  severity: Severity;
  notes: string | null;
  at: string;
}

export interface QueueFilter {
  status?: CaseStatus;
  type?: CaseType;
  severity?: Severity;
  threadId?: string;
  userId?: string;
}

export interface QueuePage {
  cases: readonly Case[];
  stats: QueueStats;
  cursor: string | null;
}

/** Where it happened. */
export interface CaseContext {
  thread: Thread | null;
  messages: readonly Message[];
  participants: readonly Participant[];
}

export interface CaseView {
  case: Case;
  reports?: readonly CaseReport[];
  context: CaseContext | null;
  /** Door codes, numbers and addresses are masked, as it was not escalated. */
  masked?: boolean;
  /** Until when the thread is open to whoever is bound to cases. */
  accessUntil?: string | null;
}

export interface DecideArgs {
  decision: Decision;
  notes: string;
  actions?: readonly CaseActionArgs[];
}

/** How the tenant stands to a user. */
/** Where a user stands with the text policy in one conversation; null: in those that they wanted to begin. */
export interface LadderPlace {
  threadId: string | null;
  points: number;
  finds: number;
  at: string;
  restsUntil: string | null;
  stoppedUntil: string | null;
}

export interface Conduct {
  userId: string;
  ladder?: LadderPlace[];
  state: ConductState;
  until: string | null;
  reason?: string | null;
  by?: string | null;
  at?: string | null;
}

export interface AuditFilter {
  threadId?: string;
  actor?: string;
  userId?: string;
  caseId?: string;
  from?: string;
  to?: string;
}

/** One act or look of staff. Never a body: states and hashes. */
export interface AuditEntry {
  auditId: string;
  at: string;
  actor: string | null;
  actorRole?: UserRole | string | null;
  action: string;
  reason: string | null;
  threadId: string | null;
  messageId: string | null;
  userId?: string | null;
  caseId?: string | null;
  /** Its number in the chain. */
  seq?: number;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  prevHash?: string | null;
  hash?: string | null;
}

export interface AuditPage {
  entries: readonly AuditEntry[];
  cursor: string | null;
}

export interface ThreadFilter {
  userId?: string;
  status?: Thread['status'];
  flagged?: boolean;
}

export interface ThreadPage {
  threads: readonly Thread[];
  cursor: string | null;
}
