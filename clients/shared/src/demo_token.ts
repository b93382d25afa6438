import { fromReply, ParleyError } from '@parley/sdk';
import { useEffect, useState } from 'react';
import type { StaffRole } from './ids.js';

/** The user that a demo's visitor chose; `adult`: they claim to be an adult. */
export interface DemoUser {
  user: string | null;
  role: StaffRole | null;
  adult?: boolean;
}

/** Fetches a token for a demo user from the server of this page. Throws ParleyError. */
export async function fetchDemoToken({ user, role, adult = false }: DemoUser): Promise<string> {
  const response = await fetch('/v1/demo/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: user, ...(role === null ? {} : { role }), ...(adult ? { attrs: { adult } } : {}) }),
  }).catch(() => {
    throw new ParleyError('DISCONNECTED', 'token request failed', 'The server cannot be reached.');
  });
  const body = (await response.json().catch(() => null)) as { token?: unknown; error?: unknown } | null;
  if (response.ok && typeof body?.token === 'string') return body.token;
  if (body?.error !== undefined) throw fromReply(body.error);
  if (response.status >= 500) {
    throw new ParleyError('UNAVAILABLE', `token request: HTTP ${response.status}`, 'The server is not ready.');
  }
  throw new ParleyError('NOT_FOUND', `token request: HTTP ${response.status}`, 'This server does not offer demo users.');
}

/** Returns true if this server runs a demo, in which visitors choose their user. */
export async function demoOffered(): Promise<boolean> {
  const response = await fetch('/v1/demo/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null);
  return response?.status === 400; // the route exists and reports the missing userId
}

/** Returns whether this server runs a demo; null until it answered. Asks only if `wanted`. */
export function useDemoOffered(wanted: boolean): boolean | null {
  const [offered, setOffered] = useState<boolean | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    void demoOffered().then((answer) => (over ? undefined : setOffered(answer)));
    return () => {
      over = true;
    };
  }, [wanted]);
  return offered;
}
