// HTTP on the same port: probes, metrics, operations.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import zlib from 'node:zlib';
import {checkErrorShape, refused} from './lib/errors.mjs';
import {bearer, call, httpOp} from './lib/http.mjs';
import {checkSend, checkThread} from './lib/shapes.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

/** A directory with a web client of two files, beside a secret file. */
function webRoot() {
  const root = tempDir('web');
  fs.mkdirSync(path.join(root, 'dist/assets'), {recursive: true});
  fs.writeFileSync(path.join(root, 'dist/index.html'), '<!doctype html><title>Parley</title>');
  fs.writeFileSync(path.join(root, 'dist/assets/app.js'), '1;');
  fs.writeFileSync(path.join(root, 'secret'), 'secret');
  return path.join(root, 'dist');
}

describe('HTTP', () => {
  const on = withServer({}, {args: ['--web', webRoot()]});
  const get = (path, headers) => call(on.server, 'GET', path, {headers});

  it('answers the probes', async () => {
    assert.equal((await get('/healthz')).status, 200);
    assert.equal((await get('/readyz')).status, 200);
  });

  it('shows metrics as Prometheus text', async () => {
    const {status, headers, text} = await get('/metrics');
    assert.equal(status, 200);
    assert.match(headers['content-type'], /^text\/plain/);
    const samples = text.split('\n').filter((line) => line && !line.startsWith('#'));
    assert.ok(samples.length > 5);
    for (const line of samples) assert.match(line, /^[a-zA-Z_:][\w:]*(\{.*\})? [-+\dNIe.]/, line);
    assert.match(text, /^# TYPE parley_\w+ (counter|gauge|histogram)$/m);
    assert.match(text, /lag/, 'the lag of projections is a metric');
  });

  it('refuses other paths and methods', async () => {
    assert.equal((await get('/nowhere')).status, 404);
    assert.ok([404, 405].includes((await get('/v1/ops/inbox.list')).status));
    assert.ok([404, 405].includes((await call(on.server, 'DELETE', '/healthz')).status));
  });

  it('carries out an operation for a user token and answers with the bare ok map', async () => {
    const ann = fresh('ann');
    const token = await on.token(ann);
    const {thread} = await httpOp(on.server, token, 'thread.create', {
      kind: 'project', buyerUserId: ann, sellerUserId: fresh('bob'), clientId: 'http'});
    checkThread(thread);
    const sent = checkSend(await httpOp(on.server, token, 'message.send', {
      threadId: thread.threadId, clientId: 'c', type: 'text', body: 'over HTTP'}));
    const {messages} = await httpOp(on.server, token, 'message.list', {threadId: thread.threadId});
    assert.deepEqual(messages.map((m) => m.messageId), [sent.messageId]);
    assert.equal((await httpOp(on.server, token, 'inbox.list')).entries.length, 1);
  });

  it('answers in JSON and accepts an empty body for empty args', async () => {
    const token = await on.token(fresh('ann'));
    const answer = await call(on.server, 'POST', '/v1/ops/inbox.list', {headers: bearer(token)});
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers['content-type'], /^application\/json/);
    assert.deepEqual(answer.json.entries, []);
  });

  it('pushes writes over HTTP to the sessions', async () => {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    await httpOp(on.server, await on.token(ann.userId), 'message.send', {
      threadId, clientId: 'c', type: 'text', body: 'pushed'});
    assert.equal((await ann.nextEvent('message.created')).item.body, 'pushed');
  });

  it('gives every error its status', async () => {
    const ann = await on.as(fresh('ann'));
    const token = await on.token(ann.userId);
    const {thread: {threadId, version}} = await createThread(ann, fresh('bob'));
    await ann.request('thread.update', {threadId, version, subject: 'x'});
    const {messageId} = await say(ann, threadId, 'm');
    const op = (name, args, headers) => httpOp(on.server, token, name, args, headers);
    await refused(op('message.sing'), 'UNKNOWN_OP');
    await refused(op('message.list', {}), 'BAD_REQUEST');
    await refused(op('message.list', {threadId, limit: 0}), 'BAD_REQUEST');
    await refused(op('message.list', {threadId: `${threadId.slice(0, -4)}zzzz`}), 'THREAD_NOT_MEMBER');
    await refused(op('thread.update', {threadId, version, subject: 'y'}), 'VERSION_CONFLICT');
    await refused(op('thread.setStatus', {threadId, status: 'locked', reason: 'r'}), 'FORBIDDEN');
    await refused(op('participant.remove', {threadId, userId: fresh('none')}), 'NOT_FOUND');
    await op('message.send', {threadId, clientId: 'k', type: 'text', body: 'a'});
    await refused(op('message.send', {threadId, clientId: 'k', type: 'text', body: 'b'}), 'IDEMPOTENCY_CONFLICT');
    await refused(op('message.send', {threadId, clientId: 'l', type: 'text', body: 'x'.repeat(8193)}), 'TOO_LARGE');
    await (await on.staff()).request('thread.setStatus', {threadId, status: 'locked', reason: 'r'});
    await refused(op('message.edit', {threadId, messageId, body: 'b'}), 'THREAD_LOCKED');
  });

  it('answers 401 without a credential, with a bad and with an expired one', async () => {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic eDp5']) {
      const headers = authorization === undefined ? {} : {authorization};
      const {status, json} = await call(on.server, 'POST', '/v1/ops/inbox.list', {body: {}, headers});
      assert.deepEqual([status, json.error.code], [401, 'UNAUTHENTICATED'], String(authorization));
      checkErrorShape(json.error);
    }
  });

  it('refuses operations that need a session', async () => {
    const token = await on.token(fresh('ann'));
    for (const op of ['session.hello', 'session.ping', 'session.refresh', 'thread.open', 'thread.close', 'typing.set']) {
      await refused(httpOp(on.server, token, op, {}), 'BAD_REQUEST', op);
    }
  });

  it('refuses bodies that are not a JSON map within the bounds of depth and size', async () => {
    const token = await on.token(fresh('ann'));
    const post = (body) => call(on.server, 'POST', '/v1/ops/inbox.list', {body, headers: bearer(token)});
    for (const body of ['[]', '"x"', '{', '{"a":1} 2', '{"limit":1,"limit":2}', `${'['.repeat(50_000)}`,
                        `{"a":${'['.repeat(40)}${']'.repeat(40)}}`]) {
      const {status, json} = await post(body);
      assert.deepEqual([status, json?.error?.code], [400, 'BAD_REQUEST'], body.slice(0, 40));
    }
    assert.equal((await get('/healthz')).status, 200);
  });

  it('gives every refusal the format of an error, also for unreadable requests', async () => {
    const token = await on.token(fresh('ann'));
    const post = (headers, body) => call(on.server, 'POST', '/v1/ops/inbox.list', {body, headers: bearer(token, headers)});
    const answers = {
      413: await post({}, JSON.stringify({pad: 'x'.repeat(300_000)})),
      400: await post({'transfer-encoding': 'chunked'}, '{}').catch((error) => error),  // and a length
      431: await post({'x-large': 'x'.repeat(17_000)}, '{}'),
      426: await call(on.server, 'GET', '/v1/ws', {headers: {
        'connection': 'Upgrade', 'upgrade': 'websocket', 'sec-websocket-version': '8', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='}}),
    };
    for (const [status, answer] of Object.entries(answers)) {
      assert.equal(answer.status, Number(status), `${status}: ${answer.text ?? answer}`);
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(answer.json.error.code, status === '413' ? 'TOO_LARGE' : 'BAD_REQUEST');
      checkErrorShape(answer.json.error);
    }
    assert.equal(answers[426].headers['sec-websocket-version'], '13');
    for (const answer of [...Object.values(answers), await get('/healthz'), await get('/metrics'), await get('/'), await get('/nowhere'),
                          await call(on.server, 'POST', '/v1/dynamodb', {body: {}})]) {
      assert.ok(Math.abs(Date.parse(answer.headers.date) - Date.now()) < 60_000, answer.headers.date);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    }
  });

  it('reads JSON bodies, compressed or not, and no others', async () => {
    const headers = (more) => bearer(token, more);
    const token = await on.token(fresh('ann'));
    const post = (more, body) => call(on.server, 'POST', '/v1/ops/inbox.list', {body, headers: headers(more)});
    assert.equal((await post({'content-type': 'application/json; charset=utf-8'}, '{"limit":1}')).status, 200);
    assert.equal((await post({'content-encoding': 'gzip'}, zlib.gzipSync('{"limit":1}'))).status, 200);
    for (const more of [{'content-type': 'text/plain'}, {'content-type': 'application/xml'}, {'content-encoding': 'br'}]) {
      const {status, json} = await post(more, '{"limit":1}');
      assert.deepEqual([status, json.error.code], [415, 'BAD_REQUEST'], JSON.stringify(more));
      checkErrorShape(json.error);
    }
    const bomb = await post({'content-encoding': 'gzip'}, zlib.gzipSync(Buffer.alloc(50_000_000, ' ')));
    assert.equal(bomb.status, 413);
  });

  it('lets a service act as a user, and read anything without one', async () => {
    const back = await on.service();
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const {thread: {threadId}} = await back.as(ann)('thread.create', {
      kind: 'project', buyerUserId: ann, sellerUserId: bob, clientId: 'c'});
    await back.as(bob)('message.send', {threadId, clientId: 'c', type: 'text', body: 'as bob'});
    const {messages} = await back.op('message.list', {threadId});
    assert.deepEqual(messages.map((m) => [m.authorUserId, m.body]), [[bob, 'as bob']]);
    await refused(back.op('message.send', {threadId, clientId: 'd', type: 'text', body: 'as nobody'}), 'FORBIDDEN');
    await refused(back.as(fresh('eve'))('message.list', {threadId}), 'THREAD_NOT_MEMBER');
    await refused(back.as('not a user id')('message.list', {threadId}), 'BAD_REQUEST');
  });

  it('refuses a user who acts for another', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const token = await on.token(ann);
    const answer = await httpOp(on.server, token, 'thread.create', {
      kind: 'project', buyerUserId: ann, sellerUserId: bob, clientId: 'x'}, {'parley-user': bob}).catch((e) => e);
    assert.ok(['FORBIDDEN', 'BAD_REQUEST'].includes(answer.code), `Parley-User with a user token: ${answer.code}`);
  });

  it('uses Idempotency-Key as the clientId', async () => {
    const ann = await on.as(fresh('ann'));
    const token = await on.token(ann.userId);
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const args = {threadId, type: 'text', body: 'keyed'};
    const first = await httpOp(on.server, token, 'message.send', args, {'idempotency-key': 'k1'});
    const second = await httpOp(on.server, token, 'message.send', args, {'idempotency-key': 'k1'});
    assert.deepEqual([second.messageId, second.duplicate], [first.messageId, true]);
    const same = await httpOp(on.server, token, 'message.send', {...args, clientId: 'k1'}, {'idempotency-key': 'k1'});
    assert.equal(same.messageId, first.messageId);
    await refused(httpOp(on.server, token, 'message.send', {...args, clientId: 'k2'}, {'idempotency-key': 'k1'}),
                  'BAD_REQUEST');
    assert.equal((await ann.request('message.list', {threadId})).messages[0].clientId, 'k1');
  });

  it('issues demo tokens for any user, and refuses malformed requests for them', async () => {
    const post = (body) => call(on.server, 'POST', '/v1/demo/token', {body});
    for (const body of [{}, {userId: 'has space'}, {userId: 'u', role: 'king'}, {userId: 'u', ttlSeconds: -1}, '[]', '{']) {
      const {status, json} = await post(body);
      assert.deepEqual([status, json?.error?.code], [400, 'BAD_REQUEST'], JSON.stringify(body));
    }
  });

  it('serves the files of the web client and none beside its folder', async () => {
    const {status, headers, text} = await get('/');
    assert.equal(status, 200);
    assert.match(headers['content-type'], /^text\/html/);
    assert.equal(text, '<!doctype html><title>Parley</title>');
    assert.equal((await get('/assets/app.js')).headers['content-type'].split(';')[0], 'text/javascript');
    for (const path of ['/../secret', '/assets/../../secret', '/%2e%2e/secret', '/assets', '/assets/', '//etc/passwd']) {
      assert.equal((await get(path)).status, 404, path);
    }
  });
});
