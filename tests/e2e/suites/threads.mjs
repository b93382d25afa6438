// thread.* and participant.*.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {refused} from '../lib/errors.mjs';
import {checkEntry, checkMe, checkMessage, checkParticipant, checkThread} from '../lib/shapes.mjs';
import {withServer} from '../lib/suite.mjs';
import {allChanges, createThread, fresh, say, users} from '../lib/world.mjs';

export function threadsSuite(encoding) {
  describe(`threads over ${encoding}`, () => {
    const on = withServer({encoding});
    const lastSeq = async (session, threadId) => (await session.request('thread.get', {threadId})).lastSeq;

    it('creates an inquiry with buyer and seller as participants', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = fresh('bob');
      const made = await ann.request('thread.create', {
        kind: 'inquiry', buyerUserId: ann.userId, sellerUserId: bob, subject: 'A portrait', city: 'Bath',
        clientId: 'first', safeModeRequired: true});
      const {thread, participants} = made;
      checkThread(thread);
      participants.forEach(checkParticipant);
      assert.deepEqual({kind: thread.kind, subject: thread.subject, city: thread.city, status: thread.status,
                        buyer: thread.buyerUserId, seller: thread.sellerUserId, safe: thread.safeModeRequired},
                       {kind: 'inquiry', subject: 'A portrait', city: 'Bath', status: 'open', buyer: ann.userId,
                        seller: bob, safe: true});
      assert.deepEqual(participants.map((p) => [p.userId, p.roleContext]).sort(),
                       [[ann.userId, 'buyer'], [bob, 'seller']].sort());
      assert.equal(thread.participantCount, 2);
      assert.deepEqual([thread.lastMsgNo, thread.lastMessageAt, thread.lbgId, thread.legId], [0, null, null, null]);
      assert.equal(thread.seq, 1);
      assert.equal(thread.lastSeq, 3);
    });

    it('creates a project with more participants, each added once', async () => {
      const ann = await on.as(fresh('ann'));
      const {bob, cid} = users('bob', 'cid');
      const {thread, participants} = await createThread(ann, bob, {
        lbgId: fresh('g', 'lbg'), legId: fresh('l', 'leg'),
        participants: [{userId: cid, roleContext: 'admin'}, {userId: cid, roleContext: 'admin'},
                       {userId: bob, roleContext: 'seller'}]});
      assert.equal(thread.kind, 'project');
      assert.equal(thread.participantCount, 3);
      assert.deepEqual(participants.map((p) => p.userId).sort(), [ann.userId, bob, cid].sort());
      assert.equal(thread.lastSeq, 4);
    });

    it('writes only the first message given at creation', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'), {firstMessage: 'Hello there'});
      const {messages} = await ann.request('message.list', {threadId});
      messages.forEach(checkMessage);
      assert.deepEqual(messages.map((m) => [m.msgNo, m.seq, m.body, m.authorUserId]),
                       [[1, 4, 'Hello there', ann.userId]]);
    });

    it('answers a repeated creation with the same thread in its current state', async () => {
      const ann = await on.as(fresh('ann'));
      const args = {clientId: 'same', subject: 'Before'};
      const bob = fresh('bob');
      const first = await createThread(ann, bob, args);
      await say(ann, first.thread.threadId, 'something happened since');
      const second = await createThread(ann, bob, args);
      assert.equal(second.thread.threadId, first.thread.threadId);
      assert.equal(second.thread.lastMsgNo, 1);
      const other = await on.as(bob);
      const theirs = await other.request('thread.create', {
        kind: 'project', buyerUserId: ann.userId, sellerUserId: bob, ...args});
      assert.notEqual(theirs.thread.threadId, first.thread.threadId, 'the key belongs to its creator');
    });

    it('makes one thread of concurrent repeats', async () => {
      const bob = fresh('bob');
      const ann = await on.as(fresh('ann'));
      const twin = await on.as(ann.userId);
      const made = await Promise.all([ann, twin, ann, twin].map((s) => createThread(s, bob, {clientId: 'race'})));
      assert.equal(new Set(made.map(({thread}) => thread.threadId)).size, 1);
    });

    it('returns a thread with its participants and the caller\'s own state', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread} = await createThread(ann, fresh('bob'));
      await ann.request('participant.mute', {threadId: thread.threadId, muted: true});
      const got = await ann.request('thread.get', {threadId: thread.threadId});
      checkThread(got.thread);
      got.participants.forEach(checkParticipant);
      checkMe(got.me);
      assert.equal(got.me.userId, ann.userId);
      assert.equal(got.me.muted, true);
      assert.ok(Array.isArray(got.tabs));
      assert.equal(got.lastSeq, 3);
    });

    it('opens a thread with its newest messages, presence and changes', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      for (let i = 0; i < 5; ++i) await say(ann, threadId, `n${i}`);
      const open = await ann.request('thread.open', {threadId, limit: 2});
      checkThread(open.thread);
      checkMe(open.me);
      open.messages.forEach(checkMessage);
      assert.deepEqual(open.messages.map((m) => m.body), ['n4', 'n3']);
      const older = await ann.request('message.list', {threadId, before: open.cursor, limit: 2});
      assert.deepEqual(older.messages.map((m) => m.body), ['n2', 'n1']);
      assert.ok(Array.isArray(open.presence), 'presence is listed');
      const since = await ann.request('thread.open', {threadId, afterSeq: 6});
      assert.deepEqual(since.changes.map((c) => [c.seq, c.kind, c.item.body]), [[7, 'message', 'n3'], [8, 'message', 'n4']]);
      assert.deepEqual(await ann.request('thread.close', {threadId}), {});
    });

    it('asks for a reset when thread.open is more than 200 changes behind or ahead of the thread', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      await Promise.all(Array.from({length: 210}, (_, i) => say(ann, threadId, `n${i}`)));
      assert.equal((await ann.request('thread.open', {threadId, afterSeq: 0})).reset, true);
      assert.equal((await ann.request('thread.open', {threadId, afterSeq: 10_000})).reset, true);
      const near = await ann.request('thread.open', {threadId, afterSeq: 100});
      assert.ok(!near.reset);
      assert.equal(near.changes.length, 113);
    });

    it('pages changes by state: each item once, at its latest change, in seq order', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const sent = [];
      for (let i = 0; i < 7; ++i) sent.push(await say(ann, threadId, `n${i}`));
      await ann.request('message.edit', {threadId, messageId: sent[1].messageId, body: 'edited'});
      const {changes, lastSeq: last} = await allChanges(ann, threadId, 0, 3);
      assert.equal(last, 11);
      assert.deepEqual(changes.map((c) => [c.seq, c.kind]), [
        [1, 'thread'], [2, 'participant'], [3, 'participant'], [4, 'message'], [6, 'message'], [7, 'message'],
        [8, 'message'], [9, 'message'], [10, 'message'], [11, 'message']]);
      assert.equal(changes.at(-1).item.body, 'edited');
      for (const {kind, item} of changes) {
        ({thread: checkThread, participant: checkParticipant, message: checkMessage})[kind](item);
      }
      const none = await ann.request('thread.changes', {threadId, afterSeq: 11});
      assert.deepEqual([none.changes, none.lastSeq, none.more, !none.reset], [[], 11, false, true]);
      const ahead = await ann.request('thread.changes', {threadId, afterSeq: 12});
      assert.deepEqual([ahead.reset, ahead.changes], [true, []]);
    });

    it('updates subject, city and safe mode under a version, and takes one seq', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread} = await createThread(ann, fresh('bob'), {subject: 'Old', city: 'Bath'});
      const {threadId} = thread;
      const updated = await ann.request('thread.update', {
        threadId, version: thread.version, subject: 'New', safeModeRequired: true});
      checkThread(updated.thread);
      assert.deepEqual([updated.thread.subject, updated.thread.city, updated.thread.safeModeRequired],
                       ['New', 'Bath', true]);
      assert.deepEqual([updated.thread.version, updated.thread.seq], [thread.version + 1, 4]);
      const error = await refused(ann.request('thread.update', {threadId, version: thread.version, subject: 'Late'}),
                                  'VERSION_CONFLICT');
      assert.equal(error.current.subject, 'New');
      assert.equal(error.current.version, updated.thread.version);
      const cleared = await ann.request('thread.update', {
        threadId, version: updated.thread.version, subject: null, city: null});
      assert.deepEqual([cleared.thread.subject, cleared.thread.city], [null, null]);
    });

    it('lets messages move lastMessageAt but not the thread\'s own seq and version', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread} = await createThread(ann, fresh('bob'));
      const sent = await say(ann, thread.threadId, 'hello');
      const got = (await ann.request('thread.get', {threadId: thread.threadId})).thread;
      assert.deepEqual([got.seq, got.version, got.lastMsgNo, got.lastSeq, got.lastMessageAt],
                       [thread.seq, thread.version, 1, sent.seq, sent.createdAt]);
    });

    it('uses no seq for an op that changes nothing', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = fresh('bob');
      const {thread} = await createThread(ann, bob, {subject: 'S'});
      const {threadId} = thread;
      await ann.request('thread.update', {threadId, version: thread.version, subject: 'S'});
      await ann.request('participant.add', {threadId, userId: bob, roleContext: 'seller'});
      const {messageId} = await say(ann, threadId, 'same');
      await ann.request('message.edit', {threadId, messageId, body: 'same'});
      await ann.request('read.mark', {threadId, messageId});
      await ann.request('participant.mute', {threadId, muted: true});
      await ann.request('inbox.set', {threadId, pinned: true});
      assert.equal(await lastSeq(ann, threadId), 4);
    });

    it('adds, updates and removes participants', async () => {
      const ann = await on.as(fresh('ann'));
      const {bob, cid} = users('bob', 'cid');
      const {thread: {threadId}} = await createThread(ann, bob);
      const added = await ann.request('participant.add', {threadId, userId: cid, roleContext: 'admin', permission: 'read'});
      checkParticipant(added.participant);
      assert.deepEqual([added.participant.userId, added.participant.roleContext, added.participant.permission,
                        added.participant.seq, added.participant.removedAt], [cid, 'admin', 'read', 4, null]);
      const writer = await ann.request('participant.update', {threadId, userId: cid, permission: 'write'});
      assert.deepEqual([writer.participant.permission, writer.participant.seq], ['write', 5]);
      const gone = await ann.request('participant.remove', {threadId, userId: cid});
      assert.ok(gone.participant.removedAt);
      assert.equal(gone.participant.seq, 6);
      const got = await ann.request('thread.get', {threadId});
      assert.deepEqual(got.participants.map((p) => p.userId).sort(), [ann.userId, bob].sort());
      assert.equal(got.thread.participantCount, 2);
      const {changes} = await allChanges(ann, threadId, 3);
      assert.deepEqual(changes.map((c) => [c.seq, c.kind, c.item.userId, c.item.removedAt !== null]),
                       [[6, 'participant', cid, true]]);
    });

    it('readmits a removed user, with nothing unread and the whole history', async () => {
      const ann = await on.as(fresh('ann'));
      const cid = await on.as(fresh('cid'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      await ann.request('participant.add', {threadId, userId: cid.userId});
      await ann.request('participant.remove', {threadId, userId: cid.userId});
      await refused(cid.request('thread.get', {threadId}), 'THREAD_NOT_MEMBER');
      await say(ann, threadId, 'while away');
      await ann.request('participant.add', {threadId, userId: cid.userId});
      assert.equal((await cid.request('inbox.explain', {threadId})).unread, 0);
      assert.deepEqual((await cid.request('message.list', {threadId})).messages.map((m) => m.body), ['while away']);
    });

    it('lets owners, services and staff change membership, and everyone leave', async () => {
      const ann = await on.as(fresh('ann'));
      const {bob, dan, eve} = users('bob', 'dan', 'eve');
      const cid = await on.as(fresh('cid'));
      const {thread: {threadId}} = await createThread(ann, bob);
      await ann.request('participant.add', {threadId, userId: cid.userId, permission: 'write'});
      await refused(cid.request('participant.add', {threadId, userId: dan}), 'FORBIDDEN');
      await refused(cid.request('participant.remove', {threadId, userId: bob}), 'FORBIDDEN');
      const seller = await on.as(bob);
      await seller.request('participant.add', {threadId, userId: dan});
      await (await on.staff()).request('participant.add', {threadId, userId: eve});
      await (await on.service()).op('participant.remove', {threadId, userId: eve});
      await cid.request('participant.remove', {threadId, userId: cid.userId});
      await refused(cid.request('thread.get', {threadId}), 'THREAD_NOT_MEMBER');
    });

    it('refuses writes of participants who may only read', async () => {
      const ann = await on.as(fresh('ann'));
      const cid = await on.as(fresh('cid'));
      const {thread} = await createThread(ann, fresh('bob'));
      const {threadId} = thread;
      await ann.request('participant.add', {threadId, userId: cid.userId, permission: 'read'});
      await refused(say(cid, threadId, 'may I?'), 'FORBIDDEN');
      await refused(cid.request('thread.update', {threadId, version: thread.version, subject: 'x'}), 'FORBIDDEN');
      await cid.request('message.list', {threadId});
    });

    it('answers NOT_FOUND for a user who is not in the thread', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      for (const op of ['participant.remove', 'participant.update']) {
        const more = op === 'participant.update' ? {permission: 'read'} : {};
        await refused(ann.request(op, {threadId, userId: fresh('none'), ...more}), 'NOT_FOUND', op);
      }
    });

    it('pages participants exactly once', async () => {
      const ann = await on.as(fresh('ann'));
      const more = Array.from({length: 12}, () => ({userId: fresh('p'), roleContext: 'admin'}));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'), {participants: more});
      const found = [];
      let cursor;
      do {
        const page = await ann.request('participant.list', {threadId, cursor, limit: 5});
        page.participants.forEach(checkParticipant);
        found.push(...page.participants.map((p) => p.userId));
        cursor = page.cursor ?? undefined;
      } while (cursor);
      assert.equal(found.length, 14);
      assert.equal(new Set(found).size, 14);
    });

    it('mutes for the caller only, until a time or until unmuted', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const {entry} = await ann.request('participant.mute', {threadId, muted: true, until});
      checkEntry(entry);
      assert.deepEqual([entry.muted, entry.mutedUntil], [true, until]);
      const forever = await ann.request('participant.mute', {threadId, muted: true, until: null});
      assert.deepEqual([forever.entry.muted, forever.entry.mutedUntil], [true, null]);
      assert.equal((await ann.request('participant.mute', {threadId, muted: false})).entry.muted, false);
    });

    it('refuses writes to a locked and to an archived thread until it is open again', async () => {
      const ann = await on.as(fresh('ann'));
      const staff = await on.staff();
      const {thread} = await createThread(ann, fresh('bob'));
      const {threadId} = thread;
      const first = {threadId, clientId: 'known', type: 'text', body: 'before'};
      const {messageId} = await ann.request('message.send', first);
      for (const [status, code] of [['locked', 'THREAD_LOCKED'], ['archived', 'THREAD_ARCHIVED']]) {
        const set = await staff.request('thread.setStatus', {threadId, status, reason: 'a test'});
        assert.equal(set.thread.status, status);
        await refused(say(ann, threadId, 'no'), code);
        await refused(ann.request('message.edit', {threadId, messageId, body: 'no'}), code);
        await refused(ann.request('thread.update', {threadId, version: set.thread.version, subject: 'no'}), code);
        const known = await ann.request('message.send', first);
        assert.deepEqual([known.duplicate, known.messageId], [true, messageId], 'a known key comes before the lock');
        assert.equal((await ann.request('message.list', {threadId})).messages.length, 1);
      }
      await staff.request('thread.setStatus', {threadId, status: 'open', reason: 'over'});
      await say(ann, threadId, 'again');
      await refused(ann.request('thread.setStatus', {threadId, status: 'locked', reason: 'x'}), 'FORBIDDEN');
      await refused(staff.request('thread.setStatus', {threadId, status: 'locked'}), 'BAD_REQUEST');
    });

    it('promotes an inquiry to a project once, keeping its messages', async () => {
      const ann = await on.as(fresh('ann'));
      const back = await on.service();
      const {thread: {threadId}} = await createThread(ann, fresh('bob'), {kind: 'inquiry'});
      await say(ann, threadId, 'kept');
      const [legId, eventId] = [fresh('l', 'leg'), fresh('e', 'evt')];
      const {thread} = await back.op('thread.promote', {threadId, legId, eventId});
      assert.deepEqual([thread.kind, thread.legId], ['project', legId]);
      const again = await back.op('thread.promote', {threadId, legId, eventId});
      assert.deepEqual(again.thread, thread);
      const {messages} = await ann.request('message.list', {threadId});
      assert.deepEqual(messages.map((m) => m.type), ['system', 'text']);
      assert.equal(messages[1].body, 'kept');
      await refused(ann.request('thread.promote', {threadId, legId, eventId: 'other'}), 'FORBIDDEN');
    });

    it('rebinds a thread to another leg, and finds it under both leg and group', async () => {
      const ann = await on.as(fresh('ann'));
      const back = await on.service();
      const [lbgId, first, second] = [fresh('g', 'lbg'), fresh('l', 'leg'), fresh('l', 'leg')];
      const {thread: {threadId}} = await createThread(ann, fresh('bob'), {lbgId, legId: first});
      const found = async (args) => (await ann.request('thread.byProject', args)).threads.map((t) => t.threadId);
      assert.deepEqual([await found({legId: first}), await found({lbgId})], [[threadId], [threadId]]);
      await back.op('thread.promote', {threadId, legId: second, eventId: fresh('e', 'evt')});
      assert.deepEqual([await found({legId: first}), await found({legId: second}), await found({lbgId})],
                       [[], [threadId], [threadId]]);
    });

    it('names the first hundred of many participants and the number of all', async () => {
      const ann = await on.as(fresh('ann'));
      const more = Array.from({length: 148}, () => ({userId: fresh('p'), roleContext: 'admin'}));
      const {thread} = await createThread(ann, fresh('bob'), {participants: more});
      checkThread(thread);
      assert.equal(thread.participantCount, 150);
      const {messageId} = await say(ann, thread.threadId, 'to all');
      const last = await on.as(more.at(-1).userId);
      assert.equal((await last.request('message.list', {threadId: thread.threadId})).messages[0].messageId, messageId);
    });

    it('accepts every id of the tenant that the contract allows', async () => {
      const odd = `A.b_c:d-9${fresh('x')}`;
      const long = fresh('x').padEnd(64, 'z');
      const ann = await on.as(odd);
      const {thread} = await createThread(ann, long, {lbgId: `L:${fresh('g')}`});
      assert.deepEqual([thread.buyerUserId, thread.sellerUserId], [odd, long]);
      assert.equal((await (await on.as(long)).request('thread.get', {threadId: thread.threadId})).me.userId, long);
    });

    it('lists the threads of a leg and of a group in the order of creation, to users who may see them', async () => {
      const ann = await on.as(fresh('ann'));
      const eve = await on.as(fresh('eve'));
      const staff = await on.staff();
      const back = await on.service();
      const [lbgId, legId] = [fresh('g', 'lbg'), fresh('l', 'leg')];
      const made = [];
      for (let i = 0; i < 5; ++i) made.push((await createThread(ann, fresh('bob'), {lbgId, legId})).thread.threadId);
      const foreign = (await createThread(eve, fresh('bob'), {lbgId})).thread.threadId;
      const found = [];
      let cursor;
      do {
        const page = await ann.request('thread.byProject', {lbgId, cursor, limit: 2});
        page.threads.forEach(checkThread);
        found.push(...page.threads.map((t) => t.threadId));
        cursor = page.cursor ?? undefined;
      } while (cursor);
      assert.deepEqual(found, made);
      assert.deepEqual((await ann.request('thread.byProject', {legId})).threads.map((t) => t.threadId), made);
      for (const all of [await staff.request('thread.byProject', {lbgId}), await back.op('thread.byProject', {lbgId})]) {
        assert.deepEqual(all.threads.map((t) => t.threadId), [...made, foreign]);
      }
      await refused(ann.request('thread.byProject', {}), 'BAD_REQUEST');
      await refused(ann.request('thread.byProject', {lbgId, legId}), 'BAD_REQUEST');
    });

    it('lets staff and services read every thread of the tenant, and write in none', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      await say(ann, threadId, 'visible');
      const staff = await on.staff();
      const back = await on.service();
      for (const op of [(...a) => staff.request(...a), back.op]) {
        assert.equal((await op('message.list', {threadId})).messages.length, 1);
        assert.equal((await op('thread.get', {threadId})).lastSeq, 4);
        await refused(op('message.send', {threadId, clientId: 'c', type: 'text', body: 'b'}), 'FORBIDDEN');
      }
    });
  });
}
