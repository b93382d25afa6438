// The requests, replies and events of the protocol as a browser uses them.
import type { UserRole } from './types.js';
import type { Fields, ThreadKind } from './wire_types.js';
import type { SessionHelloReply, SessionLimits } from './reply_types.js';

export type { BlockedUser, ChangeItem as Change, UserName } from './wire_types.js';
export type {
  InboxCountsReply as Counts, MessageSendReply as SendReply, ResumeVerdict as ResumeOutcome, ThreadChangesReply as ChangesReply, ThreadOpenReply as OpenReply,
} from './reply_types.js';
export type { MessageVersion, ReportReply } from './staff_types.js';

/** In force on the server, as the hello says them; those that the client keeps to have a default. */
export type Limits = Partial<SessionLimits> & Pick<SessionLimits, 'maxFrameBytes' | 'maxBodyBytes' | 'maxInFlight' | 'editWindowMs'>;

export interface HelloReply extends SessionHelloReply {
  role: UserRole;
}

export interface Presence {
  userId: string;
  online: boolean;
  lastSeen?: string | null;
}

/** What `inbox.list` is narrowed to, besides its folder. */
export interface InboxFilter {
  kind?: ThreadKind;
  label?: string;
  muted?: boolean;
  safeModeRequired?: boolean;
}

/** What the text policy says about a message that was sent. */
export interface Nudge {
  messageId: string;
  /** In words for people; null: the server only says that there is something. */
  hint: string | null;
  /** The names of what was found. */
  policyHints: readonly string[];
  /** Something was taken out of the message. */
  redacted: boolean;
}

/** Why the viewer's last message to a thread was refused for good; until another one goes through. */
export interface SendRefusal {
  code: string;
  hint: string;
  /** Until when, by the local clock in ms; null: that is not known. */
  until: number | null;
}

/** One durable change of a thread, or `skip` where the viewer may not see it. */
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

/** A file to send with a message: a preview of an upload, or a manifest of files that lie elsewhere. */
export interface NewAttachment {
  kind: 'preview' | 'manifest';
  /** Of a preview. */
  s3Key?: string;
  /** Of a manifest. */
  manifestRef?: string;
  mime?: string;
  w?: number;
  h?: number;
}

/** A message that the server has. */
export interface Sent {
  threadId: string;
  clientId: string;
  messageId: string;
  seq: number;
  msgNo: number;
  createdAt: string;
}

export interface SendArgs {
  /** May be empty where there are attachments. */
  body: string;
  attachments?: readonly NewAttachment[];
  replyTo?: string;
}

export interface CardArgs {
  type: string;
  payload: Fields;
  /** Makes a repeated submission answer the same card. */
  clientId: string;
  /** A message of the thread that it answers. */
  replyTo?: string;
  /** When it lapses unanswered, and when it lapses unless it is final by then. */
  expiresAt?: string;
  dueAt?: string;
}

export interface ActArgs {
  intent: string;
  /** A note, or for some intents a payload anew. */
  data?: Fields;
  /** Of staff only: why. */
  reason?: string;
}

export interface NewThreadArgs {
  kind: ThreadKind;
  /** One in a direct thread; of inquiries and projects the first is the seller, and the others are further members. */
  otherUserIds: readonly string[];
  subject?: string;
  firstMessage?: string;
  /** What the other asks strangers to say, as CONTACT_FILTER_UNMET names it. */
  contact?: Readonly<Record<string, string>>;
  /** Makes a repeated submission answer the same thread. */
  clientId: string;
}
