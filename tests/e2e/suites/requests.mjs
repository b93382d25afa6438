// Rules of all ops: errors, unknown fields, numbers, nulls, requests without id.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {encode} from '@msgpack/msgpack';
import {within} from '../lib/deadline.mjs';
import {refused} from '../lib/errors.mjs';
import {withServer} from '../lib/suite.mjs';
import {createThread, fresh, say} from '../lib/world.mjs';

// Frames in which every number is a float.
const allFloats = {
  json: (frame) => JSON.stringify(frame).replace(/:(\d+)/g, ':$1.0'),
  msgpack: (frame) => encode(frame, {forceIntegerToFloat: true}),
};

export function requestsSuite(encoding) {
  describe(`requests over ${encoding}`, () => {
    const on = withServer({encoding});

    it('answers an unknown op with UNKNOWN_OP, and the session continues', async () => {
      const ann = await on.as(fresh('ann'));
      for (const op of ['message.sing', '', 'Session.Ping', 'session.ping ', 'x'.repeat(5000)]) {
        await refused(ann.request(op), 'UNKNOWN_OP', op.slice(0, 40));
      }
      await ann.request('session.ping');
    });

    it('gives every error a unique correlation id', async () => {
      const ann = await on.as(fresh('ann'));
      const first = await refused(ann.request('message.sing'), 'UNKNOWN_OP');
      const second = await refused(ann.request('message.sing'), 'UNKNOWN_OP');
      assert.notEqual(first.corrId, second.corrId);
    });

    it('refuses an unknown field with BAD_REQUEST and names it, in every op', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const calls = {
        'session.ping': {}, 'thread.get': {threadId}, 'thread.open': {threadId}, 'thread.close': {threadId},
        'thread.changes': {threadId, afterSeq: 0}, 'participant.list': {threadId}, 'inbox.list': {},
        'inbox.explain': {threadId}, 'inbox.set': {threadId, pinned: true}, 'message.list': {threadId},
        'message.send': {threadId, clientId: 'c', type: 'text', body: 'b'}, 'typing.set': {threadId, typing: true},
        'presence.get': {userIds: [ann.userId]}, 'user.get': {userIds: [ann.userId]}, 'participant.mute': {threadId, muted: true},
        'thread.byProject': {legId: 'leg_x'},
      };
      for (const [op, args] of Object.entries(calls)) {
        const error = await refused(ann.request(op, {...args, sparkle: 1}), 'BAD_REQUEST', op);
        assert.ok(error.fields && 'sparkle' in error.fields, `${op} names the field: ${JSON.stringify(error)}`);
      }
    });

    it('refuses an unknown member of the frame itself without any effect', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const send = {op: 'message.send', args: {threadId, clientId: 'c', type: 'text', body: 'b'}};
      const error = await refused(ann.reply(7001, {id: 7001, ...send, sparkle: 1}), 'BAD_REQUEST');
      assert.deepEqual(Object.keys(error.fields), ['sparkle']);
      ann.sendFrame({...send, sparkle: 1});
      await refused(ann.reply(7002, {id: 7002, op: 'session.ping', '': null}), 'BAD_REQUEST');
      assert.deepEqual((await ann.request('message.list', {threadId})).messages, []);

      const stranger = await on.open();
      const token = await on.token(fresh('eve'));
      await refused(stranger.reply(1, {id: 1, op: 'session.hello', args: {token}, token}), 'BAD_REQUEST');
      assert.equal((await within(stranger.closed, 'the close')).code, 4401);
    });

    it('refuses a missing or mistyped field and names it', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const send = {threadId, clientId: 'c', type: 'text', body: 'b'};
      const cases = [
        ['thread.get', {}, 'threadId'], ['thread.get', {threadId: 7}, 'threadId'],
        ['thread.get', {threadId: null}, 'threadId'], ['thread.get', {threadId: [threadId]}, 'threadId'],
        ['message.send', {...send, body: undefined}, 'body'], ['message.send', {...send, body: {}}, 'body'],
        ['message.send', {...send, clientId: undefined}, 'clientId'], ['message.send', {...send, type: 'shout'}, 'type'],
        ['message.send', {...send, type: 'system'}, 'type'], ['message.send', {...send, type: 'action'}, 'type'],
        ['message.send', {...send, clientId: ''}, 'clientId'],
        ['message.send', {...send, clientId: 'x'.repeat(65)}, 'clientId'],
        ['message.send', {...send, clientId: 'caf\u00e9'}, 'clientId'],
        ['message.send', {...send, clientId: 'a\nb'}, 'clientId'],
        ['participant.mute', {threadId, muted: 1}, 'muted'], ['read.mark', {threadId}, 'messageId'],
        ['participant.add', {threadId, userId: 'has space'}, 'userId'],
        ['participant.add', {threadId, userId: 'x'.repeat(65)}, 'userId'],
        ['participant.add', {threadId, userId: ''}, 'userId'],
        ['participant.add', {threadId, userId: fresh('x'), roleContext: 'king'}, 'roleContext'],
        ['participant.add', {threadId, userId: fresh('x'), permission: 'all'}, 'permission'],
        ['inbox.list', {folder: 'nowhere'}, 'folder'], ['inbox.list', {kind: 'talk'}, 'kind'],
        ['typing.set', {threadId}, 'typing'], ['presence.get', {userIds: 'ann'}, 'userIds'],
        ['user.get', {userIds: Array.from({length: 101}, (_, i) => `u${i}`)}, 'userIds'],
        ['thread.create', {kind: 'party', buyerUserId: ann.userId, sellerUserId: 'b'}, 'kind'],
        ['thread.create', {kind: 'inquiry', buyerUserId: ann.userId}, 'sellerUserId'],
        ['thread.changes', {threadId}, 'afterSeq'], ['thread.changes', {threadId, afterSeq: -1}, 'afterSeq'],
      ];
      for (const [op, args, field] of cases) {
        const note = `${op} ${JSON.stringify(args).slice(0, 90)}`;
        const error = await refused(ann.request(op, args), 'BAD_REQUEST', note);
        assert.ok(error.fields && field in error.fields, `${note} names ${field}: ${JSON.stringify(error)}`);
      }
    });

    it('refuses args that are not a map', async () => {
      const ann = await on.as(fresh('ann'));
      for (const args of [[], 'x', 7, true]) {
        const id = ++ann.lastId;
        await refused(ann.reply(id, {id, op: 'session.ping', args}), 'BAD_REQUEST', JSON.stringify(args));
      }
    });

    it('accepts missing args, and null for an absent field', async () => {
      const ann = await on.as(fresh('ann'));
      const id = ++ann.lastId;
      assert.ok((await ann.reply(id, {id, op: 'session.ping'})).serverTime);
      assert.deepEqual((await ann.request('inbox.list', {cursor: null, folder: null, kind: null, limit: null})).entries, []);
    });

    it('keeps limits within 1 and 200', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const ops = [['inbox.list', {}], ['message.list', {threadId}], ['participant.list', {threadId}],
                   ['thread.open', {threadId}], ['thread.changes', {threadId, afterSeq: 0}],
                   ['thread.byProject', {legId: 'leg_x'}]];
      for (const [op, args] of ops) {
        for (const limit of [0, 201, -1, 2 ** 31, 2 ** 53 - 1, '5']) {
          await refused(ann.request(op, {...args, limit}), 'BAD_REQUEST', `${op} limit ${limit}`);
        }
        for (const limit of [1, 200]) await ann.request(op, {...args, limit});
      }
    });

    it('accepts a float of integral value and refuses other numbers', async () => {
      const ann = await on.as(fresh('ann'));
      await within(ann.replyToRaw(90, allFloats[encoding]({id: 90, op: 'inbox.list', args: {limit: 2}}), 'inbox.list'),
                   'the reply to a request of floats');
      for (const limit of [2.5, 1e300]) await refused(ann.request('inbox.list', {limit}), 'BAD_REQUEST', `limit ${limit}`);
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      for (const afterSeq of [2 ** 53, -(2 ** 53), 0.5]) {
        await refused(ann.request('thread.changes', {threadId, afterSeq}), 'BAD_REQUEST', `afterSeq ${afterSeq}`);
      }
      assert.equal((await ann.request('thread.changes', {threadId, afterSeq: 2 ** 53 - 1})).reset, true);
    });

    it('carries out a request without id and does not answer it', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      ann.sendFrame({op: 'message.send', args: {threadId, clientId: 'quiet', type: 'text', body: 'no answer please'}});
      ann.sendFrame({op: 'message.sing', args: {}});
      ann.sendFrame({op: 'thread.get', args: {threadId: 'thrd_none'}});
      await ann.nextEvent((event) => event.ev === 'message.created' && event.item.clientId === 'quiet');
      await ann.request('session.ping');
      // The client throws on an unrequested reply, because lenient is off.
      const replies = ann.frames.filter((frame) => frame.ev === undefined);
      assert.equal(replies.length, ann.lastId, 'one reply per request with an id');
    });

    it('answers each of many pipelined requests exactly once', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const asked = Array.from({length: 1000}, (_, i) => (
        i % 5 === 0 ? say(ann, threadId, `n${i}`) : ann.request(i % 2 ? 'session.ping' : 'thread.get', i % 2 ? {} : {threadId})));
      assert.equal((await Promise.all(asked)).length, 1000);
    });

    it('applies the writes of one session to one thread in the order sent', async () => {
      const ann = await on.as(fresh('ann'));
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const replies = await Promise.all(Array.from({length: 200}, (_, i) => say(ann, threadId, `n${i}`)));
      assert.deepEqual(replies.map(({msgNo}) => msgNo), replies.map((_, i) => i + 1));
    });

    it('gives the same answer for a thread of others and for an unknown thread, in every op', async () => {
      const [ann, eve] = [await on.as(fresh('ann')), await on.as(fresh('eve'))];
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      const {messageId} = await say(ann, threadId, 'private');
      const ops = (t) => ({
        'thread.get': {threadId: t}, 'thread.open': {threadId: t}, 'thread.close': {threadId: t},
        'thread.changes': {threadId: t, afterSeq: 0}, 'thread.update': {threadId: t, version: 1, subject: 's'}, 'participant.list': {threadId: t},
        'participant.add': {threadId: t, userId: eve.userId}, 'participant.remove': {threadId: t, userId: ann.userId},
        'participant.update': {threadId: t, userId: ann.userId, permission: 'read'},
        'participant.mute': {threadId: t, muted: true}, 'inbox.explain': {threadId: t},
        'inbox.set': {threadId: t, pinned: true}, 'read.mark': {threadId: t, messageId},
        'message.send': {threadId: t, clientId: 'c', type: 'text', body: 'b'}, 'message.list': {threadId: t},
        'message.edit': {threadId: t, messageId, body: 'b'}, 'message.delete': {threadId: t, messageId},
        'typing.set': {threadId: t, typing: true},
      });
      const absent = threadId.slice(0, -6) + 'zzzzzz';
      const plain = (error) => ({...error, corrId: ''});
      for (const [op, args] of Object.entries(ops(threadId))) {
        const there = await refused(eve.request(op, args), 'THREAD_NOT_MEMBER', op);
        const none = await refused(eve.request(op, ops(absent)[op]), 'THREAD_NOT_MEMBER', op);
        assert.deepEqual(plain(there), plain(none), op);
      }
    });

    it('reports BAD_REQUEST before checking membership', async () => {
      const [ann, eve] = [await on.as(fresh('ann')), await on.as(fresh('eve'))];
      const {thread: {threadId}} = await createThread(ann, fresh('bob'));
      await refused(eve.request('message.list', {threadId, limit: 0}), 'BAD_REQUEST');
      await refused(eve.request('participant.list', {threadId, cursor: 'nonsense'}), 'BAD_REQUEST');
      await refused(eve.request('message.send', {threadId, clientId: '', type: 'text', body: 'b'}), 'BAD_REQUEST');
    });
  });
}

