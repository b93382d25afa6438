// Live delivery: receivers and order (protocol, sections 4 and 7).
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {checkEntry, checkEvent, checkTime} from './lib/shapes.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say, users} from './lib/world.mjs';

const kShared = /^(thread\.(created|updated)|participant\.(added|updated|removed)|message\.|card\.|tab\.|skip)/;
const shared = (session, threadId) => session.seen((e) => e.threadId === threadId && kShared.test(e.ev));
const seqs = (session, threadId) => shared(session, threadId).map((e) => e.seq);

describe('live delivery', () => {
  const on = withServer();
  const other = {json: 'msgpack', msgpack: 'json'};

  /** ann (JSON) and bob (MessagePack), both connected, in a thread of the two. */
  async function pair(more = {}) {
    const ann = await on.as(fresh('ann'), {encoding: 'json'});
    const bob = await on.as(fresh('bob'), {encoding: 'msgpack'});
    const {thread: {threadId}} = await createThread(ann, bob.userId, more);
    return {ann, bob, threadId};
  }

  /** Sends a message to all members; everything sent before it arrives before it. */
  async function flush(author, threadId, ...sessions) {
    const {messageId} = await say(author, threadId, 'flush');
    await Promise.all(sessions.map((s) => s.nextEvent((e) => e.item?.messageId === messageId)));
  }

  it('gives everyone named at creation all events from seq 1', async () => {
    const {ann, bob, threadId} = await pair({firstMessage: 'hi'});
    for (const session of [ann, bob]) {
      await session.nextEvent((e) => e.ev === 'message.created' && e.threadId === threadId);
      const events = shared(session, threadId);
      events.forEach(checkEvent);
      assert.deepEqual(events.map((e) => [e.seq, e.ev]), [
        [1, 'thread.created'], [2, 'participant.added'], [3, 'participant.added'], [4, 'message.created']]);
    }
  });

  it('shows a message to every session of every member, the sender\'s own included, with its clientId', async () => {
    const {ann, bob, threadId} = await pair();
    const sessions = [ann, bob];
    for (const one of [ann, bob]) {
      sessions.push(await on.as(one.userId, {encoding: other[one.encoding.name]}), await on.as(one.userId));
    }
    const sent = await ann.request('message.send', {threadId, clientId: 'shown', type: 'text', body: 'to all'});
    const events = await Promise.all(sessions.map((s) => s.nextEvent('message.created')));
    for (const event of events) {
      checkEvent(event);
      assert.deepEqual([event.item.messageId, event.item.clientId, event.item.body, event.seq, event.at],
                       [sent.messageId, 'shown', 'to all', sent.seq, sent.createdAt]);
      assert.deepEqual(event, events[0], 'both encodings carry the same maps');
    }
  });

  it('delivers in seq order without gaps while many write at once', async () => {
    const {ann, bob, threadId} = await pair();
    const writers = [ann, bob, await on.as(ann.userId), await on.as(bob.userId, {encoding: 'msgpack'})];
    const reader = await on.as(bob.userId);
    await Promise.all(writers.flatMap((w, i) => Array.from({length: 100}, (_, n) => say(w, threadId, `w${i} n${n}`))));
    for (const session of [ann, bob, reader]) {
      await session.nextEvent((e) => e.seq === 403 && e.threadId === threadId, 'the last of 400 messages');
      const got = seqs(session, threadId);
      assert.deepEqual(got, Array.from({length: got.length}, (_, i) => 404 - got.length + i));
      assert.equal(shared(session, threadId).filter((e) => e.ev === 'message.created').length, 400);
    }
  });

  it('sends edits, deletes, thread and participant updates to all members', async () => {
    const {ann, bob, threadId} = await pair({participants: []});
    const {messageId} = await say(ann, threadId, 'one');
    await ann.request('message.edit', {threadId, messageId, body: 'two'});
    await ann.request('message.delete', {threadId, messageId});
    const {thread} = await ann.request('thread.get', {threadId});
    await ann.request('thread.update', {threadId, version: thread.version, subject: 'new'});
    await bob.request('participant.update', {threadId, userId: bob.userId, permission: 'files'});  // each party may only change their own
    await bob.nextEvent('participant.updated');
    const events = shared(bob, threadId).slice(3);
    events.forEach(checkEvent);
    assert.deepEqual(events.map((e) => e.ev), ['message.created', 'message.updated', 'message.updated',
                                               'thread.updated', 'participant.updated']);
    assert.deepEqual(events.map((e) => e.item.body ?? e.item.subject ?? e.item.permission),
                     ['one', 'two', '', 'new', 'files']);
  });

  it('starts an added user at their participant.added and ends a removed one at their participant.removed', async () => {
    const {ann, bob, threadId} = await pair();
    const cid = await on.as(fresh('cid'));
    await say(ann, threadId, 'before');
    await ann.request('participant.add', {threadId, userId: cid.userId});
    await say(ann, threadId, 'during');
    await ann.request('participant.remove', {threadId, userId: cid.userId});
    await say(ann, threadId, 'after');
    // Another thread carries the sentinel: in the log, events for cid in the first thread come before it.
    const second = (await createThread(ann, cid.userId)).thread.threadId;
    await flush(ann, second, cid);
    const events = shared(cid, threadId);
    assert.deepEqual(events.map((e) => [e.seq, e.ev]), [
      [5, 'participant.added'], [6, 'message.created'], [7, 'participant.removed']]);
    assert.equal(events[2].item.userId, cid.userId);
    assert.ok(events[2].item.removedAt);
    await flush(ann, threadId, bob);
    assert.deepEqual(seqs(bob, threadId), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('sends no events of a thread to non-members', async () => {
    const {ann, bob, threadId} = await pair();
    const eve = await on.as(fresh('eve'));
    await say(ann, threadId, 'private');
    const common = (await createThread(ann, eve.userId)).thread.threadId;
    await flush(ann, common, eve);
    await flush(ann, threadId, bob);
    assert.deepEqual(eve.seen((e) => e.threadId === threadId || e.entry?.threadId === threadId), []);
  });

  it('sends a read cursor to the members, and the new entry to the reader\'s other devices', async () => {
    const {ann, bob, threadId} = await pair();
    const {messageId} = await say(ann, threadId, 'read me');
    const phone = await on.as(bob.userId);
    await bob.request('read.mark', {threadId, messageId});
    const read = await ann.nextEvent('participant.read');
    assert.deepEqual([read.threadId, read.userId, read.lastReadMsgId], [threadId, bob.userId, messageId]);
    checkTime(read.lastReadAt);
    // The event of the new thread may still be on its way to the phone.
    const {entry} = await phone.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.threadId === threadId && e.entry.unread === 0);
    checkEntry(entry);
  });

  it('sends personal changes only to the user\'s own sessions', async () => {
    const {ann, bob, threadId} = await pair();
    const phone = await on.as(ann.userId, {encoding: 'msgpack'});
    await ann.request('inbox.set', {threadId, pinned: true, label: 'L'});
    await phone.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.pinned && e.entry.label === 'L');
    await ann.request('participant.mute', {threadId, muted: true});
    await phone.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.muted);
    await flush(ann, threadId, bob);
    assert.deepEqual(bob.seen((e) => e.ev === 'inbox.updated' && (e.entry.pinned || e.entry.muted || e.entry.label)), []);
    assert.deepEqual(seqs(bob, threadId), [1, 2, 3, 4], 'they take no seq');
  });

  it('announces a new thread with inbox.updated', async () => {
    const {bob, threadId} = await pair();
    const {entry} = await bob.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.threadId === threadId);
    checkEntry(entry);
  });

  it('gives deliver: open the opened threads in full and the others as inbox.updated', async () => {
    const {ann, bob, threadId} = await pair();
    const quiet = (await createThread(ann, bob.userId)).thread.threadId;
    const thrifty = await on.as(bob.userId, {deliver: 'open'});
    await thrifty.request('thread.open', {threadId});
    for (let i = 0; i < 20; ++i) await say(ann, quiet, `n${i}`);
    const {messageId} = await say(ann, threadId, 'in the open one');
    await thrifty.nextEvent((e) => e.item?.messageId === messageId);
    await thrifty.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.threadId === quiet && e.entry.unread === 20);
    assert.deepEqual(shared(thrifty, quiet), []);
    await thrifty.request('thread.close', {threadId});
    await say(ann, threadId, 'closed now');
    await thrifty.nextEvent((e) => e.ev === 'inbox.updated' && e.entry.lastMessage?.preview === 'closed now');
    assert.equal(shared(thrifty, threadId).length, 1);
  });

  it('leaves no gap between the reply of thread.open and the events after it, under traffic', async () => {
    const {ann, bob, threadId} = await pair();
    let writing = true;
    const writer = (async () => {
      while (writing) await Promise.all(Array.from({length: 5}, (_, i) => say(ann, threadId, `n${i}`)));
    })();
    try {
      const thrifty = await on.as(bob.userId, {deliver: 'open', encoding: 'msgpack'});
      for (let round = 0; round < 40; ++round) {
        const {lastSeq, messages} = await thrifty.request('thread.open', {threadId, limit: 1});
        assert.equal(messages[0]?.seq ?? 3, lastSeq, 'one state: the newest message is the last change');
        const reply = thrifty.frames.findLastIndex((f) => f.ok?.lastSeq === lastSeq);
        await thrifty.nextEvent((e) => e.threadId === threadId && e.seq >= lastSeq + 3, 'three events after opening');
        const after = thrifty.frames.slice(reply + 1).filter((f) => f.ev === 'message.created').map((f) => f.seq);
        const fresh = after.filter((seq) => seq > lastSeq);
        assert.deepEqual(fresh, fresh.map((_, i) => lastSeq + 1 + i), `events after ${lastSeq}`);
        await thrifty.request('thread.close', {threadId});
        thrifty.unread = [];
      }
    } finally {
      writing = false;
      await writer;
    }
  });

  it('delivers to a session what a read\'s reply includes before that reply', async () => {
    const {ann, bob, threadId} = await pair();
    for (let i = 0; i < 30; ++i) {
      const {messageId} = await say(ann, threadId, `n${i}`);
      const {messages} = await bob.request('message.list', {threadId, limit: 1});
      assert.equal(messages[0].messageId, messageId);
    }
    // A read's reply contains everything delivered to that session before it.
    const replies = bob.frames.map((f, at) => [f, at]).filter(([f]) => f.ok?.messages);
    for (const [reply, at] of replies) {
      const before = bob.frames.slice(0, at).filter((f) => f.ev === 'message.created').map((f) => f.item.msgNo);
      assert.ok(reply.ok.messages[0].msgNo >= Math.max(0, ...before));
    }
  });
});

describe('typing and presence', {concurrency: true}, () => {
  const on = withServer({}, {concurrent: true});

  async function openPair() {
    const {a, b} = users('a', 'b');
    const [ann, bob] = [await on.as(a), await on.as(b, {encoding: 'msgpack'})];
    const {thread: {threadId}} = await createThread(ann, b);
    for (const session of [ann, bob]) await session.request('thread.open', {threadId});
    return {ann, bob, threadId};
  }

  it('shows typing to sessions with the thread open except the typist\'s, once for two devices, until it expires', async () => {
    const {ann, bob, threadId} = await openPair();
    const phone = await on.as(ann.userId);
    await phone.request('thread.open', {threadId});
    const closed = await on.as(bob.userId);
    await Promise.all([ann, phone].map((s) => s.request('typing.set', {threadId, typing: true})));
    const typing = await bob.nextEvent((e) => e.ev === 'typing' && e.userIds.length > 0);
    assert.deepEqual([typing.threadId, typing.userIds], [threadId, [ann.userId]]);
    const late = await on.as(bob.userId);
    await late.request('thread.open', {threadId});
    assert.deepEqual((await late.nextEvent('typing')).userIds, [ann.userId], 'an existing list is sent at once');
    // Without an end from the client the list empties after typingTtlMs.
    await bob.nextEvent((e) => e.ev === 'typing' && e.userIds.length === 0);
    for (const own of [ann, phone]) {
      assert.ok(own.seen('typing').every((e) => !e.userIds.includes(ann.userId)), 'the viewer is left out');
    }
    assert.deepEqual(closed.seen('typing'), []);
    assert.equal((await ann.request('thread.get', {threadId})).lastSeq, 3, 'typing never reaches the log');
  });

  it('ends typing on request', async () => {
    const {ann, bob, threadId} = await openPair();
    await ann.request('typing.set', {threadId, typing: true});
    await bob.nextEvent((e) => e.ev === 'typing' && e.userIds.includes(ann.userId));
    await ann.request('typing.set', {threadId, typing: false});
    await bob.nextEvent((e) => e.ev === 'typing' && e.userIds.length === 0);
  });

  it('coalesces a flood of typing', async () => {
    const {ann, bob, threadId} = await openPair();
    await Promise.all(Array.from({length: 100}, () => ann.request('typing.set', {threadId, typing: true})));
    const {messageId} = await say(ann, threadId, 'flush');
    await bob.nextEvent((e) => e.item?.messageId === messageId);
    const reported = bob.seen('typing');
    assert.ok(reported.length <= 3, `${reported.length} typing events for 100 repeats`);
    assert.deepEqual(reported[0]?.userIds, [ann.userId], 'and the other is told who types');
  });

  it('shows who is online', async () => {
    const {ann, bob, threadId} = await openPair();
    const nobody = fresh('nobody');
    const of = (list, userId) => list.find((p) => p.userId === userId);
    const {presence} = await ann.request('presence.get', {userIds: [bob.userId, nobody]});
    assert.equal(of(presence, bob.userId).online, true);
    assert.ok(!of(presence, nobody)?.online);
    const open = await ann.request('thread.open', {threadId});
    assert.equal(of(open.presence, bob.userId).online, true);
    const cid = await on.as(fresh('cid'));
    await ann.request('participant.add', {threadId, userId: cid.userId});
    await cid.request('session.ping');
    assert.equal(of((await ann.request('presence.get', {userIds: [cid.userId]})).presence, cid.userId).online, true);
  });
});
