import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { listed, pendingRequests } from '../src/inbox.js';
import type { MessageRequest } from '../src/types.js';
import { FakeServer } from './fake_server.js';
import { entry, openReply, participant, range } from './items.js';
import { clientOf, later, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;

const kForGood = '9999-12-31T23:59:59.999Z';
const request = (change: Partial<MessageRequest> = {}): MessageRequest => ({
  requestId: 'req_1',
  fromUserId: 'usr_bob',
  state: 'pending',
  createdAt: '2025-11-05T12:00:00.000Z',
  expiresAt: '2025-11-07T12:00:00.000Z',
  creditCost: 1,
  ...change,
});
const asks = (change: Partial<MessageRequest> = {}) => entry('thrd_a', { kind: 'direct', subject: null, request: request(change) });
const refuse = (code: string, more = {}) => ({ error: { code, message: 'x', hint: `Hint of ${code}.`, ...more } });
const send = async (body = 'hello'): Promise<void> => {
  client.send('thrd_a', { body });
  await settle();
};

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  client = clientOf(server);
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

async function openThread(): Promise<void> {
  client.start();
  client.showThread('thrd_a');
  await settle();
}

describe('a request of a stranger', () => {
  beforeEach(() => {
    server.answers['inbox.counts'] = () => ({ folders: [{ folder: 'requests', threads: 1, unread: 0 }] });
    server.answers['inbox.list'] = ({ folder }) => ({ entries: folder === 'requests' ? [asks()] : [], cursor: null });
    server.answers['thread.open'] = () => refuse('MSG_GATE_REQUIRED');
  });

  it('is loaded in every folder, but only if there is one', async () => {
    client.start();
    await later(400);
    expect(pendingRequests(client.state.inbox)).toEqual({ count: 1, more: false });
    expect(server.asked('inbox.list').map(({ folder }) => folder)).toEqual(['pinned', 'all', 'requests']);
    client.stop();
    server.requests.length = 0;
    server.answers['inbox.counts'] = () => ({ folders: [{ folder: 'requests', threads: 0, unread: 0 }] });
    client = clientOf(server);
    client.start();
    await later(400);
    expect(server.asked('inbox.list').map(({ folder }) => folder)).toEqual(['pinned', 'all']);
  });

  it('opens the conversation that is on screen when it is accepted, here or on another device', async () => {
    await openThread();
    await later(400);
    expect(client.state.threads['thrd_a']).toMatchObject({ loaded: false, failureCode: 'MSG_GATE_REQUIRED' });
    server.answers['thread.open'] = ({ threadId }) => openReply(threadId as string, range(1, 1)) as unknown as Record<string, unknown>;
    server.answers['request.accept'] = () => ({ entry: asks({ state: 'accepted' }) });
    await client.safety.accept('thrd_a');
    await settle();
    expect(client.state.threads['thrd_a']).toMatchObject({ loaded: true, failureCode: null });
    expect(pendingRequests(client.state.inbox).count).toBe(0);
  });

  it('does so, too, if another device accepted it, and lets its sender write', async () => {
    server.answers['thread.open'] = () => refuse('THREAD_NOT_MEMBER'); // the error of a group
    await openThread();
    server.answers['thread.open'] = ({ threadId }) => openReply(threadId as string, range(1, 1)) as unknown as Record<string, unknown>;
    server.answers['message.send'] = () => refuse('MSG_GATE_REQUIRED');
    await send();
    expect(client.state.refusals['thrd_a']).toMatchObject({ code: 'MSG_GATE_REQUIRED' });
    server.line.push({ ev: 'request.updated', threadId: 'thrd_a', request: request({ state: 'accepted' }) });
    await settle();
    expect(client.state.threads['thrd_a']!.loaded).toBe(true);
    expect(client.state.refusals).toEqual({});
  });

  it('to join a group does not gate the group for its sender', async () => {
    server.answers['inbox.list'] = ({ folder }) => ({ entries: folder === 'all' ? [entry('thrd_a', { kind: 'group' })] : [], cursor: null });
    client.start();
    await later(400);
    server.line.push({ ev: 'request.updated', threadId: 'thrd_a', request: request({ fromUserId: 'usr_alice' }) });
    await settle();
    expect(client.state.inbox.entries['thrd_a']!.request).toBeNull();
  });

  it('leaves the folder when it expires, and stays there when it is declined', async () => {
    client.start();
    client.showFolder('requests');
    await later(400);
    server.line.push({ ev: 'request.updated', threadId: 'thrd_a', request: request({ state: 'declined' }) });
    await settle();
    expect(pendingRequests(client.state.inbox).count).toBe(0);
    const shown = (): string[] => listed(client.state.inbox, 'requests').map(({ threadId }) => threadId);
    expect(shown()).toEqual(['thrd_a']);
    server.line.push({ ev: 'request.updated', threadId: 'thrd_a', request: request({ state: 'expired' }) });
    await settle();
    expect(shown()).toEqual([]);
    expect(server.asked('thread.get'), 'nobody is asked who is in it').toEqual([]);
  });
});

describe('a block', () => {
  it('that is lifted clears the refusals of the two users, and no others', async () => {
    server.answers['user.blocks'] = () => ({ items: [{ userId: 'usr_bob', at: 'x' }], cursor: null });
    server.answers['thread.open'] = ({ threadId }) => {
      const reply = openReply(threadId as string, range(1, 1));
      const me = { ...participant('usr_alice'), muted: false, mutedUntil: null, blockedUntil: kForGood };
      return { ...reply, me, participants: [participant('usr_alice'), participant('usr_bob')] } as unknown as Record<string, unknown>;
    };
    server.answers['message.send'] = ({ threadId }) => refuse(threadId === 'thrd_a' ? 'MSG_BLOCKED_BY_USER' : 'SAFETY_SOFT_BLOCK');
    await openThread();
    client.safety.wantBlocks();
    await send();
    client.send('thrd_b', { body: 'x' });
    await settle();
    await client.safety.unblock('usr_bob');
    expect(client.state.blocked).toEqual([]);
    expect(client.state.threads['thrd_a']!.me!.blockedUntil).toBeNull();
    expect(Object.keys(client.state.refusals)).toEqual(['thrd_b']);
  });

  it('is loaded page by page to the end', async () => {
    server.answers['user.blocks'] = ({ cursor }) =>
      cursor === undefined ? { items: [{ userId: 'usr_b', at: 'x' }], cursor: 'c' } : { items: [{ userId: 'usr_c', at: 'x' }], cursor: null };
    client.start();
    await settle();
    await client.safety.readBlocks();
    expect(client.state.blocked!.map(({ userId }) => userId)).toEqual(['usr_b', 'usr_c']);
  });
});

describe('the remark on a message', () => {
  it('is the hint of the text policy, until it is dismissed or the next message has none', async () => {
    let nudge: object | undefined = { hints: ['soft_payment'], message: 'Deals are safest here.', redacted: true };
    let msgNo = 3;
    server.answers['message.send'] = () => ({ messageId: `msg_${++msgNo}`, createdAt: 'x', seq: 100 + msgNo, msgNo, duplicate: false, ...(nudge === undefined ? {} : { nudge }) });
    await openThread();
    await send();
    expect(client.state.nudges['thrd_a']).toEqual({ messageId: 'msg_4', hint: 'Deals are safest here.', policyHints: ['soft_payment'], redacted: true });
    client.safety.dismissNudge('thrd_a');
    expect(client.state.nudges).toEqual({});
    await send();
    nudge = undefined;
    await send();
    expect(client.state.nudges).toEqual({});
  });

  it('is the end of a ban on writing, by the local clock', async () => {
    server.answers['message.send'] = () => refuse('FORBIDDEN', { retryAfterMs: 60_000 });
    await openThread();
    await send();
    expect(client.state.refusals['thrd_a']).toEqual({ code: 'FORBIDDEN', hint: 'Hint of FORBIDDEN.', until: Date.now() + 60_000 });
    expect(client.state.outbox[0]).toMatchObject({ state: 'failed', code: 'FORBIDDEN' });
    client.safety.forgetRefusal('thrd_a');
    expect(client.state.refusals).toEqual({});
  });

  it('is the reason for waiting while it is sent again by itself', async () => {
    let refusals = 1;
    server.answers['message.send'] = () =>
      refusals-- > 0 ? refuse('RATE_LIMITED', { retryAfterMs: 5_000 }) : { messageId: 'msg_9', createdAt: 'x', seq: 109, msgNo: 9, duplicate: false };
    await openThread();
    await send();
    expect(client.state.outbox[0]).toMatchObject({ state: 'pending', hint: 'Hint of RATE_LIMITED.' });
    expect(client.state.refusals).toEqual({});
    await later(5_100);
    expect(client.state.outbox[0]).toMatchObject({ state: 'acked', hint: null });
  });

  it('is that messaging is disabled, until a retry succeeds', async () => {
    let off = true;
    server.answers['message.send'] = () => (off ? refuse('UNAVAILABLE') : { messageId: 'msg_9', createdAt: 'x', seq: 109, msgNo: 9, duplicate: false });
    await openThread();
    await send();
    expect(client.state.refusals['thrd_a']).toMatchObject({ code: 'UNAVAILABLE', until: null });
    expect(client.state.outbox[0]!.state).toBe('pending');
    off = false;
    await later(60_000);
    expect(client.state.refusals).toEqual({});
    expect(client.state.outbox[0]!.state).toBe('acked');
  });
});
