import { readToken, type TokenPair } from '@parley/sdk';

// How a tenant's page hands tokens to this one: it opened this window (or frames it) and answers {type:
// 'parley.wantsTokens'} with {type: 'parley.tokens', token, refreshToken?}, which it may also send unasked. Both
// sides name the other's origin, so that no third page can read a token or sign a visitor in.

/** The used part of the other window. */
interface Peer {
  postMessage(message: unknown, origin: string): void;
}

interface Received {
  source: unknown;
  origin: string;
  data: unknown;
}

type Listener = (pair: TokenPair) => void;

/** REQUIRES: `message` comes from a page that may give tokens. Returns null if it contains none. */
export function tokensIn(message: unknown): TokenPair | null {
  if (typeof message !== 'object' || message === null) return null;
  const { type, token, refreshToken } = message as Record<string, unknown>;
  if (type !== 'parley.tokens' || typeof token !== 'string' || readToken(token) === null) return null;
  return typeof refreshToken === 'string' ? { token, refreshToken } : { token };
}

/** The origins that a deployment lists in its index.html, and the page's own. */
export function allowedOrigins(listed: string, own: string): ReadonlySet<string> {
  const origins = listed.split(/\s+/).flatMap((text) => {
    try {
      const { origin } = new URL(text);
      return origin === 'null' ? [] : [origin];
    } catch {
      return [];
    }
  });
  return new Set([own, ...origins]);
}

/** The page that opened or frames this one, if its origin may give tokens. */
export class TokenGiver {
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly peer: Peer,
    private readonly origins: ReadonlySet<string>,
  ) {}

  hear({ source, origin, data }: Received): void {
    if (source !== this.peer || !this.origins.has(origin)) return;
    const pair = tokensIn(data);
    if (pair !== null) for (const listener of [...this.listeners]) listener(pair);
  }

  onTokens(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** null: no answer in time. */
  ask(withinMs: number): Promise<TokenPair | null> {
    return new Promise((resolve) => {
      const end = (pair: TokenPair | null): void => {
        clearTimeout(timer);
        off();
        resolve(pair);
      };
      const timer = setTimeout(() => end(null), withinMs);
      const off = this.onTokens(end);
      // A browser delivers it only to a peer of this origin.
      for (const origin of this.origins) this.peer.postMessage({ type: 'parley.wantsTokens' }, origin);
    });
  }
}

/** Returns null if the page was neither opened nor framed by another. */
export function giverOf(page: Window): TokenGiver | null {
  const peer = (page.opener as Peer | null) ?? (page.parent === page ? null : page.parent);
  if (peer === null) return null;
  const listed = page.document.querySelector<HTMLMetaElement>('meta[name=parley-sign-in-origins]')?.content ?? '';
  const giver = new TokenGiver(peer, allowedOrigins(listed, page.location.origin));
  page.addEventListener('message', (event) => giver.hear(event));
  return giver;
}
