// The requests, replies and events of the protocol as a browser uses them.
import type { UserRole } from './types.js';
import type { Fields, ThreadKind } from './wire_types.js';
import type { SessionHelloReply, SessionLimits } from './reply_types.js';

export type { BlockedUser, ChangeItem as Change, UserName } from './wire_types.js';
export type {
  InboxCountsReply as Counts, MessageSendReply as SendReply, ResumeVerdict as ResumeOutcome, SafeModeState, ThreadChangesReply as ChangesReply, ThreadOpenReply as OpenReply,
} from './reply_types.js';
export type { MessageVersion, ReportReply } from './staff_types.js';

/** Limits in force on the server, from the hello; those that the client enforces have a default. */
export type Limits = Partial<SessionLimits> & Pick<SessionLimits, 'maxFrameBytes' | 'maxBodyBytes' | 'maxInFlight' | 'editWindowMs'>;

export interface HelloReply extends SessionHelloReply {
  role: UserRole;
}

export interface Presence {
  userId: string;
  online: boolean;
  lastSeen?: string | null;
}

/** Filters of `inbox.list`, besides its folder. */
export interface InboxFilter {
  kind?: ThreadKind;
  label?: string;
  muted?: boolean;
  safeModeRequired?: boolean;
}

/** The text policy's remark on a sent message. */
export interface Nudge {
  messageId: string;
  /** The remark in words for people; null: the server sent only its codes. */
  hint: string | null;
  /** The names of the policies that matched. */
  policyHints: readonly string[];
  /** Parts of the message were removed. */
  redacted: boolean;
}

/** Why the viewer's last message to a thread was rejected; cleared when another one succeeds. */
export interface SendRefusal {
  code: string;
  hint: string;
  /** When the refusal ends, by the local clock in ms; null: unknown. */
  until: number | null;
}

/** One durable change of a thread, or `skip` if the viewer may not see it. */
export interface SharedEvent {
  ev: string;
  threadId: string;
  seq: number;
  at?: string;
  item?: unknown;
}

export interface Resume {
  epoch: string;
  threads: Record<string, number>;
}

/** A file to send with a message: an upload of this thread, or a list of files stored elsewhere. */
export type NewAttachment = UploadedFile | ManifestFile;

export interface UploadedFile {
  /** From `upload`. */
  attachmentId: string;
}

export interface ManifestFile {
  kind?: 'manifest';
  /** An https URL. */
  manifestRef: string;
  mime?: string;
}

/** A message that the server has stored. */
export interface Sent {
  threadId: string;
  clientId: string;
  messageId: string;
  seq: number;
  msgNo: number;
  createdAt: string;
}

export interface SendArgs {
  /** May be empty if there are attachments. */
  body: string;
  attachments?: readonly NewAttachment[];
  replyTo?: string;
}

export interface CardArgs {
  type: string;
  payload: Fields;
  /** A repeated request with the same clientId returns the same card. */
  clientId: string;
  /** The id of the message that it answers. */
  replyTo?: string;
  /** When it lapses unanswered, and when it lapses unless it is final by then. */
  expiresAt?: string;
  dueAt?: string;
}

export interface ActArgs {
  intent: string;
  /** A note, or for some intents a new payload. */
  data?: Fields;
  /** The reason; staff only. */
  reason?: string;
}

export interface NewThreadArgs {
  kind: ThreadKind;
  /**
   * One user in a direct thread; in inquiries and projects the first is the seller, and the others are further
   * members.
   */
  otherUserIds: readonly string[];
  subject?: string;
  firstMessage?: string;
  /** The answers that the recipient requires from strangers, named by CONTACT_FILTER_UNMET. */
  contact?: Readonly<Record<string, string>>;
  /** A repeated request with the same clientId returns the same thread. */
  clientId: string;
}
