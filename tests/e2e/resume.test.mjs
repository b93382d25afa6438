// Resume: catch-up by state from rows, across reconnects and restarts, without loss or repeat.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {checkEvent} from './lib/shapes.mjs';
import {Mirror} from './lib/mirror.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {withServer} from './lib/suite.mjs';
import {allMessages, createThread, fresh, say} from './lib/world.mjs';

for (const encoding of ['json', 'msgpack']) {
  describe(`resume over ${encoding}`, () => {
    const on = withServer({encoding});

    async function pair() {
      const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
      const {thread: {threadId}} = await createThread(ann, bob.userId);
      return {ann, bob, threadId};
    }

    /** Connects as `userId` with `threads`; → the session with `caught`: events up to thread.synced, per thread. */
    async function resumed(userId, threads, epoch) {
      const session = await on.as(userId, {resume: {epoch: epoch ?? on.epoch ?? await epochOf(), threads}});
      session.caught = {};
      for (const [threadId, how] of Object.entries(session.hello.resumed)) {
        if (how !== 'ok') continue;
        await session.nextEvent({ev: 'thread.synced', threadId});
        const ofThread = session.frames.filter((f) => f.threadId === threadId);
        const end = ofThread.findIndex((f) => f.ev === 'thread.synced');
        session.caught[threadId] = ofThread.slice(0, end).filter((f) => f.seq !== undefined);
        session.caught[threadId].forEach(checkEvent);
        session.syncedAt = ofThread[end].seq;
      }
      return session;
    }
    const epochOf = async () => (await on.as(fresh('probe'))).hello.epoch;
    const brief = (events) => events.map((e) => [e.seq, e.ev, e.item.body ?? e.item.userId ?? e.item.subject]);

    it('sends every change since the held seq, in order, then thread.synced once, then live events', async () => {
      const {ann, bob, threadId} = await pair();
      await say(ann, threadId, 'held');
      await bob.close();
      await say(ann, threadId, 'missed 1');
      await say(ann, threadId, 'missed 2');
      const back = await resumed(bob.userId, {[threadId]: 4});
      assert.deepEqual(back.hello.resumed, {[threadId]: 'ok'});
      assert.equal(back.frames[0].ok?.sessionId, back.hello.sessionId, 'the reply of hello comes first');
      assert.deepEqual(brief(back.caught[threadId]), [[5, 'message.created', 'missed 1'], [6, 'message.created', 'missed 2']]);
      assert.equal(back.syncedAt, 6);
      await say(ann, threadId, 'live');
      assert.equal((await back.nextEvent((e) => e.seq === 7)).ev, 'message.created');
      assert.equal(back.seen('thread.synced').length, 1);
    });

    it('sends only thread.synced if nothing changed', async () => {
      const {bob, threadId} = await pair();
      const back = await resumed(bob.userId, {[threadId]: 3});
      assert.deepEqual([back.caught[threadId], back.syncedAt], [[], 3]);
    });

    it('sends everything for a held seq of 0', async () => {
      const {ann, bob, threadId} = await pair();
      await say(ann, threadId, 'm');
      const back = await resumed(bob.userId, {[threadId]: 0});
      assert.deepEqual(back.caught[threadId].map((e) => [e.seq, e.ev]), [
        [1, 'thread.created'], [2, 'participant.added'], [3, 'participant.added'], [4, 'message.created']]);
    });

    it('sends each changed item once in its latest state, as created or updated depending on when it was created', async () => {
      const {ann, bob, threadId} = await pair();
      const old = await say(ann, threadId, 'old');
      await bob.close();
      const young = await say(ann, threadId, 'young');
      const cid = fresh('cid');
      await ann.request('participant.add', {threadId, userId: cid});
      await ann.request('message.edit', {threadId, messageId: old.messageId, body: 'old, edited'});
      await ann.request('message.edit', {threadId, messageId: young.messageId, body: 'young, edited'});
      await ann.request('message.edit', {threadId, messageId: old.messageId, body: 'old, edited twice'});
      const {thread} = await ann.request('thread.get', {threadId});
      await ann.request('thread.update', {threadId, version: thread.version, subject: 'renamed'});
      await ann.request('participant.remove', {threadId, userId: cid});
      const back = await resumed(bob.userId, {[threadId]: 4});
      assert.deepEqual(brief(back.caught[threadId]), [
        [8, 'message.created', 'young, edited'], [9, 'message.updated', 'old, edited twice'],
        [10, 'thread.updated', 'renamed'], [11, 'participant.removed', cid]]);
    });

    it('answers reset for a held seq above the last and for another epoch, and gone to a non-member', async () => {
      const {ann, bob, threadId} = await pair();
      const foreign = (await createThread(ann, fresh('cid'))).thread.threadId;
      const absent = threadId.slice(0, -6) + 'zzzzzz';
      const ahead = await resumed(bob.userId, {[threadId]: 1000, [foreign]: 0, [absent]: 0});
      assert.deepEqual(ahead.hello.resumed, {[threadId]: 'reset', [foreign]: 'gone', [absent]: 'gone'});
      const elsewhere = await resumed(bob.userId, {[threadId]: 3, [foreign]: 0}, 'another history');
      assert.deepEqual(elsewhere.hello.resumed, {[threadId]: 'reset', [foreign]: 'gone'});
      const open = await elsewhere.request('thread.open', {threadId});
      await say(ann, threadId, 'goes on');
      await elsewhere.nextEvent((e) => e.threadId === threadId && e.seq === open.lastSeq + 1);
    });

    it('answers gone to a user who was removed while away', async () => {
      const {ann, bob, threadId} = await pair();
      await bob.close();
      await ann.request('participant.remove', {threadId, userId: bob.userId});
      const back = await resumed(bob.userId, {[threadId]: 3});
      assert.deepEqual(back.hello.resumed, {[threadId]: 'gone'});
      assert.deepEqual(back.seen((e) => e.threadId === threadId), []);
    });

    it('delivers every change of resumed threads to a session with deliver: open', async () => {
      const {ann, bob, threadId} = await pair();
      await bob.close();
      await say(ann, threadId, 'missed');
      const back = await on.as(bob.userId, {deliver: 'open', resume: {epoch: bob.hello.epoch, threads: {[threadId]: 3}}});
      await back.nextEvent('thread.synced');
      await say(ann, threadId, 'live');
      const live = await back.nextEvent((e) => e.ev === 'message.created' && e.item.body === 'live');
      assert.equal(live.seq, 5);
      assert.deepEqual(back.seen('message.created').map((e) => e.seq), [4, 5]);
    });

    it('resumes 500 threads at once', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = await on.as(fresh('bob'));
      const made = await Promise.all(Array.from({length: 500}, () => createThread(ann, bob.userId)));
      const threads = Object.fromEntries(made.map(({thread}) => [thread.threadId, 1]));
      const back = await resumed(bob.userId, threads);
      for (const events of Object.values(back.caught)) assert.deepEqual(events.map((e) => e.seq), [2, 3]);
      assert.equal(Object.keys(back.caught).length, 500);
    });

    it('catches up thousands of changes', async () => {
      const {ann, bob, threadId} = await pair();
      await bob.close();
      for (let i = 0; i < 12; ++i) {
        await Promise.all(Array.from({length: 200}, (_, n) => say(ann, threadId, `n${i * 200 + n} ${'x'.repeat(1500)}`)));
      }
      const back = await resumed(bob.userId, {[threadId]: 3});
      assert.deepEqual(back.caught[threadId].map((e) => e.item.msgNo), Array.from({length: 2400}, (_, i) => i + 1));
    });

    it('resumes after the server was killed and started again', async () => {
      const {ann, bob, threadId} = await pair();
      const {messageId} = await say(ann, threadId, 'before');
      const {epoch} = bob.hello;
      await bob.close();
      await ann.request('message.edit', {threadId, messageId, body: 'edited'});
      await say(ann, threadId, 'last words');
      await on.server.restart();
      const back = await resumed(bob.userId, {[threadId]: 4}, epoch);
      assert.equal(back.hello.epoch, epoch, 'a restart is no other history');
      assert.deepEqual(brief(back.caught[threadId]), [[5, 'message.updated', 'edited'], [6, 'message.created', 'last words']]);
    });

    it('loses and repeats nothing for a client that reconnects again and again under traffic', async () => {
      const random = new Random(randomSeed());
      const {ann, bob, threadId} = await pair();
      const mirror = new Mirror();
      mirror.thread(threadId);
      let writing = true;
      const sent = [];
      const writer = (async () => {
        while (writing) {
          const batch = Array.from({length: random.int(1, 20)}, () => say(ann, threadId, random.text(40)));
          sent.push(...await Promise.all(batch));
          if (random.chance(0.5)) {
            const {messageId} = random.pick(sent);
            await ann.request('message.edit', {threadId, messageId, body: random.text(20)});
          }
        }
      })();
      const goal = (n) => mirror.thread(threadId).events >= n;
      for (let round = 1; round <= 25; ++round) {
        const resume = mirror.resume(bob.hello.epoch);
        const session = await on.as(bob.userId, {resume, onEvent: mirror.take});
        assert.deepEqual(session.hello.resumed, {[threadId]: 'ok'});
        const before = mirror.thread(threadId).events;
        if (random.chance(0.8)) await session.nextEvent('thread.synced');
        await session.nextEvent(() => goal(before + random.int(1, 60)), 'more events');
        await session.drop();
        mirror.check();
      }
      writing = false;
      await writer;
      const {lastSeq} = await ann.request('thread.get', {threadId});
      const last = await on.as(bob.userId, {resume: mirror.resume(bob.hello.epoch), onEvent: mirror.take});
      await last.nextEvent('thread.synced');
      mirror.check();
      assert.equal(mirror.thread(threadId).held, lastSeq);
      assert.deepEqual(mirror.thread(threadId).messages(), await allMessages(ann, threadId));
    });
  });
}
