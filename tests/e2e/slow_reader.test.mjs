// A client that stops reading is closed with 4508 and delays no other (limits.outboxBytes).
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {call} from './lib/http.mjs';
import {Mirror} from './lib/mirror.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

const kBody = 'x'.repeat(8000);

describe('a reader that does not read', () => {
  const on = withServer();

  /** Whether the server closed a session with 4508 since the first call. */
  function watchClosedSlow() {
    let before = null;
    return async () => {
      const {text} = await call(on.server, 'GET', '/metrics');
      const line = text.split('\n').find((l) => !l.startsWith('#') && l.includes('4508'));
      const count = Number(line?.split(' ').at(-1) ?? 0);
      before ??= count;
      return count > before;
    };
  }

  for (const encoding of ['json', 'msgpack']) {
    it(`is closed with 4508 while the others get every event (${encoding})`, async () => {
      const ann = await on.as(fresh('ann'), {encoding});
      const mirror = new Mirror();
      const closedSlow = watchClosedSlow();
      await closedSlow();
      const slow = await on.as(fresh('slow'), {encoding, onEvent: mirror.take});
      const {thread: {threadId}} = await createThread(ann, slow.userId);
      const {lastSeq} = await slow.request('thread.open', {threadId});
      mirror.thread(threadId).liveFrom(lastSeq);
      const reader = await on.as(slow.userId, {encoding});
      slow.socket._socket.pause();
      // The kernel's buffers on both ends and the outbox have some 10 MB in total, so it is closed before 48.
      let sent = 0;
      while (!(await closedSlow())) {
        assert.ok(sent < 6000, 'the server has closed the slow reader');
        const replies = await Promise.all(Array.from({length: 100}, () => say(ann, threadId, kBody)));
        sent += 100;
        const {messageId} = replies.at(-1);
        await reader.nextEvent((e) => e.item?.messageId === messageId, `event ${sent} at the reader that reads`);
      }
      assert.equal(reader.seen('message.created').length, sent);
      slow.socket._socket.resume();
      const {code} = await within(slow.closed, 'the close of the slow reader');
      assert.equal(code, 4508);
      mirror.check();  // the received part had no gap
      assert.ok(mirror.thread(threadId).events < sent);

      // It reconnects and resumes; catch-up keeps the pace of its reading and overflows nothing.
      const back = await on.as(slow.userId, {encoding, resume: mirror.resume(slow.hello.epoch), onEvent: mirror.take});
      back.socket._socket.pause();
      for (let i = 0; i < 20; ++i) await reader.request('message.list', {threadId, limit: 50});  // others are served at the same time
      back.socket._socket.resume();
      await back.nextEvent('thread.synced');
      mirror.check();
      assert.equal(mirror.thread(threadId).messages().length, sent);
      assert.equal(back.closeCode, null);
    });
  }

  it('is not read further while it has more than maxInFlight unanswered requests', async () => {
    const greedy = await on.as(fresh('greedy'));
    const other = await on.as(fresh('other'));
    const {thread: {threadId}} = await createThread(greedy, other.userId);
    await Promise.all(Array.from({length: 50}, () => say(greedy, threadId, kBody)));
    const framesIn = async () => {
      const {text} = await call(on.server, 'GET', '/metrics');
      return Number(/^parley_frames_in_total (\d+)/m.exec(text)[1]);
    };
    const {maxInFlight} = greedy.hello.limits;
    const before = await framesIn();
    // 2000 pages of 400 KB each do not fit into 4 MiB, so the server must stop reading. If it kept reading, it would have
    // accepted them all within the 50 turns in which the other session is served.
    greedy.lenient = true;
    greedy.socket._socket.pause();
    for (let i = 0; i < 2000; ++i) greedy.sendFrame({id: 1e6 + i, op: 'message.list', args: {threadId, limit: 50}});
    for (let i = 0; i < 50; ++i) await other.request('message.list', {threadId, limit: 1});
    const taken = await framesIn() - before - 50;
    assert.ok(taken > 0 && taken < 2 * maxInFlight, `${taken} of 2000 frames were taken from who reads nothing`);

    // It continues once the client reads: every request gets one reply.
    const answers = new Set();
    const done = new Promise((resolve) => greedy.socket.on('message', () => {
      for (const {id, ok} of greedy.frames.splice(0)) if (id >= 1e6 && ok) answers.add(id);
      if (answers.size === 2000) resolve();
    }));
    greedy.socket._socket.resume();
    await within(Promise.race([done, greedy.closed]), 'all replies', {ms: 60_000});
    assert.deepEqual([greedy.closeCode, answers.size], [null, 2000]);
    await other.request('session.ping');
  });
});
