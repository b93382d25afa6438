// Tests that take time: the hello timeout of the contract, and the other timers with shorter settings.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import WebSocket from 'ws';
import {within} from './lib/deadline.mjs';
import {refused} from './lib/errors.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

describe('a session without a hello', {concurrency: true}, () => {
  const on = withServer({}, {concurrent: true});

  for (const encoding of ['json', 'msgpack']) {
    it(`is closed with 4408 (${encoding})`, async () => {
      const silent = await on.open({encoding});
      const ann = await on.as(fresh('ann'), {encoding});
      assert.equal((await within(silent.closed, 'the hello timeout')).code, 4408);
      await ann.request('session.ping');
    });
  }
});

describe('with short timers', {concurrency: true}, () => {
  const on = withServer({}, {concurrent: true, args: [
    '--heartbeat-ms', '300', '--presence-ttl-ms', '1000', '--typing-ttl-ms', '1000', '--edit-window-ms', '1']});

  it('a session learns the settings from its hello', async () => {
    const {hello} = await on.as(fresh('ann'));
    assert.deepEqual([hello.heartbeatMs, hello.presenceTtlMs, hello.typingTtlMs, hello.limits.editWindowMs],
                     [300, 1000, 1000, 1]);
  });

  it('a silent session is pinged and lives as long as it answers', async () => {
    const ann = await on.as(fresh('ann'));
    const pings = [];
    ann.socket.on('ping', () => pings.push(Date.now()));
    while (pings.length < 4) await within(new Promise((resolve) => ann.socket.once('ping', resolve)), 'a ping');
    await ann.request('session.ping');
  });

  it('a session that answers no ping is closed', async () => {
    const token = await on.token(fresh('ann'));
    const socket = new WebSocket(on.server.ws, ['parley.v1.json'], {autoPong: false});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await within(new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)), 'the socket');
    socket.send(JSON.stringify({id: 1, op: 'session.hello', args: {token}}));
    await within(closed, 'the end of a dead session');
  });

  it('a user who sends nothing goes offline, and comes back with a ping', async () => {
    const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
    const {thread: {threadId}} = await createThread(ann, bob.userId);
    await ann.request('thread.open', {threadId});
    await bob.request('session.ping');
    await ann.nextEvent({ev: 'presence', threadId, userId: bob.userId, online: false});
    await bob.request('session.ping');
    await ann.nextEvent({ev: 'presence', threadId, userId: bob.userId, online: true});
  });

  it('an author may edit within the window only', async () => {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const {messageId, createdAt} = await say(ann, threadId, 'too late');
    while (Date.now() <= Date.parse(createdAt) + 2) await ann.request('session.ping');
    await refused(ann.request('message.edit', {threadId, messageId, body: 'no'}), 'FORBIDDEN');
    await refused(ann.request('message.delete', {threadId, messageId}), 'FORBIDDEN');
    const staff = await on.staff();
    await staff.request('message.edit', {threadId, messageId, body: 'yes', reason: 'a test'});
  });
});
