import { describe, expect, it, vi } from 'vitest';
import { StaffClient } from '../src/staff_client.js';
import { FakeServer } from './fake_server.js';
import { helloReply } from './items.js';
import { withRunning } from './setup_client.js';

let server: FakeServer;
let client: StaffClient;

withRunning((fake) => {
  server = fake;
  server.answers['session.hello'] = () => ({ ...helloReply(), role: 'moderator' });
  return (client = new StaffClient({ url: 'ws://host/v1/ws', userId: 'usr_mona', getToken: () => Promise.resolve('token'), socketFactory: server.connect }));
});

describe('the client of a moderator', () => {
  it('knows its role from the hello, and reads no inbox', () => {
    expect(client.state).toMatchObject({ connection: 'connected', role: 'moderator' });
    expect(server.requests.map(({ op }) => op)).toEqual(['session.hello']);
  });

  it('requests the queue with its filter, and omits undefined fields', async () => {
    server.answers['moderation.queue'] = () => ({ cases: [], stats: { pending: 1 }, cursor: null });
    expect((await client.moderation.queue({ status: 'pending' })).stats).toEqual({ pending: 1 });
    await client.moderation.queue({}, 'cursor', 10);
    expect(server.asked('moderation.queue')).toEqual([{ status: 'pending' }, { cursor: 'cursor', limit: 10 }]);
  });

  it('decides with notes, and with actions if there are any', async () => {
    server.answers['moderation.decide'] = ({ caseId }) => ({ case: { caseId, status: 'resolved' } });
    const decided = await client.moderation.decide('case_1', { decision: 'approve', notes: 'Seen', actions: [{ action: 'mute', userId: 'usr_bob', until: null }] });
    await client.moderation.decide('case_2', { decision: 'reject', notes: 'Fine', actions: [], version: 3 });
    expect(decided.status).toBe('resolved');
    expect(server.asked('moderation.decide')).toEqual([
      { caseId: 'case_1', decision: 'approve', notes: 'Seen', actions: [{ action: 'mute', userId: 'usr_bob' }] },
      { caseId: 'case_2', decision: 'reject', notes: 'Fine', version: 3 },
    ]);
  });

  it('passes on events of subscribed threads', () => {
    const received: string[] = [];
    const off = client.onEvent(({ ev }) => received.push(ev));
    server.line.push({ ev: 'message.created', threadId: 'thrd_1', seq: 1 });
    off();
    server.line.push({ ev: 'message.updated', threadId: 'thrd_1', seq: 2 });
    expect(received).toEqual(['message.created']);
  });

  it('loads the names that are drawn', async () => {
    server.answers['user.get'] = ({ userIds }) => ({ users: (userIds as string[]).map((userId) => ({ userId, displayName: 'Bob', known: true })) });
    client.wantName('usr_bob');
    await vi.advanceTimersByTimeAsync(50);
    expect(client.state.names.get('usr_bob')?.displayName).toBe('Bob');
  });
});
