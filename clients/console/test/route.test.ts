import { describe, expect, it } from 'vitest';
import { placeOfId } from '../src/go_to.js';
import { formatRoute, kQueue, parseRoute, type Place } from '../src/route.js';

const kPlaces: readonly Place[] = [
  kQueue,
  { view: 'queue', filter: { status: 'pending', type: 'message', severity: 'high', threadId: 'thrd_1' } },
  { view: 'case', id: 'case_1' },
  { view: 'user', id: 'usr_bob' },
  { view: 'threads', filter: { userId: 'usr_bob', status: 'locked', flagged: true } },
  { view: 'thread', id: 'thrd_1' },
  { view: 'thread', id: 'thrd_1', caseId: 'case_1' },
  { view: 'audit', filter: { actor: 'usr_mona', userId: 'usr_bob', caseId: 'case_1', threadId: 'thrd_1', from: '2025-11-05T14:12:07.123Z', to: '2025-11-06T00:00:00.000Z' } },
];

describe('the address', () => {
  it.each(kPlaces)('contains the place, and survives a round trip: %j', (place) => {
    for (const [user, role] of [[null, null], ['usr_mona', 'moderator']] as const) {
      expect(parseRoute(formatRoute({ user, role, place }).replace('/console', ''))).toEqual({ user, role, place });
    }
  });

  it('is short for the queue, and distinguishes the viewer from the user on the page', () => {
    expect(formatRoute({ user: null, role: null, place: kQueue })).toBe('/console');
    expect(formatRoute({ user: 'usr_mona', role: 'admin', place: { view: 'user', id: 'usr_bob' } })).toBe('/console?user=usr_mona&role=admin&view=user&id=usr_bob');
  });

  it('is not trusted', () => {
    expect(parseRoute('?user=a b&role=root&view=case&id=<b>&status=x&severity=y').place).toEqual(kQueue);
    expect(parseRoute('?view=audit&from=yesterday&actor=a/b').place).toEqual({ view: 'audit', filter: {} });
  });
});

describe('a typed id', () => {
  it('leads to its page', () => {
    expect(placeOfId(' case_01 ')).toEqual({ view: 'case', id: 'case_01' });
    expect(placeOfId('thrd_01')).toEqual({ view: 'thread', id: 'thrd_01' });
    expect(placeOfId('bob')).toEqual({ view: 'user', id: 'bob' });
    expect([placeOfId(''), placeOfId('a b')]).toEqual([null, null]);
  });
});
