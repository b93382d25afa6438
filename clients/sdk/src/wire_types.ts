// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

export type Fields = Record<string, unknown>;

export interface Attachment {
  /** preview of an upload, or manifest of external files */
  kind: AttachmentKind;
  /** where a preview is stored */
  s3Key: string | null;
  /** which manifest */
  manifestRef: string | null;
  /** media type */
  mime: string | null;
  /** width in pixels */
  w: number | null;
  /** height in pixels */
  h: number | null;
}

export type AttachmentKind = 'preview' | 'manifest';

export interface BlockedUser {
  /** whom */
  userId: string;
  /** since when */
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
  /** which kind of card (docs/cards.md) */
  type: string;
  /** what it is about, totals computed by the server */
  payload: Fields;
  /** where it stands */
  state: string;
  /** 1, and one higher with each transition */
  version: number;
  /** who opened it */
  createdBy: string;
  /** when it was opened */
  createdAt: string;
  /** last change */
  updatedAt: string;
  /** when it lapses unanswered; null once it was answered (escalating is not an answer) */
  expiresAt: string | null;
  /** what brought it into its state */
  lastIntent: string | null;
  /** seq of its last change */
  seq: number;
  /** the note given with the last intent */
  note: string | null;
  /** why the last outside effect did not happen */
  error: CardError | null;
  /** the outside effect it waits for; until then it stays in its former state */
  awaiting: CardAwaiting | null;
  /** the card that this one replaced */
  supersedes: string | null;
  /** the card that replaced it */
  supersededBy: string | null;
  /** the card's own transitions, if any */
  allowedTransitions: readonly OwnTransition[] | null;
  /** when it lapses, answered or not, unless it is final by then; left out: never */
  dueAt?: string;
  /** it waits for somebody */
  open: boolean | null;
  /** in replies: the intents open to the caller */
  allowed?: readonly string[];
}

export type CardActor = 'creator' | 'counterpart' | 'buyer' | 'seller' | 'party' | 'anyone' | 'support' | 'service';

export interface CardAwaiting {
  /** names the effect in card.resolve */
  effectId: string;
  /** what the back end is asked to do */
  effect: string;
  /** what happens to the card when it is done */
  intent: string;
  /** whose intent it was */
  by: string | null;
  /** asked when */
  since: string;
}

export interface CardError {
  /** ACTION_CONFLICT for a clash, else the back end's own */
  code: string;
  /** for developers */
  message: string;
}

export interface Case {
  /** the case */
  caseId: string;
  /** message, thread or user */
  type: CaseType;
  /** what opened it: report, safety, dispute or policy */
  origin: CaseOrigin;
  /** where; null: no thread was named */
  threadId: string | null;
  /** which message; null: none in particular */
  messageId: string | null;
  /** whom it is about; null: nobody in particular */
  userId: string | null;
  /** pending, awaiting_second_approval, escalated, resolved or rejected */
  status: CaseStatus;
  /** the highest that was reported */
  severity: Severity;
  /** of the first report */
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
  /** who decided what, since its proposal last changed */
  approvals: readonly CaseApproval[];
  /** what was decided to be done, or is proposed */
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
  /** what they said with it */
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
  /** who reported */
  userId: string;
  /** why */
  reason: string;
  /** as they see it, and never below the default */
  severity: Severity;
  /** what they said with it */
  notes: string | null;
  /** when */
  at: string;
}

export interface CaseResolution {
  /** the decision that ended it, or handed it on */
  outcome: CaseDecision;
  /** what was said with it */
  notes: string | null;
  /** who; null: its card was resolved */
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
  /** of the open ones, those that two have to approve */
  dualApproval: number;
}

export type CaseStatus = 'pending' | 'awaiting_second_approval' | 'escalated' | 'resolved' | 'rejected';

export type CaseType = 'message' | 'thread' | 'user';

export interface ChainEntry {
  /** what was done: an op, or look. and the op that looked */
  action: string;
  /** who; null: a tenant key, or whoever runs the server */
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

export interface ChangeItem {
  /** seq of the item's last change */
  seq: number;
  /** what the item is */
  kind: ChangeKind;
  /** the item in its latest state */
  item: unknown;
}

export type ChangeKind = 'thread' | 'participant' | 'message' | 'card' | 'tab';

export interface CreditCount {
  /** credits left of this month's; none while they are frozen */
  available: number;
  /** what a conversation with a stranger costs */
  costPerRequest: number;
  /** what always stays */
  floor: number;
}

export interface Entry {
  /** the thread */
  threadId: string;
  /** inquiry, project, direct or group */
  kind: ThreadKind;
  /** of the thread; left out: none */
  subtype?: ThreadSubtype;
  /** what it is about */
  subject: string | null;
  /** where it stands in the inbox */
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
  /** when the mute ends */
  mutedUntil: string | null;
  /** the owner's own label */
  label: string | null;
  /** the message request, if any */
  request: MessageRequest | null;
  /** cards that wait for somebody */
  openCards: number;
  /** of the thread */
  status: ThreadStatus;
  /** snoozed until then; null: not snoozed, or without an end in time */
  snoozedUntil: string | null;
  /** while snoozed: what brings it back before its time; left out: the next message, if it is snoozed */
  snoozedUntilEvent?: SnoozeEvent;
  /** marked as spam by the owner; left out: not */
  spam?: boolean;
  /** of the thread */
  createdAt: string | null;
  /** Safe-Mode cannot be lifted there */
  safeModeRequired: boolean | null;
  /** latest of read cursor, own last message and joining, as a msgNo */
  readNo: number | null;
  /** the owner blocks the other until then; null: they do not */
  blockedUntil: string | null;
}

export type Folder = 'all' | 'unread' | 'pinned' | 'archived' | 'requests' | 'action' | 'snoozed' | 'spam' | 'starred' | 'inquiries' | 'invites' | 'bookings' | 'offers' | 'disputes';

export interface FolderCount {
  /** which folder */
  folder: Folder;
  /** how many threads are in it */
  threads: number;
  /** how many of them have something unread */
  unread: number;
}

export interface InboxCountsReply {
  /** every folder that this server offers */
  folders: readonly FolderCount[];
  /** unread messages of all threads of the folder `all` together */
  unreadMessages: number;
  /** left out where strangers do not ask */
  credits?: CreditCount;
  /** left out where starts are not limited */
  rateLimit?: StartCount;
}

export interface LadderPlace {
  /** where; null: in threads that they wanted to begin */
  threadId: string | null;
  /** what counts now, rounded up */
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

export interface LastMessage {
  /** the newest message */
  messageId: string;
  /** its author */
  authorUserId: string | null;
  /** its type */
  type: MessageType;
  /** at most 140 characters of plain text */
  preview: string;
  /** when it was sent */
  createdAt: string;
}

export interface Me {
  /** who */
  userId: string;
  /** the participant's role */
  roleContext: RoleContext;
  /** what is allowed, in rising order */
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
  /** when the mute ends; null: never */
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
  /** when the server accepted it */
  createdAt: string;
  /** text, asset, system or action */
  type: MessageType;
  /** Markdown by convention, as it was sent; empty once deleted */
  body: string;
  /** files shown with it */
  attachments: readonly Attachment[];
  /** the card that belongs to it */
  action: MessageAction | null;
  /** who wrote it; null for system messages */
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
  /** when it was deleted */
  deletedAt: string | null;
  /** emoji acknowledgements */
  reactions: readonly Reaction[];
  /** who pinned it; left out: not pinned */
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
  /** who asks to be let in */
  fromUserId: string;
  /** what became of it; who asked is told of a block as if it were declined */
  state: RequestState;
  /** when it was made */
  createdAt: string;
  /** when it expires, unless it is answered */
  expiresAt: string;
  /** what it cost who made it, in credits */
  creditCost: number;
  /** what they said of what they were asked to say; left out: nothing */
  contact?: Fields;
}

export interface MessageSendReply {
  /** the message */
  messageId: string;
  /** when it was accepted */
  createdAt: string;
  /** of its creation */
  seq: number;
  /** its place */
  msgNo: number;
  /** true: answered from the first result */
  duplicate: boolean;
  /** a hint on the text policy */
  nudge?: unknown;
}

export type MessageType = 'text' | 'asset' | 'system' | 'action';

export interface MessageVersion {
  /** of the change that ended it */
  seq: number;
  /** when; null if an older release recorded no time */
  at: string | null;
  /** who changed it; null for a service */
  by: string | null;
  /** why, as staff said */
  reason: string | null;
  /** the message as it was before */
  before: Message;
}

export interface ModeratedUser {
  /** who */
  userId: string;
  /** as it holds now */
  state: UserState;
  /** when it ends by itself; null: when somebody ends it */
  until: string | null;
  /** why, as staff said; null: nothing was decided */
  reason: string | null;
  /** who decided it */
  by: string | null;
  /** when */
  at: string | null;
  /** what the text policy found that counts now, most points first; at most 100 */
  ladder: readonly LadderPlace[];
}

export type Moderation = 'clean' | 'flagged' | 'blocked' | 'redacted';

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
  /** until when the thread is open to whoever is bound to cases; null: it is not by this case */
  accessUntil: string | null;
}

export interface ModerationQueueReply {
  /** newest first; may be fewer than asked for */
  cases: readonly Case[];
  /** of all cases of the tenant */
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

export interface OwnTransition {
  /** the state it leaves; if not given, the card's first state */
  from: string | null;
  /** what is asked for */
  intent: string;
  /** where it leads */
  toState: string;
  /** who may; between states of the table, as the table says; otherwise, if not given, the counterpart */
  by: CardActor | null;
}

export interface Participant {
  /** who */
  userId: string;
  /** the participant's role */
  roleContext: RoleContext;
  /** what is allowed, in rising order */
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
  /** who pinned it */
  by: string;
  /** when */
  at: string;
}

export interface PresenceItem {
  /** who */
  userId: string;
  /** seen within presenceTtlMs */
  online: boolean;
}

export interface Reaction {
  /** what */
  emoji: string;
  /** how many users reacted so; left out: as many as `userIds` has */
  count?: number;
  /** who reacted: the first 100 */
  userIds: readonly string[];
}

export interface ReportReply {
  /** the case; the same for a repeat */
  caseId: string;
  /** pending while it is open, then how it ended */
  status: CaseStatus;
  /** of the report */
  severity: Severity;
  /** its entry in the audit */
  auditId: string | null;
}

export type RequestState = 'pending' | 'accepted' | 'declined' | 'blocked' | 'expired';

export type ResumeVerdict = 'ok' | 'reset' | 'gone';

export type RoleContext = 'buyer' | 'seller' | 'admin' | 'member';

export interface SessionHelloReply {
  /** names the session in the server's log */
  sessionId: string;
  /** the user that the token names */
  userId: string;
  /** whose user */
  tenantId: string;
  /** the token's role */
  role: string;
  /** now */
  serverTime: string;
  /** the history of this store; seqs of another epoch mean nothing */
  epoch: string;
  /** the server pings a silent session this often */
  heartbeatMs: number;
  /** presence lapses after this */
  presenceTtlMs: number;
  /** typing lapses after this */
  typingTtlMs: number;
  /** bounds in force */
  limits: SessionLimits;
  /** threadId → ok, reset or gone */
  resumed: Readonly<Record<string, ResumeVerdict>>;
}

export interface SessionLimits {
  /** largest frame accepted */
  maxFrameBytes: number;
  /** largest message body, UTF-8 bytes */
  maxBodyBytes: number;
  /** unanswered requests before the server stops reading */
  maxInFlight: number;
  /** bytes the server queues for a slow reader */
  outboxBytes: number;
  /** how long an author may edit */
  editWindowMs: number;
  /** size of a page as JSON, unless it reaches its limit of items first */
  maxPageBytes: number;
  /** threads in one resume map */
  maxResumeThreads: number;
  /** members of one thread */
  maxParticipants: number;
  /** elements of `participants` in one thread.create */
  maxNamedParticipants: number;
  /** threads that a session may have open at once */
  maxOpenThreads: number;
  /** sessions of one user at once */
  maxSessions: number;
}

export type Severity = 'low' | 'medium' | 'high' | 'critical';

export interface ShotProgress {
  /** shots that are done */
  done: number;
  /** shots in all */
  total: number;
}

export type SnoozeEvent = 'message' | 'card' | 'status';

export interface StartCount {
  /** the window, which ends now */
  windowMs: number;
  /** how many may be started in it */
  maxConversations: number;
  /** how many were */
  initiations: number;
}

export interface Tab {
  /** which tab */
  tab: TabName;
  /** rises with each change */
  version: number;
  /** what the tab holds */
  content: Fields;
  /** who changed it last */
  updatedBy: string | null;
  /** when */
  updatedAt: string;
  /** seq of its last change */
  seq: number;
  /** the thread's version, as of this change */
  panelVersion?: number;
  /** of the shot list: the thread's progress, as of this change */
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
  /** what it is about */
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
  /** how many members there are */
  participantCount: number;
  /** city */
  city: string | null;
  /** when it was created */
  createdAt: string;
  /** when anything in it last changed */
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
  /** when the parties meet */
  meetingAt: string | null;
  /** rises with each change of any tab; null: none has been written */
  panelVersion: number | null;
  /** how much of the shot list is done; null: there is no shot list */
  shotlist: ShotProgress | null;
  /** pinned messages, the newest pin last; null: none */
  pins: readonly string[] | null;
  /** the open dispute, for a banner */
  disputeMessageId: string | null;
  /** rises with each change of the thread's own fields */
  version: number;
  /** seq of the last change of the thread's own fields */
  seq: number;
  /** to staff only: since when it is not open; left out while it is */
  lockedAt?: string;
  /** to staff only: why its status was last changed; left out: it never was */
  statusReason?: string;
  /** to staff only: who last changed its status */
  statusBy?: string;
}

export interface ThreadChangesReply {
  /** in order of seq */
  changes: readonly ChangeItem[];
  /** of the thread */
  lastSeq: number;
  /** continue from the last change's seq */
  more: boolean;
  /** true: afterSeq is above lastSeq */
  reset?: boolean;
}

export type ThreadKind = 'inquiry' | 'project' | 'direct' | 'group';

export interface ThreadOpenReply {
  /** the thread */
  thread: Thread;
  /** the first 100 members */
  participants: readonly Participant[];
  /** the caller's own membership */
  me: Me | null;
  /** the panel */
  tabs: readonly Tab[];
  /** everything here is as of this seq */
  lastSeq: number;
  /** newest first */
  messages: readonly Message[];
  /** the open ones that the caller may see, newest first, each with what the caller may do */
  cards: readonly Card[];
  /** for message.list's `before`; null at the end */
  cursor: string | null;
  /** of the members shown */
  presence: readonly PresenceItem[];
  /** what changed after afterSeq, at most 200 */
  changes?: readonly ChangeItem[];
  /** true: too much changed; start afresh from this reply */
  reset?: boolean;
}

export type ThreadStatus = 'open' | 'archived' | 'locked';

export type ThreadSubtype = 'invite';

export interface UserName {
  /** who */
  userId: string;
  /** what people call them; null: they have no name, or no record */
  displayName: string | null;
  /** there is a record of them */
  known: boolean;
  /** true: there was a record, and it was deleted; else left out */
  deleted?: boolean;
}

export type UserState = 'ok' | 'warned' | 'shadow' | 'muted' | 'suspended';
