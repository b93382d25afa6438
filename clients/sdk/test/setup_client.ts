import { vi } from 'vitest';
import { ParleyClient, type ClientOptions } from '../src/client.js';
import type { FakeServer } from './fake_server.js';

/** Alice's client of a fake server. REQUIRES: fake timers. */
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
