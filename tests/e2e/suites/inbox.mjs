// inbox.*, read.mark, unread numbers.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {refused} from '../lib/errors.mjs';
import {checkEntry, checkTime} from '../lib/shapes.mjs';
import {withServer} from '../lib/suite.mjs';
import {allEntries, createThread, entryOf, fresh, say} from '../lib/world.mjs';

export function inboxSuite(encoding) {
  describe(`the inbox over ${encoding}`, () => {
    const on = withServer({encoding});

    async function pair(more = {}) {
      const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
      const {thread: {threadId, createdAt}} = await createThread(ann, bob.userId, more);
      return {ann, bob, threadId, createdAt};
    }
    const order = (entries) => entries.map((e) => e.threadId);
    const explain = (session, threadId) => session.request('inbox.explain', {threadId});

    it('shows a thread with its last message to each participant, with their own unread number', async () => {
      const {ann, bob, threadId} = await pair({subject: 'Subject'});
      const sent = await say(ann, threadId, 'the newest words');
      const [mine, theirs] = [await entryOf(ann, threadId), await entryOf(bob, threadId)];
      checkEntry(mine);
      checkEntry(theirs);
      assert.deepEqual([mine.unread, theirs.unread], [0, 1]);
      for (const entry of [mine, theirs]) {
        assert.deepEqual({kind: entry.kind, subject: entry.subject, at: entry.lastMessageAt, seq: entry.lastSeq,
                          pinned: entry.pinned, archived: entry.archived, muted: entry.muted, label: entry.label},
                         {kind: 'project', subject: 'Subject', at: sent.createdAt, seq: sent.seq, pinned: false,
                          archived: false, muted: false, label: null});
        assert.deepEqual([entry.lastMessage.messageId, entry.lastMessage.authorUserId, entry.lastMessage.preview],
                         [sent.messageId, ann.userId, 'the newest words']);
      }
    });

    it('orders by the newest message, and pages each entry once', async () => {
      const ann = await on.as(fresh('ann'));
      const places = [];
      for (let i = 0; i < 11; ++i) {
        const {thread} = await createThread(ann, fresh('bob'));
        places.push({threadId: thread.threadId, at: thread.createdAt});
      }
      for (const i of [3, 0, 7]) places[i].at = (await say(ann, places[i].threadId, 'up')).createdAt;
      const want = order(places.sort((a, b) => (a.at + a.threadId < b.at + b.threadId ? 1 : -1)));
      const entries = await allEntries(ann, {}, 4);
      entries.forEach(checkEntry);
      assert.deepEqual(order(entries), want);
      assert.equal((await ann.request('inbox.list', {limit: 200})).cursor, null);
    });

    it('includes every write acknowledged before the read, of any user', async () => {
      const {ann, bob, threadId} = await pair();
      for (let i = 1; i <= 50; ++i) {
        const sent = await say(ann, threadId, `n${i}`);
        const entry = await entryOf(bob, threadId);
        assert.deepEqual([entry.unread, entry.lastSeq, entry.lastMessage.messageId], [i, sent.seq, sent.messageId]);
      }
    });

    it('is ordered by creation without messages, and not changed by edits, deletes and membership', async () => {
      const ann = await on.as(fresh('ann'));
      const old = (await createThread(ann, fresh('bob'))).thread.threadId;
      const {messageId} = await say(ann, old, 'first');
      const silent = (await createThread(ann, fresh('bob'))).thread.threadId;
      assert.deepEqual(order(await allEntries(ann)), [silent, old]);
      await ann.request('message.edit', {threadId: old, messageId, body: 'edited'});
      await ann.request('participant.add', {threadId: old, userId: fresh('cid')});
      assert.deepEqual(order(await allEntries(ann)), [silent, old]);
      assert.equal((await entryOf(ann, old)).lastMessage.preview, 'edited');
      assert.equal((await entryOf(ann, silent)).lastMessage, null);
    });

    it('counts unread messages after read cursor, own last message and joining, except deleted ones', async () => {
      const {ann, bob, threadId} = await pair();
      const sent = [];
      for (let i = 0; i < 6; ++i) sent.push(await say(ann, threadId, `n${i}`));
      const unread = async () => (await entryOf(bob, threadId)).unread;
      assert.equal(await unread(), 6);
      await ann.request('message.delete', {threadId, messageId: sent[4].messageId});
      assert.equal(await unread(), 5);
      const marked = await bob.request('read.mark', {threadId, messageId: sent[1].messageId});
      assert.deepEqual([marked.lastReadMsgId, marked.unread], [sent[1].messageId, 3]);
      checkTime(marked.lastReadAt);
      assert.equal(await unread(), 3);
      const own = await say(bob, threadId, 'own');
      assert.equal(await unread(), 0);
      assert.equal((await bob.request('thread.get', {threadId})).me.lastReadMsgId, sent[1].messageId,
                   'sending does not move the read cursor');
      await say(ann, threadId, 'after');
      assert.equal(await unread(), 1);
      await bob.request('message.delete', {threadId, messageId: own.messageId});
      assert.equal(await unread(), 1, 'an own last message counts in whatever state');
    });

    it('explains its unread number', async () => {
      const {ann, bob, threadId} = await pair();
      const sent = [];
      for (let i = 0; i < 4; ++i) sent.push(await say(ann, threadId, `n${i}`));
      await bob.request('read.mark', {threadId, messageId: sent[0].messageId});
      await ann.request('message.delete', {threadId, messageId: sent[2].messageId});
      const got = await explain(bob, threadId);
      assert.deepEqual(got, {unread: 2, asOfSeq: 8, readNo: 1, lastMsgNo: 4,
        excluded: {own: 0, deleted: 1, readBySending: 0}});
      const author = await explain(ann, threadId);
      assert.deepEqual([author.unread, author.readNo, author.lastMsgNo], [0, 4, 4]);
    });

    it('starts an added participant with nothing unread', async () => {
      const {ann, threadId} = await pair();
      await say(ann, threadId, 'before');
      const cid = await on.as(fresh('cid'));
      await ann.request('participant.add', {threadId, userId: cid.userId});
      assert.equal((await entryOf(cid, threadId)).unread, 0);
      await say(ann, threadId, 'after');
      assert.equal((await entryOf(cid, threadId)).unread, 1);
    });

    it('removes a removed participant\'s entry', async () => {
      const {ann, bob, threadId} = await pair();
      await ann.request('participant.remove', {threadId, userId: bob.userId});
      assert.equal(await entryOf(bob, threadId), undefined);
    });

    it('never moves the read cursor backwards', async () => {
      const {ann, bob, threadId} = await pair();
      const sent = [];
      for (let i = 0; i < 3; ++i) sent.push(await say(ann, threadId, `n${i}`));
      await bob.request('read.mark', {threadId, messageId: sent[2].messageId});
      const back = await bob.request('read.mark', {threadId, messageId: sent[0].messageId});
      assert.deepEqual([back.lastReadMsgId, back.unread], [sent[2].messageId, 0]);
    });

    it('sorts entries into folders', async () => {
      const {ann, bob, threadId} = await pair();
      const inFolder = async (folder) => (await entryOf(bob, threadId, {folder})) !== undefined;
      const folders = async () => {
        const found = {};
        for (const f of ['all', 'unread', 'pinned', 'archived', 'requests', 'action']) found[f] = await inFolder(f);
        return Object.keys(found).filter((f) => found[f]).join(' ');
      };
      assert.equal(await folders(), 'all');
      const {messageId} = await say(ann, threadId, 'hello');
      assert.equal(await folders(), 'all unread');
      const {entry} = await bob.request('inbox.set', {threadId, pinned: true, label: 'Top'});
      checkEntry(entry);
      assert.deepEqual([entry.pinned, entry.label], [true, 'Top']);
      assert.equal(await folders(), 'all unread pinned');
      await bob.request('read.mark', {threadId, messageId});
      await bob.request('inbox.set', {threadId, pinned: false, archived: true});
      assert.equal(await folders(), 'archived');
      assert.equal((await entryOf(ann, threadId)).archived, false, 'archiving is one\'s own');
      assert.equal((await entryOf(bob, threadId, {folder: 'archived'})).label, 'Top');
      await bob.request('inbox.set', {threadId, label: null});
      assert.equal((await entryOf(bob, threadId, {folder: 'archived'})).label, null);
      await say(ann, threadId, 'again');
      assert.equal(await folders(), 'all unread', 'a new message brings an archived thread back');
    });

    it('filters by kind', async () => {
      const {ann, bob, threadId} = await pair();
      const {thread} = await createThread(ann, bob.userId, {kind: 'inquiry'});
      assert.deepEqual(order(await allEntries(ann, {kind: 'project'})), [threadId]);
      assert.deepEqual(order(await allEntries(ann, {kind: 'inquiry'})), [thread.threadId]);
    });

    it('counts muted threads too', async () => {
      const {ann, bob, threadId} = await pair();
      await bob.request('participant.mute', {threadId, muted: true});
      await say(ann, threadId, 'quiet');
      const entry = await entryOf(bob, threadId);
      assert.deepEqual([entry.muted, entry.unread], [true, 1]);
    });

    it('binds its cursors to caller and query', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = await on.as(fresh('bob'));
      for (let i = 0; i < 3; ++i) await createThread(ann, bob.userId);
      const {cursor} = await ann.request('inbox.list', {limit: 1});
      assert.equal(typeof cursor, 'string');
      assert.equal((await ann.request('inbox.list', {cursor, limit: 2})).entries.length, 2);
      await refused(bob.request('inbox.list', {cursor}), 'BAD_REQUEST', 'another caller');
      await refused(ann.request('inbox.list', {cursor, folder: 'unread'}), 'BAD_REQUEST', 'another folder');
      await refused(ann.request('inbox.list', {cursor: `${cursor}x`}), 'BAD_REQUEST', 'a longer one');
    });
  });
}
