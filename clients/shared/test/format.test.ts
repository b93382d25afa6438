import { describe, expect, it } from 'vitest';
import { capitalized, initials, isolate, lastSeenLabel, listNames, nameFromId, shownName, utf8Length } from '../src/format.js';
import { isId } from '../src/ids.js';

describe('names', () => {
  it('are derived from user ids', () => {
    expect(nameFromId('usr_alice')).toBe('Alice');
    expect(nameFromId('usr_mary-ann.lee')).toBe('Mary Ann Lee');
    expect(nameFromId('...')).toBe('...');
    expect(initials('Mary Ann Lee')).toBe('ML');
    expect(initials('Émile')).toBe('É');
    expect(initials('…')).toBe('#');
  });

  it('are the display names, if set', () => {
    const held = { userId: 'usr_al', displayName: 'Alice Moor', known: true };
    expect(shownName('usr_al', held)).toBe('Alice Moor');
    expect(shownName('usr_al', { ...held, displayName: null })).toBe('Al');
    expect(shownName('usr_al', { ...held, displayName: ' ' })).toBe('Al');
    expect(shownName('usr_al', undefined)).toBe('Al');
    expect(shownName('usr_al', { userId: 'usr_al', displayName: null, known: false, deleted: true })).toBe('Deleted User');
    expect(shownName(null, undefined)).toBe('Parley');
  });

  it('of another direction are isolated in a sentence', () => {
    expect(isolate('Ann (1)')).toBe('Ann (1)');
    expect(isolate('מיכל (1)')).toBe('\u2068מיכל (1)\u2069');
    expect(isolate('\u202egpj.exe\u2069')).toBe('gpj.exe');
    const held = { userId: 'usr_eve', displayName: '\u202e \u2067', known: true };
    expect(shownName('usr_eve', held)).toBe('Eve');
  });

  it('start with a whole character', () => {
    expect(initials('👩‍🚀 Ann')).toBe('A');
    expect(initials('e\u0301mile Zola')).toBe('E\u0301Z');
    expect([capitalized('ǆungla'), capitalized('👍🏽up'), capitalized('')]).toEqual(['Ǆungla', '👍🏽up', '']);
  });

  it('are joined as in a sentence', () => {
    expect(listNames([], nameFromId)).toBe('');
    expect(listNames(['usr_a', 'usr_b'], nameFromId)).toBe('A and B');
    expect(listNames(['usr_a', 'usr_b', 'usr_c', 'usr_d', 'usr_e'], nameFromId)).toBe('A, B, C and 2 more');
  });
});

describe('times', () => {
  it('show roughly when a user was last online', () => {
    const now = Date.parse('2025-11-05T12:00:00Z');
    expect(lastSeenLabel(null, now)).toBe('Offline');
    expect(lastSeenLabel('2025-11-05T11:53:00Z', now)).toBe('Last seen 7 min ago');
    expect(lastSeenLabel('2025-11-05T09:00:00Z', now)).toBe('Last seen 3 h ago');
  });
});

describe('the length of a body', () => {
  it('is counted in bytes, as the server does', () => {
    expect(utf8Length('aé🌊')).toBe(7);
  });
});

describe('an id', () => {
  it('is short, and of a few characters', () => {
    expect([isId('usr_a.b-c:1'), isId(''), isId('a b'), isId('x'.repeat(65))]).toEqual([true, false, false, false]);
  });
});
