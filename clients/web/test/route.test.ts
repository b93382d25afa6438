import { describe, expect, it } from 'vitest';
import { formatRoute, kNobody, parseRoute } from '../src/route.js';

describe('the address', () => {
  it('contains the user and the thread, and survives a round trip', () => {
    for (const role of [null, 'support'] as const) {
      const route = { user: 'usr_alice', role, thread: 'thrd_01', adult: role !== null };
      expect(parseRoute(formatRoute(route).slice(1))).toEqual(route);
    }
    expect(formatRoute({ ...kNobody, role: 'admin', thread: 'thrd_01' })).toBe('/?thread=thrd_01');
    expect(formatRoute(kNobody)).toBe('/');
  });

  it('is not trusted', () => {
    expect(parseRoute('?user=<script>&role=root&thread=a b')).toEqual(kNobody);
  });
});
