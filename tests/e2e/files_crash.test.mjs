// kill -9 under uploads: every byte that an offset acknowledged is there, tus-js-client goes on from it, and every file ends as the
// bytes that were sent, `ready` and shown by one message, however far its work had come.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {deferred, eventually, within} from './lib/deadline.mjs';
import {OpError} from './lib/errors.mjs';
import {bearer, call, httpOp} from './lib/http.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {rounds} from './lib/rounds.mjs';
import {withServer} from './lib/suite.mjs';
import {TusUpload, kPdf, kPng, pdf, png, sha256} from './lib/uploads.mjs';
import {verify} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

const kRounds = rounds('E2E_FILE_CRASHES', {daily: 2, nightly: 12});
const kKillsInRound = 4;
const kPatienceMs = 120_000;
const random = new Random(randomSeed());

describe('Uploads over kill -9', () => {
  const on = withServer();
  let up = Promise.resolve();

  /** A user with a thread of its own. */
  async function person() {
    const userId = fresh('ann');
    const token = await on.token(userId);
    const {thread} = await httpOp(on.server, token, 'thread.create', {
      kind: 'project', buyerUserId: userId, sellerUserId: fresh('bob'), clientId: fresh('c', 'cl')});
    return {userId, token, threadId: thread.threadId};
  }

  /** Kills the server, verifies what it left, and starts it. */
  async function crash() {
    const back = deferred();
    up = back.promise;
    await on.server.kill9();
    await verify(on.server.dir, {files: true});
    await on.server.launch();
    back.resolve();
  }

  /** Calls `step` until the server answers it. */
  async function insist(step) {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (error instanceof OpError) throw error;
        await up;
      }
    }
  }

  async function fileOf({token}, attachmentId) {
    const {json} = await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)});
    return json.attachment;
  }
  const ready = (who, attachmentId) => eventually(async () => {
    const file = await fileOf(who, attachmentId);
    assert.equal(file.state, 'ready');
    return file;
  }, `${attachmentId} to be ready`);

  async function bytesOf({token}, attachmentId) {
    const link = await call(on.server, 'GET', `/v1/files/${attachmentId}?link=1`, {headers: bearer(token)});
    assert.equal(link.status, 200, link.text);
    const answer = await within(fetch(on.server.http + link.json.url), `GET ${link.json.url}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Crashes the server `kills` times, each time that `due` says so when it is asked, and not while it is away. */
  function killer(kills, due) {
    let left = kills, dead = Promise.resolve(), busy = false;
    const ask = () => {
      if (busy || left === 0 || !due()) return;
      busy = true;
      left -= 1;
      dead = crash().finally(() => busy = false);
    };
    return {ask, over: () => dead};
  }

  it(`go on from their offsets in ${kRounds * kKillsInRound} kills at random bytes`, async () => {
    let resumed = 0;
    for (let round = 0; round < kRounds; ++round) {
      const who = await person();
      const uploads = Array.from({length: 4}, () => new TusUpload(
        on.server, who.token, who.threadId, pdf(random.int(100_000, 6_000_000)),
        {chunkSize: random.pick([Infinity, 64 << 10, 777_777])}));
      const total = uploads.reduce((sum, {bytes}) => sum + bytes.length, 0);
      const goals = Array.from({length: kKillsInRound}, () => random.int(1, total)).sort((a, b) => a - b);
      const kills = killer(kKillsInRound, () => (
        uploads.reduce((sum, one) => sum + one.sent, 0) >= goals[0] && goals.shift() !== undefined));
      for (const one of uploads) one.onBytes = kills.ask;
      const ids = await within(Promise.all(uploads.map((one) => one.run())), 'the uploads', {ms: kPatienceMs});
      await kills.over();
      for (const [n, {bytes, faults}] of uploads.entries()) {
        assert.deepEqual(faults, []);
        await ready(who, ids[n]);
        assert.equal(sha256(await bytesOf(who, ids[n])), sha256(bytes));
      }
      resumed += uploads.filter((one) => one.resumed.some((offset) => offset > 0 && offset < one.bytes.length)).length;
    }
    console.log(`# ${resumed} uploads went on from the middle`);
    assert.ok(resumed >= kRounds);
  });

  /** The way of one image into a message; `onAnswer` is called after each answer of the server. */
  async function send(who, onAnswer) {
    const upload = new TusUpload(on.server, who.token, who.threadId, png(500, 300), {mime: kPng, onAnswer});
    const attachmentId = await upload.run();
    assert.deepEqual(upload.faults, []);
    const args = {threadId: who.threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]};
    const {messageId} = await insist(() => httpOp(on.server, who.token, 'message.send', args).finally(onAnswer));
    const file = await insist(() => ready(who, attachmentId).finally(onAnswer));
    assert.deepEqual(file.variants.map(({name}) => name).sort(), ['blurred', 'preview', 'thumb']);
    return {who, messageId, file, bytes: upload.bytes};
  }

  it(`end ready, with variants, in ${kRounds * kKillsInRound} kills between their last byte and their message`, async () => {
    for (let round = 0; round < kRounds; ++round) {
      let until = random.int(1, 40);
      const kills = killer(kKillsInRound, () => {
        if (--until > 0) return false;
        until = random.int(1, 25);
        return true;
      });
      const people = await Promise.all(Array.from({length: 4}, person));
      const sent = await within(Promise.all([...people, ...people].map((who) => send(who, kills.ask))), 'the images', {ms: kPatienceMs});
      await kills.over();
      for (const {who, messageId, file, bytes} of sent) {
        const {messages} = await httpOp(on.server, who.token, 'message.list', {threadId: who.threadId, limit: 50});
        const shown = messages.filter(({attachments}) => attachments.some((one) => one.attachmentId === file.attachmentId));
        assert.deepEqual(shown.map((one) => one.messageId), [messageId]);
        assert.deepEqual(shown[0].attachments, [file]);
        assert.equal(sha256(await bytesOf(who, file.attachmentId)), sha256(bytes));
      }
    }
  });

  it('are finished by the question for their offset if their request ended before they were stored', async () => {
    const who = await person();
    const bytes = pdf(3_000_000);
    const begun = await call(on.server, 'POST', '/v1/uploads', {
      body: {threadId: who.threadId, name: 'a.pdf', mime: kPdf, size: bytes.length}, headers: bearer(who.token)});
    const head = () => call(on.server, 'HEAD', begun.json.uploadUrl, {headers: {'tus-resumable': '1.0.0'}});
    const patch = (offset, body) => call(on.server, 'PATCH', begun.json.uploadUrl, {
      body, headers: {'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset)}});
    assert.equal((await patch(0, bytes.subarray(0, 2_900_000))).status, 204);
    await on.server.kill9();
    // As if it had written the rest and died before it stored the file.
    const staged = path.join(on.server.dir, 'files/.uploads/demo', begun.json.attachment.attachmentId);
    fs.appendFileSync(staged, bytes.subarray(2_900_000));
    await on.server.launch();
    const found = await eventually(async () => {
      const answer = await head();
      assert.notEqual(answer.status, 423);
      return answer;
    }, 'the answer to HEAD');
    assert.deepEqual([found.status, found.headers['upload-offset']], [200, String(bytes.length)]);
    await ready(who, begun.json.attachment.attachmentId);
    assert.equal(sha256(await bytesOf(who, begun.json.attachment.attachmentId)), sha256(bytes));
  });
});
