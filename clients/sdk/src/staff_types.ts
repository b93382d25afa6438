// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

import type { Message, Participant, Thread } from './wire_types.js';

export interface Case {
  /** the case */
  caseId: string;
  /** message, thread or user */
  type: CaseType;
  /** its origin: report, safety, dispute or policy */
  origin: CaseOrigin;
  /** the thread; null: the reports name no thread */
  threadId: string | null;
  /** the message; null: no particular message */
  messageId: string | null;
  /** the user that the case is about; null: no particular user */
  userId: string | null;
  /** pending, awaiting_second_approval, escalated, resolved or rejected */
  status: CaseStatus;
  /** the highest severity of its reports */
  severity: Severity;
  /** the reason of the first report */
  reason: string;
  /** the first 50 reporters */
  reportedBy: readonly string[];
  /** number of reporters */
  reportCount: number;
  /** time at which it was opened */
  reportedAt: string;
  /** time of its last change */
  updatedAt: string;
  /** two people have to agree */
  requiresDualApproval: boolean;
  /** whether it was escalated, which lifts the masking */
  escalated: boolean;
  /** the decisions since its proposal last changed */
  approvals: readonly CaseApproval[];
  /** the actions decided or proposed */
  actions: readonly CaseAction[];
  /** its end; null: it is open */
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
  /** end of a mute, shadow or suspension; null: until staff end it */
  until: string | null;
  /** true, with redact: files with the same bytes go into quarantine, as moderation.message says */
  illegal?: boolean;
}

export type CaseActionKind = 'redact' | 'warn' | 'mute' | 'shadow' | 'suspend' | 'lock';

export interface CaseApproval {
  /** the moderator */
  actorId: string;
  /** the moderator's role */
  actorRole: string;
  /** approve, reject, escalate or override */
  decision: CaseDecision;
  /** the note */
  notes: string | null;
  /** time of the decision */
  at: string;
}

export interface CaseContext {
  /** the thread; null: the case names none */
  thread: Thread | null;
  /** the messages around the reported one, or the newest ones; oldest first */
  messages: readonly Message[];
  /** the first hundred, removed ones included */
  participants: readonly Participant[];
}

export type CaseDecision = 'approve' | 'reject' | 'escalate' | 'override';

export type CaseOrigin = 'report' | 'safety' | 'dispute' | 'policy';

export interface CaseReport {
  /** the reporter */
  userId: string;
  /** the reason */
  reason: string;
  /** the severity that the reporter chose, never below the default */
  severity: Severity;
  /** the note */
  notes: string | null;
  /** time of the report */
  at: string;
}

export interface CaseResolution {
  /** the decision that ended or escalated the case */
  outcome: CaseDecision;
  /** the note */
  notes: string | null;
  /** the moderator; null: the case ended with its card */
  resolvedBy: string | null;
  /** time of the decision */
  resolvedAt: string;
}

export interface CaseStats {
  /** cases without a decision */
  pending: number;
  /** cases that the first of two moderators has approved */
  awaitingSecondApproval: number;
  /** cases that were escalated */
  escalated: number;
  /** cases that were approved or overridden */
  resolved: number;
  /** cases that were rejected */
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
  /** time of the act */
  at: string;
  /** its id */
  auditId: string;
  /** states and hashes by name, before it */
  before: Readonly<Record<string, string>> | null;
  /** the case that it is about, or that let staff in */
  caseId: string | null;
  /** the message that it is about */
  messageId: string | null;
  /** the reason that staff gave; empty for a look */
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
  /** the thread; null: threads that the user tried to begin */
  threadId: string | null;
  /** the points that count now, rounded up */
  points: number;
  /** number of the user's texts with findings */
  finds: number;
  /** time of the last finding */
  at: string;
  /** end of the pause for the user in that thread; null: there is no pause */
  restsUntil: string | null;
  /** end of the time in which the thread takes no text of the user; null: it takes them */
  stoppedUntil: string | null;
}

export interface MessageVersion {
  /** the seq of the change that ended it */
  seq: number;
  /** time of the change; null if an older release recorded none */
  at: string | null;
  /** the author of the change; null for a service */
  by: string | null;
  /** the reason that staff gave */
  reason: string | null;
  /** the message as it was before */
  before: Message;
}

export interface ModeratedUser {
  /** the user */
  userId: string;
  /** the present state */
  state: UserState;
  /** end of the sanction; null: until staff end it */
  until: string | null;
  /** the reason that staff gave; null: there is no decision */
  reason: string | null;
  /** the moderator */
  by: string | null;
  /** time of the decision */
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
  /** the thread, its messages and members */
  context: CaseContext;
  /** phones, addresses and codes are masked, because the case was not escalated */
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
  /** pending while the case is open, then its final status */
  status: CaseStatus;
  /** the severity that the reporter chose */
  severity: Severity;
  /** its entry in the audit */
  auditId: string | null;
}

export type Severity = 'low' | 'medium' | 'high' | 'critical';

export type UserState = 'ok' | 'warned' | 'shadow' | 'muted' | 'suspended';
