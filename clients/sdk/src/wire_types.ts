// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

import type { Attachment } from './file_types.js';

export type Fields = Record<string, unknown>;

export interface BlockedUser {
  /** the blocked user */
  userId: string;
  /** the time of the block */
  at: string;
}

export interface BroadcastMark {
  /** the linked booking group */
  lbgId: string;
  /** to be shown with the message */
  banner: string;
}

export interface Card {
  /** the ACTION message it belongs to */
  messageId: string;
  /** the kind of card (docs/cards.md) */
  type: string;
  /** the payload, with totals computed by the server */
  payload: Fields;
  /** its state */
  state: string;
  /** 1, and one higher with each transition */
  version: number;
  /** its author */
  createdBy: string;
  /** time of opening */
  createdAt: string;
  /** time of the last change */
  updatedAt: string;
  /** end unless it is answered; null once it was answered (escalating is not an answer) */
  expiresAt: string | null;
  /** the intent that led to its state */
  lastIntent: string | null;
  /** seq of its last change */
  seq: number;
  /** the note given with the last intent */
  note: string | null;
  /** the reason why the last outside effect failed */
  error: CardError | null;
  /** the outside effect it waits for; until then it stays in its former state */
  awaiting: CardAwaiting | null;
  /** the card that this one replaced */
  supersedes: string | null;
  /** the card that replaced it */
  supersededBy: string | null;
  /** the card's own transitions, if any */
  allowedTransitions: readonly OwnTransition[] | null;
  /** end, answered or not, unless it is final by then; left out: none */
  dueAt?: string;
  /** true: it waits for an answer */
  open: boolean | null;
  /** in replies: the intents open to the caller */
  allowed?: readonly string[];
}

export type CardActor = 'creator' | 'counterpart' | 'buyer' | 'seller' | 'party' | 'anyone' | 'support' | 'service';

export interface CardAwaiting {
  /** names the effect in card.resolve */
  effectId: string;
  /** the effect that the back end carries out */
  effect: string;
  /** the card's transition after the effect */
  intent: string;
  /** the author of the intent */
  by: string | null;
  /** time of the request */
  since: string;
}

export interface CardError {
  /** ACTION_CONFLICT for a clash, else the back end's own */
  code: string;
  /** for developers */
  message: string;
}

export interface ChangeItem {
  /** seq of the item's last change */
  seq: number;
  /** the item's kind */
  kind: ChangeKind;
  /** the item in its latest state */
  item: unknown;
}

export type ChangeKind = 'thread' | 'participant' | 'message' | 'card' | 'tab';

export interface Entry {
  /** the thread */
  threadId: string;
  /** inquiry, project, direct or group */
  kind: ThreadKind;
  /** the thread's; left out: none */
  subtype?: ThreadSubtype;
  /** the subject */
  subject: string | null;
  /** its position in the inbox */
  lastMessageAt: string | null;
  /** the entry is as of this seq */
  lastSeq: number;
  /** messages not read yet, absolute */
  unread: number;
  /** the newest message */
  lastMessage: LastMessage | null;
  /** pinned by the owner */
  pinned: boolean;
  /** archived until the next message */
  archived: boolean;
  /** no notifications */
  muted: boolean;
  /** end of the mute */
  mutedUntil: string | null;
  /** the owner's own label */
  label: string | null;
  /** the message request, if any */
  request: MessageRequest | null;
  /** the number of cards that wait for an answer */
  openCards: number;
  /** the thread's */
  status: ThreadStatus;
  /** snoozed until then; null: not snoozed, or without an end in time */
  snoozedUntil: string | null;
  /** while snoozed: the event that ends the snooze early; left out: the next message, if it is snoozed */
  snoozedUntilEvent?: SnoozeEvent;
  /** marked as spam by the owner; left out: not */
  spam?: boolean;
  /** the thread's */
  createdAt: string | null;
  /** Safe-Mode cannot be lifted there */
  safeModeRequired: boolean | null;
  /** latest of read cursor, own last message and joining, as a msgNo */
  readNo: number | null;
  /** the owner blocks the other until then; null: they do not */
  blockedUntil: string | null;
}

export type Folder = 'all' | 'unread' | 'pinned' | 'archived' | 'requests' | 'action' | 'snoozed' | 'spam' | 'starred' | 'inquiries' | 'invites' | 'bookings' | 'offers' | 'disputes';

export interface LastMessage {
  /** the newest message */
  messageId: string;
  /** its author */
  authorUserId: string | null;
  /** its type */
  type: MessageType;
  /** at most 140 characters of plain text */
  preview: string;
  /** time of sending */
  createdAt: string;
}

export interface Me {
  /** the user */
  userId: string;
  /** the participant's role */
  roleContext: RoleContext;
  /** the level of permission, in rising order */
  permission: Permission;
  /** read cursor */
  lastReadMsgId: string | null;
  /** everything sent up to then is read */
  lastReadAt: string | null;
  /** member since */
  joinedAt: string;
  /** null while a member */
  removedAt: string | null;
  /** seq of the last shared change */
  seq: number;
  /** no notifications */
  muted: boolean;
  /** end of the mute; null: none */
  mutedUntil: string | null;
  /** the user blocks the other until then; null: they do not */
  blockedUntil: string | null;
  /** latest of read cursor, own last message and joining, as a msgNo */
  readNo: number;
}

export interface Message {
  /** the message; its time is createdAt */
  messageId: string;
  /** its thread */
  threadId: string;
  /** seq of its last change */
  seq: number;
  /** its number in the thread: 1, 2, 3 … */
  msgNo: number;
  /** time of acceptance by the server */
  createdAt: string;
  /** text, asset, system or action */
  type: MessageType;
  /** Markdown by convention, as it was sent; empty once deleted */
  body: string;
  /** files shown with it */
  attachments: readonly Attachment[];
  /** the card that belongs to it */
  action: MessageAction | null;
  /** the author; null for system messages */
  authorUserId: string | null;
  /** 0 safe, 1 suggestive, 2 mature */
  nsfwBand: number;
  /** moderation */
  flags: MessageFlags;
  /** the author's name for the send */
  clientId: string | null;
  /** the message it answers */
  replyTo: string | null;
  /** last edit */
  editedAt: string | null;
  /** time of deletion */
  deletedAt: string | null;
  /** emoji acknowledgements */
  reactions: readonly Reaction[];
  /** the user who pinned it; left out: not pinned */
  pin?: PinMark;
  /** left out unless it went to several legs of an LBG */
  broadcast?: BroadcastMark;
}

export interface MessageAction {
  /** the card's type */
  type: string;
  /** the card's payload */
  payload: Fields;
  /** the card's state */
  state: string;
  /** the card's version */
  version: number;
}

export interface MessageFlags {
  /** verdict */
  moderation: Moderation;
  /** the rules it may break */
  policyHints: readonly string[];
}

export interface MessageRequest {
  /** the request */
  requestId: string;
  /** the author of the request */
  fromUserId: string;
  /** the outcome; a block is shown to the requester as declined */
  state: RequestState;
  /** time of creation */
  createdAt: string;
  /** end of the request unless it is answered */
  expiresAt: string;
  /** the credits that the author paid */
  creditCost: number;
  /** the author's answers to the contact filter; left out: none */
  contact?: Fields;
}

export type MessageType = 'text' | 'asset' | 'system' | 'action';

export type Moderation = 'clean' | 'flagged' | 'blocked' | 'redacted';

export interface OwnTransition {
  /** the state it leaves; if not given, the card's first state */
  from: string | null;
  /** the intent */
  intent: string;
  /** the state it leads to */
  toState: string;
  /** the users who may take it; the table decides between states of the table; otherwise, if not given, the counterpart */
  by: CardActor | null;
}

export interface Participant {
  /** the user */
  userId: string;
  /** the participant's role */
  roleContext: RoleContext;
  /** the level of permission, in rising order */
  permission: Permission;
  /** read cursor */
  lastReadMsgId: string | null;
  /** everything sent up to then is read */
  lastReadAt: string | null;
  /** member since */
  joinedAt: string;
  /** null while a member */
  removedAt: string | null;
  /** seq of the last shared change */
  seq: number;
}

export type Permission = 'read' | 'files' | 'write' | 'owner';

export interface PinMark {
  /** the user who pinned it */
  by: string;
  /** time of the pin */
  at: string;
}

export interface Reaction {
  /** the emoji */
  emoji: string;
  /** number of users who reacted so; left out: the length of `userIds` */
  count?: number;
  /** users who reacted: the first 100 */
  userIds: readonly string[];
}

export type RequestState = 'pending' | 'accepted' | 'declined' | 'blocked' | 'expired';

export type RoleContext = 'buyer' | 'seller' | 'admin' | 'member';

export interface ShotProgress {
  /** shots that are done */
  done: number;
  /** shots in all */
  total: number;
}

export type SnoozeEvent = 'message' | 'card' | 'status';

export interface Tab {
  /** the tab */
  tab: TabName;
  /** rises with each change */
  version: number;
  /** the tab's content */
  content: Fields;
  /** the author of the last change */
  updatedBy: string | null;
  /** time of the last change */
  updatedAt: string;
  /** seq of its last change */
  seq: number;
  /** the thread's version, as of this change */
  panelVersion?: number;
  /** the shot list's: the thread's progress, as of this change */
  shotlist?: ShotProgress;
}

export type TabName = 'brief' | 'moodboard' | 'shotlist' | 'files' | 'docs' | 'expenses' | 'actions';

export interface Thread {
  /** the thread */
  threadId: string;
  /** inquiry, project, direct or group */
  kind: ThreadKind;
  /** invite: the inquiry began as one; left out: nothing special */
  subtype?: ThreadSubtype;
  /** the subject */
  subject: string | null;
  /** linked booking group it is bound to */
  lbgId: string | null;
  /** leg it is bound to */
  legId: string | null;
  /** the buyer; null in direct threads and groups */
  buyerUserId: string | null;
  /** the seller; null in direct threads and groups */
  sellerUserId: string | null;
  /** the first 100 members */
  participants: readonly string[];
  /** the number of members */
  participantCount: number;
  /** city */
  city: string | null;
  /** time of creation */
  createdAt: string;
  /** time of its last change, of whatever kind */
  updatedAt: string;
  /** open, or refusing writes */
  status: ThreadStatus;
  /** createdAt of the newest message */
  lastMessageAt: string | null;
  /** seq of the newest shared change */
  lastSeq: number;
  /** msgNo of the newest message */
  lastMsgNo: number;
  /** Safe-Mode cannot be lifted here */
  safeModeRequired: boolean;
  /** time of the meeting */
  meetingAt: string | null;
  /** rises with each change of any tab; null: none has been written */
  panelVersion: number | null;
  /** progress of the shot list; null without a shot list */
  shotlist: ShotProgress | null;
  /** pinned messages, the newest pin last; null: none */
  pins: readonly string[] | null;
  /** the open dispute, for a banner */
  disputeMessageId: string | null;
  /** rises with each change of the thread's own fields */
  version: number;
  /** seq of the last change of the thread's own fields */
  seq: number;
  /** to staff only: when it stopped being open; left out while it is open */
  lockedAt?: string;
  /** to staff only: why its status was last changed; left out: it never was */
  statusReason?: string;
  /** to staff only: the user who last changed its status */
  statusBy?: string;
}

export type ThreadKind = 'inquiry' | 'project' | 'direct' | 'group';

export type ThreadStatus = 'open' | 'archived' | 'locked';

export type ThreadSubtype = 'invite';

export interface UserName {
  /** the user */
  userId: string;
  /** the display name; null: they have no name, or no record */
  displayName: string | null;
  /** there is a record of them */
  known: boolean;
  /** true: there was a record, and it was deleted; else left out */
  deleted?: boolean;
}
