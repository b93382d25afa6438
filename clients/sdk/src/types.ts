// The items of the wire protocol as a browser uses them; what is asked and answered is in wire.ts. Times are RFC 3339
// strings, ids are opaque, `null` means empty. Only fields that a client reads are named; unknown ones pass through
// untouched. A field with `?` is left out where the comment says so, or by servers that do not know it yet.

/** `direct`: two people, for good. `group`: several, of whom the owner adds and removes. Neither has cards or a panel. */
export type ThreadKind = 'inquiry' | 'project' | 'direct' | 'group';
export type ThreadSubtype = 'invite';
export type ThreadStatus = 'open' | 'archived' | 'locked';
export type RoleContext = 'buyer' | 'seller' | 'admin' | 'member';
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
  /** Pinned messages, the newest pin last; null: none. */
  pins?: readonly string[] | null;
  safeModeRequired?: boolean;
  /** Shown to staff only: since when it is locked, why it is not open, and who did that. */
  lockedAt?: string | null;
  statusReason?: string | null;
  statusBy?: string | null;
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
  /** Messages up to this number count as read: the latest of cursor, own last message and joining. */
  readNo?: number;
}

export interface Reaction {
  emoji: string;
  /** How many there are; left out by servers that list them all. */
  count?: number;
  /** The first of them. */
  userIds: readonly string[];
}

/** A file shown with a message. Its bytes lie elsewhere. */
export interface Attachment {
  kind: string;
  s3Key: string | null;
  manifestRef: string | null;
  mime: string | null;
  w: number | null;
  h: number | null;
  name?: string | null;
  size?: number | null;
}

export interface MessageFlags {
  moderation: 'clean' | 'flagged' | 'blocked' | 'redacted';
  policyHints?: readonly string[];
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
  attachments?: readonly Attachment[];
  /** The card that an `action` message carries. */
  action: MessageAction | null;
  /** Null for system messages. */
  authorUserId: string | null;
  clientId: string | null;
  replyTo: string | null;
  editedAt: string | null;
  deletedAt: string | null;
  reactions?: readonly Reaction[];
  /** `flagged` is shown to staff only. */
  flags?: MessageFlags;
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
  /** It waits for somebody: its state is not final. */
  open?: boolean;
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

export type RequestState = 'pending' | 'accepted' | 'declined' | 'blocked' | 'expired';

/** A stranger asks to be let in. Whoever asked reads `declined` where they were blocked. */
export interface MessageRequest {
  requestId: string;
  fromUserId: string;
  state: RequestState;
  createdAt: string;
  expiresAt: string;
  creditCost: number;
  /** What they said of what the other asks to be told; left out: nothing. */
  contact?: Readonly<Record<string, string | number | boolean>>;
}

/** What brings a snoozed thread back, besides its time. */
export type SnoozeEvent = 'message' | 'card' | 'status';

export interface Entry {
  threadId: string;
  kind: ThreadKind;
  subtype?: ThreadSubtype;
  subject: string | null;
  /** Of the thread: where it stands while it has no message. */
  createdAt?: string;
  safeModeRequired?: boolean;
  lastMessageAt: string | null;
  lastSeq: number;
  unread: number;
  readNo?: number;
  blockedUntil?: string | null;
  lastMessage: LastMessage | null;
  pinned: boolean;
  archived: boolean;
  muted: boolean;
  mutedUntil: string | null;
  label: string | null;
  /** The message request between the viewer and a stranger, whatever became of it; null: there is none. */
  request: MessageRequest | null;
  /** The client's own: the viewer was asked by a stranger, and has not let them in. */
  gated?: boolean;
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
