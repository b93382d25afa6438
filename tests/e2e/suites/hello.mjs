// Opening a session: upgrade, subprotocol, hello, tokens (protocol, sections 1, 3, 7).
import assert from 'node:assert/strict';
import http from 'node:http';
import {describe, it} from 'node:test';
import WebSocket from 'ws';
import {Session, UpgradeRefused} from '../lib/client.mjs';
import {eventually, within} from '../lib/deadline.mjs';
import {checkErrorShape, refused} from '../lib/errors.mjs';
import {checkTime} from '../lib/shapes.mjs';
import {withServer} from '../lib/suite.mjs';
import {fresh} from '../lib/world.mjs';

/** Upgrades by hand with these headers; → the HTTP status (101 if accepted). */
function upgrade(server, headers) {
  return within(new Promise((resolve, reject) => {
    const request = http.request(`${server.http}/v1/ws`, {agent: false, headers: {
      connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers}});
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  }), 'an answer to the upgrade');
}

export function helloSuite(encoding) {
  describe(`session.hello over ${encoding}`, () => {
    const on = withServer({encoding});

    async function closedAs(session, code) {
      const {code: got} = await within(session.closed, `the close with ${code}`, {context: () => session.tail()});
      assert.equal(got, code, session.tail());
    }

    it('answers with the session, the limits and the timers of the server', async () => {
      const ann = fresh('ann');
      const {hello} = await on.as(ann);
      assert.equal(hello.userId, ann);
      assert.equal(hello.tenantId, 'demo');
      assert.equal(hello.role, 'member');
      assert.ok(hello.sessionId && hello.epoch && typeof hello.epoch === 'string');
      checkTime(hello.serverTime);
      assert.equal(hello.heartbeatMs, 25_000);
      assert.ok(hello.presenceTtlMs > 0 && hello.typingTtlMs > 0);
      assert.deepEqual(hello.resumed, {});
      const {maxFrameBytes, maxBodyBytes, maxInFlight, outboxBytes, editWindowMs} = hello.limits;
      assert.deepEqual({maxFrameBytes, maxBodyBytes, maxInFlight, outboxBytes, editWindowMs},
                       {maxFrameBytes: 262144, maxBodyBytes: 8192, maxInFlight: 256, outboxBytes: 4194304,
                        editWindowMs: 900_000});
    });

    it('gives every session a unique id and all the same epoch', async () => {
      const [one, two] = [await on.as(fresh('ann')), await on.as(fresh('ann'))];
      assert.notEqual(one.hello.sessionId, two.hello.sessionId);
      assert.equal(one.hello.epoch, two.hello.epoch);
    });

    it('returns the role of the token', async () => {
      for (const role of ['admin', 'support', 'moderator', 'bot']) {
        assert.equal((await on.as(fresh('r'), {role})).hello.role, role);
      }
    });

    it('refuses anything else as the first request, once, and closes with 4401', async () => {
      const session = await on.open();
      session.lenient = true;
      session.sendTogether([{id: 1, op: 'session.ping', args: {}}, {id: 2, op: 'session.ping', args: {}}]);
      await closedAs(session, 4401);
      assert.deepEqual(session.frames.map((f) => [f.id, f.error?.code]), [[1, 'UNAUTHENTICATED']]);
      checkErrorShape(session.frames[0].error);
    });

    it('refuses a hello without a token, with a garbled one and with an unsigned one', async () => {
      const good = await on.token(fresh('ann'));
      const [, payload, signature] = good.split('.');
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      const flipped = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1);
      for (const token of [undefined, 'x', 'a.b.c', `${none}.${payload}.`, `${none}.${payload}.${signature}`,
                           `${good.slice(0, good.lastIndexOf('.'))}.${flipped}`]) {
        const session = await on.open();
        await refused(session.request('session.hello', {token}), 'UNAUTHENTICATED', `token ${token}`);
        await closedAs(session, 4401);
      }
    });

    it('refuses an expired token with AUTH_EXPIRED', async () => {
      const token = await on.token(fresh('ann'), {ttlSeconds: 1});
      const error = await eventually(async () => {
        const session = await on.open();
        try {
          await session.request('session.hello', {token});
        } catch (thrown) {
          await closedAs(session, 4401);
          return thrown;
        } finally {
          await session.drop();
        }
        return null;
      }, 'the expiry of a token of one second', {everyMs: 200});
      assert.equal(error.code, 'AUTH_EXPIRED');
    });

    it('refuses malformed hello args with BAD_REQUEST and closes with 4401', async () => {
      const token = await on.token(fresh('ann'));
      const resume = {epoch: 'e', threads: Object.fromEntries(Array.from({length: 501}, (_, i) => [`thrd_${i}`, 0]))};
      for (const args of [{token: 7}, {token, nonsense: 1}, {token, deliver: 'some'}, {token, resume: 3},
                          {token, resume}, {token, resume: {epoch: 'e', threads: {x: -1}}},
                          {token, resume: {epoch: 'e', threads: {x: 'y'}}}]) {
        const session = await on.open();
        await refused(session.request('session.hello', args), 'BAD_REQUEST', JSON.stringify(args).slice(0, 100));
        await closedAs(session, 4401);
      }
    });

    it('refuses a second hello and continues', async () => {
      const ann = await on.as(fresh('ann'));
      await refused(ann.request('session.hello', {token: await on.token(fresh('bob'))}), 'BAD_REQUEST');
      checkTime((await ann.request('session.ping')).serverTime);
    });

    it('lets frames after the hello wait for it', async () => {
      const session = await on.open();
      session.lenient = true;
      const token = await on.token(fresh('ann'));
      session.sendTogether([{id: 1, op: 'session.hello', args: {token}}]);
      const replies = [2, 3].map((id) => session.reply(id, {id, op: 'session.ping', args: {}}));
      await within(Promise.all(replies), 'the pings behind the hello');
      assert.equal(session.frames[0].id, 1);
    });

    it('accepts the token of the Authorization header, and prefers the one in args', async () => {
      const [ann, bob] = [fresh('ann'), fresh('bob')];
      const headers = {authorization: `Bearer ${await on.token(ann)}`};
      const first = await on.open({headers});
      assert.equal((await first.request('session.hello')).userId, ann);
      const second = await on.open({headers});
      assert.equal((await second.request('session.hello', {token: await on.token(bob)})).userId, bob);
    });

    it('refuses the upgrade with 401 when the Authorization header is bad', async () => {
      for (const authorization of ['Bearer nonsense', 'Basic eDp5', 'Bearer']) {
        await assert.rejects(on.open({headers: {authorization}}), new UpgradeRefused(401), authorization);
      }
    });

    it('refreshes the token of a live session, and refuses a bad one or another user\'s', async () => {
      const ann = await on.as(fresh('ann'));
      const {expiresAt} = await ann.request('session.refresh', {token: await on.token(ann.userId, {ttlSeconds: 900})});
      checkTime(expiresAt);
      const left = Date.parse(expiresAt) - Date.now();
      assert.ok(left > 600_000 && left <= 901_000, `expires in ${left} ms`);
      await refused(ann.request('session.refresh', {token: 'nonsense'}), 'UNAUTHENTICATED');
      await refused(ann.request('session.refresh', {}), 'BAD_REQUEST');
      await ann.request('session.ping');
    });

    it('sends session.expiring and closes with 4401 when the token expires, unless refreshed', async () => {
      const stays = await on.as(fresh('ann'), {ttlSeconds: 3});
      const goes = await on.as(fresh('bob'), {ttlSeconds: 3});
      await goes.nextEvent('session.expiring');
      await stays.nextEvent('session.expiring');
      await stays.request('session.refresh', {token: await on.token(stays.userId)});
      await closedAs(goes, 4401);
      await stays.request('session.ping');
    });

    it('selects the subprotocol: JSON for none, MessagePack for both, 400 for unknown ones only', async () => {
      const {json, msgpack} = {json: 'parley.v1.json', msgpack: 'parley.v1.msgpack'};
      for (const [offered, taken] of [[[json, msgpack], msgpack], [[msgpack, json], msgpack], [[json], json],
                                      [[msgpack], msgpack], [['parley.v9.xml', json], json], [[], '']]) {
        const session = await on.open({protocols: offered});
        assert.equal(session.socket.protocol, taken, `offered ${offered}`);
      }
      await assert.rejects(on.open({protocols: ['parley.v9.xml', 'chat']}), new UpgradeRefused(400));
      const plain = await on.open({encoding: 'json', protocols: []});
      assert.equal((await plain.request('session.hello', {token: await on.token('usr_plain')})).userId, 'usr_plain');
    });

    it('accepts only version 13 and answers drafts with 426', async () => {
      for (const version of ['8', '7', '0', '14', 'x']) {
        assert.equal(await upgrade(on.server, {'sec-websocket-version': version}), 426, `version ${version}`);
      }
      assert.equal(await upgrade(on.server, {}), 426, 'no version');
      assert.equal(await upgrade(on.server, {'sec-websocket-version': '13'}), 101);
    });

    it('upgrades only at /v1/ws', async () => {
      await assert.rejects(on.open({path: '/elsewhere'}), (error) => error.status >= 400 && error.status < 500);
    });

    it('compresses only if configured', async () => {
      const socket = new WebSocket(on.server.ws, ['parley.v1.json'], {perMessageDeflate: true});
      const session = new Session(socket, {binary: false, encode: JSON.stringify, decode: JSON.parse});
      await within(new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)), 'the socket');
      assert.equal(socket.extensions, '');
      await session.drop();
    });
  });
}
