import { bindMethods } from './bound.js';
import { fromReply, ParleyError } from './errors.js';

/** What a token is for: a hello, or taking the place of the last one, which is `expiring` or was `refused`. */
export type TokenWish = 'hello' | 'expiring' | 'refused';

export interface TokenPair {
  /** An access token. */
  token: string;
  /** Good for one use; without one, the session ends with its token, unless whoever gave it gives another. */
  refreshToken?: string;
}

/** Where all tabs of a browser find the newest pair. */
export interface TokenStorage {
  load(): TokenPair | null;
  /** null: nobody is signed in any more. */
  save(pair: TokenPair | null): void;
}

/** The part of the browser's LockManager that is used: one holder at a time, in whichever tab. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface TokenKeeperOptions {
  userId: string;
  /** Of the user; two tenants may name their users alike. Without: of any. */
  tenantId?: string | null;
  storage: TokenStorage;
  /** Exchanges a refresh token. Rejects with ParleyError; UNAUTHENTICATED ends the session. */
  refresh: (refreshToken: string) => Promise<TokenPair>;
  /** Asks whoever signed the user in for another pair; null: they do not answer. */
  ask?: () => Promise<TokenPair | null>;
  /** Without: uses are one at a time within this keeper only. */
  locks?: Locks | undefined;
  now?: () => number;
}

const kSpareMs = 30_000; // a token that ends sooner is not begun with; clocks differ by less

/** Who is signed in no more: `SESSION_EXPIRED` by the clock, `SIGNED_OUT` because somebody or something ended it. */
export function signedOut(expired: boolean): ParleyError {
  return expired
    ? new ParleyError('SESSION_EXPIRED', 'the token expired and there is no newer one', 'Your session has expired. Please sign in again.')
    : new ParleyError('SIGNED_OUT', 'the token is not honoured and there is no newer one', 'You are signed out. Please sign in again.');
}

/** What a token says of itself. It is the server's to judge: this only tells whose it is and when to want another. */
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
 * Hands out access tokens of one user, and replaces them in time. A refresh token is good for a single use, and a second
 * use ends the session everywhere; so tabs take turns, and whoever comes later finds what the first one got.
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

  /** Forgets the tokens, in all tabs. Returns the refresh token, for the server to be told. */
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
    // Nor need a reload try it. What only expires is good until it has.
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

  /** Somebody else may have signed in meanwhile: then these are not the tokens that are looked for. */
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

/** `POST /v1/tokens/refresh` of the server at `origin`. */
export async function refreshTokens(origin: string, refreshToken: string): Promise<TokenPair> {
  const response = await post(`${origin}/v1/tokens/refresh`, { refreshToken });
  const body = (await response.json().catch(() => null)) as { token?: unknown; refreshToken?: unknown; error?: unknown } | null;
  if (response.ok && typeof body?.token === 'string' && typeof body.refreshToken === 'string') {
    return { token: body.token, refreshToken: body.refreshToken };
  }
  if (typeof body?.error === 'object' && body.error !== null) throw fromReply(body.error);
  throw new ParleyError('UNAVAILABLE', `refreshing the token: HTTP ${response.status}`, 'The server is not ready.');
}

/** `POST /v1/tokens/revoke`: its whole family is void. Whether that is heard makes no difference to this browser. */
export async function revokeTokens(origin: string, refreshToken: string): Promise<void> {
  await post(`${origin}/v1/tokens/revoke`, { refreshToken }).catch(() => undefined);
}

function post(url: string, body: unknown): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(url, init).catch(() => {
    throw new ParleyError('DISCONNECTED', `${url} cannot be reached`, 'The server cannot be reached.');
  });
}
