// @ts-nocheck: this test uses Node's `unhandledRejection`; the rest of the folder is typed for browsers.
// Tests the promise of `send`, attachments, and the number of threads that are kept open.
import { describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { kOutboxMax } from '../src/outbox.js';
import { FakeServer } from './fake_server.js';
import { message } from './items.js';
import { clientOf, later, settle, withRunning } from './setup_client.js';

const kReply = { messageId: 'msg_1', createdAt: '2026-01-01T00:00:00.000Z', seq: 7, msgNo: 4, duplicate: false };
let server: FakeServer;
let client: ParleyClient;

withRunning((fake) => {
  server = fake;
  server.answers['message.send'] = () => kReply;
  return (client = clientOf(server));
});

describe('a send', () => {
  it('resolves once the server has it', async () => {
    const sent = await client.send('thrd_a', { body: 'hello' });
    const [{ clientId }] = server.asked('message.send') as [{ clientId: string }];
    expect(sent).toEqual({ threadId: 'thrd_a', clientId, messageId: 'msg_1', seq: 7, msgNo: 4, createdAt: kReply.createdAt });
  });

  it('rejects with the server’s error, and can be retried', async () => {
    server.answers['message.send'] = () => ({ error: { code: 'THREAD_LOCKED', message: 'x', hint: 'It is locked.' } });
    await expect(client.send('thrd_a', { body: 'hello' })).rejects.toMatchObject({ code: 'THREAD_LOCKED', hint: 'It is locked.' });
    server.answers['message.send'] = () => kReply;
    await expect(client.retrySend(client.state.outbox[0]!.clientId)).resolves.toMatchObject({ messageId: 'msg_1' });
    await expect(client.retrySend('c-none')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('rejects once it is discarded', async () => {
    server.answers['message.send'] = () => 'silence';
    const sent = client.send('thrd_a', { body: 'hello' });
    client.discardSend(client.state.outbox[0]!.clientId);
    await expect(sent).rejects.toMatchObject({ code: 'DISCARDED' });
  });

  it('resolves by the message itself if the reply was lost', async () => {
    server.answers['message.send'] = () => 'silence';
    client.showThread('thrd_a');
    await settle();
    const sent = client.send('thrd_a', { body: 'hello' });
    const [{ clientId }] = server.asked('message.send') as [{ clientId: string }];
    const item = message(4, { seq: 104, clientId, authorUserId: 'usr_alice' });
    server.line.push({ ev: 'message.created', threadId: 'thrd_a', seq: 104, item });
    await expect(sent).resolves.toMatchObject({ clientId, messageId: item.messageId, seq: 104 });
  });

  it('waits over a lost connection', async () => {
    server.answers['message.send'] = () => 'silence';
    const sent = client.send('thrd_a', { body: 'hello' });
    server.answers['message.send'] = () => kReply;
    server.line.cut(1006);
    await later(60_000);
    await expect(sent).resolves.toMatchObject({ messageId: 'msg_1' });
  });

  it('rejects with the reason for which the client is closed, and stays unsent', async () => {
    server.answers['message.send'] = () => 'silence';
    const before = client.send('thrd_a', { body: 'one' });
    server.line.cut(4403);
    await expect(before).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(client.send('thrd_a', { body: 'two' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(client.state.outbox.map(({ state }) => state)).toEqual(['pending', 'pending']);
    client.stop();
    await expect(client.send('thrd_a', { body: 'three' })).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it('rejects if too many wait, and never throws', async () => {
    server.answers['message.send'] = () => 'silence';
    for (let i = 0; i < kOutboxMax; ++i) void client.send('thrd_a', { body: 'x' });
    await expect(client.send('thrd_a', { body: 'x' })).rejects.toMatchObject({ code: 'OUTBOX_FULL' });
  });

  it('may be ignored: no rejection is left unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    server.answers['message.send'] = () => ({ error: { code: 'FORBIDDEN', message: 'x', hint: 'No.' } });
    void client.send('thrd_a', { body: 'refused' });
    void client.send('thrd_a', { body: 'x', attachments: Array.from({ length: 11 }, () => ({ attachmentId: 'att_1' })) });
    void client.retrySend('c-none');
    await settle();
    client.stop();
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('takes attachments, with and without a text', async () => {
    const attachments = [{ attachmentId: 'att_1' }, { manifestRef: 'https://a.example/list', mime: 'application/json' }];
    await client.send('thrd_a', { body: 'look', attachments });
    await client.send('thrd_a', { body: '', attachments });
    await client.send('thrd_a', { body: 'none' });
    const [withText, alone, none] = server.asked('message.send');
    expect(withText).toMatchObject({ type: 'text', body: 'look', attachments });
    expect(alone).toMatchObject({ type: 'asset', body: '', attachments });
    expect(none).not.toHaveProperty('attachments');
    await expect(client.send('thrd_a', { body: '', attachments: Array.from({ length: 11 }, () => attachments[0]!) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('keeps its attachments over a reload', async () => {
    let kept: unknown = null;
    const outboxStorage = { load: () => kept, save: (items: unknown) => void (kept = JSON.parse(JSON.stringify(items))) };
    const attachments = [{ kind: 'manifest' as const, manifestRef: 'https://files.example/1' }];
    void clientOf(server, { outboxStorage }).send('thrd_a', { body: '', attachments });
    const next = clientOf(server, { outboxStorage });
    next.start();
    await settle();
    next.stop();
    expect(server.asked('message.send')).toMatchObject([{ type: 'asset', attachments }]);
  });
});

describe('methods', () => {
  it('work without their object', async () => {
    const { send, state, subscribe, showThread, request } = client;
    const received = vi.fn();
    subscribe(received);
    showThread('thrd_a');
    await settle();
    await expect(send('thrd_a', { body: 'hello' })).resolves.toMatchObject({ messageId: 'msg_1' });
    await expect(request('session.ping', {})).resolves.toEqual({});
    expect(received).toHaveBeenCalled();
    expect(state.userId).toBe('usr_alice');
    const { edit } = client.messages;
    const { readBlocks } = client.safety;
    server.answers['message.edit'] = () => ({ message: message(1) });
    server.answers['user.blocks'] = () => ({ blocks: [], cursor: null });
    await edit('thrd_a', 'msg_1', 'changed');
    await readBlocks();
  });
});

describe('the threads that are kept open', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `thrd_${i}`);

  it('are as many as asked for', async () => {
    client.stop();
    client = clientOf(server, { threadsHeld: 12 });
    client.start();
    await settle();
    for (let round = 0; round < 3; ++round) {
      for (const id of ids) client.showThread(id);
      await settle();
    }
    expect(server.asked('thread.open')).toHaveLength(12);
    expect(server.asked('thread.close')).toEqual([]);
    for (const wrong of [0, 101, 1.5, NaN]) expect(() => clientOf(server, { threadsHeld: wrong })).toThrow(/threadsHeld/);
  });

  it('are opened a few at a time after a reconnect, each once, the newest first', async () => {
    client.stop();
    client = clientOf(server, { threadsHeld: 12, backoff: { baseMs: 1, capMs: 1 } });
    client.start();
    await settle();
    for (const id of ids) client.showThread(id);
    await settle();
    const before = server.asked('thread.open').length;
    const opened = (): unknown[] => server.asked('thread.open').slice(before).map(({ threadId }) => threadId);
    server.answers['thread.open'] = () => 'silence';
    server.line.cut(1006);
    await later(10);
    expect(opened()).toEqual(['thrd_11', 'thrd_10', 'thrd_9']);
    await later(300_000); // they time out and free their slots for the next ones
    expect(new Set(opened()).size).toBe(12);
  });

  it('are not requested again during a request', async () => {
    server.answers['thread.open'] = () => ({ error: { code: 'THREAD_NOT_MEMBER', message: 'x', hint: 'No.' } });
    client.showThread('thrd_a');
    await settle();
    server.answers['thread.open'] = () => 'silence';
    for (let i = 0; i < 50; ++i) client.showThread('thrd_a');
    await settle();
    expect(server.asked('thread.open')).toHaveLength(2);
  });
});
