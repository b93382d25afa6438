// The limits of uploads by HTTP: each to its last byte, with the setting's name and what is left; under concurrency and over kill -9.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import {describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

const kDayMs = 24 * 3600 * 1000;
const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);

describe('Quotas of files', () => {
  const on = withServer({}, {args: ['--executor-threads', '2']});

  /** A tenant with these settings of files, and a user with two conversations. */
  async function world(files) {
    const tenant = await Tenant.of(on.server, 'files', {files});
    const ann = await tenant.user('ann');
    return {tenant, ann, threads: [await newThread(ann), await newThread(ann)]};
  }
  async function newThread(user) {
    const {thread} = await user.op('thread.create', {
      kind: 'project', buyerUserId: user.userId, sellerUserId: fresh('seller'), clientId: fresh('c', 'cl')});
    return thread.threadId;
  }
  const begin = (user, threadId, size) => user.call('POST', '/v1/uploads', {threadId, name: 'a.pdf', mime: 'application/pdf', size});
  async function begun(user, threadId, size) {
    const answer = await begin(user, threadId, size);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }
  async function put(user, threadId, bytes) {
    const {uploadUrl, attachment} = await begun(user, threadId, bytes.length);
    const sent = await call(on.server, 'PUT', uploadUrl, {body: bytes});
    assert.equal(sent.status, 204, sent.text);
    return attachment.attachmentId;
  }
  async function cancel({uploadUrl}) {
    const answer = await call(on.server, 'DELETE', uploadUrl, {headers: {'tus-resumable': '1.0.0'}});
    assert.equal(answer.status, 204, answer.text);
  }
  /** The upload is refused by this limit. */
  async function refused(user, threadId, size, code, limit, left) {
    const {status, json, headers, text} = await begin(user, threadId, size);
    assert.equal(json?.error?.code, code, text);
    assert.deepEqual(json.error.fields, {limit, left: String(left)});
    assert.equal(status, code === 'RATE_LIMITED' ? 429 : 422);
    if (code !== 'RATE_LIMITED') return;
    assert.ok(json.error.retryAfterMs > 0 && json.error.retryAfterMs <= kDayMs, text);
    assert.ok(Number(headers['retry-after']) > 0);
  }
  const kLarge = 'ATTACHMENT_TOO_LARGE';
  const kFast = 'RATE_LIMITED';

  it('end at the largest file, by PATCH of the setting', async () => {
    const {tenant, ann, threads: [thread]} = await world({maxBytes: 1000});
    await begun(ann, thread, 1000);
    await refused(ann, thread, 1001, kLarge, 'maxBytes', 1000);
    const own = `/v1/tenants/${tenant.tenantId}`;
    const {tenant: {version}} = await tenant.key.ok('GET', own);
    await tenant.key.ok('PATCH', own, {version, settings: {files: {maxBytes: 2000}}});
    await begun(ann, thread, 2000);
    const bad = await tenant.key.call('PATCH', own, {version: version + 1, settings: {files: {maxBytes: 0}}});
    assert.deepEqual([bad.status, Object.keys(bad.json.error.fields)], [400, ['settings.files.maxBytes']]);
  });

  it('end at the types that the tenant allows, and all if it allows no files', async () => {
    const {ann, threads: [thread]} = await world({types: ['image/png']});
    const other = await begin(ann, thread, 10);
    assert.deepEqual([other.status, other.json.error.code], [422, 'UNSUPPORTED_TYPE']);
    const {ann: eve, threads: [hers]} = await world({enabled: false});
    const off = await begin(eve, hers, 10);
    assert.deepEqual([off.status, off.json.error.code], [403, 'FORBIDDEN']);
  });

  it('end at the bytes of a conversation, and another has room', async () => {
    const {ann, threads: [one, two]} = await world({perThreadBytes: 1000});
    const first = await begun(ann, one, 600);
    await refused(ann, one, 401, kLarge, 'perThreadBytes', 400);
    await begun(ann, one, 400);
    await refused(ann, one, 1, kLarge, 'perThreadBytes', 0);
    await begun(ann, two, 1000);
    await cancel(first);
    await begun(ann, one, 600);
  });

  it('end at the bytes of a user\'s day, in all conversations together', async () => {
    const {tenant, ann, threads: [one, two]} = await world({perUserPerDayBytes: 1000});
    const first = await begun(ann, one, 600);
    await refused(ann, two, 401, kFast, 'perUserPerDayBytes', 400);
    await begun(ann, two, 400);
    await refused(ann, one, 1, kFast, 'perUserPerDayBytes', 0);
    await cancel(first);
    await begun(ann, two, 600);
    const bob = await tenant.user('bob');
    await begun(bob, await newThread(bob), 1000);
  });

  it('end at the number of a user\'s day, of which cancelled ones are part', async () => {
    const {tenant, ann, threads: [one, two]} = await world({perUserPerDayCount: 3});
    for (const thread of [one, two, one]) await cancel(await begun(ann, thread, 10));
    await refused(ann, one, 10, kFast, 'perUserPerDayCount', 0);
    const bob = await tenant.user('bob');
    await begun(bob, await newThread(bob), 10);
  });

  it('end at a user\'s incomplete uploads, and complete and failed ones make room at once', async () => {
    const {ann, threads: [one, two]} = await world({concurrentPerUser: 2});
    await begun(ann, one, 10);
    const failing = await begun(ann, two, 20);
    await refused(ann, one, 10, kFast, 'concurrentPerUser', 0);
    const wrong = await call(on.server, 'PUT', failing.uploadUrl, {body: Buffer.alloc(20, 'x')});
    assert.equal(wrong.json?.error?.code, 'UNSUPPORTED_TYPE', wrong.text);
    for (let n = 0; n < 5; ++n) await put(ann, n % 2 === 0 ? two : one, pdf(500));
    await begun(ann, two, 10);
    await refused(ann, one, 10, kFast, 'concurrentPerUser', 0);
  });

  it('end at the bytes of the tenant, which files give back when they are removed', async () => {
    const {tenant, ann, threads: [one, two]} = await world({tenantBytes: 1000});
    const attachmentId = await put(ann, one, pdf(600));
    const bob = await tenant.user('bob');
    const his = await newThread(bob);
    await refused(bob, his, 401, kLarge, 'tenantBytes', 400);
    const upload = await begun(bob, his, 400);
    await refused(ann, two, 1, kLarge, 'tenantBytes', 0);
    await cancel(upload);
    const {messageId} = await ann.op('message.send', {threadId: one, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    await ann.op('message.delete', {threadId: one, messageId});
    await on.server.restart();  // the clock's work runs at the start
    await eventually(async () => (await begin(bob, his, 1000)).status === 201, 'the room of the removed file');
    await refused(ann, two, 1, kLarge, 'tenantBytes', 0);
  });

  it('are exact if a user begins many at once', async () => {
    const {ann, threads} = await world({perUserPerDayBytes: 1000, concurrentPerUser: 100});
    const answers = await Promise.all(Array.from({length: 60}, (_, n) => begin(ann, threads[n % 2], 70)));
    assert.equal(answers.filter(({status}) => status === 201).length, 14);
    assert.equal(answers.filter(({json}) => json.error?.code === kFast).length, 46);
    await refused(ann, threads[0], 70, kFast, 'perUserPerDayBytes', 20);
    await begun(ann, threads[1], 20);
  });

  it('are exact after kill -9 in the middle', async () => {
    const {ann, threads} = await world({perUserPerDayCount: 40, concurrentPerUser: 100, tenantBytes: 350});
    const asked = Array.from({length: 30}, (_, n) => begin(ann, threads[n % 2], 10).catch(() => undefined));
    await Promise.race(asked);
    await on.server.restart();
    const known = (await Promise.all(asked)).filter((answer) => answer?.status === 201).length;
    let more = 0;
    for (; (await begin(ann, threads[more % 2], 10)).status === 201; ++more) assert.ok(more < 36);
    assert.ok(known >= 1 && known + more <= 35, `${known} before, ${more} after`);  // the killed server may have begun others
    await refused(ann, threads[0], 10, kLarge, 'tenantBytes', 0);
  });

  it('are counted by their limit', async () => {
    const {text} = await call(on.server, 'GET', '/metrics');
    for (const limit of ['types', 'maxBytes', 'perThreadBytes', 'perUserPerDayCount', 'perUserPerDayBytes', 'tenantBytes', 'concurrentPerUser'])
      assert.match(text, new RegExp(`parley_uploads_refused_total\\{limit="${limit}"\\}`));
  });
});
