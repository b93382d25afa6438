import { nameFromId } from '@parley/shared';
import { describe, expect, it } from 'vitest';
import { countOf, whoText } from '../src/reactions.js';

const people = (count: number): string[] => Array.from({ length: count }, (_, i) => `usr_${String.fromCharCode(97 + i)}`);
const who = (userIds: string[], count?: number): string => whoText({ emoji: '👍', userIds, ...(count === undefined ? {} : { count }) }, 'usr_me', nameFromId);

describe('a reaction', () => {
  it('names its users, the viewer first', () => {
    expect(who(['usr_me'])).toBe('you');
    expect(who(['usr_a', 'usr_b'])).toBe('A and B');
    expect(who(['usr_a', 'usr_me'])).toBe('you, A');
    expect(who(people(8))).toBe('A, B, C, D, E, F and 2 more');
    expect(who([...people(8), 'usr_me'])).toBe('you, A, B, C, D, E, F and 2 more');
  });

  it('counts users beyond the listed ones', () => {
    expect(countOf({ emoji: '👍', userIds: people(3) })).toBe(3);
    expect(countOf({ emoji: '👍', userIds: people(3), count: 250 })).toBe(250);
    expect(who(people(3), 250)).toBe('A, B, C and 247 more');
    expect(who(['usr_me', ...people(2)], 250)).toBe('you, A, B and 247 more');
  });
});
