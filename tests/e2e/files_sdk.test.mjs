// The packaged SDK as a program uses it: uploads through a network that breaks, and the addresses of files.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {Readable} from 'node:stream';
import {afterEach, describe, it} from 'node:test';
import WebSocket from 'ws';
import {webClient} from './lib/browser.mjs';
import {withCutProxy} from './lib/cut_proxy.mjs';
import {eventually, within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {createThread, fresh} from './lib/world.mjs';

globalThis.crypto ??= crypto.webcrypto; // Node 18 has it only in a module
const {ParleyClient} = await import(path.resolve(webClient(), '../../sdk/dist/index.js'));

const kMiB = 1 << 20;
/** Bytes that begin like a PDF and are otherwise random. */
const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);
const facts = {name: 'Plan für Ann.pdf', mime: 'application/pdf'};

describe('the SDK', () => {
  const on = withServer();
  const proxy = withCutProxy(() => new URL(on.server.http).port);
  const clients = [];
  afterEach(() => clients.splice(0).forEach((client) => client.stop()));

  async function clientOf(userId, more = {}) {
    const client = new ParleyClient({
      url: proxy.ws, userId, getToken: () => on.token(userId), backoff: {baseMs: 20, capMs: 200},
      socketFactory: (url, protocol) => new WebSocket(url, protocol), ...more});
    clients.push(client);
    client.start();
    await eventually(() => client.state.connection === 'connected', 'the client to connect');
    return client;
  }

  async function world(more) {
    const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
    const {thread: {threadId}} = await createThread(ann, bob.userId);
    return {threadId, ann: await clientOf(ann.userId, more), bob: await clientOf(bob.userId), session: bob};
  }

  async function bytesAt(url) {
    const answer = await within(fetch(url), `GET ${url}`);
    assert.equal(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  }

  const stateOf = async (client, attachmentId) =>
    (await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(await on.token(client.state.userId))})).json?.attachment.state;

  it('uploads, sends and fetches a file, though connections are cut on the way', async () => {
    const {ann, bob, threadId, session} = await world();
    const bytes = pdf(4 * kMiB + 77);
    const cuts = proxy.cuts;
    const seen = [];
    const onProgress = ({sent, size}) => {
      assert.equal(size, bytes.length);
      if (proxy.cuts === cuts && sent >= kMiB) proxy.cutAfter(300_000);
      if (proxy.cuts === cuts + 1 && sent >= 3 * kMiB) proxy.cutAfter(10);
      seen.push(sent);
    };
    const {attachmentId} = await within(ann.upload(threadId, new Blob([bytes]), {...facts, onProgress}), 'the upload');
    assert.equal(proxy.cuts, cuts + 2);
    assert.equal(seen.at(-1), bytes.length);
    const {messageId} = await ann.send(threadId, {body: '', attachments: [{attachmentId}]});
    const {messages: [message]} = await session.request('message.list', {threadId, limit: 1});
    assert.equal(message.messageId, messageId);
    assert.deepEqual(message.attachments.map(({name, mime, size}) => ({name, mime, size})), [{...facts, size: bytes.length}]);
    await eventually(async () => (await stateOf(ann, attachmentId)) === 'ready', 'the file to be ready');
    const url = await bob.fileUrl(attachmentId);
    assert.equal(await bob.fileUrl(attachmentId), url, 'a link is asked for once');
    assert.ok((await bytesAt(url)).equals(bytes));
  });

  for (const [kind, contentOf] of [
    ['bytes', (bytes) => new Uint8Array(bytes)],
    ['a stream of the web', (bytes) => new Blob([bytes]).stream()],
    ['a stream of Node', (bytes) => Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)])],
    ['a file on the disk', async (bytes) => {
      const file = path.join(tempDir(), 'a.pdf');
      fs.writeFileSync(file, bytes);
      return fs.openAsBlob === undefined ? fs.createReadStream(file) : fs.openAsBlob(file);
    }],
  ]) {
    it(`uploads ${kind}`, async () => {
      const {ann, threadId} = await world();
      const bytes = pdf(kMiB + 300_000);
      const {attachmentId} = await within(ann.upload(threadId, await contentOf(bytes), {...facts, size: bytes.length}), 'the upload');
      await eventually(async () => (await stateOf(ann, attachmentId)) === 'ready', 'the file to be ready');
      assert.ok((await bytesAt(await ann.fileUrl(attachmentId))).equals(bytes));
    });
  }

  it('goes on after a restart of the program, with the same file', async () => {
    const kept = new Map();
    const uploadStorage = {load: (key) => kept.get(key) ?? null, save: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value))};
    const {ann, threadId} = await world({uploadStorage});
    const bytes = pdf(3 * kMiB);
    const onProgress = ({sent}) => (sent >= kMiB ? ann.stop() : undefined);
    await assert.rejects(ann.upload(threadId, new Blob([bytes]), {...facts, onProgress}), {code: 'STOPPED'});
    const [[, {attachmentId}]] = [...kept];
    const again = await clientOf(ann.state.userId, {uploadStorage});
    const seen = [];
    const attachment = await again.upload(threadId, new Blob([bytes]), {...facts, onProgress: ({sent}) => seen.push(sent)});
    assert.equal(attachment.attachmentId, attachmentId);
    assert.ok(seen[0] >= kMiB, `goes on at ${seen[0]}`);
    assert.equal(kept.size, 0);
  });

  it('cancels an upload on the server, too', async () => {
    const {ann, threadId} = await world();
    const cancel = new AbortController();
    const kept = [];
    const uploadStorage = {load: () => null, save: (_, value) => kept.push(value)};
    const client = await clientOf(ann.state.userId, {uploadStorage});
    const onProgress = ({sent}) => (sent >= kMiB ? cancel.abort() : undefined);
    await assert.rejects(client.upload(threadId, new Blob([pdf(3 * kMiB)]), {...facts, onProgress, signal: cancel.signal}), {code: 'CANCELLED'});
    assert.equal(await stateOf(ann, kept[0].attachmentId), 'cancelled');
  });

  it('reports the refusals of the server by their code and limit', async () => {
    const {ann, threadId} = await world();
    await assert.rejects(ann.upload(threadId, new Blob(['<p>'], {type: 'text/html'})), {code: 'UNSUPPORTED_TYPE'});
    await assert.rejects(ann.upload(threadId, new Blob([pdf(5000)]), {name: 'a.png', mime: 'image/png'}), {code: 'UNSUPPORTED_TYPE'});
    const large = await ann.upload(threadId, new Blob([Buffer.alloc(27_000_000)]), facts).catch((error) => error);
    assert.deepEqual([large.code, large.details.fields.limit], ['ATTACHMENT_TOO_LARGE', 'maxBytes']);
    await assert.rejects(ann.fileUrl('att_01m7yrf2sj68a1mp3h0c8degyz'), {code: 'NOT_FOUND'});
  });
});
