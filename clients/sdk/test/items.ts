import type { Card, Entry, Me, Message, Participant, Tab, Thread } from '../src/types.js';
import { kDefaultLimits } from '../src/bounds.js';
import type { HelloReply, OpenReply } from '../src/wire.js';

/** Items as the server writes them, for tests. Ids have the order of msgNo. */
export function message(msgNo: number, change: Partial<Message> = {}): Message {
  return {
    messageId: `msg_${String(msgNo).padStart(6, '0')}`,
    threadId: 'thrd_a',
    seq: 100 + msgNo,
    msgNo,
    createdAt: new Date(Date.UTC(2025, 10, 5, 12, 0, msgNo)).toISOString(),
    type: 'text',
    body: `body ${msgNo}`,
    attachments: [],
    action: null,
    authorUserId: 'usr_bob',
    nsfwBand: 0,
    flags: { moderation: 'clean', policyHints: [] },
    clientId: `client-${msgNo}`,
    replyTo: null,
    editedAt: null,
    deletedAt: null,
    reactions: [],
    ...change,
  };
}

export function range(from: number, to: number): Message[] {
  return Array.from({ length: to - from + 1 }, (_, i) => message(from + i));
}

export function thread(threadId: string, change: Partial<Thread> = {}): Thread {
  return {
    threadId,
    kind: 'inquiry',
    subject: 'Subject',
    lbgId: null,
    legId: null,
    buyerUserId: 'usr_alice',
    sellerUserId: 'usr_bob',
    participants: ['usr_alice', 'usr_bob'],
    participantCount: 2,
    city: null,
    createdAt: '2025-11-05T12:00:00.000Z',
    updatedAt: '2025-11-05T12:00:00.000Z',
    status: 'open',
    lastMessageAt: null,
    lastSeq: 3,
    lastMsgNo: 0,
    safeModeRequired: false,
    meetingAt: null,
    panelVersion: null,
    shotlist: null,
    pins: null,
    disputeMessageId: null,
    version: 1,
    seq: 1,
    ...change,
  };
}

export function participant(userId: string, change: Partial<Participant> = {}): Participant {
  return {
    userId,
    roleContext: 'buyer',
    permission: 'owner',
    lastReadMsgId: null,
    lastReadAt: null,
    joinedAt: '2025-11-05T12:00:00.000Z',
    removedAt: null,
    seq: 2,
    ...change,
  };
}

export function entry(threadId: string, change: Partial<Entry> = {}): Entry {
  return {
    threadId,
    kind: 'inquiry',
    subject: 'Subject',
    lastMessageAt: '2025-11-05T12:00:00.000Z',
    lastSeq: 3,
    unread: 0,
    lastMessage: null,
    pinned: false,
    archived: false,
    muted: false,
    mutedUntil: null,
    label: null,
    request: null,
    openCards: 0,
    status: 'open',
    snoozedUntil: null,
    createdAt: null,
    safeModeRequired: null,
    readNo: null,
    blockedUntil: null,
    ...change,
  };
}

export function card(messageId: string, change: Partial<Card> = {}): Card {
  return {
    messageId,
    type: 'RESCHEDULE',
    payload: { newStart: '2030-01-05T10:00:00.000Z', newEnd: '2030-01-05T12:00:00.000Z' },
    state: 'PENDING',
    version: 1,
    createdBy: 'usr_bob',
    createdAt: '2025-11-05T12:00:00.000Z',
    updatedAt: '2025-11-05T12:00:00.000Z',
    expiresAt: null,
    lastIntent: null,
    seq: 105,
    note: null,
    error: null,
    awaiting: null,
    supersedes: null,
    supersededBy: null,
    allowedTransitions: null,
    open: null,
    ...change,
  };
}

export function tab(version: number, change: Partial<Tab> = {}): Tab {
  return {
    tab: 'brief',
    version,
    content: { title: `title ${version}` },
    updatedBy: 'usr_bob',
    updatedAt: '2025-11-05T12:00:00.000Z',
    seq: 100 + version,
    ...change,
  };
}

export function openReply(threadId: string, messages: Message[], change: Partial<OpenReply> = {}): OpenReply {
  const people = [participant('usr_alice'), participant('usr_bob', { seq: 3 })];
  return {
    thread: thread(threadId),
    participants: people,
    me: { ...people[0]!, muted: false, mutedUntil: null, blockedUntil: null } as Me,
    tabs: [],
    lastSeq: Math.max(3, ...messages.map(({ seq }) => seq)),
    messages,
    cursor: null,
    presence: [],
    ...change,
  } as OpenReply;  // without `readNo` and `cards`, like an older server
}

export function helloReply(resumed: HelloReply['resumed'] = {}): HelloReply {
  return {
    sessionId: 'session',
    userId: 'usr_alice',
    tenantId: 'demo',
    role: 'member',
    serverTime: new Date(Date.now()).toISOString(),
    epoch: 'epoch-1',
    heartbeatMs: 25_000,
    presenceTtlMs: 60_000,
    typingTtlMs: 10_000,
    limits: kDefaultLimits as HelloReply['limits'],
    safeMode: { bandMax: 1, mayLift: false },
    resumed,
  };
}
