import { afterEach, describe, expect, it, vi } from 'vitest';
import { Visitors } from '../src/visitor.js';

const kNow = Date.parse('2026-01-01T00:00:00Z');

function tokenOf(sub: string, { tid = 'shop', leftS = 600 } = {}): string {
  return `h.${btoa(JSON.stringify({ sub, tid, exp: kNow / 1000 + leftS })).replace(/=/g, '')}.s`;
}

/** A page at `hash`, in a browser that has stored `items`. */
function pageAt(hash: string, items: Map<string, string>) {
  const shown: string[] = [];
  const page = {
    location: { hash, pathname: '/', search: '', origin: 'https://chat.test' },
    history: { state: null, replaceState: (_state: unknown, _title: string, to: string) => shown.push(to) },
    localStorage: { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => void items.set(key, value), removeItem: (key: string) => void items.delete(key) },
    navigator: {},
    opener: null,
    parent: null as unknown,
  };
  page.parent = page;
  return { page: page as unknown as ConstructorParameters<typeof Visitors>[0], shown };
}

function browser(): { items: Map<string, string>; visit: (hash: string) => Visitors; signedIn: () => string | undefined } {
  const items = new Map<string, string>();
  const visit = (hash: string): Visitors => new Visitors(pageAt(hash, items).page, 'tokens');
  return { items, visit, signedIn: () => (JSON.parse(items.get('tokens') ?? 'null') as { token: string } | null)?.token };
}

afterEach(() => vi.useRealTimers());

describe('tokens in an address', () => {
  it('sign in if no user is signed in, or the same one', () => {
    vi.useFakeTimers({ now: kNow });
    const { visit, signedIn } = browser();
    expect(visit(`#token=${tokenOf('ann')}`)).toMatchObject({ arrived: { userId: 'ann' }, offer: null });
    const newer = tokenOf('ann', { leftS: 900 });
    expect(visit(`#token=${newer}`)).toMatchObject({ arrived: { userId: 'ann' }, offer: null });
    expect(signedIn()).toBe(newer);
  });

  it.each([
    ['somebody else', tokenOf('eve')],
    ['somebody of the same name elsewhere', tokenOf('ann', { tid: 'evil' })],
  ])('sign nobody over to %s', (_, theirs) => {
    vi.useFakeTimers({ now: kNow });
    const { visit, signedIn } = browser();
    visit(`#token=${tokenOf('ann')}&refreshToken=prt_1`);
    const visitors = visit(`#token=${theirs}&refreshToken=prt_eve`);
    expect(visitors.arrived).toBeNull();
    expect(visitors.offer).toMatchObject({ account: { userId: 'ann', tenantId: 'shop' } });
    expect(signedIn()).toBe(tokenOf('ann'));
  });

  it('switch the user after confirmation, and sign out the first one', async () => {
    vi.useFakeTimers({ now: kNow });
    const revoked: unknown[] = [];
    vi.stubGlobal('fetch', (_url: string, init: { body: string }) => {
      revoked.push(JSON.parse(init.body));
      return Promise.resolve(new Response('{}'));
    });
    const { visit, signedIn } = browser();
    visit(`#token=${tokenOf('ann')}&refreshToken=prt_1`);
    const stays = visit(`#token=${tokenOf('eve')}`);
    expect(await stays.answer(stays.offer!, false)).toMatchObject({ userId: 'ann' });
    expect([stays.offer, revoked, signedIn()]).toEqual([null, [], tokenOf('ann')]);
    const goes = visit(`#token=${tokenOf('eve')}`);
    expect(await goes.answer(goes.offer!, true)).toMatchObject({ userId: 'eve' });
    expect([revoked, signedIn()]).toEqual([[{ refreshToken: 'prt_1' }], tokenOf('eve')]);
    vi.unstubAllGlobals();
  });

  it('replace a session that has ended', () => {
    vi.useFakeTimers({ now: kNow });
    const { visit } = browser();
    visit(`#token=${tokenOf('ann', { leftS: 10 })}`);
    vi.setSystemTime(kNow + 60_000);
    expect(visit(`#token=${tokenOf('bob')}`)).toMatchObject({ arrived: { userId: 'bob' }, offer: null });
  });

  it('are only removed on a page that is already open', () => {
    vi.useFakeTimers({ now: kNow });
    const items = new Map<string, string>();
    const { page, shown } = pageAt('', items);
    const visitors = new Visitors(page, 'tokens');
    (page.location as { hash: string }).hash = `#token=${tokenOf('eve')}`;
    visitors.clearAddress();
    expect([shown, items.size]).toEqual([['/'], 0]);
  });
});
