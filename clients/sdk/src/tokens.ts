import { bindMethods } from './bound.js';
import { fromReply, ParleyError } from './errors.js';

/** Why a token is needed: for a hello, or to replace the last one, which is `expiring` or was `refused`. */
export type TokenWish = 'hello' | 'expiring' | 'refused';

export interface TokenPair {
  /** An access token. */
  token: string;
  /** Valid for one use; without it the session ends with its token, unless `ask` returns another pair. */
  refreshToken?: string;
}

/** Shares the newest pair between all tabs of a browser. */
export interface TokenStorage {
  load(): TokenPair | null;
  /** null: the user has signed out. */
  save(pair: TokenPair | null): void;
}

/** The part of the browser's LockManager that is used: one holder at a time across all tabs. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface TokenKeeperOptions {
  userId: string;
  /** The user's tenant, since two tenants may use the same user id. If left out, any tenant. */
  tenantId?: string | null;
  storage: TokenStorage;
  /** Exchanges a refresh token. Rejects with ParleyError; UNAUTHENTICATED ends the session. */
  refresh: (refreshToken: string) => Promise<TokenPair>;
  /** Asks the page that signed the user in for another pair; null: it does not answer. */
  ask?: () => Promise<TokenPair | null>;
  /** If left out, uses are serialized within this keeper only. */
  locks?: Locks | undefined;
  now?: () => number;
}

const kSpareMs = 30_000; // a token that ends sooner is not used for a hello; clocks differ by less

/** The session is over: `SESSION_EXPIRED` by the clock, `SIGNED_OUT` because the user or the server ended it. */
export function signedOut(expired: boolean): ParleyError {
  return expired
    ? new ParleyError('SESSION_EXPIRED', 'the token expired and there is no newer one', 'Your session has expired. Please sign in again.')
    : new ParleyError('SIGNED_OUT', 'the token is not honoured and there is no newer one', 'You are signed out. Please sign in again.');
}

/** Reads a token's claims without verifying them: only to know whose it is and when to replace it. */
export function readToken(token: string): { userId: string; tenantId: string | null; expiresAt: number } | null {
  try {
    const payload = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
    const { sub, tid, exp } = JSON.parse(new TextDecoder().decode(bytes)) as { sub?: unknown; tid?: unknown; exp?: unknown };
    if (typeof sub !== 'string' || typeof exp !== 'number') return null;
    return { userId: sub, tenantId: typeof tid === 'string' ? tid : null, expiresAt: exp * 1000 };
  } catch {
    return null;
  }
}

/**
 * Provides access tokens of one user, and replaces them in time. A refresh token is valid for one use, and a second
 * use ends the session everywhere; so tabs take turns, and later tabs find the pair that the first one got.
 */
export class TokenKeeper {
  private given: string | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly now: () => number;

  constructor(private readonly options: TokenKeeperOptions) {
    this.now = options.now ?? Date.now;
    bindMethods(this);
  }

  get(wish: TokenWish): Promise<string> {
    return this.inTurn(async () => {
      const pair = await this.pick(wish);
      this.given = pair.token;
      return pair.token;
    });
  }

  /** Forgets the tokens in all tabs. Returns the refresh token, so that the server can revoke it. */
  async end(): Promise<string | null> {
    return this.inTurn(() => {
      const held = this.held();
      if (held !== null) this.options.storage.save(null);
      return Promise.resolve(held?.refreshToken ?? null);
    });
  }

  private async pick(wish: TokenWish): Promise<TokenPair> {
    const held = this.held();
    if (held === null) throw signedOut(false);
    const spent = wish !== 'hello' && held.token === this.given;
    if (!spent && this.leftMs(held) > kSpareMs) return held;
    const next = await this.next(held);
    if (next !== null) {
      this.options.storage.save(next);
      return next;
    }
    if (!spent && this.leftMs(held) > 0) return held;
    // Drops a rejected token, so that a reload does not try it either. An expiring token stays valid until it
    // expires.
    if (wish !== 'expiring' && this.held()?.token === held.token) this.options.storage.save(null);
    throw signedOut(this.leftMs(held) <= kSpareMs);
  }

  private async next(held: TokenPair): Promise<TokenPair | null> {
    if (held.refreshToken !== undefined) {
      try {
        return this.checked(await this.options.refresh(held.refreshToken));
      } catch (error) {
        if (!(error instanceof ParleyError) || error.code !== 'UNAUTHENTICATED') throw error;
      }
    }
    return this.checked((await this.options.ask?.()) ?? null);
  }

  /** Returns the stored pair, or null if another user has signed in since. */
  private held(): TokenPair | null {
    return this.checked(this.options.storage.load());
  }

  private checked(pair: TokenPair | null): TokenPair | null {
    const { userId, tenantId } = this.options;
    const named = pair === null ? null : readToken(pair.token);
    return named?.userId === userId && (tenantId === undefined || named.tenantId === tenantId) ? pair : null;
  }

  private leftMs(pair: TokenPair): number {
    return (readToken(pair.token)?.expiresAt ?? 0) - this.now();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { locks, userId } = this.options;
    if (locks !== undefined) return locks.request(`parley.tokens.${userId}`, work);
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

/** Calls `POST /v1/tokens/refresh` of the server at `origin`. */
export async function refreshTokens(origin: string, refreshToken: string): Promise<TokenPair> {
  const response = await post(`${origin}/v1/tokens/refresh`, { refreshToken });
  const body = (await response.json().catch(() => null)) as { token?: unknown; refreshToken?: unknown; error?: unknown } | null;
  if (response.ok && typeof body?.token === 'string' && typeof body.refreshToken === 'string') {
    return { token: body.token, refreshToken: body.refreshToken };
  }
  if (typeof body?.error === 'object' && body.error !== null) throw fromReply(body.error);
  throw new ParleyError('UNAVAILABLE', `refreshing the token: HTTP ${response.status}`, 'The server is not ready.');
}

/** Calls `POST /v1/tokens/revoke`, which voids the whole token family. A failure makes no difference to this browser. */
export async function revokeTokens(origin: string, refreshToken: string): Promise<void> {
  await post(`${origin}/v1/tokens/revoke`, { refreshToken }).catch(() => undefined);
}

function post(url: string, body: unknown): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(url, init).catch(() => {
    throw new ParleyError('DISCONNECTED', `${url} cannot be reached`, 'The server cannot be reached.');
  });
}
