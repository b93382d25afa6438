import { readToken, refreshTokens, revokeTokens, TokenKeeper, type Locks, type TokenPair, type TokenStorage } from '@parley/sdk';
import type { TokenGiver } from './token_giver.js';

const kAnswerMs = 10_000;

/** A user who signed in on their tenant's page and arrived here with tokens. */
export interface Account {
  userId: string;
  tenantId: string | null;
  keeper: TokenKeeper;
}

/** Returns true if tenant and user are the same. */
export function sameAccount(a: Pick<Account, 'userId' | 'tenantId'> | null, b: Pick<Account, 'userId' | 'tenantId'> | null): boolean {
  return a !== null && b !== null && a.userId === b.userId && a.tenantId === b.tenantId;
}

/** Parses `#token=…&refreshToken=…`: a fragment never reaches a server's log. Returns null if it contains no token. */
export function tokensOfFragment(hash: string): TokenPair | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const token = params.get('token');
  if (token === null || readToken(token) === null) return null;
  const refreshToken = params.get('refreshToken');
  return refreshToken === null ? { token } : { token, refreshToken };
}

/** Returns the tokens of the fragment, and removes any fragment from the address bar and the history. */
export function takeFragment(page: Pick<Window, 'location' | 'history'>): TokenPair | null {
  const { hash, pathname, search } = page.location;
  if (!/[#&](token|refreshToken)=/.test(hash)) return null;
  const params = new URLSearchParams(search);
  params.delete('user'); // the token names the user
  params.delete('role');
  const rest = params.toString();
  page.history.replaceState(page.history.state, '', rest === '' ? pathname : `${pathname}?${rest}`);
  return tokensOfFragment(hash);
}

/** Storage that the tabs of a browser share, under this key. If the browser stores nothing, a reload signs out. */
export function sharedTokens(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, key: string): TokenStorage {
  let unkept: TokenPair | null = null;
  return {
    load: () => {
      try {
        const kept = JSON.parse(storage.getItem(key) ?? 'null') as Partial<TokenPair> | null;
        return typeof kept?.token === 'string' ? (kept as TokenPair) : unkept;
      } catch {
        return unkept;
      }
    },
    save: (pair) => {
      unkept = pair;
      try {
        if (pair === null) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(pair));
      } catch {
        return;
      }
    },
  };
}

export class Accounts {
  constructor(
    private readonly storage: TokenStorage,
    private readonly giver: TokenGiver | null,
    private readonly origin: string,
    private readonly locks: Locks | undefined,
  ) {}

  /** Signs in the user that the tokens name, in all tabs. */
  signIn(pair: TokenPair): Account | null {
    this.storage.save(pair);
    return this.current();
  }

  /** Returns the user who is signed in, or null. */
  current(): Account | null {
    const pair = this.storage.load();
    const named = pair === null ? null : readToken(pair.token);
    if (named === null) return null;
    const { storage, giver, locks } = this;
    const { userId, tenantId } = named;
    const ask = giver === null ? {} : { ask: () => giver.ask(kAnswerMs) };
    const refresh = (refreshToken: string): Promise<TokenPair> => refreshTokens(this.origin, refreshToken);
    return { userId, tenantId, keeper: new TokenKeeper({ userId, tenantId, storage, refresh, locks, ...ask }) };
  }

  /**
   * Returns true if these tokens replace no other user's session: no user is signed in, the session has expired, or
   * the user is the same.
   */
  isFreeFor(pair: TokenPair, now = Date.now()): boolean {
    const held = this.storage.load();
    const named = held === null ? null : readToken(held.token);
    if (named === null || (held?.refreshToken === undefined && named.expiresAt <= now)) return true;
    return sameAccount(named, readToken(pair.token));
  }

  async signOut({ keeper }: Account): Promise<void> {
    const refreshToken = await keeper.end();
    if (refreshToken !== null) await revokeTokens(this.origin, refreshToken);
  }
}
