// message.*.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {refused} from '../lib/errors.mjs';
import {checkMessage, checkSend} from '../lib/shapes.mjs';
import {withServer} from '../lib/suite.mjs';
import {createThread, fresh, say} from '../lib/world.mjs';

export function messagesSuite(encoding) {
  describe(`messages over ${encoding}`, () => {
    const on = withServer({encoding});

    async function pair() {
      const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
      const {thread: {threadId}} = await createThread(ann, bob.userId);
      return {ann, bob, threadId};
    }
    const list = (session, threadId, args = {}) => session.request('message.list', {threadId, ...args});
    const bodies = (page) => page.messages.map((m) => m.body);

    it('numbers messages 1, 2, 3 and orders them by creation', async () => {
      const {ann, bob, threadId} = await pair();
      const replies = [];
      for (let i = 0; i < 6; ++i) replies.push(checkSend(await say(i % 2 ? ann : bob, threadId, `n${i}`)));
      assert.deepEqual(replies.map((r) => r.msgNo), [1, 2, 3, 4, 5, 6]);
      assert.deepEqual(replies.map((r) => r.seq), [4, 5, 6, 7, 8, 9]);
      assert.ok(replies.every((r) => r.duplicate === false));
      const {messages} = await list(ann, threadId, {limit: 200});
      messages.forEach(checkMessage);
      assert.deepEqual(messages.map((m) => m.messageId), replies.map((r) => r.messageId).reverse());
      const keys = messages.map((m) => m.createdAt + m.messageId).reverse();
      assert.deepEqual(keys, [...keys].sort());
    });

    it('keeps every field of a message', async () => {
      const {ann, threadId} = await pair();
      const first = await say(ann, threadId, 'the first');
      const sent = await ann.request('message.send', {
        threadId, clientId: 'c-1', type: 'text', body: 'a reply', replyTo: first.messageId});
      const [message] = (await list(ann, threadId, {limit: 1})).messages;
      assert.deepEqual({...message, flags: null, reactions: null}, {
        messageId: sent.messageId, threadId, seq: sent.seq, msgNo: 2, createdAt: sent.createdAt, type: 'text',
        body: 'a reply', attachments: [], action: null, authorUserId: ann.userId, nsfwBand: 0, flags: null,
        clientId: 'c-1', replyTo: first.messageId, editedAt: null, deletedAt: null, reactions: null});
      assert.deepEqual(message.flags, {moderation: 'clean', policyHints: []});
    });

    it('keeps bodies of every script byte for byte', async () => {
      const {ann, threadId} = await pair();
      const texts = ['\u00fc\u00df\u4f60\u597d \u{1f600}\u200d', 'line\nbreak\ttab', '**bold** _it_ `code`',
                     '1 < 2 and 3 > 2', 'a & b', 'x'.repeat(8192)];
      for (const text of texts) await say(ann, threadId, text);
      assert.deepEqual(bodies(await list(ann, threadId)).reverse(), texts);
    });

    it('leaves sanitising to the renderer: HTML and link targets come back as sent', async () => {
      const {ann, threadId} = await pair();
      const texts = ['hi <script>alert(1)</script> <b onclick=x>there</b>', '[a](javascript:alert(1)) [b](https://example.org/x?y=1)'];
      for (const text of texts) await say(ann, threadId, text);
      assert.deepEqual(bodies(await list(ann, threadId)).reverse(), texts);
    });

    it('refuses a text that contains U+0000, naming its field', async () => {
      const {ann, threadId} = await pair();
      const refusal = await refused(say(ann, threadId, 'a\u0000b'), 'BAD_REQUEST');
      assert.ok('body' in refusal.fields);
      assert.equal((await list(ann, threadId)).messages.length, 0);
    });

    it('refuses a body over 8 KiB of UTF-8 with TOO_LARGE', async () => {
      const {ann, threadId} = await pair();
      await refused(say(ann, threadId, 'x'.repeat(8193)), 'TOO_LARGE');
      await refused(say(ann, threadId, '\u00fc'.repeat(4097)), 'TOO_LARGE');
      await say(ann, threadId, '\u00fc'.repeat(4096));
      assert.equal((await list(ann, threadId)).messages.length, 1);
    });

    it('answers a repeated send with the first result', async () => {
      const {ann, threadId} = await pair();
      const args = {threadId, clientId: 'once', type: 'text', body: 'once only'};
      const first = await ann.request('message.send', args);
      await say(ann, threadId, 'between');
      const second = await ann.request('message.send', args);
      assert.deepEqual(second, {...first, duplicate: true});
      assert.equal((await list(ann, threadId)).messages.length, 2);
    });

    it('answers concurrent repeats from two devices with one message', async () => {
      const {ann, threadId} = await pair();
      const twin = await on.as(ann.userId);
      const args = {threadId, clientId: 'race', type: 'text', body: 'once only'};
      const replies = await Promise.all([ann, twin, ann, twin, ann].map((s) => s.request('message.send', args)));
      assert.equal(new Set(replies.map((r) => r.messageId)).size, 1);
      assert.equal(replies.filter((r) => !r.duplicate).length, 1);
      assert.equal((await list(ann, threadId)).messages.length, 1);
    });

    it('refuses the same client id with other args', async () => {
      const {ann, bob, threadId} = await pair();
      const args = {threadId, clientId: 'key', type: 'text', body: 'this'};
      await ann.request('message.send', args);
      await refused(ann.request('message.send', {...args, body: 'that'}), 'IDEMPOTENCY_CONFLICT');
      assert.equal((await bob.request('message.send', {...args, body: 'that'})).duplicate, false, 'keys are per author');
    });

    it('checks membership first, then a known client id, then permission', async () => {
      const {ann, bob, threadId} = await pair();
      const cid = await on.as(fresh('cid'));
      await ann.request('participant.add', {threadId, userId: cid.userId, permission: 'write'});
      const args = {threadId, clientId: 'key', type: 'text', body: 'while allowed'};
      const first = await cid.request('message.send', args);
      await bob.request('participant.update', {threadId, userId: cid.userId, permission: 'read'});
      assert.deepEqual(await cid.request('message.send', args), {...first, duplicate: true});
      await refused(cid.request('message.send', {...args, body: 'other'}), 'IDEMPOTENCY_CONFLICT');
      await refused(cid.request('message.send', {...args, clientId: 'new'}), 'FORBIDDEN');
      await bob.request('participant.remove', {threadId, userId: cid.userId});
      await refused(cid.request('message.send', args), 'THREAD_NOT_MEMBER');
    });

    it('pages back to the start and forward to the end, each message once', async () => {
      const {ann, threadId} = await pair();
      const sent = [];
      for (let i = 0; i < 23; ++i) sent.push((await say(ann, threadId, `n${i}`)).messageId);
      for (const [direction, start, want] of [['before', undefined, [...sent].reverse()],
                                              ['after', sent[0], sent.slice(1)]]) {
        const found = [];
        let at = start;
        do {
          const page = await list(ann, threadId, {[direction]: at, limit: 5});
          found.push(...page.messages.map((m) => m.messageId));
          at = page.cursor;
        } while (at !== null);
        assert.deepEqual(found, want, direction);
      }
      const middle = await list(ann, threadId, {before: sent[10], limit: 3});
      assert.deepEqual(middle.messages.map((m) => m.messageId), [sent[9], sent[8], sent[7]]);
      await refused(list(ann, threadId, {before: sent[3], after: sent[1]}), 'BAD_REQUEST');
    });

    it('pages forward without gap or repeat while messages arrive', async () => {
      const {ann, bob, threadId} = await pair();
      const first = await say(ann, threadId, 'n0');
      for (let i = 1; i < 20; ++i) await say(ann, threadId, `n${i}`);
      const found = [];
      let after = first.messageId;
      for (let page, i = 0; after !== null; after = page.cursor, ++i) {
        if (i < 10) await say(bob, threadId, `late${i}`);
        page = await list(ann, threadId, {after, limit: 4});
        found.push(...page.messages.map((m) => m.msgNo));
      }
      assert.deepEqual(found, found.map((_, i) => i + 2));
      assert.ok(found.length >= 19);
    });

    it('binds cursors to caller and query, and refuses invalid ones', async () => {
      const {ann, bob, threadId} = await pair();
      const other = (await createThread(ann, bob.userId)).thread.threadId;
      for (let i = 0; i < 4; ++i) await say(ann, threadId, `n${i}`);
      await say(ann, other, 'n');
      const {cursor} = await list(ann, threadId, {limit: 2});
      assert.equal(typeof cursor, 'string');
      assert.equal((await list(ann, threadId, {before: cursor, limit: 1})).messages.length, 1, 'limit aside');
      const middle = Math.floor(cursor.length / 2);
      const forged = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
      await refused(list(bob, threadId, {before: cursor}), 'BAD_REQUEST', 'another caller');
      await refused(list(ann, other, {before: cursor}), 'BAD_REQUEST', 'another thread');
      await refused(list(ann, threadId, {after: cursor}), 'BAD_REQUEST', 'the other direction');
      await refused(list(ann, threadId, {before: forged}), 'BAD_REQUEST', 'a forged one');
      await refused(list(ann, threadId, {before: 'nonsense'}), 'BAD_REQUEST', 'nonsense');
      await refused(ann.request('inbox.list', {cursor}), 'BAD_REQUEST', 'another op');
    });

    it('edits in place: same number, new seq, editedAt set', async () => {
      const {ann, threadId} = await pair();
      const first = await say(ann, threadId, 'tpyo');
      await say(ann, threadId, 'second');
      const {message} = await ann.request('message.edit', {threadId, messageId: first.messageId, body: 'typo <i>fixed</i>'});
      checkMessage(message);
      assert.deepEqual([message.messageId, message.msgNo, message.seq, message.createdAt, message.body],
                       [first.messageId, 1, 6, first.createdAt, 'typo <i>fixed</i>']);
      assert.ok(message.editedAt);
      assert.deepEqual(bodies(await list(ann, threadId)), ['second', 'typo <i>fixed</i>']);
    });

    it('deletes by emptying: the message keeps its place', async () => {
      const {ann, threadId} = await pair();
      const first = await say(ann, threadId, 'regret');
      await say(ann, threadId, 'second');
      const {message} = await ann.request('message.delete', {threadId, messageId: first.messageId});
      checkMessage(message);
      assert.deepEqual([message.msgNo, message.body, message.seq], [1, '', 6]);
      assert.ok(message.deletedAt);
      assert.deepEqual(bodies(await list(ann, threadId)), ['second', '']);
      assert.equal((await ann.request('thread.get', {threadId})).lastSeq, 6);
    });

    it('lets only the author change a message, and staff with a reason', async () => {
      const {ann, bob, threadId} = await pair();
      const {messageId} = await say(ann, threadId, 'mine');
      await refused(bob.request('message.edit', {threadId, messageId, body: 'theirs'}), 'FORBIDDEN');
      await refused(bob.request('message.delete', {threadId, messageId}), 'FORBIDDEN');
      const staff = await on.staff();
      await refused(staff.request('message.delete', {threadId, messageId}), 'BAD_REQUEST');
      const {message} = await staff.request('message.delete', {threadId, messageId, reason: 'policy'});
      assert.equal(message.body, '');
    });

    it('answers NOT_FOUND for a message that is not in the thread', async () => {
      const {ann, bob, threadId} = await pair();
      const other = (await createThread(ann, bob.userId)).thread.threadId;
      const {messageId} = await say(ann, other, 'elsewhere');
      await refused(ann.request('message.edit', {threadId, messageId, body: 'x'}), 'NOT_FOUND');
      await refused(ann.request('message.delete', {threadId, messageId}), 'NOT_FOUND');
      await refused(ann.request('read.mark', {threadId, messageId}), 'NOT_FOUND');
    });
  });
}
