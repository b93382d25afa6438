// SIGTERM: the server notifies its sessions, closes them with 1001 and exits 0; the clients reconnect to the next server.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

describe('a drain', () => {
  const on = withServer();

  it('notifies every session, closes with 1001, exits 0, and all resume at the next server', async () => {
    const ann = await on.as(fresh('ann'));
    const readers = [];
    for (let i = 0; i < 20; ++i) readers.push(await on.as(fresh('bob'), {encoding: i % 2 ? 'msgpack' : 'json'}));
    const participants = readers.slice(1).map(({userId}) => ({userId, roleContext: 'admin'}));
    const {thread: {threadId}} = await createThread(ann, readers[0].userId, {participants});
    const {seq} = await say(ann, threadId, 'before');

    const exited = on.server.terminate();
    for (const session of [ann, ...readers]) {
      const event = await session.nextEvent('session.draining');
      assert.ok(Number.isInteger(event.reconnectWithinMs) && event.reconnectWithinMs > 0);
      const {code} = await within(session.closed, 'the close of a drained session');
      assert.equal(code, 1001);
    }
    assert.deepEqual(await exited, {code: 0, signal: null}, on.server.child.tail());

    await on.server.launch();
    for (const reader of readers) {
      const back = await on.as(reader.userId, {resume: {epoch: reader.hello.epoch, threads: {[threadId]: seq - 1}}});
      assert.equal((await back.nextEvent('message.created')).item.body, 'before');
      assert.equal((await back.nextEvent('thread.synced')).seq, seq);
    }
  });

  it('answers every accepted request before it closes, and keeps what it acknowledged', async () => {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const sends = Array.from({length: 200}, (_, i) => (
      say(ann, threadId, `n${i}`).then((ok) => ok.messageId, (error) => error.code ?? error.constructor.name)));
    await sends[0];
    assert.deepEqual(await on.server.terminate(), {code: 0, signal: null});
    const answers = await Promise.all(sends);
    const acknowledged = answers.filter((answer) => answer.startsWith('msg_'));
    assert.ok(answers.every((a) => a.startsWith('msg_') || ['UNAVAILABLE', 'Disconnected'].includes(a)), String(answers));
    await on.server.launch();
    const back = await on.as(ann.userId);
    const {messages} = await back.request('message.list', {threadId, limit: 200});
    const stored = new Set(messages.map((m) => m.messageId));
    assert.ok(acknowledged.length > 0 && acknowledged.every((id) => stored.has(id)));
  });

  it('is not ready, and refuses requests with the reason', async () => {
    const [ann, slow] = [await on.as(fresh('ann')), await on.as(fresh('slow'))];
    const token = await on.token(ann.userId);
    // A client that does not read does not answer the close either, so the drain waits for it.
    slow.socket._socket.pause();
    const exited = on.server.terminate();
    await ann.nextEvent('session.draining');
    const ready = await call(on.server, 'GET', '/readyz');
    assert.deepEqual([ready.status, ready.text], [503, 'draining\n']);
    const refusedOp = await call(on.server, 'POST', '/v1/ops/inbox.list', {body: {}, headers: bearer(token)});
    assert.deepEqual([refusedOp.status, refusedOp.json.error.code], [503, 'UNAVAILABLE']);
    await assert.rejects(on.open(), (error) => error.status === 503);
    slow.socket._socket.resume();
    assert.equal((await exited).code, 0);
    await on.server.launch();
    assert.equal((await call(on.server, 'GET', '/readyz')).status, 200);
  });

  it('exits 0 at once without connections', async () => {
    await on.sessions.closeAll();
    assert.deepEqual(await on.server.terminate(), {code: 0, signal: null});
    await on.server.launch();
  });
});
