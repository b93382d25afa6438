// The reasons why the viewer cannot write in a thread, and the remedies.
import type { ClientState, ThreadState } from '@parley/sdk';
import { endWords, type NameOf } from '@parley/shared';
import { refusalTitle, refusedSend } from './refusals.js';
import { askerClosing } from './requests.js';
import { refusal } from './viewer.js';

export interface Closing {
  /** The server's error code, or one that the client derived itself. */
  code: string;
  text: string;
  /** A user that the viewer could unblock, or null. */
  unblock: string | null;
  /** The last message was rejected, but another may be accepted. */
  again: boolean;
  /** When it ends, by the local clock in ms. */
  until: number | null;
}

const kForGood = Date.UTC(9000, 0); // the server sends the year 9999 for a block without end

function closing(code: string, text: string, more: Partial<Closing> = {}): Closing {
  return { code, text, unblock: null, again: false, until: null, ...more };
}

/** Returns the other user of a direct thread. */
export function otherOf({ thread, participants }: ThreadState, userId: string): string | null {
  const others = participants.filter((participant) => participant.userId !== userId);
  return thread !== null && thread.kind !== 'group' && others.length === 1 ? others[0]!.userId : null;
}

export function isBlocked({ blocked }: Pick<ClientState, 'blocked'>, userId: string): boolean {
  return blocked?.some((held) => held.userId === userId) ?? false;
}

/** Returns null if the viewer can write. */
export function closingOf(state: ClientState, thread: ThreadState, nameOf: NameOf, now: number): Closing | null {
  return ofThread(thread) ?? ofRequest(state, thread, nameOf, now) ?? ofBlock(state, thread, nameOf) ?? ofTime(thread, state, now) ?? ofRefusal(state, thread, now);
}

function ofThread(thread: ThreadState): Closing | null {
  const text = refusal(thread);
  return text === null ? null : closing('THREAD', text);
}

function ofRequest({ inbox, userId }: ClientState, thread: ThreadState, nameOf: NameOf, now: number): Closing | null {
  const request = inbox.entries[thread.threadId]?.request ?? null;
  if (request === null || request.fromUserId !== userId || thread.thread?.kind === 'group') return null;
  const hasWritten = thread.timeline.messages.some((message) => message.authorUserId === userId);
  const other = otherOf(thread, userId);
  const text = askerClosing(request, hasWritten, other === null ? 'They' : nameOf(other), now);
  return text === null ? null : closing(`REQUEST_${request.state.toUpperCase()}`, text);
}

/** In a project a block does not apply while its booking is live; only `blockedUntil` shows whether it applies. */
function ofBlock(state: ClientState, thread: ThreadState, nameOf: NameOf): Closing | null {
  const other = otherOf(thread, state.userId);
  if (other === null) return null;
  const held = Date.parse(thread.me?.blockedUntil ?? '') > kForGood;
  const blocked = isBlocked(state, other) && thread.thread?.kind !== 'project';
  if (!held && !blocked) return null;
  return closing('BLOCKED', `You have blocked ${nameOf(other)}. Neither of you can write to the other here.`, { unblock: other });
}

function ofTime({ me }: ThreadState, { clockSkewMs }: ClientState, now: number): Closing | null {
  const until = Date.parse(me?.blockedUntil ?? '') - clockSkewMs;
  if (Number.isNaN(until) || until <= now || until > kForGood) return null;
  return closing('FORBIDDEN', `You cannot write here until ${endWords(until, now)}.`, { until });
}

function ofRefusal({ refusals }: ClientState, { threadId }: ThreadState, now: number): Closing | null {
  const refusal = refusals[threadId];
  if (refusal === undefined || (refusal.until !== null && refusal.until <= now)) return null;
  const { code, until } = refusal;
  return closing(code, `${refusalTitle(code)} ${refusedSend(refusal, now)}`, { again: true, until });
}
