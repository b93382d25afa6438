// The bytes of files beside their rows: what no row names is removed, what is missing is found, and a full disk loses nothing.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {after, describe, it} from 'node:test';
import zlib from 'node:zlib';
import {Session} from './lib/client.mjs';
import {eventually, within} from './lib/deadline.mjs';
import {bearer, call, demoToken} from './lib/http.mjs';
import {powercutEnv, startLedger} from './lib/powercut.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {checkStore} from './lib/verify.mjs';
import {createThread, fresh} from './lib/world.mjs';

const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);
const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
const kTus = {'tus-resumable': '1.0.0'};

/** An image of one pixel with a text chunk, which is metadata. */
function pngWithText(size) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(size, 'x')])),
    chunk('IDAT', zlib.deflateSync(Buffer.from([0, 128]))), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; ++i) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('The store of files', () => {
  const roots = [];
  const servers = [];
  after(async () => {
    for (const server of servers) await server.dispose();
    roots.forEach(removeDir);
  });

  /** A server with its rows in `rows` and its files in `files`, one of which can get faults by the shim. */
  async function started({faulty} = {}) {
    const root = tempDir('store');
    roots.push(root);
    const at = (name) => path.join(root, name);
    for (const name of ['rows', 'files']) fs.mkdirSync(at(name));
    let env = {};
    if (faulty) {
      startLedger(at(faulty), at('ledger'));
      env = powercutEnv(at(faulty), at('ledger'), at('faults'));
    }
    const server = await Server.start({dir: at('rows'), args: ['--files-dir', at('files')], env});
    servers.push(server);
    const ann = await Session.as(server, fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    await ann.close();
    return {server, threadId, token: await demoToken(server, ann.userId), files: at('files'),
            fail: (how) => fs.writeFileSync(at('faults'), `${how}\n`), heal: () => fs.rmSync(at('faults'))};
  }

  const begin = async ({server, token, threadId}, size) => {
    const begun = await call(server, 'POST', '/v1/uploads', {
      body: {threadId, name: 'a.pdf', mime: 'application/pdf', size}, headers: bearer(token, kTus)});
    assert.equal(begun.status, 201, begun.text);
    return {url: begun.json.uploadUrl, id: begun.json.attachment.attachmentId};
  };
  const patch = ({server}, {url}, offset, body) => call(server, 'PATCH', url, {
    body, headers: {...kTus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset)}});
  const offsetOf = async ({server}, {url}) => Number((await call(server, 'HEAD', url, {headers: kTus})).headers['upload-offset']);
  const stateOf = async ({server, token}, {id}) =>
    (await call(server, 'GET', `/v1/uploads/${id}`, {headers: bearer(token)})).json.attachment.state;
  const reached = (world, upload, state) => eventually(async () => (await stateOf(world, upload)) === state, state);

  async function put(world, bytes) {
    const upload = await begin(world, bytes.length);
    const sent = await call(world.server, 'PUT', upload.url, {body: bytes});
    assert.equal(sent.status, 204, sent.text);
    await reached(world, upload, 'ready');
    return upload;
  }
  async function fetched({server, token}, {id}) {
    const {json} = await call(server, 'GET', `/v1/files/${id}?link=1`, {headers: bearer(token)});
    const answer = await within(fetch(server.http + json.url), 'the bytes');
    return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : answer.status;
  }
  const stored = (files) => (fs.existsSync(path.join(files, 'demo')) ? fs.readdirSync(path.join(files, 'demo')).sort() : []);

  /** Makes everything two hours older, as if the server had been down. */
  function age(folder) {
    const then = Date.now() / 1000 - 7200;
    for (const entry of fs.readdirSync(folder, {recursive: true, withFileTypes: true}))
      if (entry.isFile()) fs.utimesSync(path.join(entry.path, entry.name), then, then);
  }
  async function metric(server, name) {
    const {text} = await call(server, 'GET', '/metrics');
    return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
  }
  const swept = (server) => eventually(async () => (await metric(server, 'parley_file_swept_last_seconds')) > 0, 'a sweep');

  async function verify(world, ...more) {
    const child = new Child(kParleyctl, ['--data', world.server.dir, 'verify', '--files', '--files-dir', world.files, ...more]);
    return {...await within(child.exited, 'parleyctl verify'), out: child.stdout};
  }

  it('is swept at the start of what no row names, and of nothing else', async () => {
    const world = await started();
    const bytes = pdf(50_000);
    const kept = await put(world, bytes);
    const open = await begin(world, 30_000);
    assert.equal((await patch(world, open, 0, pdf(30_000).subarray(0, 20_000))).status, 204);
    await world.server.kill9();
    const lost = `${'0'.repeat(64)}-thumb`;
    fs.writeFileSync(path.join(world.files, 'demo', lost), 'x');
    fs.writeFileSync(path.join(world.files, '.uploads/demo/att_01h00000000000000000000001'), 'x');
    age(world.files);
    const young = '1'.repeat(64);
    fs.writeFileSync(path.join(world.files, 'demo', young), 'x');
    await world.server.launch();
    await swept(world.server);
    assert.deepEqual(stored(world.files), [young, sha256(bytes)].sort());
    assert.equal(await metric(world.server, 'parley_file_orphans_removed_total{kind="stored"}'), 1);
    assert.equal(await metric(world.server, 'parley_file_orphans_removed_total{kind="staged"}'), 1);
    assert.ok((await fetched(world, kept)).equals(bytes));
    assert.equal(await offsetOf(world, open), 20_000, 'an upload under way keeps its bytes');
    await checkStore(world.server);
  });

  it('keeps nothing for ever of a crash between the bytes and their row', async () => {
    const world = await started({faulty: 'rows'});
    const bytes = pdf(40_000);
    const upload = await begin(world, bytes.length);
    assert.equal((await patch(world, upload, 0, bytes.subarray(0, 10_000))).status, 204);
    world.fail('write ENOSPC');
    assert.equal((await patch(world, upload, 10_000, bytes.subarray(10_000))).status, 503);
    assert.deepEqual(stored(world.files), [sha256(bytes)], 'the bytes were stored, and their row was not');
    await world.server.kill9();
    world.heal();
    age(world.files);
    // The upload is no more, so that nothing stores the bytes again.
    fs.rmSync(path.join(world.files, '.uploads/demo', upload.id));
    await world.server.launch();
    await swept(world.server);
    assert.deepEqual(stored(world.files), []);
    assert.equal(await offsetOf(world, upload), 0);
    assert.equal((await call(world.server, 'PUT', upload.url, {body: bytes})).status, 204);
    await reached(world, upload, 'ready');
    assert.ok((await fetched(world, upload)).equals(bytes));
    await checkStore(world.server);
  });

  it('refuses bytes while its disk is full, keeps those that it acknowledged, and goes on when there is room', async () => {
    const world = await started({faulty: 'files'});
    const bytes = pdf(600_000);
    const upload = await begin(world, bytes.length);
    assert.equal((await patch(world, upload, 0, bytes.subarray(0, 200_000))).status, 204);
    world.fail('write ENOSPC');
    for (const answer of [await patch(world, upload, 200_000, bytes.subarray(200_000)),
                          await call(world.server, 'PUT', (await begin(world, 1000)).url, {body: pdf(1000)})]) {
      assert.deepEqual([answer.status, answer.json.error.code], [503, 'UNAVAILABLE'], answer.text);
      assert.match(answer.json.error.message, /full/);
    }
    world.heal();
    const offset = await offsetOf(world, upload);
    assert.ok(offset >= 200_000, `${offset}`);
    assert.equal((await patch(world, upload, offset, bytes.subarray(offset))).status, 204);
    await reached(world, upload, 'ready');
    assert.ok((await fetched(world, upload)).equals(bytes));
    await checkStore(world.server);
  });

  it('stores a complete upload by itself once there is room', async () => {
    const world = await started({faulty: 'files'});
    // Metadata is removed by way of a copy, which finds no room; the staged bytes have it already.
    const png = pngWithText(80_000);
    const begun = await call(world.server, 'POST', '/v1/uploads', {
      body: {threadId: world.threadId, name: 'a.png', mime: 'image/png', size: png.length}, headers: bearer(world.token, kTus)});
    const upload = {url: begun.json.uploadUrl, id: begun.json.attachment.attachmentId};
    assert.equal((await patch(world, upload, 0, png.subarray(0, png.length - 1))).status, 204);
    // The last byte is on the disk, too, as after a crash.
    fs.appendFileSync(path.join(world.files, '.uploads/demo', upload.id), png.subarray(png.length - 1));
    world.fail('write ENOSPC');
    assert.equal((await patch(world, upload, png.length, Buffer.alloc(0))).status, 503);
    assert.equal(await stateOf(world, upload), 'uploading');
    world.heal();
    await reached(world, upload, 'ready');
    assert.ok((await fetched(world, upload)).length < png.length, 'without the text');
    await checkStore(world.server);
  });

  it('stores a complete upload after a crash before it did', async () => {
    const world = await started();
    const bytes = pdf(40_000);
    const upload = await begin(world, bytes.length);
    assert.equal((await patch(world, upload, 0, bytes.subarray(0, 39_999))).status, 204);
    await world.server.kill9();
    fs.appendFileSync(path.join(world.files, '.uploads/demo', upload.id), bytes.subarray(39_999));
    await world.server.launch();
    assert.equal(await offsetOf(world, upload), 40_000, 'its client takes it for complete');
    await reached(world, upload, 'ready');
    assert.ok((await fetched(world, upload)).equals(bytes));
    await checkStore(world.server);
  });

  it('is compared with the rows by parleyctl verify --files', async () => {
    const world = await started();
    const [one, two] = [pdf(20_000), pdf(30_000)];
    const [first] = [await put(world, one), await put(world, two)];
    fs.writeFileSync(path.join(world.files, 'demo', '2'.repeat(64)), 'x');
    await world.server.terminate();
    const clean = await verify(world, '--hashes');
    assert.equal(clean.code, 0, clean.out);
    assert.match(clean.out, /^2 files, with their variants 2 stored: 0 differences; 1 stored without a row$/m);

    fs.writeFileSync(path.join(world.files, 'demo', sha256(two)), Buffer.alloc(30_000));
    assert.equal((await verify(world)).code, 0, 'bytes are only read with --hashes');
    fs.rmSync(path.join(world.files, 'demo', sha256(one)));
    const missing = await verify(world, '--hashes', '--json');
    assert.equal(missing.code, 1);
    const lines = missing.out.trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(lines.some(({differs}) => differs === `demo: ${first.id}: its stored bytes are missing: ${sha256(one)}`), missing.out);
    assert.ok(lines.some(({differs}) => /its stored bytes have another SHA-256/.test(differs)), missing.out);
    const {files, fileDifferences, filesWithoutRow} = lines.at(-1);
    assert.deepEqual([files, fileDifferences, filesWithoutRow], [2, 2, 1]);
  });
});
