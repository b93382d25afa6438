import type { Card, Tab, TabName } from './types.js';

export type Cards = Readonly<Record<string, Card>>;
export type Panel = Readonly<Partial<Record<TabName, Tab>>>;

// Well above a page of the list; in a thread with more cards, the oldest have no buttons.
export const kCardsMax = 500;

/**
 * Takes the newer of two copies by seq. Events have no `allowed`, so of two copies with the same seq the one that has
 * it wins.
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

/** Returns a tab of the panel; an empty one of version 0 if it was never written. */
export function tabOf(panel: Panel, tab: TabName): Tab {
  return panel[tab] ?? { tab, version: 0, content: {}, updatedBy: null, updatedAt: '', seq: 0 };
}
