// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

import type { Card, ChangeItem, Folder, Me, Message, Participant, Tab, Thread } from './wire_types.js';

export interface CreditCount {
  /** credits left of this month's; none while they are frozen */
  available: number;
  /** the cost of a conversation with a stranger */
  costPerRequest: number;
  /** credits that are always left */
  floor: number;
}

export interface FolderCount {
  /** the folder */
  folder: Folder;
  /** the number of its threads */
  threads: number;
  /** the number of its threads with unread messages */
  unread: number;
}

export interface InboxCountsReply {
  /** every folder that this server offers */
  folders: readonly FolderCount[];
  /** unread messages of all threads of the folder `all` together */
  unreadMessages: number;
  /** left out if strangers need no request */
  credits?: CreditCount;
  /** left out if starts are not limited */
  rateLimit?: StartCount;
}

export interface MessageSendReply {
  /** the message */
  messageId: string;
  /** time of acceptance */
  createdAt: string;
  /** the seq of its creation */
  seq: number;
  /** its place */
  msgNo: number;
  /** true: answered from the first result */
  duplicate: boolean;
  /** a hint on the text policy */
  nudge?: unknown;
}

export interface PresenceItem {
  /** the user */
  userId: string;
  /** seen within presenceTtlMs */
  online: boolean;
}

export type ResumeVerdict = 'ok' | 'reset' | 'gone';

export interface SafeModeState {
  /** the highest band that the user sees clearly; 0 in a thread with safeModeRequired */
  bandMax: number;
  /** the user is an adult, by the token, and may switch it off */
  mayLift: boolean;
}

export interface SessionHelloReply {
  /** names the session in the server's log */
  sessionId: string;
  /** the user that the token names */
  userId: string;
  /** the user's tenant */
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
  /** how far Safe-Mode is lifted */
  safeMode: SafeModeState;
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
  /** time in which an author may edit */
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

export interface StartCount {
  /** the window, which ends now */
  windowMs: number;
  /** the most that may be started in it */
  maxConversations: number;
  /** the number started in it */
  initiations: number;
}

export interface ThreadChangesReply {
  /** in order of seq */
  changes: readonly ChangeItem[];
  /** the thread's */
  lastSeq: number;
  /** continue from the last change's seq */
  more: boolean;
  /** true: afterSeq is above lastSeq */
  reset?: boolean;
}

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
  /** the open cards that the caller may see, newest first, each with the caller's possible intents */
  cards: readonly Card[];
  /** for message.list's `before`; null at the end */
  cursor: string | null;
  /** the listed members' presence */
  presence: readonly PresenceItem[];
  /** changes after afterSeq, at most 200 */
  changes?: readonly ChangeItem[];
  /** true: too much changed; start over from this reply */
  reset?: boolean;
}
