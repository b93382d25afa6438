import type { Me, Message, OutboxItem, Participant, ThreadState } from '@parley/sdk';
import { daysBetween } from '@parley/shared';
import { readUpTo } from '@parley/sdk';

/** A row of the message list: a message of the thread, or a pending own send. */
export interface Row {
  key: string;
  state: 'pending' | 'sent' | 'failed';
  message: Message | null;
  item: OutboxItem | null;
  authorUserId: string | null;
  body: string;
  replyTo: string | null;
  at: number;
  /** First message of a run by the same author. */
  leads: boolean;
  /** First message of a calendar day. */
  newDay: boolean;
  /** First new message: see `NewLine`. */
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
        // An own message has the key of its send, so the row stays the same when the event arrives.
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

/**
 * Returns the first unread message by another user; an own message counts as read, with all before it. Null if
 * nothing is new, or `me` is not loaded.
 */
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

/** The position of the line “New”. */
export interface NewLine {
  messageId: string | null;
  /** The newest message that the user has looked at. */
  seenNo: number;
}

/**
 * The line is at the first message that was unread when the thread was opened; after the user looked away, at the
 * first one that arrived since. While they look, it does not move. `before` null: the thread was just opened.
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

/** Compares by the server's number, or by cursor and joining time if the server sends none. */
function isRead({ msgNo, messageId, createdAt }: Message, { readNo, lastReadMsgId, joinedAt }: Me): boolean {
  if (readNo !== undefined) return msgNo <= readNo;
  return messageId <= (lastReadMsgId ?? '') || createdAt < joinedAt;
}

export function isNotice(row: Pick<Row, 'message'>): boolean {
  return row.message?.type === 'system';
}

/** Returns the readers of each own message that is the last one they have read. */
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
