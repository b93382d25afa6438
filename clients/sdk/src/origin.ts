import { originRefused, type ParleyError } from './errors.js';

type Ask = (url: string, init: RequestInit) => Promise<unknown>;

const kPatienceMs = 5_000;

/**
 * A browser does not tell a page why a WebSocket failed to open. The server lets only pages that may connect read its
 * HTTP answers, so if it answers but this page cannot read it, the page's origin is rejected. Returns that error, or
 * null for any other cause, such as a server that is down.
 */
export async function askOrigin(url: string, page = pageOrigin(), ask: Ask | undefined = globalThis.fetch): Promise<ParleyError | null> {
  const target = new URL('/healthz', url.replace(/^ws/, 'http'));
  if (page === null || ask === undefined || target.origin === page) return null; // the server's own pages may always connect
  const answers = (mode: RequestMode): Promise<boolean> =>
    ask(target.href, { mode, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(kPatienceMs) }).then(
      () => true,
      () => false,
    );
  // Checks twice that the server is up, so that a server that starts just now is not taken for one that rejects the
  // page.
  if (!(await answers('no-cors')) || (await answers('cors')) || !(await answers('no-cors'))) return null;
  return originRefused(page);
}

function pageOrigin(): string | null {
  return typeof location === 'undefined' ? null : location.origin;
}
