import { describe, expect, it } from 'vitest';
import { ParleyError } from '../src/errors.js';
import { readToken, TokenKeeper, type Locks, type TokenKeeperOptions, type TokenPair, type TokenStorage } from '../src/tokens.js';

const kNow = Date.parse('2026-01-01T00:00:00Z');

function base64url(value: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

/** A token; `n` makes it unique. */
function tokenOf(sub: string, leftS: number, n = 0): string {
  return `${base64url({ alg: 'HS256' })}.${base64url({ sub, n, exp: kNow / 1000 + leftS })}.c2ln`;
}

function memory(pair: TokenPair | null): TokenStorage & { pair: TokenPair | null } {
  return {
    pair,
    load() {
      return this.pair;
    },
    save(next) {
      this.pair = next;
    },
  };
}

/** Issues refresh tokens r1, r2 …, each valid for one use, as the server does. */
function issuer() {
  const used: string[] = [];
  let n = 1;
  const refresh = async (refreshToken: string): Promise<TokenPair> => {
    await Promise.resolve();
    used.push(refreshToken);
    if (refreshToken !== `r${n}`) throw new ParleyError('UNAUTHENTICATED', 'x', 'x');
    n += 1;
    return { token: tokenOf('ann', 3600, n), refreshToken: `r${n}` };
  };
  return { used, refresh };
}

function locks(): Locks {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    request(_name, work) {
      const done = turn.then(work);
      turn = done.catch(() => undefined);
      return done;
    },
  };
}

function keeperOf(storage: TokenStorage, more: Partial<TokenKeeperOptions> = {}): TokenKeeper {
  const refresh = (): Promise<TokenPair> => Promise.reject(new ParleyError('UNAUTHENTICATED', 'x', 'x'));
  return new TokenKeeper({ userId: 'ann', storage, refresh, now: () => kNow, ...more });
}

const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'ok', (error: ParleyError) => error.code);

describe('the claims of a token', () => {
  it('are its user and its end', () => {
    expect(readToken(tokenOf('usr_zoë', 60))).toEqual({ userId: 'usr_zoë', tenantId: null, expiresAt: kNow + 60_000 });
    for (const bad of ['', 'a', 'a.b.c', `a.${base64url({ sub: 'x' })}.c`, `a.${base64url(null)}.c`]) expect(readToken(bad)).toBeNull();
  });
});

describe('a token keeper', () => {
  it('returns the same token for every hello while it is valid', async () => {
    const { used, refresh } = issuer();
    const keeper = keeperOf(memory({ token: tokenOf('ann', 600), refreshToken: 'r1' }), { refresh });
    expect([await keeper.get('hello'), await keeper.get('hello')]).toEqual([tokenOf('ann', 600), tokenOf('ann', 600)]);
    expect(used).toEqual([]);
  });

  it('exchanges the refresh token, and stores the new pair', async () => {
    const { used, refresh } = issuer();
    const storage = memory({ token: tokenOf('ann', 600), refreshToken: 'r1' });
    const keeper = keeperOf(storage, { refresh });
    await keeper.get('hello');
    expect(await keeper.get('refused')).toBe(tokenOf('ann', 3600, 2));
    expect(await keeper.get('refused')).toBe(tokenOf('ann', 3600, 3));
    expect(used).toEqual(['r1', 'r2']);
    expect(storage.pair?.refreshToken).toBe('r3');
  });

  it('does so before the first hello if the token ends soon', async () => {
    const { used, refresh } = issuer();
    const keeper = keeperOf(memory({ token: tokenOf('ann', 10), refreshToken: 'r1' }), { refresh });
    expect(await keeper.get('hello')).toBe(tokenOf('ann', 3600, 2));
    expect(used).toEqual(['r1']);
  });

  it('uses each refresh token once, however many tabs want a newer token at the same time', async () => {
    const { used, refresh } = issuer();
    const storage = memory({ token: tokenOf('ann', 600), refreshToken: 'r1' });
    const shared = locks();
    const tabs = Array.from({ length: 5 }, () => keeperOf(storage, { refresh, locks: shared }));
    await Promise.all(tabs.map((tab) => tab.get('hello')));
    const got = await Promise.all(tabs.map((tab) => tab.get('refused')));
    expect(new Set(got)).toEqual(new Set([tokenOf('ann', 3600, 2)]));
    expect(used).toEqual(['r1']);
  });

  it('uses it once within a tab without locks', async () => {
    const { used, refresh } = issuer();
    const keeper = keeperOf(memory({ token: tokenOf('ann', 10), refreshToken: 'r1' }), { refresh });
    await Promise.all([keeper.get('hello'), keeper.get('hello')]);
    expect(used).toEqual(['r1']);
  });

  it('reports whether a session was ended or expired, and forgets it', async () => {
    for (const [leftS, code] of [[600, 'SIGNED_OUT'], [-1, 'SESSION_EXPIRED']] as const) {
      const storage = memory({ token: tokenOf('ann', leftS), refreshToken: 'used' });
      const keeper = keeperOf(storage);
      if (leftS > 0) await keeper.get('hello');
      expect(await codeOf(keeper.get('refused'))).toBe(code);
      expect(storage.pair).toBeNull();
      expect(await codeOf(keeper.get('hello'))).toBe('SIGNED_OUT');
    }
  });

  it('keeps a token that expires and has no successor until it has expired', async () => {
    const storage = memory({ token: tokenOf('ann', 60) });
    const keeper = keeperOf(storage);
    await keeper.get('hello');
    expect(await codeOf(keeper.get('expiring'))).toBe('SIGNED_OUT');
    expect(storage.pair?.token).toBe(tokenOf('ann', 60));
    expect(await keeper.get('hello')).toBe(tokenOf('ann', 60));
  });

  it('keeps everything if the server cannot be reached', async () => {
    const storage = memory({ token: tokenOf('ann', -1), refreshToken: 'r1' });
    const keeper = keeperOf(storage, { refresh: () => Promise.reject(new ParleyError('DISCONNECTED', 'x', 'x')) });
    expect(await codeOf(keeper.get('hello'))).toBe('DISCONNECTED');
    expect(storage.pair?.refreshToken).toBe('r1');
  });

  it('asks the giver of the token if it has no refresh token, and accepts only the same user\u2019s', async () => {
    const answers: (TokenPair | null)[] = [{ token: tokenOf('ann', 900, 7) }, { token: tokenOf('eve', 900) }];
    const keeper = keeperOf(memory({ token: tokenOf('ann', 600) }), { ask: () => Promise.resolve(answers.shift() ?? null) });
    await keeper.get('hello');
    expect(await keeper.get('refused')).toBe(tokenOf('ann', 900, 7));
    expect(await codeOf(keeper.get('refused'))).toBe('SIGNED_OUT');
  });

  it('lets the server judge a token that ends soon and has no successor', async () => {
    expect(await keeperOf(memory({ token: tokenOf('ann', 5) })).get('hello')).toBe(tokenOf('ann', 5));
  });

  it('returns nothing after another user signed in in this browser, and keeps that user\u2019s tokens', async () => {
    const storage = memory({ token: tokenOf('ann', 600), refreshToken: 'r1' });
    const keeper = keeperOf(storage);
    storage.save({ token: tokenOf('bob', 600), refreshToken: 'b1' });
    expect(await codeOf(keeper.get('hello'))).toBe('SIGNED_OUT');
    expect(await keeper.end()).toBeNull();
    expect(storage.pair?.refreshToken).toBe('b1');
  });

  it('returns the refresh token when it ends, so that the server can revoke it', async () => {
    const storage = memory({ token: tokenOf('ann', 600), refreshToken: 'r1' });
    expect(await keeperOf(storage).end()).toBe('r1');
    expect(storage.pair).toBeNull();
  });
});
