import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { ParleyError } from '../src/errors.js';
import { signedOut } from '../src/tokens.js';
import { FakeServer } from './fake_server.js';
import { clientOf, later, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;
let tokens: number;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  tokens = 0;
  client = clientOf(server, {
    getToken: () => Promise.resolve(`token-${++tokens}`),
    backoff: { baseMs: 100, capMs: 1_000 },
    random: () => 1,
  });
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

describe('a connection', () => {
  it('refreshes its token when the server announces its expiry', async () => {
    client.start();
    await settle();
    server.line.push({ ev: 'session.expiring' });
    await settle();
    expect(server.asked('session.refresh')).toEqual([{ token: 'token-2' }]);
  });

  it('reconnects within the time that a draining server names', async () => {
    client.start();
    await settle();
    server.line.push({ ev: 'session.draining', reconnectWithinMs: 4_000 });
    server.line.cut(1001);
    await later(3_900);
    expect(server.sockets).toHaveLength(1);
    await later(200);
    expect(server.sockets).toHaveLength(2);
  });

  it('retries with growing pauses while the server is down, and at once on request', async () => {
    server.down = true;
    client.start();
    await later(1_000);
    const tried = server.sockets.length;
    expect(tried).toBe(4); // at 0, 100, 300 and 700 ms
    client.reconnectNow();
    await settle();
    expect(server.sockets).toHaveLength(tried + 1);
    expect(client.state.connection).toBe('connecting');
  });

  it('stops with the reason if access is forbidden', async () => {
    client.start();
    await settle();
    server.line.cut(4403);
    await later(60_000);
    expect(client.state.connection).toBe('closed');
    expect(client.state.connectionHint).toMatch(/no access/);
    expect(client.state.closedBy).toBe('refused');
    expect(server.sockets).toHaveLength(1);
  });

  it('reports the same when a suspended user returns', async () => {
    server.answers['session.hello'] = () => ({ error: { code: 'FORBIDDEN', message: 'x', hint: 'You are not allowed to do this.' } });
    client.start();
    await later(60_000);
    expect(client.state).toMatchObject({ connection: 'closed', closedBy: 'refused' });
    expect(client.state.connectionHint).toMatch(/suspended/);
  });

  it('stops after three rejected tokens', async () => {
    server.answers['session.hello'] = () => ({ error: { code: 'UNAUTHENTICATED', message: 'x', hint: 'Sign in again.' } });
    client.start();
    await later(60_000);
    expect(client.state).toMatchObject({ connection: 'closed', connectionHint: 'Sign in again.', closedBy: 'signed-out' });
    expect(tokens).toBe(3);
  });

  it('requests a newer token after each rejection, and closes once the provider has no newer one', async () => {
    client.stop();
    const wishes: string[] = [];
    const getToken = (wish: string): Promise<string> => {
      wishes.push(wish);
      return wishes.length < 3 ? Promise.resolve('token') : Promise.reject(signedOut(true));
    };
    client = clientOf(server, { getToken, backoff: { baseMs: 100, capMs: 100 }, random: () => 1 });
    client.start();
    await settle();
    server.line.cut(4401);
    await later(200);
    expect(client.state).toMatchObject({ connection: 'connected', closedBy: null });
    server.line.cut(4401);
    await later(200);
    expect(wishes).toEqual(['hello', 'refused', 'refused']);
    expect(client.state).toMatchObject({ connection: 'closed', closedBy: 'expired' });
  });

  it('detects a silent server and reconnects', async () => {
    client.start();
    await settle();
    server.answers['session.ping'] = () => 'silence';
    await later(25_000 + 10_000 + 200);
    expect(server.sockets.length).toBeGreaterThan(1);
  });

  it('rejects requests without a connection with a hint for people', async () => {
    const refusal = await client.setEntry('thrd_a', { pinned: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ParleyError);
    expect((refusal as ParleyError).hint).toMatch(/offline/);
  });

  it('survives invalid frames by reconnecting', async () => {
    client.start();
    await settle();
    server.line.onmessage?.({ data: new Uint8Array([0xc1]).buffer });
    await later(200);
    expect(server.sockets).toHaveLength(2);
  });
});
