// Describes a message request in words, for its sender and its recipient.
import type { ClientState, Counts, Entry, MessageRequest } from '@parley/sdk';
import { restWords } from '@parley/shared';

const kTheirs: Readonly<Record<MessageRequest['state'], string | null>> = {
  pending: 'Wants to write to you',
  accepted: null,
  declined: 'You declined',
  blocked: 'You blocked them',
  expired: 'Expired',
};

const kOwn: Readonly<Record<MessageRequest['state'], string | null>> = {
  pending: 'Waiting for an answer',
  accepted: null,
  declined: 'Declined',
  blocked: 'Declined', // the server's word to the sender
  expired: 'Not answered in time',
};

/** Returns the status of a request for the list; null if there is no request, or nothing to show of it. */
export function requestChip({ request }: Pick<Entry, 'request'>, userId: string): string | null {
  if (request === null) return null;
  return (request.fromUserId === userId ? kOwn : kTheirs)[request.state];
}

export function expiryWords({ expiresAt }: Pick<MessageRequest, 'expiresAt'>, now: number): string {
  return `Expires in ${restWords(Date.parse(expiresAt), now)}`;
}

/** Describes a request that the viewer has not accepted, with the part that they may see. */
export function gateText(request: MessageRequest, kind: Entry['kind'], name: string): string {
  switch (request.state) {
    case 'pending':
      return kind === 'group'
        ? `${name} wants you to join a group. The group cannot see that you have read this.`
        : `${name} wants to write to you. They cannot see that you have read this, and cannot write more until you accept.`;
    case 'declined':
      return `You declined. ${name} sees that, and cannot ask you again.`;
    case 'blocked':
      return `You blocked ${name}, who sees only that you declined.`;
    case 'expired':
      return 'This request has expired without an answer.';
    case 'accepted':
      return 'Accepted. Opening the conversation…';
  }
}

/** Returns the answers of a request to the viewer's questions, with their names in words. */
export function saidWith({ contact }: Pick<MessageRequest, 'contact'>): [name: string, words: string][] {
  return Object.entries(contact ?? {}).map(([name, value]) => [name, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}

/**
 * Returns why the sender of a request cannot write; null if it was accepted, or if the first message is still to be
 * written.
 */
export function askerClosing(request: MessageRequest, hasWritten: boolean, name: string, now: number): string | null {
  switch (request.state) {
    case 'accepted':
      return null;
    case 'pending':
      if (!hasWritten) return null;
      return `Waiting for an answer. ${name} received your message as a request. You can write more after they accept it. ${expiryWords(request, now)}.`;
    case 'declined':
    case 'blocked':
      return `${name} declined your request.`;
    case 'expired':
      return `${name} did not answer in time. You can ask again by starting a new conversation.`;
  }
}

/** Describes the viewer's credits for contacting strangers; null if contacting is free, or the price is unknown. */
export function creditsText(counts: Pick<Counts, 'credits'> | null): string | null {
  const credits = counts?.credits;
  if (credits === undefined || credits.costPerRequest === 0) return null;
  const { available, costPerRequest } = credits;
  const left = available === 1 ? '1 credit' : `${available} credits`;
  return `A conversation with a new person costs ${costPerRequest === 1 ? 'one credit' : `${costPerRequest} credits`}. You have ${left} left this month.`;
}

/** Returns the entry of a request that the viewer has not accepted. */
export function gatedEntry({ inbox, threads }: Pick<ClientState, 'inbox' | 'threads'>, threadId: string): Entry | null {
  const entry = inbox.entries[threadId];
  return entry?.gated === true && threads[threadId]?.loaded !== true ? entry : null;
}
