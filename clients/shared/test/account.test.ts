import type { TokenPair } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedTokens, takeFragment, tokensOfFragment } from '../src/account.js';
import { allowedOrigins, TokenGiver, tokensIn } from '../src/token_giver.js';

const kToken = `h.${btoa(JSON.stringify({ sub: 'usr_ann', exp: 2_000_000_000 })).replace(/=/g, '')}.s`;

function pageAt(url: string) {
  const { hash, pathname, search } = new URL(url);
  const shown: string[] = [];
  const page = { location: { hash, pathname, search }, history: { state: null, replaceState: (_state: unknown, _title: string, to: string) => shown.push(to) } };
  return { shown, page: page as unknown as Pick<Window, 'location' | 'history'> };
}

describe('the fragment', () => {
  it('contains tokens', () => {
    expect(tokensOfFragment(`#token=${kToken}&refreshToken=prt_1`)).toEqual({ token: kToken, refreshToken: 'prt_1' });
    expect(tokensOfFragment(`#token=${kToken}`)).toEqual({ token: kToken });
    for (const none of ['', '#', '#token=', '#token=abc', '#refreshToken=prt_1', '#top']) expect(tokensOfFragment(none)).toBeNull();
  });

  it('is removed from the address at once, with the demo user, but not the thread', () => {
    const { page, shown } = pageAt(`https://chat.test/?user=usr_bob&thread=thrd_1&role=admin#token=${kToken}`);
    expect(takeFragment(page)).toEqual({ token: kToken });
    expect(shown).toEqual(['/?thread=thrd_1']);
  });

  it('is removed even if it is malformed, and kept if it has no token', () => {
    const bad = pageAt('https://chat.test/#refreshToken=prt_secret');
    expect([takeFragment(bad.page), bad.shown]).toEqual([null, ['/']]);
    const other = pageAt('https://chat.test/#top');
    expect([takeFragment(other.page), other.shown]).toEqual([null, []]);
  });
});

describe('the tokens of a browser', () => {
  it('are shared by all its tabs', () => {
    const items = new Map<string, string>();
    const storage = { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => void items.set(key, value), removeItem: (key: string) => void items.delete(key) };
    const [one, two] = [sharedTokens(storage, 'tokens'), sharedTokens(storage, 'tokens')];
    one.save({ token: kToken, refreshToken: 'prt_1' });
    expect(two.load()).toEqual({ token: kToken, refreshToken: 'prt_1' });
    two.save(null);
    expect(items.size).toBe(0);
  });

  it('last as long as the page if the storage fails', () => {
    const fail = (): never => {
      throw new Error('no storage');
    };
    const tokens = sharedTokens({ getItem: fail, setItem: fail, removeItem: fail }, 'tokens');
    tokens.save({ token: kToken });
    expect(tokens.load()).toEqual({ token: kToken });
  });
});

describe('a page that gives tokens', () => {
  const sent: [unknown, string][] = [];
  const peer = { postMessage: (message: unknown, origin: string) => void sent.push([message, origin]) };
  const tokens = { type: 'parley.tokens', token: kToken, refreshToken: 'prt_1' };
  let giver: TokenGiver;

  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = 0;
    giver = new TokenGiver(peer, allowedOrigins(' https://shop.test/path  nonsense ', 'https://chat.test'));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is accepted if it opened this page and its origin is listed', () => {
    const received: TokenPair[] = [];
    giver.onTokens((pair) => received.push(pair));
    giver.hear({ source: peer, origin: 'https://evil.test', data: tokens });
    giver.hear({ source: {}, origin: 'https://shop.test', data: tokens });
    giver.hear({ source: peer, origin: 'null', data: tokens });
    expect(received).toEqual([]);
    giver.hear({ source: peer, origin: 'https://shop.test', data: tokens });
    expect(received).toEqual([{ token: kToken, refreshToken: 'prt_1' }]);
  });

  it('is asked only under its own origin', async () => {
    const answer = giver.ask(1_000);
    expect(sent).toEqual(['https://chat.test', 'https://shop.test'].map((origin) => [{ type: 'parley.wantsTokens' }, origin]));
    giver.hear({ source: peer, origin: 'https://shop.test', data: tokens });
    expect(await answer).toEqual({ token: kToken, refreshToken: 'prt_1' });
  });

  it('is asked with a time limit', async () => {
    const answer = giver.ask(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBeNull();
  });

  it('is ignored if its message contains no tokens', () => {
    for (const other of [null, 'parley.tokens', {}, { type: 'parley.tokens' }, { ...tokens, token: 'x' }, { ...tokens, type: 'tokens' }]) expect(tokensIn(other)).toBeNull();
  });
});
