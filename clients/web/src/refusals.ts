import { hintOf, ParleyError, type Card } from '@parley/sdk';
import { cardTitle, words } from './card_text.js';

const kClashes = new Set(['VERSION_CONFLICT', 'ACTION_CONFLICT', 'ACTION_INVALID_STATE', 'CARD_EXPIRED']);

/** Somebody or something else was there first: worth to be shown where it happened. */
export function isClash(error: unknown): boolean {
  return error instanceof ParleyError && kClashes.has(error.code);
}

/** The card that stands in the way, as the server holds it. */
export function cardInTheWay(error: unknown): Card | null {
  const current = error instanceof ParleyError ? (error.details.current as Partial<Card> | null | undefined) : null;
  return typeof current?.type === 'string' && typeof current.state === 'string' ? (current as Card) : null;
}

/** Why something was refused, in words for people, with the card that stands in the way. */
export function refusalText(error: unknown): string {
  const card = cardInTheWay(error);
  return card === null ? hintOf(error) : `${hintOf(error)} Now: ${cardTitle(card.type)}, ${words(card.state).toLowerCase()}.`;
}

/** What is wrong with which field. */
export function problemsOf(error: unknown): Readonly<Record<string, string>> {
  return (error instanceof ParleyError ? error.details.fields : undefined) ?? {};
}
