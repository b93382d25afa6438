// The items, replies and events of the wire protocol as a browser uses them. Times are RFC 3339 strings, ids are
// opaque, `null` means empty. Only fields that a client reads are named; unknown ones pass through untouched.

export type ThreadKind = 'inquiry' | 'project';
export type ThreadStatus = 'open' | 'archived' | 'locked';
export type RoleContext = 'buyer' | 'seller' | 'admin';
export type Permission = 'read' | 'files' | 'write' | 'owner';
export type UserRole = 'member' | 'admin' | 'support' | 'moderator' | 'bot';
export type Folder = 'all' | 'unread' | 'pinned' | 'archived';

export interface Thread {
  threadId: string;
  kind: ThreadKind;
  subject: string | null;
  buyerUserId: string | null;
  sellerUserId: string | null;
  participants: string[];
  participantCount: number;
  createdAt: string;
  status: ThreadStatus;
  lastMessageAt: string | null;
  lastSeq: number;
  lastMsgNo: number;
  version: number;
  seq: number;
}

export interface Participant {
  userId: string;
  roleContext: RoleContext | null;
  permission: Permission;
  lastReadMsgId: string | null;
  lastReadAt: string | null;
  joinedAt: string;
  removedAt: string | null;
  seq: number;
}

export interface Me extends Participant {
  muted: boolean;
  mutedUntil: string | null;
}

export interface Message {
  messageId: string;
  threadId: string;
  /** Of the last change: an edit raises it. Decides which of two copies is newer. */
  seq: number;
  /** The message's place in the thread: 1, 2, 3 … without holes. */
  msgNo: number;
  createdAt: string;
  type: 'text' | 'asset' | 'system' | 'action';
  body: string;
  /** Null for system messages. */
  authorUserId: string | null;
  clientId: string | null;
  replyTo: string | null;
  editedAt: string | null;
  deletedAt: string | null;
}

export interface LastMessage {
  messageId: string;
  authorUserId: string | null;
  type: string;
  preview: string;
  createdAt: string;
}

export interface Entry {
  threadId: string;
  kind: ThreadKind;
  subject: string | null;
  lastMessageAt: string | null;
  lastSeq: number;
  unread: number;
  lastMessage: LastMessage | null;
  pinned: boolean;
  archived: boolean;
  muted: boolean;
  mutedUntil: string | null;
  label: string | null;
  request: unknown;
  openCards: number;
}

export interface Presence {
  userId: string;
  online: boolean;
  lastSeen?: string | null;
}

export interface Limits {
  maxFrameBytes: number;
  maxBodyBytes: number;
  maxInFlight: number;
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
  lastSeq: number;
  messages: Message[];
  cursor: string | null;
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

export interface SendReply {
  messageId: string;
  createdAt: string;
  seq: number;
  msgNo: number;
  duplicate: boolean;
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

export interface SendArgs {
  body: string;
  replyTo?: string;
}

export interface NewThreadArgs {
  kind: ThreadKind;
  otherUserId: string;
  subject?: string;
  firstMessage?: string;
  /** Makes a repeated submission answer the same thread. */
  clientId: string;
}
