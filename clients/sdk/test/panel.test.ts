import { describe, expect, it } from 'vitest';
import { kCardsMax, tabOf, withCard, withTab, type Cards } from '../src/panel.js';
import { card, tab } from './items.js';

describe('the cards of a thread', () => {
  it('keep the newer copy, in any order of arrival', () => {
    const held = withCard({}, card('msg_1', { seq: 9, state: 'ACCEPTED' }));
    expect(withCard(held, card('msg_1', { seq: 5 }))).toBe(held);
    expect(withCard(held, card('msg_1', { seq: 10, state: 'X' }))['msg_1']?.state).toBe('X');
  });

  it('keep the allowed actions if an event has the same change', () => {
    const held = withCard({}, card('msg_1', { seq: 9, allowed: ['accept'] }));
    expect(withCard(held, card('msg_1', { seq: 9 }))).toBe(held);
    expect(withCard(held, card('msg_1', { seq: 9, allowed: [] }))['msg_1']?.allowed).toEqual([]);
  });

  it('have no actions after a change until these are requested again', () => {
    const held = withCard({}, card('msg_1', { seq: 9, allowed: ['accept'] }));
    expect(withCard(held, card('msg_1', { seq: 10 }))['msg_1']).not.toHaveProperty('allowed');
  });

  it('are bounded: the oldest is evicted', () => {
    let cards: Cards = {};
    for (let i = 0; i <= kCardsMax; ++i) cards = withCard(cards, card(`msg_${String(i).padStart(4, '0')}`));
    expect(Object.keys(cards)).toHaveLength(kCardsMax);
    expect(cards['msg_0000']).toBeUndefined();
  });
});

describe('the panel', () => {
  it('keeps the highest version of each tab, and has an empty one of version 0 before', () => {
    expect(tabOf({}, 'brief')).toMatchObject({ version: 0, content: {} });
    const held = withTab({}, tab(2));
    expect(withTab(held, tab(1))).toBe(held);
    expect(tabOf(withTab(held, tab(3)), 'brief').content).toEqual({ title: 'title 3' });
  });
});
