import { hintOf, ParleyError, type Card, type OutboxItem, type SendRefusal } from '@parley/sdk';
import { endWords } from '@parley/shared';
import { cardTitle, words } from './card_text.js';

const kClashes = new Set(['VERSION_CONFLICT', 'ACTION_CONFLICT', 'ACTION_INVALID_STATE', 'CARD_EXPIRED']);

/** Returns true if another change came first, so that the view should show the error in place. */
export function isClash(error: unknown): boolean {
  return error instanceof ParleyError && kClashes.has(error.code);
}

/** Returns the conflicting card from the server's error. */
export function cardInTheWay(error: unknown): Card | null {
  const current = error instanceof ParleyError ? (error.details.current as Partial<Card> | null | undefined) : null;
  return typeof current?.type === 'string' && typeof current.state === 'string' ? (current as Card) : null;
}

/** Explains an error in words for people, including the conflicting card. */
export function refusalText(error: unknown): string {
  const card = cardInTheWay(error);
  return card === null ? hintOf(error) : `${hintOf(error)} Now: ${cardTitle(card.type)}, ${words(card.state).toLowerCase()}.`;
}

/** Returns the problem of each field. */
export function problemsOf(error: unknown): Readonly<Record<string, string>> {
  return (error instanceof ParleyError ? error.details.fields : undefined) ?? {};
}

// Titles by error code, shown above the server's hint. The same for both sides of a block.
const kTitles: Readonly<Record<string, string>> = {
  FORBIDDEN: 'You cannot write here.',
  THREAD_NOT_MEMBER: 'You are not part of this conversation.',
  THREAD_LOCKED: 'Locked.',
  THREAD_ARCHIVED: 'Archived.',
  MSG_POLICY_BLOCKED: 'This was not sent.',
  MSG_NSFW_BLOCKED: 'This was not sent.',
  FRAME_REFUSED: 'This was not sent.',
  MSG_GATE_REQUIRED: 'Not accepted yet.',
  MSG_BLOCKED_BY_USER: 'No messages here.',
  SAFETY_SOFT_BLOCK: 'Paused.',
  CREDITS_EXHAUSTED: 'No credits left.',
  CONTACT_FILTER_UNMET: 'More information is required.',
  RATE_LIMITED: 'Too fast.',
  TOO_LARGE: 'Too long.',
  UNAVAILABLE: 'Not possible right now.',
};

/** Describes a code in a few words. */
export function refusalTitle(code: string): string {
  return kTitles[code] ?? 'This was refused.';
}

/** Explains why the viewer's last message was rejected, and until when, if known. */
export function refusedSend({ hint, until }: Pick<SendRefusal, 'hint' | 'until'>, now: number): string {
  return until === null ? hint : `${hint} You can write again at ${endWords(until, now)}.`;
}

// Errors about the content, which the author can correct and send again.
const kToPutRight = new Set(['MSG_POLICY_BLOCKED', 'MSG_NSFW_BLOCKED', 'TOO_LARGE', 'FRAME_REFUSED']);

/** Returns the first own message that was rejected for its content. */
export function toPutRight(outbox: readonly OutboxItem[]): OutboxItem | undefined {
  return outbox.find(({ state, code }) => state === 'failed' && code !== null && kToPutRight.has(code));
}
