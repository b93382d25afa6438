import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ParleyClient } from '../src/client.js';
import type { SendReply } from '../src/wire.js';
import { FakeServer } from './fake_server.js';
import { entry, helloReply, message, openReply, range } from './items.js';

let server: FakeServer;
let client: ParleyClient;
let stored: unknown;
let tokens: number;

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const bodies = (threadId = 'thrd_a'): string[] => client.state.threads[threadId]!.timeline.messages.map(({ body }) => body);
const created = (msgNo: number, seq: number, change = {}): Record<string, unknown> => ({
  ev: 'message.created',
  threadId: 'thrd_a',
  seq,
  item: message(msgNo, { seq, ...change }),
});
const sendAnswer = (msgNo: number): SendReply => ({ ...message(msgNo), seq: 100 + msgNo, duplicate: false });

function build(): ParleyClient {
  return new ParleyClient({
    url: 'ws://host/v1/ws',
    userId: 'usr_alice',
    getToken: () => Promise.resolve(`token-${++tokens}`),
    socketFactory: server.connect,
    outboxStorage: { load: () => stored, save: (items) => (stored = items) },
    backoff: { baseMs: 100, capMs: 1_000 },
    random: () => 1,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  stored = null;
  tokens = 0;
  client = build();
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

/** Drops the connection and reconnects the client; the server answers the resume as given. */
async function reconnect(resumed: Record<string, 'ok' | 'reset' | 'gone'>): Promise<void> {
  server.resumeWith(resumed);
  server.line.cut(1006);
  await later(200);
}

describe('a client', () => {
  it('offers the msgpack subprotocol and first sends a hello that requests open threads only', async () => {
    client.start();
    await settle();
    expect(server.line.subprotocol).toBe('parley.v1.msgpack');
    expect(server.requests[0]).toMatchObject({ op: 'session.hello', args: { token: 'token-1', deliver: 'open' } });
    expect(server.requests[0]!.args).not.toHaveProperty('resume');
    expect(client.state.connection).toBe('connected');
  });

  it('knows from the hello how far Safe-Mode is lifted, and assumes little of an older server', async () => {
    server.answers['session.hello'] = () => ({ ...helloReply(), safeMode: { bandMax: 2, mayLift: true } });
    client.start();
    await settle();
    expect(client.state.safeMode).toEqual({ bandMax: 2, mayLift: true });
    server.answers['session.hello'] = () => ({ ...helloReply(), safeMode: undefined });
    server.line.cut(1006);
    await later(200);
    expect(client.state.safeMode).toEqual({ bandMax: 1, mayLift: false });
  });

  it('opens the thread that was shown before the connection', async () => {
    await openThread();
    expect(bodies()).toEqual(['body 1', 'body 2', 'body 3']);
  });

  it('shows live messages in order and counts none twice', async () => {
    await openThread();
    server.line.push(created(4, 104));
    server.line.push(created(4, 104));
    server.line.push(created(5, 105));
    expect(bodies()).toEqual(['body 1', 'body 2', 'body 3', 'body 4', 'body 5']);
    expect(server.asked('thread.changes')).toEqual([]);
  });

  it('treats a skip as a hidden change, not as a hole', async () => {
    await openThread();
    server.line.push({ ev: 'skip', threadId: 'thrd_a', seq: 104 });
    server.line.push(created(4, 105));
    await settle();
    expect(server.asked('thread.changes')).toEqual([]);
    expect(client.state.threads['thrd_a']!.tracker.held).toBe(105);
  });

  it('reads the changes in a hole page by page, and continues live', async () => {
    await openThread();
    server.answers['thread.changes'] = ({ afterSeq }) =>
      afterSeq === 103
        ? { changes: [{ seq: 104, kind: 'message', item: message(4, { seq: 104 }) }], lastSeq: 106, more: true }
        : { changes: [{ seq: 106, kind: 'message', item: message(6, { seq: 106 }) }], lastSeq: 106, more: false };
    server.line.push(created(5, 105));
    await settle();
    expect(server.asked('thread.changes').map(({ afterSeq }) => afterSeq)).toEqual([103, 104]);
    expect(bodies()).toEqual(['body 1', 'body 2', 'body 3', 'body 4', 'body 5', 'body 6']);
    server.line.push(created(7, 107));
    expect(client.state.threads['thrd_a']!.tracker).toEqual({ held: 107, catchingUp: false });
  });

  it('opens the thread again if the changes cannot fill the hole', async () => {
    await openThread();
    server.answers['thread.changes'] = () => ({ changes: [], lastSeq: 1, more: false, reset: true });
    server.answers['thread.open'] = () => ({ ...openReply('thrd_a', [message(9, { body: 'afresh' })]) });
    server.line.push(created(8, 120));
    await settle();
    expect(bodies()).toEqual(['afresh']);
  });

  it('resumes from the held seq, accepts jumps until synced, and is not connected before', async () => {
    await openThread();
    server.answers['thread.open'] = () => ({ ...openReply('thrd_a', [message(6)], { lastSeq: 110 }) });
    await reconnect({ thrd_a: 'ok' });
    expect(server.asked('session.hello')[1]).toMatchObject({ resume: { epoch: 'epoch-1', threads: { thrd_a: 103 } } });
    expect(client.state.connection).toBe('catching-up');
    server.line.push(created(5, 107));
    server.line.push(created(4, 109, { body: 'edited meanwhile' }));
    expect(client.state.connection).toBe('catching-up');
    server.line.push({ ev: 'thread.synced', threadId: 'thrd_a', seq: 110 });
    await settle();
    expect(client.state.connection).toBe('connected');
    expect(bodies()).toEqual(['body 1', 'body 2', 'body 3', 'edited meanwhile', 'body 5']);
    expect(server.asked('thread.open').at(-1)).toMatchObject({ afterSeq: 110 });
    expect(server.asked('thread.changes')).toEqual([]);
  });

  it('claims after a second loss only the changes of the first catch-up', async () => {
    await openThread();
    await reconnect({ thrd_a: 'ok' });
    server.line.push(created(5, 107));
    await reconnect({ thrd_a: 'ok' });
    expect(server.asked('session.hello')[2]).toMatchObject({ resume: { threads: { thrd_a: 107 } } });
  });

  it('reads a thread again that the server could not resume', async () => {
    await openThread();
    server.answers['thread.open'] = () => ({ ...openReply('thrd_a', range(40, 41)) });
    await reconnect({ thrd_a: 'reset' });
    expect(bodies()).toEqual(['body 40', 'body 41']);
    expect(client.state.connection).toBe('connected');
  });

  it('reports why a thread is gone, in the server’s words', async () => {
    await openThread();
    server.answers['thread.open'] = () => ({ error: { code: 'THREAD_NOT_MEMBER', message: 'x', hint: 'Not yours.' } });
    await reconnect({ thrd_a: 'gone' });
    expect(client.state.threads['thrd_a']).toMatchObject({ loaded: false, failure: 'Not yours.' });
  });

  it('sends one message at a time per thread and shows it as sent when its event arrives', async () => {
    await openThread();
    server.answers['message.send'] = () => 'silence';
    client.send('thrd_a', { body: 'one' });
    client.send('thrd_a', { body: 'two' });
    await settle();
    expect(server.asked('message.send').map(({ body }) => body)).toEqual(['one']);
    const { clientId } = client.state.outbox[0]!;
    server.line.push(created(4, 104, { body: 'one', clientId, authorUserId: 'usr_alice' }));
    expect(client.state.outbox.map(({ body }) => body)).toEqual(['two']);
    expect(bodies().at(-1)).toBe('one');
  });

  it('repeats unanswered sends after a lost connection, in order, under the same clientIds', async () => {
    await openThread();
    server.answers['message.send'] = () => 'silence';
    for (const body of ['one', 'two', 'three']) client.send('thrd_a', { body });
    await settle();
    const [first] = server.asked('message.send');
    let msgNo = 3;
    server.answers['message.send'] = () => ({ ...sendAnswer(++msgNo) });
    await reconnect({ thrd_a: 'ok' });
    const replayed = server.asked('message.send').slice(1);
    expect(replayed.map(({ body }) => body)).toEqual(['one', 'two', 'three']);
    expect(replayed[0]!['clientId']).toBe(first!['clientId']);
    expect(new Set(replayed.map(({ clientId }) => clientId)).size).toBe(3);
    expect(client.state.outbox.map(({ state }) => state)).toEqual(['acked', 'acked', 'acked']);
  });

  it('keeps unsent messages over a reload', async () => {
    client.send('thrd_a', { body: 'written offline' });
    client.stop();
    client = build();
    client.start();
    await settle();
    expect(server.asked('message.send').map(({ body }) => body)).toEqual(['written offline']);
  });

  it('adopts the unsent messages of another tab, once, before its own', async () => {
    server.answers['message.send'] = () => 'silence';
    client.send('thrd_a', { body: 'left' });
    const left = JSON.parse(JSON.stringify(stored)) as unknown[];
    client.stop();
    stored = null;
    client = build();
    client.send('thrd_a', { body: 'own' });
    for (const kept of [left, left, 'nonsense', null]) client.adoptSends(kept);
    expect(client.state.outbox.map(({ body }) => body)).toEqual(['left', 'own']);
    expect(stored).toHaveLength(2);
    client.start();
    await settle();
    expect(server.asked('message.send').map(({ body }) => body)).toEqual(['left']);
  });

  it('waits as long as the server asks before it repeats a send, and lets none overtake it', async () => {
    await openThread();
    let refusals = 1;
    let msgNo = 3;
    server.answers['message.send'] = () =>
      refusals-- > 0 ? { error: { code: 'RATE_LIMITED', message: 'x', hint: 'Slow down.', retryAfterMs: 5_000 } } : { ...sendAnswer(++msgNo) };
    client.send('thrd_a', { body: 'one' });
    client.send('thrd_a', { body: 'two' });
    await later(4_900);
    expect(server.asked('message.send').map(({ body }) => body)).toEqual(['one']);
    await later(200);
    expect(server.asked('message.send').map(({ body }) => body)).toEqual(['one', 'one', 'two']);
  });

  it('keeps a rejected message with the hint, sends the next one, and retries on request', async () => {
    await openThread();
    server.answers['message.send'] = ({ body }) =>
      body === 'bad' ? { error: { code: 'MSG_POLICY_BLOCKED', message: 'x', hint: 'House rules.' } } : { ...sendAnswer(4) };
    client.send('thrd_a', { body: 'bad' });
    client.send('thrd_a', { body: 'good' });
    await settle();
    expect(client.state.outbox.map(({ body, state, hint }) => [body, state, hint])).toEqual([
      ['bad', 'failed', 'House rules.'],
      ['good', 'acked', null],
    ]);
    client.retrySend(client.state.outbox[0]!.clientId);
    await settle();
    expect(server.asked('message.send')).toHaveLength(3);
  });

  it('marks messages as read only while the user attends, once per newest message', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a', { lastSeq: 103, unread: 3 })], cursor: null });
    server.answers['read.mark'] = ({ messageId }) => ({ lastReadMsgId: messageId, lastReadAt: null, unread: 0 });
    await openThread();
    expect(server.asked('read.mark')).toEqual([]);
    client.attend('thrd_a');
    await settle();
    server.line.push(created(4, 104));
    await settle();
    expect(server.asked('read.mark').map(({ messageId }) => messageId)).toEqual(['msg_000003', 'msg_000004']);
    expect(client.state.inbox.entries['thrd_a']!.unread).toBe(0);
    client.attend(null);
    server.line.push(created(5, 105));
    await settle();
    expect(server.asked('read.mark')).toHaveLength(2);
    expect(client.state.inbox.entries['thrd_a']!.unread).toBe(1);
  });

  it('marks messages as read as far as the user has seen them', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a', { lastSeq: 103, unread: 3 })], cursor: null });
    server.answers['read.mark'] = ({ messageId }) => ({ lastReadMsgId: messageId, lastReadAt: null, unread: 3 - Number(String(messageId).at(-1)) });
    await openThread();
    client.readTo('thrd_a', 'msg_000002');
    client.readTo('thrd_a', 'msg_000001');
    await settle();
    client.readTo('thrd_a', 'msg_000001');
    await settle();
    expect(server.asked('read.mark').map(({ messageId }) => messageId)).toEqual(['msg_000002']);
    expect(client.state.inbox.entries['thrd_a']!.unread).toBe(1);
  });

  it('asks for the exact unread number when an unread message is deleted', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a', { lastSeq: 103, unread: 3 })], cursor: null });
    server.answers['inbox.explain'] = () => ({ unread: 2, asOfSeq: 104 });
    await openThread();
    server.line.push({ ev: 'message.updated', threadId: 'thrd_a', seq: 104, item: message(2, { seq: 104, body: '', deletedAt: 'now' }) });
    await settle();
    expect(client.state.inbox.entries['thrd_a']!.unread).toBe(2);
  });

  it('closes the least recently shown thread if it holds too many', async () => {
    client.start();
    await settle();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) client.showThread(`thrd_${id}`);
    await settle();
    expect(server.asked('thread.close')).toEqual([{ threadId: 'thrd_a' }]);
    expect(Object.keys(client.state.threads)).toHaveLength(5);
  });

  it('leaves a thread from which it was removed', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a')], cursor: null });
    await openThread();
    const item = { ...openReply('thrd_a', []).participants[0]!, seq: 104, removedAt: '2025-11-05T12:00:00.000Z' };
    server.line.push({ ev: 'participant.removed', threadId: 'thrd_a', seq: 104, item });
    expect(client.state.inbox.entries).toEqual({});
    expect(client.state.threads['thrd_a']!.failure).toMatch(/no longer/);
  });

  it('reads a thread again after the user was added back', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a')], cursor: null });
    await openThread();
    const item = { ...openReply('thrd_a', []).participants[0]!, seq: 104, removedAt: '2025-11-05T12:00:00.000Z' };
    server.line.push({ ev: 'participant.removed', threadId: 'thrd_a', seq: 104, item });
    server.line.push({ ev: 'inbox.updated', entry: entry('thrd_a', { lastSeq: 105 }) });
    await settle();
    expect(client.state.threads['thrd_a']).toMatchObject({ loaded: true, failure: null });
    expect(server.asked('thread.open')).toHaveLength(2);
    server.line.push({ ev: 'inbox.updated', entry: entry('thrd_a', { lastSeq: 106 }) });
    await settle();
    expect(server.asked('thread.open')).toHaveLength(2);
  });

  it('loads older pages before its oldest message', async () => {
    server.answers['thread.open'] = () => ({ ...openReply('thrd_a', range(51, 100), { cursor: 'c' }) });
    server.answers['message.list'] = ({ before }) => ({ messages: before === 'msg_000051' ? range(1, 50).reverse() : [], cursor: null });
    await openThread();
    await Promise.all([client.loadOlder('thrd_a'), client.loadOlder('thrd_a'), settle()]);
    expect(server.asked('message.list')).toHaveLength(1);
    expect(client.state.threads['thrd_a']!.timeline).toMatchObject({ hasOlder: false });
    expect(bodies()).toHaveLength(100);
  });
});
