import { backoffMs } from './backoff.js';
import type { Frame } from './codec.js';
import { badArgument, hintOf, outboxFull, ParleyError } from './errors.js';
import { acked, added, delayed, failed, isFull, persistent, removed, restored, retried, seen, sendable, settled, type Outbox, type OutboxItem } from './outbox.js';
import { Sends } from './sends.js';
import type { Store } from './store.js';
import { newestMsgNo } from './timeline.js';
import { wellFormedText } from './well_formed.js';
import type { Message } from './types.js';
import type { Nudge, SendArgs, SendReply, Sent } from './wire.js';

/** Saves unsent messages over a reload. Both methods may throw; then a reload loses the messages. */
export interface OutboxStorage {
  load: () => unknown;
  save: (items: unknown) => void;
}

const kAttemptsMax = 6;
const kAttachmentsMax = 10;
const kHeldMax = 50; // threads whose nudge or refusal is held
// Errors about the author or the thread, not the message: the next one would fail as well.
const kClosing = new Set(['FORBIDDEN', 'MSG_GATE_REQUIRED', 'MSG_BLOCKED_BY_USER', 'SAFETY_SOFT_BLOCK', 'THREAD_LOCKED', 'THREAD_ARCHIVED']);

// Errors after which a send is repeated by itself, with the reason on screen.
const kSaysNotNow = new Set(['RATE_LIMITED', 'UNAVAILABLE']);

/**
 * Drives the outbox: one send per thread at a time, in order, repeated with the same clientId until it is answered.
 * After a lost connection items stay pending, and `pump` after the next hello continues with them.
 */
export class Sender {
  private readonly busy = new Set<string>();
  private readonly attempts = new Map<string, number>();
  private readonly sends = new Sends();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly newClientId: () => string,
    private readonly storage: OutboxStorage | null,
  ) {}

  /** Resolves once the server has the message. Rejects if it is rejected or discarded, or if the client stops. */
  send(threadId: string, { body, replyTo, attachments = [] }: SendArgs): Promise<Sent> {
    const { outbox } = this.store.get();
    const refusal = isFull(outbox) ? outboxFull() : attachments.length > kAttachmentsMax ? badArgument('more than 10 attachments') : null;
    if (refusal !== null) return unheeded(refusal);
    const clientId = this.newClientId();
    const files = attachments.length === 0 ? {} : { attachments: [...attachments] };
    const item = { threadId, clientId, body: wellFormedText(body), replyTo: replyTo ?? null, ...files, writtenAt: Date.now() };
    const sent = this.sends.expect(threadId, clientId);
    this.replace(added(outbox, item));
    this.pump();
    return sent;
  }

  retry(clientId: string): Promise<Sent> {
    const { outbox } = this.store.get();
    const again = retried(outbox, clientId, Date.now());
    const item = again.find((one) => one.clientId === clientId);
    if (again === outbox || item === undefined) return unheeded(badArgument('no message of this clientId has failed'));
    const sent = this.sends.expect(item.threadId, clientId);
    this.replace(again);
    this.pump();
    return sent;
  }

  discard(clientId: string): void {
    this.replace(removed(this.store.get().outbox, clientId));
    this.sends.refuse(clientId);
  }

  /** Resolves the own sends among messages that arrived. */
  saw(messages: readonly Message[]): void {
    const { userId } = this.store.get();
    let { outbox } = this.store.get();
    for (const message of messages) {
      const rest = seen(outbox, message, userId);
      if (rest !== outbox && message.clientId !== null) this.sends.took(message.clientId, message);
      outbox = rest;
    }
    this.replace(outbox);
  }

  /** Rejects the promises of all pending sends with `error`. The sends stay in the outbox. */
  abandon(error: ParleyError): void {
    this.sends.end(error);
  }

  begin(): void {
    this.sends.begin();
  }

  /** Adopts sends saved elsewhere, for example by a closed tab, before those written here. */
  adopt(kept: unknown): void {
    const { outbox } = this.store.get();
    const held = new Set(outbox.map(({ clientId }) => clientId));
    const more = restored(kept, Date.now()).filter(({ clientId }) => !held.has(clientId));
    if (more.length === 0) return;
    this.replace([...more, ...outbox]);
    this.pump();
  }

  pump(): void {
    for (const item of sendable(this.store.get().outbox, this.busy)) void this.deliver(item);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  replace(outbox: Outbox): void {
    if (outbox === this.store.get().outbox) return;
    this.store.update({ outbox });
    try {
      this.storage?.save(persistent(outbox));
    } catch {
      return; // storage is full or forbidden; the session itself continues
    }
  }

  /** Removes acked items whose message is already on screen or whose thread is not held. */
  settle(threadId: string): void {
    const thread = this.store.thread(threadId);
    const known = thread?.loaded === true ? newestMsgNo(thread.timeline) : Number.MAX_SAFE_INTEGER;
    this.replace(settled(this.store.get().outbox, threadId, known));
  }

  private async deliver(item: OutboxItem): Promise<void> {
    this.busy.add(item.threadId);
    let waitMs: number | null = 0;
    try {
      const { attachments } = item;
      const type = attachments !== undefined && item.body === '' ? 'asset' : 'text';
      const args: Frame = { threadId: item.threadId, clientId: item.clientId, type, body: item.body };
      if (attachments !== undefined) args['attachments'] = attachments;
      if (item.replyTo !== null) args['replyTo'] = item.replyTo;
      const reply = (await this.request('message.send', args)) as unknown as SendReply;
      this.attempts.delete(item.clientId);
      this.took(item.threadId, reply);
      this.sends.took(item.clientId, reply);
      this.replace(acked(this.store.get().outbox, item.clientId, reply));
      this.settle(item.threadId);
    } catch (error) {
      waitMs = this.refused(item, error);
    }
    if (waitMs !== null && waitMs > 0) return this.pumpLater(item.threadId, waitMs);
    this.busy.delete(item.threadId);
    if (waitMs !== null) this.pump();
  }

  /** Returns the ms to wait before the thread's next send; null if the connection ended and `pump` will be called. */
  private refused(item: OutboxItem, error: unknown): number | null {
    if (error instanceof ParleyError && error.code === 'DISCONNECTED') return null;
    const attempt = this.attempts.get(item.clientId) ?? 0;
    if (error instanceof ParleyError && (switchedOff(error) || kClosing.has(error.code))) this.closes(item.threadId, error);
    if (error instanceof ParleyError && error.transient && attempt < kAttemptsMax) {
      this.attempts.set(item.clientId, attempt + 1);
      if (kSaysNotNow.has(error.code)) this.replace(delayed(this.store.get().outbox, item.clientId, error.hint));
      return Math.max(1, error.details.retryAfterMs ?? backoffMs(attempt, Math.random));
    }
    this.attempts.delete(item.clientId);
    this.replace(failed(this.store.get().outbox, item.clientId, hintOf(error), error instanceof ParleyError ? error.code : null));
    this.sends.refuse(item.clientId, error instanceof ParleyError ? error : badArgument(String(error)));
    return 0;
  }

  /** Clears the thread's refusal, and replaces its nudge by the one in the reply. */
  private took(threadId: string, { messageId, nudge }: SendReply): void {
    const { nudges, refusals } = this.store.get();
    if (refusals[threadId] !== undefined) this.store.update({ refusals: without(refusals, threadId) });
    if (nudge !== undefined && nudge !== null) this.store.update({ nudges: withLatest(nudges, threadId, nudgeOf(messageId, nudge)) });
    else if (nudges[threadId] !== undefined) this.store.update({ nudges: without(nudges, threadId) });
  }

  private closes(threadId: string, { code, hint, details: { retryAfterMs } }: ParleyError): void {
    const until = retryAfterMs === undefined ? null : Date.now() + retryAfterMs;
    this.store.update({ refusals: withLatest(this.store.get().refusals, threadId, { code, hint, until }) });
  }

  private pumpLater(threadId: string, delayMs: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.busy.delete(threadId);
      this.pump();
    }, delayMs);
    this.timers.add(timer);
  }
}

/** Returns a rejected promise that may be ignored. */
function unheeded(error: ParleyError): Promise<never> {
  const refused = Promise.reject<never>(error);
  refused.catch(() => undefined);
  return refused;
}

function without<Value>(held: Readonly<Record<string, Value>>, threadId: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(held).filter(([id]) => id !== threadId));
}

function withLatest<Value>(held: Readonly<Record<string, Value>>, threadId: string, value: Value): Record<string, Value> {
  return Object.fromEntries([...Object.entries(without(held, threadId)), [threadId, value] as const].slice(-kHeldMax));
}

/**
 * Returns true if the tenant disabled messaging or made it read-only. Unlike a busy server, this error names no time
 * to retry.
 */
function switchedOff({ code, details }: ParleyError): boolean {
  return code === 'UNAVAILABLE' && details.retryAfterMs === undefined;
}

/** The nudge comes from the server, so each field is checked. */
function nudgeOf(messageId: string, nudge: unknown): Nudge {
  const { message, hints, redacted } = nudge as { message?: unknown; hints?: unknown; redacted?: unknown };
  const policyHints = Array.isArray(hints) ? hints.filter((one): one is string => typeof one === 'string') : [];
  return { messageId, hint: typeof message === 'string' && message !== '' ? message : null, policyHints, redacted: redacted === true };
}
