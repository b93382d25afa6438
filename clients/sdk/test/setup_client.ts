import { afterEach, beforeEach, vi } from 'vitest';
import { ParleyClient, type ClientOptions } from '../src/client.js';
import { FakeServer } from './fake_server.js';

/** Alice's client, connected to a fake server. REQUIRES: fake timers. */
export function clientOf(server: FakeServer, more: Partial<ClientOptions> = {}): ParleyClient {
  return new ParleyClient({
    url: 'ws://host/v1/ws',
    userId: 'usr_alice',
    getToken: () => Promise.resolve('token'),
    socketFactory: server.connect,
    ...more,
  });
}

export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
export const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Before each test of a file, `make` receives a new fake server; the client that it returns runs until the test ends. */
export function withRunning(make: (server: FakeServer) => Pick<ParleyClient, 'start' | 'stop'>): void {
  let client: Pick<ParleyClient, 'start' | 'stop'>;
  beforeEach(async () => {
    vi.useFakeTimers();
    client = make(new FakeServer());
    client.start();
    await settle();
  });
  afterEach(() => {
    client.stop();
    vi.useRealTimers();
  });
}
