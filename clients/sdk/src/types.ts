// The items, replies and events of the wire protocol as a browser uses them. Times are RFC 3339 strings, ids are
// opaque, `null` means empty. Only fields that a client reads are named; unknown ones pass through untouched.

export type ThreadKind = 'inquiry' | 'project';
export type ThreadSubtype = 'invite';
export type ThreadStatus = 'open' | 'archived' | 'locked';
export type RoleContext = 'buyer' | 'seller' | 'admin';
export type Permission = 'read' | 'files' | 'write' | 'owner';
export type UserRole = 'member' | 'admin' | 'support' | 'moderator' | 'bot';
/** All but the first eight are there where the server's option `folders` offers them. */
export type Folder =
  | 'all'
  | 'unread'
  | 'pinned'
  | 'archived'
  | 'requests'
  | 'action'
  | 'snoozed'
  | 'spam'
  | 'starred'
  | 'inquiries'
  | 'invites'
  | 'bookings'
  | 'offers'
  | 'disputes';
/** Folders that an entry itself tells whether it lies in. What lies in the others only the server knows. */
export type EntryFolder = Exclude<Folder, 'offers' | 'disputes'>;
export type TabName = 'brief' | 'moodboard' | 'shotlist' | 'files' | 'docs' | 'expenses' | 'actions';

export interface Thread {
  threadId: string;
  kind: ThreadKind;
  /** Left out unless the inquiry began as an invite. */
  subtype?: ThreadSubtype;
  subject: string | null;
  lbgId: string | null;
  legId: string | null;
  buyerUserId: string | null;
  sellerUserId: string | null;
  participants: string[];
  participantCount: number;
  createdAt: string;
  status: ThreadStatus;
  lastMessageAt: string | null;
  lastSeq: number;
  lastMsgNo: number;
  /** Rises with each change of any tab; null: none was written. */
  panelVersion: number | null;
  shotlist: { done: number; total: number } | null;
  /** The dispute that is open. */
  disputeMessageId: string | null;
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
  /** Until when the user is kept from writing. */
  blockedUntil: string | null;
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
  /** The card that an `action` message carries. */
  action: MessageAction | null;
  /** Null for system messages. */
  authorUserId: string | null;
  clientId: string | null;
  replyTo: string | null;
  editedAt: string | null;
  deletedAt: string | null;
  /** Left out unless somebody pinned it. */
  pin?: { by: string; at: string };
  /** Left out unless it went into all legs of a linked booking group; `banner` is to be shown with it. */
  broadcast?: { lbgId: string; banner: string };
}

export type Fields = Record<string, unknown>;

export interface MessageAction {
  type: string;
  payload: Fields;
  state: string;
  version: number;
}

/** A card: a message with a state. Which intents lead where: docs/cards.md. */
export interface Card extends MessageAction {
  messageId: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string | null;
  /** When it lapses unless it is final by then; left out: never. */
  dueAt?: string;
  lastIntent: string | null;
  seq: number;
  note: string | null;
  /** Why the last outside effect did not happen. */
  error: { code: string; message: string } | null;
  /** The outside effect it waits for; until then the state is the former. */
  awaiting: { effectId: string; effect: string; intent: string; by: string | null; since: string } | null;
  supersedes: string | null;
  supersededBy: string | null;
  /** The intents open to the viewer. In replies only: after an event it is unknown until asked for. */
  allowed?: string[];
}

/** One tab of a project's panel. One that nobody wrote yet has version 0 and no content. */
export interface Tab {
  tab: TabName;
  version: number;
  content: Fields;
  updatedBy: string | null;
  updatedAt: string;
  seq: number;
  /** The thread's, as of this change; left out by servers that do not tell. */
  panelVersion?: number;
  /** Of the shot list: the thread's progress, as of this change. */
  shotlist?: { done: number; total: number };
}

export interface LastMessage {
  messageId: string;
  authorUserId: string | null;
  type: string;
  preview: string;
  createdAt: string;
}

/** What brings a snoozed thread back, besides its time. */
export type SnoozeEvent = 'message' | 'card' | 'status';

export interface Entry {
  threadId: string;
  kind: ThreadKind;
  subtype?: ThreadSubtype;
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
  /** The message request that waits for an answer; null: there is none. */
  request: unknown;
  openCards: number;
  /** Of the thread. */
  status: ThreadStatus;
  /** Out of sight until then, or until its event; null: not snoozed, or without an end in time. */
  snoozedUntil: string | null;
  /** While snoozed, what brings it back besides its time; left out: the next message, if it is snoozed. */
  snoozedUntilEvent?: SnoozeEvent;
  /** Put among the spam by the owner; left out: not. */
  spam?: boolean;
}

export interface EntryChange {
  pinned?: boolean;
  archived?: boolean;
  label?: string | null;
  snoozedUntil?: string | null;
  snoozedUntilEvent?: SnoozeEvent;
  spam?: boolean;
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
  tabs: Tab[];
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
  otherUserId: string;
  subject?: string;
  firstMessage?: string;
  /** Makes a repeated submission answer the same thread. */
  clientId: string;
}
