import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { FakeServer } from './fake_server.js';
import { clientOf, later, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new FakeServer();
  server.answers['user.get'] = ({ userIds }) => ({
    users: (userIds as string[]).map((userId) => ({ userId, displayName: `Name of ${userId}`, known: true })),
  });
  client = clientOf(server, { backoff: { baseMs: 100, capMs: 100 }, random: () => 1 });
  client.start();
  await settle();
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const asked = (): number[] => server.asked('user.get').map(({ userIds }) => (userIds as string[]).length);

describe('names', () => {
  it('requested together share one request', async () => {
    for (const id of ['bob', 'carol', 'bob', 'constructor']) client.wantName(id);
    await later(100);
    client.wantName('bob');
    await later(100);
    expect(server.asked('user.get')).toEqual([{ userIds: ['bob', 'carol', 'constructor'] }]);
    expect(client.state.names.get('carol')?.displayName).toBe('Name of carol');
  });

  it('are requested a hundred at a time', async () => {
    for (let i = 0; i < 250; ++i) client.wantName(`u${i}`);
    await later(1_000);
    expect(asked()).toEqual([100, 100, 50]);
    expect(client.state.names.size).toBe(250);
  });

  it('are requested again after a reconnect, and stay visible until then', async () => {
    client.wantName('bob');
    await later(100);
    server.answers['user.get'] = () => ({ users: [{ userId: 'bob', displayName: 'Bob the Second', known: true }] });
    server.line.cut(1006);
    expect(client.state.names.get('bob')?.displayName).toBe('Name of bob');
    await later(1_000);
    expect(client.state.names.get('bob')?.displayName).toBe('Bob the Second');
  });

  it('needed while disconnected are requested after the reconnect', async () => {
    server.line.cut(1006);
    client.wantName('bob');
    await later(2_000);
    expect(client.state.names.get('bob')?.displayName).toBe('Name of bob');
  });

  it('that a server does not return are not requested again and again', async () => {
    server.answers['user.get'] = () => ({ error: { code: 'BAD_REQUEST', message: 'unknown op', hint: 'x' } });
    client.wantName('bob');
    await later(60_000);
    client.wantName('bob');
    await later(60_000);
    expect(asked()).toEqual([1]);
  });
});
