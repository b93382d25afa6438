import { fromReply, ParleyError } from '@parley/sdk';
import { useEffect, useState } from 'react';
import type { StaffRole } from './ids.js';

/** As whom a demo's visitor looks; `adult`: says of themselves to be one. */
export interface DemoUser {
  user: string | null;
  role: StaffRole | null;
  adult?: boolean;
}

/** A token for a demo user, from the server that served this page. Throws ParleyError. */
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

/** Whether this server lets visitors choose who to be. */
export async function demoOffered(): Promise<boolean> {
  const response = await fetch('/v1/demo/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null);
  return response?.status === 400; // it is there, and misses the userId
}

/** Whether this server offers a demo; null until it answered. It is asked only if `wanted`. */
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
