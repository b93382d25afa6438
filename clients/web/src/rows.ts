import type { Me, Message, OutboxItem, Participant, ThreadState } from '@parley/sdk';
import { daysBetween } from '@parley/shared';
import { readUpTo } from '@parley/sdk';

/** One line of the message list: a message of the thread, or an own send that is still on its way. */
export interface Row {
  key: string;
  state: 'pending' | 'sent' | 'failed';
  message: Message | null;
  item: OutboxItem | null;
  authorUserId: string | null;
  body: string;
  replyTo: string | null;
  at: number;
  /** First of a run by the same author. */
  leads: boolean;
  /** Starts another calendar day. */
  newDay: boolean;
  /** First message that is new: see `NewLine`. */
  firstUnread: boolean;
}

const kRunMs = 5 * 60_000;

export function buildRows(
  messages: readonly Message[],
  outbox: readonly OutboxItem[],
  userId: string,
  firstUnreadId: string | null,
): Row[] {
  const rows: Row[] = [];
  for (const message of messages) {
    const own = message.authorUserId === userId && message.clientId !== null;
    rows.push(
      placed(rows, {
        // The key of an own message is that of its send, so the row stays the same one when the event arrives.
        key: own ? `c:${message.clientId}` : message.messageId,
        state: 'sent',
        message,
        item: null,
        authorUserId: message.authorUserId,
        body: message.body,
        replyTo: message.replyTo,
        at: Date.parse(message.createdAt),
        firstUnread: message.messageId === firstUnreadId,
      }),
    );
  }
  for (const item of outbox) {
    rows.push(
      placed(rows, {
        key: `c:${item.clientId}`,
        state: item.state === 'acked' ? 'sent' : item.state,
        message: null,
        item,
        authorUserId: userId,
        body: item.body,
        replyTo: item.replyTo,
        at: item.ack === null ? item.writtenAt : Date.parse(item.ack.createdAt),
        firstUnread: false,
      }),
    );
  }
  return rows;
}

function placed(before: readonly Row[], row: Omit<Row, 'leads' | 'newDay'>): Row {
  const previous = before.at(-1);
  const newDay = previous === undefined || daysBetween(previous.at, row.at) !== 0;
  const leads =
    newDay ||
    row.firstUnread ||
    previous.authorUserId !== row.authorUserId ||
    row.at - previous.at > kRunMs ||
    isNotice(previous) ||
    isNotice(row);
  return { ...row, leads, newDay };
}

/** The first of others' messages after what `me` has read; none before an own one. Null: nothing is new, or nobody counts. */
export function firstUnread(messages: readonly Message[], me: Me | null): string | null {
  return me === null ? null : firstOfOthers(messages, me.userId, (message) => isRead(message, me));
}

function firstOfOthers(messages: readonly Message[], userId: string | null, isOld: (message: Message) => boolean): string | null {
  let first: string | null = null;
  for (let i = messages.length - 1; i >= 0; --i) {
    const message = messages[i]!;
    if (message.authorUserId === userId || isOld(message)) break;
    if (message.deletedAt === null) first = message.messageId;
  }
  return first;
}

/** Where the line “New” stands. */
export interface NewLine {
  messageId: string | null;
  /** The newest message that somebody has looked at. */
  seenNo: number;
}

/**
 * The line stands at the first message that was unread when the thread was opened; and once somebody looked away, at the first one that
 * came meanwhile. While they look it stays where it is. `before` null: the thread was just opened.
 */
export function newLine(before: NewLine | null, messages: readonly Message[], me: Me | null, looking: boolean): NewLine {
  const newestNo = messages.at(-1)?.msgNo ?? 0;
  if (before === null) {
    const messageId = firstUnread(messages, me);
    const first = messages.find((message) => message.messageId === messageId);
    return { messageId, seenNo: first === undefined ? newestNo : first.msgNo - 1 };
  }
  if (looking) return before.seenNo === newestNo ? before : { ...before, seenNo: newestNo };
  const came = firstOfOthers(messages, me?.userId ?? null, ({ msgNo }) => msgNo <= before.seenNo);
  return came === null || came === before.messageId ? before : { ...before, messageId: came };
}

/** By the number that the server tells; by cursor and joining where it does not. */
function isRead({ msgNo, messageId, createdAt }: Message, { readNo, lastReadMsgId, joinedAt }: Me): boolean {
  if (readNo !== undefined) return msgNo <= readNo;
  return messageId <= (lastReadMsgId ?? '') || createdAt < joinedAt;
}

export function isNotice(row: Pick<Row, 'message'>): boolean {
  return row.message?.type === 'system';
}

/** For each own message at which somebody's reading ends: who. The newest one read by a person carries their mark. */
export function receipts(thread: ThreadState, userId: string): Map<string, Participant[]> {
  const result = new Map<string, Participant[]>();
  const own = thread.timeline.messages.filter((message) => message.authorUserId === userId);
  for (const participant of thread.participants) {
    if (participant.userId === userId) continue;
    const mark = readUpTo(thread, participant);
    for (let i = own.length - 1; i >= 0; --i) {
      const { messageId } = own[i]!;
      if (messageId > mark) continue;
      result.set(messageId, [...(result.get(messageId) ?? []), participant]);
      break;
    }
  }
  return result;
}
