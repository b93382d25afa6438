import type { Message } from './types.js';
import type { NewAttachment, SendReply } from './wire.js';

/**
 * Sends whose message has not arrived yet, in the order they were written, as an immutable list.
 *
 * pending → (reply) acked → removed, once the message itself arrives as an event: only the log shows messages.
 * pending → (definite error) failed → pending again by `retried`, or removed by `removed`. A retry after a lost
 * connection carries the same clientId, so the thread contains the message only once.
 */
export interface OutboxItem {
  threadId: string;
  clientId: string;
  body: string;
  replyTo: string | null;
  /** Files that are sent with it; left out if empty. */
  attachments?: readonly NewAttachment[];
  /** Milliseconds of the local clock, to show and to expire. */
  writtenAt: number;
  state: 'pending' | 'acked' | 'failed';
  /** Why it failed, or why it is still pending: in the server's words for people. */
  hint: string | null;
  /** The server's error code if it failed, else null. */
  code: string | null;
  ack: Pick<SendReply, 'messageId' | 'msgNo' | 'createdAt'> | null;
}

export type Outbox = readonly OutboxItem[];

export const kOutboxMax = 200;
// The server remembers a clientId for at least 24 h. A later retry could appear twice, so the author decides about
// it.
export const kReplayWindowMs = 23 * 3_600_000;

export function added(outbox: Outbox, item: Pick<OutboxItem, 'threadId' | 'clientId' | 'body' | 'replyTo' | 'attachments' | 'writtenAt'>): Outbox {
  return [...outbox, { ...item, state: 'pending', hint: null, code: null, ack: null }];
}

export function isFull(outbox: Outbox): boolean {
  return outbox.length >= kOutboxMax;
}

function mapItem(outbox: Outbox, clientId: string, change: (item: OutboxItem) => OutboxItem): Outbox {
  return outbox.map((item) => (item.clientId === clientId ? change(item) : item));
}

export function acked(outbox: Outbox, clientId: string, reply: SendReply): Outbox {
  const { messageId, msgNo, createdAt } = reply;
  return mapItem(outbox, clientId, (item) => ({ ...item, state: 'acked', hint: null, code: null, ack: { messageId, msgNo, createdAt } }));
}

export function failed(outbox: Outbox, clientId: string, hint: string, code: string | null): Outbox {
  return mapItem(outbox, clientId, (item) => ({ ...item, state: 'failed', hint, code }));
}

/** Notes that the server answered "not now"; the client sends it again by itself. */
export function delayed(outbox: Outbox, clientId: string, hint: string): Outbox {
  return mapItem(outbox, clientId, (item) => ({ ...item, hint }));
}

/** Queues a failed send again, after everything written since: the order on screen is the order of sending. */
export function retried(outbox: Outbox, clientId: string, now: number): Outbox {
  const item = outbox.find((candidate) => candidate.clientId === clientId);
  if (item?.state !== 'failed') return outbox;
  return [...removed(outbox, clientId), { ...item, state: 'pending', hint: null, code: null, writtenAt: now }];
}

export function removed(outbox: Outbox, clientId: string): Outbox {
  return outbox.filter((item) => item.clientId !== clientId);
}

/** Removes an own send whose message arrived by event, page or change. */
export function seen(outbox: Outbox, message: Message, myUserId: string): Outbox {
  if (message.authorUserId !== myUserId) return outbox;
  const rest = outbox.filter(
    (item) =>
      item.threadId !== message.threadId ||
      (item.clientId !== message.clientId && item.ack?.messageId !== message.messageId),
  );
  return rest.length === outbox.length ? outbox : rest;
}

/**
 * Removes the acked sends of a thread whose messages are known up to `msgNo`, or that is no longer held: no event
 * will remove them.
 */
export function settled(outbox: Outbox, threadId: string, msgNo: number): Outbox {
  const rest = outbox.filter((item) => item.threadId !== threadId || item.ack === null || item.ack.msgNo > msgNo);
  return rest.length === outbox.length ? outbox : rest;
}

export function ofThread(outbox: Outbox, threadId: string): OutboxItem[] {
  return outbox.filter((item) => item.threadId === threadId);
}

/** Returns the sends that the server rejected or did not answer in time; the author retries or discards them. */
export function failures(outbox: Outbox): OutboxItem[] {
  return outbox.filter(({ state }) => state === 'failed');
}

/** Returns the sends that the server does not have, as far as is known. */
export function unsent(outbox: Outbox): OutboxItem[] {
  return outbox.filter(({ state }) => state !== 'acked');
}

/** Returns the first pending item of each thread, so that a retry cannot overtake an earlier send. */
export function sendable(outbox: Outbox, busyThreads: ReadonlySet<string>): OutboxItem[] {
  const taken = new Set(busyThreads);
  return outbox.filter((item) => {
    if (item.state !== 'pending' || taken.has(item.threadId)) return false;
    taken.add(item.threadId);
    return true;
  });
}

/** Reads items back after a reload. Drops malformed items; an item too old to retry safely becomes failed. */
export function restored(value: unknown, now: number): Outbox {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isItem)
    .slice(0, kOutboxMax)
    .map((item) => ({ ...item, code: item.code ?? null }))
    .map((item) =>
      item.state === 'pending' && now - item.writtenAt > kReplayWindowMs
        ? { ...item, state: 'failed' as const, hint: 'This message was not sent in time. Send it again?' }
        : item,
    );
}

/** Returns the items that must survive a reload. Acked items are on the server and return with their thread. */
export function persistent(outbox: Outbox): Outbox {
  return outbox.filter((item) => item.state !== 'acked');
}

function isItem(value: unknown): value is OutboxItem {
  const item = value as Partial<OutboxItem> | null;
  return (
    typeof item?.threadId === 'string' &&
    typeof item.clientId === 'string' &&
    typeof item.body === 'string' &&
    typeof item.writtenAt === 'number' &&
    (item.replyTo === null || typeof item.replyTo === 'string') &&
    (item.attachments === undefined || Array.isArray(item.attachments)) &&
    (item.state === 'pending' || item.state === 'failed')
  );
}
