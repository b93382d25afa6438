import { originRefused, type ParleyError } from './errors.js';

type Ask = (url: string, init: RequestInit) => Promise<unknown>;

const kPatienceMs = 5_000;

/**
 * A browser tells a page nothing of why a WebSocket did not open. The server lets those pages read its answers that may
 * connect. So if it answers, but this page may not read it, then the page's origin is refused.
 * → the reason; null: it is another one, as a server that is away
 */
export async function askOrigin(url: string, page = pageOrigin(), ask: Ask | undefined = globalThis.fetch): Promise<ParleyError | null> {
  const target = new URL('/healthz', url.replace(/^ws/, 'http'));
  if (page === null || ask === undefined || target.origin === page) return null; // the server's own pages always may
  const answers = (mode: RequestMode): Promise<boolean> =>
    ask(target.href, { mode, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(kPatienceMs) }).then(
      () => true,
      () => false,
    );
  // It is asked twice whether the server is there, lest one that comes just now is taken for one that refuses.
  if (!(await answers('no-cors')) || (await answers('cors')) || !(await answers('no-cors'))) return null;
  return originRefused(page);
}

function pageOrigin(): string | null {
  return typeof location === 'undefined' ? null : location.origin;
}
