import type { Card, Tab, TabName } from './types.js';

export type Cards = Readonly<Record<string, Card>>;
export type Panel = Readonly<Partial<Record<TabName, Tab>>>;

// Far above what a page of the list brings; a thread with more cards shows the oldest without buttons.
export const kCardsMax = 500;

/**
 * The newer of two copies by seq. Events tell a card without `allowed`; of the same seq, the copy that has it holds.
 */
export function withCard(cards: Cards, card: Card): Cards {
  const held = cards[card.messageId];
  if (held !== undefined && (held.seq > card.seq || (held.seq === card.seq && card.allowed === undefined))) return cards;
  const next = { ...cards, [card.messageId]: card };
  const ids = Object.keys(next);
  if (ids.length > kCardsMax) delete next[ids.sort()[0]!]; // ids order by creation
  return next;
}

export function withTab(panel: Panel, tab: Tab): Panel {
  const held = panel[tab.tab];
  return held !== undefined && held.version > tab.version ? panel : { ...panel, [tab.tab]: tab };
}

export function withTabs(panel: Panel, tabs: readonly Tab[]): Panel {
  return tabs.reduce(withTab, panel);
}

/** What the panel shows of a tab that nobody wrote yet. */
export function tabOf(panel: Panel, tab: TabName): Tab {
  return panel[tab] ?? { tab, version: 0, content: {}, updatedBy: null, updatedAt: '', seq: 0 };
}
