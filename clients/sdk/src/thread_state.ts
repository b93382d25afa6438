import { openMap } from './msgpack_reader.js';
import { withFarPin, withPinOf, type FarPins } from './pins.js';
import { withCard, withTab, withTabs, type Cards, type Panel } from './panel.js';
import { startCatchUp, synced, type SeqTracker } from './seq_tracker.js';
import { findMessage, fromPage, kEmptyTimeline, upsert, type Timeline } from './timeline.js';
import type { Card, Me, Message, Participant, Tab, Thread } from './types.js';
import type { Change, OpenReply, Presence, SharedEvent } from './wire.js';

/** All held data of one open thread, as an immutable value. Only the functions below change it. */
export interface ThreadState {
  threadId: string;
  /** False until the first `thread.open` is answered. */
  loaded: boolean;
  /** The window is moving to the first unread message, far above the newest: do not show the held messages yet. */
  placing: boolean;
  thread: Thread | null;
  participants: readonly Participant[];
  me: Me | null;
  timeline: Timeline;
  /** By messageId: the cards that were listed or changed lately. */
  cards: Cards;
  panel: Panel;
  farPins: FarPins;
  tracker: SeqTracker;
  typing: readonly string[];
  presence: Readonly<Record<string, Presence>>;
  loadingOlder: boolean;
  loadingNewer: boolean;
  /** The hint to show if the thread could not be loaded. */
  failure: string | null;
  /** The server's error code, or null without an error, or if the error is the client's own. */
  failureCode: string | null;
}

const kPeopleMax = 500;

export function emptyThread(threadId: string): ThreadState {
  return {
    threadId,
    loaded: false,
    placing: false,
    thread: null,
    participants: [],
    me: null,
    timeline: kEmptyTimeline,
    cards: {},
    panel: {},
    farPins: {},
    tracker: { held: 0, catchingUp: false },
    typing: [],
    presence: byUser(),
    loadingOlder: false,
    loadingNewer: false,
    failure: null,
    failureCode: null,
  };
}

/** Applies the reply of a first `thread.open`, or of one after a reset: its page replaces all held data. */
export function opened(state: ThreadState, reply: OpenReply): ThreadState {
  return {
    ...rejoined({ ...state, participants: [], cards: {}, panel: {}, farPins: {} }, reply),
    timeline: fromPage(reply.messages, reply.cursor),
    tracker: { held: reply.lastSeq, catchingUp: false },
    loadingOlder: false,
    loadingNewer: false,
  };
}

/** Applies the reply of a `thread.open` after a resume: heads and cursors are replaced, the window stays. */
export function rejoined(state: ThreadState, reply: OpenReply): ThreadState {
  const next = {
    ...state,
    loaded: true,
    failure: null,
    failureCode: null,
    thread: reply.thread,
    me: reply.me,
    participants: mergePeople(state.participants, reply.participants),
    panel: withTabs(state.panel, reply.tabs),
    presence: readPresence(reply.presence),
    typing: [],
  };
  const changed = (reply.cards ?? []).reduce(holdCard, applyChanges(next, reply.changes ?? []));
  return { ...changed, tracker: synced(changed.tracker, reply.lastSeq) };
}

export function resuming(state: ThreadState): ThreadState {
  return { ...state, tracker: startCatchUp(state.tracker), loadingOlder: false, loadingNewer: false };
}

/** Typing and presence belong to a session. Without one they are unknown, which differs from absent. */
export function disconnected(state: ThreadState): ThreadState {
  return { ...state, typing: [], presence: byUser() };
}

export function applyChanges(state: ThreadState, changes: readonly Change[]): ThreadState {
  return changes.reduce((held, change) => applyItem(held, change.kind, change.item), state);
}

export function applyEvent(state: ThreadState, event: SharedEvent): ThreadState {
  const kind = event.ev.slice(0, event.ev.indexOf('.'));
  return event.item === undefined ? state : applyItem(state, kind, event.item);
}

function applyItem(state: ThreadState, kind: string, item: unknown): ThreadState {
  if (typeof item !== 'object' || item === null) return state;
  switch (kind) {
    case 'message':
      return withMessage(state, item as Message);
    case 'participant':
      return { ...state, participants: mergePeople(state.participants, [item as Participant]) };
    case 'thread':
      return withThread(state, item as Thread);
    case 'card':
      return holdCard(state, item as Card);
    case 'tab':
      return holdTab(state, item as Tab);
    default:
      return state;
  }
}

/** Stores a tab and updates the thread's list of tabs, which has no event of its own. */
export function holdTab(state: ThreadState, tab: Tab): ThreadState {
  const panel = withTab(state.panel, tab);
  const { thread } = state;
  if (thread === null || panel[tab.tab] !== tab) return { ...state, panel };
  const panelVersion = Math.max(thread.panelVersion ?? 0, tab.panelVersion ?? 0) || null;
  return { ...state, panel, thread: { ...thread, panelVersion, shotlist: tab.shotlist ?? thread.shotlist } };
}

const kDisputeEnds = new Set(['SETTLED', 'RESOLVED']);

/** Stores a card and updates the thread's open dispute, which has no event of its own. */
export function holdCard(state: ThreadState, card: Card): ThreadState {
  const cards = withCard(state.cards, card);
  if (cards === state.cards) return state;
  const { thread } = state;
  if (thread === null || card.type !== 'DISPUTE_OPEN') return { ...state, cards };
  return { ...state, cards, thread: { ...thread, disputeMessageId: firstDispute(cards, thread.disputeMessageId) } };
}

/** Returns the first open dispute; `named` is the thread's own, whose card may not be held. */
function firstDispute(cards: Cards, named: string | null): string | null {
  const held = Object.values(cards).filter(({ type, state }) => type === 'DISPUTE_OPEN' && !kDisputeEnds.has(state));
  const open = held.map(({ messageId }) => messageId);
  if (named !== null && cards[named] === undefined) open.push(named);
  return open.sort()[0] ?? null; // ids order by creation
}

function withThread(state: ThreadState, thread: Thread): ThreadState {
  if (state.thread !== null && state.thread.seq > thread.seq) return state;
  return { ...state, thread };
}

function withMessage(state: ThreadState, message: Message): ThreadState {
  const timeline = upsert(state.timeline, message);
  // The author of a new message has stopped typing. Waiting for the server's aggregate would show both for a moment.
  const typing = state.typing.filter((userId) => userId !== message.authorUserId);
  const farPins = message.messageId in state.farPins ? withFarPin(state.farPins, message) : state.farPins;
  const thread = state.thread === null ? null : withPinOf(state.thread, message);
  return { ...state, thread, timeline, farPins, typing: typing.length < state.typing.length ? typing : state.typing };
}

/** Keeps the latest state by seq and drops removed participants. Bounded, so a huge thread does not fill the memory. */
export function mergePeople(held: readonly Participant[], news: readonly Participant[]): readonly Participant[] {
  const byId = new Map(held.map((participant) => [participant.userId, participant]));
  for (const participant of news) {
    const known = byId.get(participant.userId);
    if (known !== undefined && known.seq > participant.seq) continue;
    byId.set(participant.userId, withLatestRead(participant, known));
  }
  return [...byId.values()].filter((participant) => participant.removedAt === null).slice(0, kPeopleMax);
}

/** Read cursors have no seq and never move back, so the later of two copies wins. Message ids order by creation. */
function withLatestRead(participant: Participant, known: Participant | undefined): Participant {
  if ((known?.lastReadMsgId ?? '') <= (participant.lastReadMsgId ?? '')) return participant;
  return { ...participant, lastReadMsgId: known!.lastReadMsgId, lastReadAt: known!.lastReadAt };
}

export function withReadCursor(
  state: ThreadState,
  userId: string,
  lastReadMsgId: string,
  lastReadAt: string | null,
): ThreadState {
  const later = (held: string | null): boolean => (held ?? '') < lastReadMsgId;
  const participants = state.participants.map((participant) =>
    participant.userId === userId && later(participant.lastReadMsgId)
      ? { ...participant, lastReadMsgId, lastReadAt }
      : participant,
  );
  const mine = state.me?.userId === userId && later(state.me.lastReadMsgId);
  return { ...state, participants, me: mine ? { ...withReadNo(state, lastReadMsgId), lastReadMsgId, lastReadAt } : state.me };
}

function withReadNo({ me, timeline }: ThreadState, lastReadMsgId: string): Me {
  const read = findMessage(timeline, lastReadMsgId);
  return me!.readNo === undefined || read === undefined ? me! : { ...me!, readNo: Math.max(me!.readNo, read.msgNo) };
}

export function withTyping(state: ThreadState, userIds: readonly string[]): ThreadState {
  return { ...state, typing: userIds.slice(0, 20) };
}

export function withPresence(state: ThreadState, presence: Presence): ThreadState {
  if (!(presence.userId in state.presence) && Object.keys(state.presence).length >= kPeopleMax) return state;
  return { ...state, presence: Object.assign(byUser(), state.presence, { [presence.userId]: presence }) };
}

/** Has no prototype, because a user id may be `constructor`. */
function byUser(): Record<string, Presence> {
  return openMap() as Record<string, Presence>;
}

/** Accepts a list of presences as well as a map by user: the wire description leaves the container open. */
export function readPresence(value: unknown): Record<string, Presence> {
  const result = byUser();
  const put = (userId: unknown, rest: unknown): void => {
    if (typeof userId !== 'string') return;
    const map = (typeof rest === 'object' && rest !== null ? rest : { online: rest === true }) as Partial<Presence>;
    result[userId] = { userId, online: map.online === true, lastSeen: map.lastSeen ?? null };
  };
  if (Array.isArray(value)) {
    for (const item of value.slice(0, kPeopleMax)) put((item as Partial<Presence> | null)?.userId, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [userId, rest] of Object.entries(value).slice(0, kPeopleMax)) put(userId, rest);
  }
  return result;
}

/** Returns the id up to which `userId` has evidently read: their cursor, or their own last message if that is later. */
export function readUpTo(state: ThreadState, participant: Participant): string {
  let mark = participant.lastReadMsgId ?? '';
  for (let i = state.timeline.messages.length - 1; i >= 0; --i) {
    const message = state.timeline.messages[i]!;
    if (message.messageId <= mark) break;
    if (message.authorUserId === participant.userId) {
      mark = message.messageId;
      break;
    }
  }
  return mark;
}
