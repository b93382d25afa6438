// Files: uploads by a client that is not ours (tus-js-client) and by plain calls, sent with messages, fetched by links.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import {describe, it} from 'node:test';
import * as tus from 'tus-js-client';
import {eventually, within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {bucketOptions} from './lib/s3.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh} from './lib/world.mjs';

const kPdf = 'application/pdf';
/** Bytes that begin like a PDF and are otherwise random. */
const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);
const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');

/** POST /v1/uploads with JSON. → {status, json, headers} */
function begin(server, token, args) {
  return call(server, 'POST', '/v1/uploads', {body: args, headers: bearer(token, {'tus-resumable': '1.0.0'})});
}

/** Waits until the upload is in the state; asks again and again, because only members of a message get events. */
function reached(server, token, attachmentId, state = 'ready') {
  return eventually(async () => {
    const {json} = await call(server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)});
    assert.equal(json.attachment.state, state);
    return json.attachment;
  });
}

/** Fetches a file by its link, whole or as `headers` say. → {status, headers, bytes} */
async function fetchFile(server, token, attachmentId, {query = '', headers = {}} = {}) {
  const link = await call(server, 'GET', `/v1/files/${attachmentId}?link=1${query}`, {headers: bearer(token)});
  if (link.status !== 200) return {status: link.status, error: link.json?.error};
  const answer = await within(fetch(server.http + link.json.url, {headers}), `GET ${link.json.url}`);
  return {status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()), url: link.json.url};
}

describe('Files', () => {
  const on = withServer({}, bucketOptions());

  /** A project of two, and their tokens. */
  async function world() {
    const ann = await on.as(fresh('ann'));
    const bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    return {ann, bob, threadId: thread.threadId, annToken: await on.token(ann.userId), bobToken: await on.token(bob.userId)};
  }

  async function put(token, threadId, bytes, more = {}) {
    const begun = await begin(on.server, token, {threadId, name: 'plan.pdf', mime: kPdf, size: bytes.length, ...more});
    assert.equal(begun.status, 201, begun.text);
    const sent = await call(on.server, 'PUT', begun.json.uploadUrl, {body: bytes});
    assert.equal(sent.status, 204, sent.text);
    await reached(on.server, token, begun.json.attachment.attachmentId);
    return begun.json.attachment.attachmentId;
  }

  it('are uploaded by tus-js-client, sent, and fetched by the other member', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await world();
    const bytes = pdf(700_000);
    const url = await within(new Promise((resolve, reject) => {
      const upload = new tus.Upload(bytes, {
        endpoint: `${on.server.http}/v1/uploads`,
        chunkSize: 200_000,
        headers: bearer(annToken),
        metadata: {threadId, filename: 'Plan für Ann.pdf', filetype: kPdf},
        onError: reject,
        onSuccess: () => resolve(upload.url),
      });
      upload.start();
    }), 'the upload');
    const attachmentId = url.split('/').at(-2);
    await reached(on.server, annToken, attachmentId);
    await ann.request('message.send', {threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    const [message] = (await bob.request('message.list', {threadId, limit: 1})).messages;
    const [shown] = message.attachments;
    assert.equal(shown.attachmentId, attachmentId);
    assert.equal(shown.name, 'Plan für Ann.pdf');
    assert.equal(shown.sha256, sha256(bytes));
    assert.equal(shown.by, ann.userId);
    const got = await fetchFile(on.server, bobToken, attachmentId);
    assert.equal(got.status, 200);
    assert.ok(got.bytes.equals(bytes));
    assert.equal(got.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(got.headers.get('content-disposition'), "attachment; filename=\"Plan f_r Ann.pdf\"; filename*=UTF-8''Plan%20f%C3%BCr%20Ann.pdf");
  });

  it('go on from their offset, and reject any other', async () => {
    const {annToken, threadId} = await world();
    const bytes = pdf(50_000);
    const {json} = await begin(on.server, annToken, {threadId, name: 'a.pdf', mime: kPdf, size: bytes.length});
    const patch = (offset, body, more = {}) => call(on.server, 'PATCH', json.uploadUrl, {
      body, headers: {'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more}});
    const head = () => call(on.server, 'HEAD', json.uploadUrl, {headers: {'tus-resumable': '1.0.0'}});
    assert.equal((await head()).headers['upload-offset'], '0');
    const first = await patch(0, bytes.subarray(0, 20_000));
    assert.equal(first.status, 204, first.text);
    assert.equal(first.headers['upload-offset'], '20000');
    assert.equal((await patch(0, bytes)).status, 409);
    const bad = await patch(20_000, bytes.subarray(20_000, 30_000), {'upload-checksum': `sha1 ${Buffer.alloc(20).toString('base64')}`});
    assert.equal(bad.status, 460);
    assert.equal((await head()).headers['upload-offset'], '20000');
    const digest = crypto.createHash('sha1').update(bytes.subarray(20_000)).digest('base64');
    const last = await patch(20_000, bytes.subarray(20_000), {'upload-checksum': `sha1 ${digest}`});
    assert.equal(last.status, 204, last.text);
    await reached(on.server, annToken, json.attachment.attachmentId);
  });

  it('are refused before a byte, with the bound that they exceed', async () => {
    const {annToken, threadId} = await world();
    const args = {threadId, name: 'a.pdf', mime: kPdf, size: 1000};
    const large = await begin(on.server, annToken, {...args, size: 30_000_000});
    assert.deepEqual([large.status, large.json.error.code, large.json.error.fields.limit], [422, 'ATTACHMENT_TOO_LARGE', 'maxBytes']);
    const exotic = await begin(on.server, annToken, {...args, mime: 'text/html'});
    assert.deepEqual([exotic.status, exotic.json.error.code], [422, 'UNSUPPORTED_TYPE']);
    const stranger = await begin(on.server, await on.token(fresh('eve')), args);
    assert.deepEqual([stranger.status, stranger.json.error.code], [404, 'THREAD_NOT_MEMBER']);
  });

  it('of another type than declared fail', async () => {
    const {annToken, threadId} = await world();
    const {json} = await begin(on.server, annToken, {threadId, name: 'a.png', mime: 'image/png', size: 5000});
    const sent = await call(on.server, 'PUT', json.uploadUrl, {body: pdf(5000)});
    assert.deepEqual([sent.status, sent.json.error.code], [422, 'UNSUPPORTED_TYPE']);
  });

  it('of others cannot be sent, fetched or seen', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await world();
    const attachmentId = await put(annToken, threadId, pdf(3000));
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 404, 'not sent yet');
    const send = (session, thread = threadId) => session.request('message.send', {
      threadId: thread, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    await assert.rejects(send(bob), {code: 'NOT_FOUND'});
    const {thread: other} = await createThread(ann, bob.userId);
    await assert.rejects(send(ann, other.threadId), {code: 'NOT_FOUND'});
    await send(ann);
    await assert.rejects(send(ann), {code: 'NOT_FOUND'}, 'sent already');
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 200);
    assert.equal((await fetchFile(on.server, await on.token(fresh('eve')), attachmentId)).status, 404);
  });

  it('are served in ranges and by their tag', async () => {
    const {annToken, threadId} = await world();
    const bytes = pdf(300_000);
    const attachmentId = await put(annToken, threadId, bytes);
    const part = await fetchFile(on.server, annToken, attachmentId, {headers: {range: 'bytes=1000-200999'}});
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), 'bytes 1000-200999/300000');
    assert.ok(part.bytes.equals(bytes.subarray(1000, 201_000)));
    const beyond = await fetchFile(on.server, annToken, attachmentId, {headers: {range: 'bytes=300000-'}});
    assert.equal(beyond.status, 416);
    const same = await fetchFile(on.server, annToken, attachmentId, {headers: {'if-none-match': part.headers.get('etag')}});
    assert.equal(same.status, 304);
    const head = await call(on.server, 'HEAD', part.url, {});
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '300000', '']);
  });

  it('are gone with their message', async () => {
    const {ann, threadId, annToken} = await world();
    const attachmentId = await put(annToken, threadId, pdf(3000));
    const {messageId} = await ann.request('message.send', {
      threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    const link = await fetchFile(on.server, annToken, attachmentId);
    assert.equal(link.status, 200);
    await ann.request('message.delete', {threadId, messageId});
    assert.equal((await fetchFile(on.server, annToken, attachmentId)).status, 404);
    assert.equal((await call(on.server, 'GET', link.url, {})).status, 404, 'the link that was made before');
  });

  it('in quarantine are fetched by nobody, and members see them cleared', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await world();
    const attachmentId = await put(annToken, threadId, pdf(3000));
    await ann.request('message.send', {threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    const key = await on.token('svc_backend', {role: 'service'});
    const judge = (body) => call(on.server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body, headers: bearer(key)});
    const held = await judge({state: 'quarantined', reason: 'looks bad'});
    assert.equal(held.status, 200, held.text);
    const stateOf = async () => (await bob.request('message.list', {threadId, limit: 1})).messages[0].attachments[0].state;
    assert.equal(await stateOf(), 'quarantined');
    const refused = await fetchFile(on.server, bobToken, attachmentId);
    assert.deepEqual([refused.status, refused.error.code], [422, 'UPLOAD_QUARANTINED']);
    assert.equal((await judge({state: 'ready', nsfwBand: 0})).status, 200);
    assert.equal(await stateOf(), 'ready');
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 200);
  });

  it('cannot be described by their senders', async () => {
    const {ann, threadId} = await world();
    const send = (more) => ann.request('message.send', {threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', ...more});
    await assert.rejects(send({attachments: [{kind: 'preview', s3Key: 'a/b'}]}), {code: 'BAD_REQUEST'});
    await assert.rejects(send({attachments: [{manifestRef: 'https://a.example/m'}], nsfwBand: 0}), {code: 'BAD_REQUEST'});
    await send({attachments: [{manifestRef: 'https://a.example/m', mime: 'application/json'}]});
  });
});
