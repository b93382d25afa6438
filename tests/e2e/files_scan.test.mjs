// Scanning by the real clamd, with signatures of the test's own: found, clean, away and back.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {kParleyd} from './lib/server.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {createThread, fresh} from './lib/world.mjs';

const kMark = 'PARLEY-MALWARE';
// The test string of EICAR, in two parts, so that no scanner finds it in this file.
const kEicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-' + 'ANTIVIRUS-TEST-FILE!$H+H*';
const folder = tempDir();
const socket = path.join(folder, 'clamd.sock');

/** clamd with one signature for the mark and one for EICAR's string, both of this test. */
class Clamd {
  async start() {
    fs.mkdirSync(path.join(folder, 'db'), {recursive: true});
    const hex = (text) => Buffer.from(text, 'latin1').toString('hex');
    fs.writeFileSync(path.join(folder, 'db/test.ndb'), `Parley.Mark:0:*:${hex(kMark)}\nParley.Eicar:0:*:${hex(kEicar)}\n`);
    fs.writeFileSync(path.join(folder, 'clamd.conf'), [
      `LocalSocket ${socket}`, `DatabaseDirectory ${path.join(folder, 'db')}`, 'Foreground yes', 'StreamMaxLength 1M', ''].join('\n'));
    this.child = spawn('clamd', ['-c', path.join(folder, 'clamd.conf')], {stdio: 'ignore'});
    await eventually(() => fs.existsSync(socket), 'the socket of clamd');
  }
  async stop() {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
    fs.rmSync(socket, {force: true});
  }
}

describe('Files that clamd scans', () => {
  const clamd = new Clamd();
  before(() => clamd.start());
  after(() => clamd.stop());
  const on = withServer({}, {args: ['--files-scan', `clamd:${socket}`]});

  async function world() {
    const ann = await on.as(fresh('ann'));
    const bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    return {ann, bob, threadId: thread.threadId, annToken: await on.token(ann.userId), bobToken: await on.token(bob.userId)};
  }

  async function put(token, threadId, bytes) {
    const begun = await call(on.server, 'POST', '/v1/uploads', {
      body: {threadId, name: 'a.txt', mime: 'text/plain', size: bytes.length}, headers: bearer(token)});
    assert.equal(begun.status, 201, begun.text);
    assert.equal((await call(on.server, 'PUT', begun.json.uploadUrl, {body: bytes})).status, 204);
    return begun.json.attachment.attachmentId;
  }
  const stateOf = async (token, attachmentId) =>
    (await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)})).json.attachment.state;
  const reach = (token, id, state) => eventually(async () => (await stateOf(token, id)) === state, `state ${state} of ${id}`);
  const send = ({ann, threadId}, attachmentId) => ann.request('message.send', {
    threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
  const text = (mark = '') => Buffer.from(`${crypto.randomBytes(400).toString('hex')}${mark}`);

  it('are ready if it finds nothing', async () => {
    const {annToken, threadId} = await world();
    await reach(annToken, await put(annToken, threadId, text()), 'ready');
  });

  for (const [name, bytes] of [['a signature', text(kMark)], ["EICAR's string", Buffer.from(kEicar)], ['too many bytes', text('x'.repeat(1_200_000))]]) {
    it(`are in quarantine if it finds ${name}`, async () => {
      const {annToken, threadId} = await world();
      const id = await put(annToken, threadId, bytes);
      await reach(annToken, id, 'quarantined');
      const fetched = await call(on.server, 'GET', `/v1/files/${id}`, {headers: bearer(annToken)});
      assert.deepEqual([fetched.status, fetched.json.error.code], [422, 'UPLOAD_QUARANTINED']);
      const key = await on.token('svc_backend', {role: 'service'});
      const verdict = await call(on.server, 'POST', `/v1/uploads/${id}/verdict`, {body: {state: 'ready'}, headers: bearer(key)});
      assert.equal(verdict.json.error?.code, 'FORBIDDEN', 'a back end does not overrule the scanner');
    });
  }

  it('are pending while it is away, and ready once it is back', async () => {
    const people = await world();
    await clamd.stop();
    const id = await put(people.annToken, people.threadId, text());
    await send(people, id);
    const shown = async () => (await people.bob.request('message.list', {threadId: people.threadId, limit: 1})).messages[0].attachments[0].state;
    assert.equal(await shown(), 'scanning');
    assert.equal((await call(on.server, 'GET', `/v1/files/${id}`, {headers: bearer(people.bobToken)})).status, 422);
    await clamd.start();
    await eventually(async () => (await shown()) === 'ready', 'the members to see the file as ready');
    assert.equal((await call(on.server, 'GET', `/v1/files/${id}`, {headers: bearer(people.bobToken)})).status, 302);
  });
});

describe('A file that the scanner fails to scan although it answers', () => {
  const at = path.join(tempDir(), 'odd.sock');
  let asked = 0;
  const odd = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      if (data.toString('latin1').startsWith('zPING')) return socket.end('PONG\0');
      asked += 1;
      socket.end('stream: Time limit reached ERROR\0');
    });
  });
  before(() => new Promise((resolve) => odd.listen(at, resolve)));
  after(() => odd.close());
  const on = withServer({}, {args: ['--files-scan', `clamd:${at}`]});

  it('goes into quarantine after five attempts, unscanned', async () => {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const token = await on.token(ann.userId);
    const {json} = await call(on.server, 'POST', '/v1/uploads', {
      body: {threadId, name: 'a.txt', mime: 'text/plain', size: 5}, headers: bearer(token)});
    await call(on.server, 'PUT', json.uploadUrl, {body: Buffer.from('12345')});
    const {attachmentId} = json.attachment;
    const stateOf = async () => (await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)})).json.attachment.state;
    await eventually(async () => (await stateOf()) === 'quarantined', 'quarantine');
    assert.equal(asked, 5);
    const {text} = await call(on.server, 'GET', '/metrics');
    assert.match(text, /parley_file_scans_total\{result="given_up"\} 1/);
    const sue = await on.staff();
    const {attachment} = await sue.request('moderation.file', {attachmentId, state: 'ready', reason: 'try again'});
    assert.equal(attachment.state, 'scanning', 'nobody passes it unscanned');
  });
});

describe('Files that wait for a verdict of the back end', () => {
  const on = withServer({}, {args: ['--files-scan', 'service', '--files-media', 'none']});
  const png = fs.readFileSync(new URL('../features/files/images/alpha.png', import.meta.url));

  /** Uploads the image; returns its id, and a function that reads it. */
  async function upload() {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const token = await on.token(ann.userId);
    const {json} = await call(on.server, 'POST', '/v1/uploads', {
      body: {threadId, name: 'a.png', mime: 'image/png', size: png.length}, headers: bearer(token)});
    assert.equal((await call(on.server, 'PUT', json.uploadUrl, {body: png})).status, 204);
    const {attachmentId} = json.attachment;
    const shown = async () => (await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)})).json.attachment;
    return {attachmentId, shown};
  }

  it('get their variants after a restart', async () => {
    const {shown} = await upload();
    assert.equal((await shown()).variants?.length ?? 0, 0);
    on.server.options.args = ['--files-scan', 'service'];
    await on.server.terminate();
    await on.server.restart();
    await eventually(async () => (await shown()).variants?.length > 0, 'the variants');
    assert.equal((await shown()).state, 'scanning');
  });

  it('get them even if the verdict comes first', async () => {
    const gate = path.join(tempDir(), 'gate'), slow = path.join(tempDir(), 'slow-media');
    execFileSync('mkfifo', [gate]);
    const opener = fs.openSync(gate, fs.constants.O_RDWR);
    const real = path.join(path.dirname(kParleyd), 'parley-media');
    fs.writeFileSync(slow, `#!/bin/sh\nread _ < ${gate}\nexec ${real}\n`, {mode: 0o755});
    on.server.options.args = ['--files-scan', 'service', '--files-media', slow];
    await on.server.terminate();
    await on.server.restart();
    const {attachmentId, shown} = await upload();
    const key = await on.token('svc_backend', {role: 'service'});
    const verdict = await call(on.server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body: {state: 'ready'}, headers: bearer(key)});
    assert.equal(verdict.status, 200, verdict.text);
    assert.equal((await shown()).state, 'ready');
    fs.writeSync(opener, '\n\n\n\n');  // a line for each helper that starts
    await eventually(async () => (await shown()).variants?.length > 0, 'the variants');
    assert.equal((await shown()).state, 'ready');
    fs.closeSync(opener);
  });
});
