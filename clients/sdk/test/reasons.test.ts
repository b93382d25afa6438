// Tests that a failed connection ends with a code and a reason instead of endless retries.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { Connection } from '../src/connection.js';
import { originRefused, ParleyError } from '../src/errors.js';
import { askOrigin } from '../src/origin.js';
import { browserSocket } from '../src/session.js';
import { StaffClient } from '../src/staff_client.js';
import { FakeServer } from './fake_server.js';
import { clientOf, later, settle } from './setup_client.js';

const kUrl = 'wss://chat.example/v1/ws';
const kBackoff = { baseMs: 100, capMs: 1_000 };
let server: FakeServer;
let client: ParleyClient;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  client = clientOf(server, { backoff: kBackoff, random: () => 1 });
});
afterEach(() => {
  client.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a client that cannot connect', () => {
  it('reports a missing WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined);
    client = clientOf(server, { socketFactory: browserSocket });
    const staff = new StaffClient({ url: kUrl, userId: 'usr_mona', getToken: () => Promise.resolve('token') });
    for (const one of [client, staff]) {
      one.start();
      await later(60_000);
      expect(one.state).toMatchObject({ connection: 'closed', closedBy: 'refused', connectionError: { code: 'NO_WEBSOCKET' } });
      expect(one.state.connectionError!.message).toMatch(/socketFactory/);
      expect(one.state.connectionHint).toMatch(/no WebSocket/);
    }
  });

  it('stops if a close alone rejects the token', async () => {
    server.answers['session.hello'] = () => {
      server.line.cut(4401);
      return 'silence';
    };
    client.start();
    await later(600_000);
    expect(server.sockets).toHaveLength(3);
    expect(client.state).toMatchObject({ connection: 'closed', closedBy: 'signed-out', connectionError: { code: 'UNAUTHENTICATED' } });
  });

  it('stops if each session ends at once over its token', async () => {
    client.start();
    for (let i = 0; i < 100; ++i) {
      await later(1_000);
      server.line.cut(4401);
    }
    expect(server.sockets).toHaveLength(3);
    expect(client.state).toMatchObject({ connection: 'closed', connectionError: { code: 'UNAUTHENTICATED' } });
  });

  it('continues when tokens expire one after the other', async () => {
    client.start();
    for (let i = 0; i < 6; ++i) {
      await later(40_000);
      server.line.cut(4401);
      await later(1_000);
      expect(client.state.connection).toBe('connected');
    }
  });

  it('reports at the hello that the tenant does not list the page', async () => {
    const refusal = { code: 'FORBIDDEN', message: 'the tenant does not allow pages of this origin', hint: 'This page may not connect to the service.' };
    server.answers['session.hello'] = () => ({ error: refusal });
    client.start();
    await settle();
    expect(client.state).toMatchObject({ connection: 'closed', closedBy: 'refused', connectionHint: refusal.hint });
    expect(client.state.connectionError).toMatchObject({ code: 'ORIGIN_REFUSED', message: refusal.message });
  });

  it('reports a fault in the token function and retries', async () => {
    client = clientOf(server, { getToken: () => Promise.reject(new Error('my back end is away')) });
    client.start();
    await settle();
    expect(client.state.connection).toBe('connecting');
    expect(client.state.connectionError?.message).toMatch(/my back end is away/);
  });

  it('forgets the reason once it is connected', async () => {
    server.down = true;
    client.start();
    await settle();
    expect(client.state.connectionError?.code).toBe('DISCONNECTED');
    server.down = false;
    await later(60_000);
    expect(client.state).toMatchObject({ connection: 'connected', connectionError: null });
  });
});

describe('a page whose origin is refused', () => {
  const asked = (answers: Record<string, boolean>): ((url: string, init: RequestInit) => Promise<unknown>) => (url, { mode }) => {
    expect(url).toBe('https://chat.example/healthz');
    return answers[mode!] === true ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'));
  };

  it('is distinguished from an unreachable server and from one that accepts the origin', async () => {
    const why = (cors: boolean, noCors: boolean, page: string | null = 'https://shop.example'): Promise<ParleyError | null> =>
      askOrigin(kUrl, page, asked({ cors, 'no-cors': noCors }));
    expect(await why(false, true)).toMatchObject({ code: 'ORIGIN_REFUSED', message: expect.stringMatching(/https:\/\/shop\.example/) as unknown });
    expect(await why(false, false)).toBeNull();
    expect(await why(true, true)).toBeNull();
    expect(await why(false, true, 'https://chat.example')).toBeNull();
    expect(await why(false, true, null)).toBeNull();
  });

  it('is not blamed if the server starts between two checks', async () => {
    let answers = 0;
    const ask = (): Promise<unknown> => (++answers === 1 ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch')));
    expect(await askOrigin(kUrl, 'https://shop.example', ask)).toBeNull();
  });

  it('ends with the reason', async () => {
    server.down = true;
    const states: [string, ParleyError | null][] = [];
    const connection = new Connection(
      {
        url: kUrl,
        getToken: () => Promise.resolve('token'),
        socketFactory: server.connect,
        backoff: kBackoff,
        askWhy: () => Promise.resolve(originRefused('https://shop.example')),
      },
      { onState: (state, _hint, _by, error) => states.push([state, error]), onEvent: () => undefined, resume: () => null, onHello: () => Promise.resolve() },
    );
    connection.start();
    await later(60_000);
    expect(states.at(-1)).toMatchObject(['closed', { code: 'ORIGIN_REFUSED' }]);
    expect(server.sockets).toHaveLength(1);
    await expect(connection.request('inbox.list', {})).rejects.toMatchObject({ code: 'DISCONNECTED', hint: expect.stringMatching(/may not connect/) as unknown });
  });
});
