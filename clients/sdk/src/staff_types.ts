// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

import type { Message, Participant, Thread } from './wire_types.js';

export interface Case {
  /** the case */
  caseId: string;
  /** message, thread or user */
  type: CaseType;
  /** its origin: report, safety, dispute or policy */
  origin: CaseOrigin;
  /** where; null: no thread was named */
  threadId: string | null;
  /** which message; null: none in particular */
  messageId: string | null;
  /** the user whom it is about; null: no particular user */
  userId: string | null;
  /** pending, awaiting_second_approval, escalated, resolved or rejected */
  status: CaseStatus;
  /** the highest that was reported */
  severity: Severity;
  /** the reason of the first report */
  reason: string;
  /** the first 50 who reported it */
  reportedBy: readonly string[];
  /** how many reported it */
  reportCount: number;
  /** when it was opened */
  reportedAt: string;
  /** when it last changed */
  updatedAt: string;
  /** two people have to agree */
  requiresDualApproval: boolean;
  /** it was escalated, which lifts the masking */
  escalated: boolean;
  /** decisions since its proposal last changed */
  approvals: readonly CaseApproval[];
  /** the actions decided or proposed */
  actions: readonly CaseAction[];
  /** how it ended; null: it is open */
  resolution: CaseResolution | null;
  /** its entry in the audit */
  auditId: string | null;
  /** rises with each change */
  version: number;
}

export interface CaseAction {
  /** redact, warn, mute, shadow, suspend or lock */
  action: CaseActionKind;
  /** to redact; null: the message that the case is about */
  messageId: string | null;
  /** to warn, mute, shadow or suspend; null: the user that the case is about */
  userId: string | null;
  /** when a mute, shadow or suspension ends; null: when staff end it */
  until: string | null;
}

export type CaseActionKind = 'redact' | 'warn' | 'mute' | 'shadow' | 'suspend' | 'lock';

export interface CaseApproval {
  /** who decided */
  actorId: string;
  /** as what */
  actorRole: string;
  /** approve, reject, escalate or override */
  decision: CaseDecision;
  /** the note */
  notes: string | null;
  /** when */
  at: string;
}

export interface CaseContext {
  /** the thread; null: the case names none */
  thread: Thread | null;
  /** around the message, or the newest ones; oldest first */
  messages: readonly Message[];
  /** the first hundred, removed ones included */
  participants: readonly Participant[];
}

export type CaseDecision = 'approve' | 'reject' | 'escalate' | 'override';

export type CaseOrigin = 'report' | 'safety' | 'dispute' | 'policy';

export interface CaseReport {
  /** the reporter */
  userId: string;
  /** why */
  reason: string;
  /** as they see it, and never below the default */
  severity: Severity;
  /** the note */
  notes: string | null;
  /** when */
  at: string;
}

export interface CaseResolution {
  /** the decision that ended it, or handed it on */
  outcome: CaseDecision;
  /** the note */
  notes: string | null;
  /** the moderator; null: its card was resolved */
  resolvedBy: string | null;
  /** when */
  resolvedAt: string;
}

export interface CaseStats {
  /** nobody has decided */
  pending: number;
  /** one of two has approved */
  awaitingSecondApproval: number;
  /** handed on */
  escalated: number;
  /** approved or overridden */
  resolved: number;
  /** nothing was done */
  rejected: number;
  /** open cases that need two approvals */
  dualApproval: number;
}

export type CaseStatus = 'pending' | 'awaiting_second_approval' | 'escalated' | 'resolved' | 'rejected';

export type CaseType = 'message' | 'thread' | 'user';

export interface ChainEntry {
  /** the action: an op, or `look.` and the op that read */
  action: string;
  /** the actor; null: a tenant key, or the operator */
  actor: string | null;
  /** admin, support, moderator, service, operator */
  actorRole: string;
  /** states and hashes by name, after it */
  after: Readonly<Record<string, string>> | null;
  /** when it was done */
  at: string;
  /** its id */
  auditId: string;
  /** states and hashes by name, before it */
  before: Readonly<Record<string, string>> | null;
  /** the case that it is about, or that let staff in */
  caseId: string | null;
  /** the message that it is about */
  messageId: string | null;
  /** why, as staff said; empty for a look */
  reason: string;
  /** its number in the tenant's chain, from 1 */
  seq: number;
  /** the thread that it is about */
  threadId: string | null;
  /** the user that it is about */
  userId: string | null;
  /** the hash of the entry before it; 64 zeros for the first */
  prevHash: string;
  /** SHA-256, hexadecimal, over prevHash and this entry's canonical JSON (RFC 8785) without prevHash and hash */
  hash: string;
}

export interface LadderPlace {
  /** where; null: in threads that they wanted to begin */
  threadId: string | null;
  /** the points that count now, rounded up */
  points: number;
  /** how many of their texts something was found in */
  finds: number;
  /** when it was last */
  at: string;
  /** until then they rest there; null: they do not */
  restsUntil: string | null;
  /** until then nothing of theirs is taken there; null: it is */
  stoppedUntil: string | null;
}

export interface MessageVersion {
  /** the seq of the change that ended it */
  seq: number;
  /** when; null if an older release recorded no time */
  at: string | null;
  /** the author of the change; null for a service */
  by: string | null;
  /** why, as staff said */
  reason: string | null;
  /** the message as it was before */
  before: Message;
}

export interface ModeratedUser {
  /** who */
  userId: string;
  /** the present state */
  state: UserState;
  /** when it ends; null: until staff end it */
  until: string | null;
  /** the reason that staff gave; null: there is no decision */
  reason: string | null;
  /** the moderator */
  by: string | null;
  /** when */
  at: string | null;
  /** strikes under the text policy that count now, most points first; at most 100 */
  ladder: readonly LadderPlace[];
}

export interface ModerationAuditReply {
  /** newest first; may be fewer than asked for, even none */
  entries: readonly ChainEntry[];
  /** null at the end */
  cursor: string | null;
}

export interface ModerationCaseOpReply {
  /** the case */
  case: Case;
  /** the first 50 reports */
  reports: readonly CaseReport[];
  /** where it happened */
  context: CaseContext;
  /** phones, addresses and codes are masked, as it was not escalated */
  masked: boolean;
  /** the end of access to the thread by this case; null: the case gives none */
  accessUntil: string | null;
}

export interface ModerationQueueReply {
  /** newest first; may be fewer than asked for */
  cases: readonly Case[];
  /** the counts of all the tenant's cases */
  stats: CaseStats;
  /** null at the end */
  cursor: string | null;
}

export interface ModerationThreadsReply {
  /** as staff see them; may be fewer than asked for */
  threads: readonly Thread[];
  /** null at the end */
  cursor: string | null;
}

export interface ReportReply {
  /** the case; the same for a repeat */
  caseId: string;
  /** pending while it is open, then how it ended */
  status: CaseStatus;
  /** the severity that the reporter chose */
  severity: Severity;
  /** its entry in the audit */
  auditId: string | null;
}

export type Severity = 'low' | 'medium' | 'high' | 'critical';

export type UserState = 'ok' | 'warned' | 'shadow' | 'muted' | 'suspended';
