// What is asked of the server and what it answers and tells, as a browser uses it.
import type { Card, Fields, Folder, Me, Message, Participant, Tab, Thread, ThreadKind, UserRole } from './types.js';

export interface Presence {
  userId: string;
  online: boolean;
  lastSeen?: string | null;
}

/** `user.get`: what somebody is called. */
export interface UserName {
  userId: string;
  /** null: they have no name, or no record. */
  displayName: string | null;
  /** There is a record of them. */
  known: boolean;
  /** There was one, and it was deleted; else left out. */
  deleted?: boolean;
}

/** In force on the server, as the hello says them. */
export interface Limits {
  maxFrameBytes: number;
  maxBodyBytes: number;
  maxInFlight: number;
  /** Of a page that is read; left out by servers of before. */
  maxPageBytes?: number;
  editWindowMs: number;
}

export interface Change {
  seq: number;
  kind: 'thread' | 'participant' | 'message' | 'card' | 'tab';
  item: unknown;
}

export type ResumeOutcome = 'ok' | 'reset' | 'gone';

export interface HelloReply {
  sessionId: string;
  userId: string;
  tenantId: string;
  role: UserRole;
  serverTime: string;
  epoch: string;
  heartbeatMs: number;
  presenceTtlMs: number;
  typingTtlMs: number;
  limits: Limits;
  resumed: Record<string, ResumeOutcome>;
}

export interface OpenReply {
  thread: Thread;
  participants: Participant[];
  me: Me | null;
  tabs: Tab[];
  lastSeq: number;
  messages: Message[];
  cursor: string | null;
  /** The open ones, with what the viewer may do; left out by servers that do not tell. */
  cards?: Card[];
  presence?: unknown;
  changes?: Change[];
  reset?: boolean;
}

export interface ChangesReply {
  changes: Change[];
  lastSeq: number;
  more: boolean;
  reset?: boolean;
}

/** `inbox.counts`: absolute. `unread` counts threads, `unreadMessages` messages. */
export interface Counts {
  folders: readonly { folder: Folder; threads: number; unread: number }[];
  /** Left out by servers that do not count them. */
  unreadMessages?: number;
  /** What conversations with strangers cost; left out where strangers do not ask. */
  credits?: { available: number; costPerRequest: number; floor: number };
}

/** What `inbox.list` is narrowed to, besides its folder. */
export interface InboxFilter {
  kind?: ThreadKind;
  label?: string;
  muted?: boolean;
  safeModeRequired?: boolean;
}

/** What a message was before a change: of `message.history`, which only staff may ask for. */
export interface MessageVersion {
  /** Of the change that ended it. */
  seq: number;
  at: string | null;
  by: string | null;
  reason: string | null;
  before: Message;
}

export interface SendReply {
  messageId: string;
  createdAt: string;
  seq: number;
  msgNo: number;
  duplicate: boolean;
  /** The text policy has something to say about it, though it was sent; else left out. */
  nudge?: unknown;
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

/** `user.blocks`: whom the viewer has blocked. */
export interface BlockedUser {
  userId: string;
  at: string;
}

/** What became of a report. */
export interface ReportReply {
  caseId: string;
  status: string;
  severity: string;
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
