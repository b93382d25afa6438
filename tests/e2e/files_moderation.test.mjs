// What staff decide about files, and what remains of a file after its message.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {bearer, call, httpOp} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh} from './lib/world.mjs';

const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);

/** Ann and Bob in a project, in which Ann sent a file; and functions about it. */
async function world(on, bytes = pdf(3000)) {
  const ann = await on.as(fresh('ann'));
  const bob = await on.as(fresh('bob'));
  const {thread: {threadId}} = await createThread(ann, bob.userId);
  const annToken = await on.token(ann.userId), bobToken = await on.token(bob.userId);
  const begun = await call(on.server, 'POST', '/v1/uploads', {
    body: {threadId, name: 'plan.pdf', mime: 'application/pdf', size: bytes.length}, headers: bearer(annToken)});
  assert.equal(begun.status, 201, begun.text);
  assert.equal((await call(on.server, 'PUT', begun.json.uploadUrl, {body: bytes})).status, 204);
  const {attachmentId} = begun.json.attachment;
  const upload = async () => (await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(annToken)})).json.attachment;
  await eventually(async () => (await upload())?.state === 'ready', 'the file to be ready');
  const {messageId} = await ann.request('message.send', {
    threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
  await bob.nextEvent({ev: 'message.created'});
  const {sha256} = await upload();
  return {
    ann, bob, annToken, bobToken, threadId, attachmentId, messageId,
    link: (token) => call(on.server, 'GET', `/v1/files/${attachmentId}?link=1`, {headers: bearer(token)}),
    blob: path.join(on.server.dir, 'files', 'demo', sha256),
  };
}
const shownTo = async (session, state) => {
  const event = await session.nextEvent((one) => one.ev === 'message.updated' && one.item.attachments?.[0]?.state === state, state);
  return event.item.attachments[0];
};
const updated = async (session, threadId) => (await session.request('message.list', {threadId, limit: 1})).messages[0];

describe('moderation.file', () => {
  const on = withServer();

  it('puts a file into quarantine and releases it, and members see both', async () => {
    const {bob, bobToken, attachmentId, messageId, threadId, link} = await world(on);
    const sue = await on.staff();
    const held = await sue.request('moderation.file', {attachmentId, state: 'quarantined', reason: 'looks bad'});
    assert.equal(held.attachment.state, 'quarantined');
    await shownTo(bob, 'quarantined');
    const refused = await link(bobToken);
    assert.deepEqual([refused.status, refused.json.error.code], [422, 'UPLOAD_QUARANTINED']);
    const staffToken = await on.token(fresh('tom'), {role: 'moderator'});
    assert.equal((await link(staffToken)).json.error.code, 'UPLOAD_QUARANTINED', 'no case lets them in');
    const released = await httpOp(on.server, staffToken, 'moderation.file', {attachmentId, state: 'ready', nsfwBand: 1, reason: 'harmless'});
    assert.deepEqual([released.attachment.state, released.attachment.nsfwBand], ['ready', 1]);
    assert.equal((await shownTo(bob, 'ready')).nsfwBand, 1);
    assert.equal((await link(bobToken)).status, 200);
    const {entries} = await sue.request('moderation.audit', {threadId});
    const acts = entries.filter((entry) => entry.action === 'moderation.file');
    assert.deepEqual(acts.map((act) => act.reason), ['harmless', 'looks bad']);
    assert.equal(acts[1].messageId, messageId);
    assert.match(JSON.stringify(acts[1].after), /quarantined/);
  });

  it('is for staff, about files of others, with a reason', async () => {
    const {ann, bob, attachmentId, annToken} = await world(on);
    const sue = await on.staff();
    const judge = (session, more) => session.request('moderation.file', {attachmentId, state: 'quarantined', reason: 'r', ...more});
    await assert.rejects(judge(bob), {code: 'FORBIDDEN'});
    await assert.rejects(judge(ann), {code: 'FORBIDDEN'});
    await assert.rejects(judge(sue, {reason: ''}), {code: 'BAD_REQUEST'});
    await assert.rejects(judge(sue, {state: 'failed'}), {code: 'BAD_REQUEST'});
    await assert.rejects(judge(sue, {state: undefined}), {code: 'BAD_REQUEST'});
    await assert.rejects(judge(sue, {attachmentId: 'att_01h00000000000000000000000'}), {code: 'NOT_FOUND'});
    await assert.rejects(httpOp(on.server, await on.token(ann.userId, {role: 'moderator'}), 'moderation.file',
      {attachmentId, state: 'quarantined', reason: 'r'}), {code: 'FORBIDDEN'}, 'their own file');
    assert.equal((await call(on.server, 'GET', `/v1/files/${attachmentId}?link=1`, {headers: bearer(annToken)})).status, 200);
  });
});

describe('Equal files', () => {
  const on = withServer();
  const stateOf = async ({bob, threadId}) => (await bob.request('message.list', {threadId, limit: 1})).messages[0].attachments[0]?.state;
  const reach = (people, state) => eventually(async () => (await stateOf(people)) === state, `state ${state}`);
  const hold = async ({attachmentId}, state, reason = 'r') => (await on.staff()).request('moderation.file', {attachmentId, state, reason});

  /** Uploads the bytes once more. → its state */
  async function again({ann, annToken, threadId}, bytes) {
    const begun = await call(on.server, 'POST', '/v1/uploads', {
      body: {threadId, name: 'again.pdf', mime: 'application/pdf', size: bytes.length}, headers: bearer(annToken)});
    assert.equal((await call(on.server, 'PUT', begun.json.uploadUrl, {body: bytes})).status, 204, ann.userId);
    const shown = () => call(on.server, 'GET', `/v1/uploads/${begun.json.attachment.attachmentId}`, {headers: bearer(annToken)});
    return eventually(async () => {
      const {state} = (await shown()).json.attachment;
      return state !== 'scanning' && state !== 'uploading' && state;
    }, 'the end of its work');
  }

  it('go into quarantine together, later ones too, until staff release one', async () => {
    const bytes = pdf(2000);
    const one = await world(on, bytes), two = await world(on, bytes), other = await world(on);
    await hold(one, 'quarantined');
    await shownTo(two.bob, 'quarantined');
    assert.equal((await two.link(two.bobToken)).json.error.code, 'UPLOAD_QUARANTINED');
    assert.equal(await again(one, bytes), 'quarantined');
    assert.equal(await stateOf(other), 'ready');
    await hold(two, 'ready');
    await shownTo(one.bob, 'ready');
    assert.equal(await again(one, bytes), 'ready');
  });

  it('go into quarantine after a crash in between', async () => {
    const bytes = pdf(2000);
    const one = await world(on, bytes);
    const others = [await world(on, bytes), await world(on, bytes), await world(on, bytes)];
    await hold(one, 'quarantined');
    await on.server.restart();
    for (const people of others) {
      const bob = await on.as(people.bob.userId);
      await reach({bob, threadId: people.threadId}, 'quarantined');
    }
  });

  it('of a message that is redacted as illegal go into quarantine', async () => {
    const bytes = pdf(2000);
    const one = await world(on, bytes), two = await world(on, bytes), three = await world(on, pdf(2000));
    const same = await world(on, bytes);
    const sue = await on.staff();
    const {threadId, messageId} = one;
    await sue.request('moderation.message', {threadId, messageId, moderation: 'redacted', reason: 'abuse', illegal: true});
    await shownTo(two.bob, 'quarantined');
    assert.equal(await again(two, bytes), 'quarantined');
    await shownTo(same.bob, 'quarantined');
    const {caseId} = await three.bob.request('message.report', {threadId: three.threadId, messageId: three.messageId, reason: 'abuse'});
    const twin = fs.readFileSync(three.blob);
    const four = await world(on, twin);
    await sue.request('moderation.decide', {caseId, decision: 'approve', notes: 'n', actions: [{action: 'redact', illegal: true}]});
    await shownTo(four.bob, 'quarantined');
  });
});

describe('Bytes of a message', () => {
  const on = withServer();

  for (const [name, remove] of [
    ['deleted', ({ann, threadId, messageId}) => ann.request('message.delete', {threadId, messageId})],
    ['redacted', async ({threadId, messageId}) =>
      (await on.staff()).request('moderation.message', {threadId, messageId, moderation: 'redacted', reason: 'r'})],
  ]) {
    it(`that is ${name} are gone at once`, async () => {
      const people = await world(on);
      const link = await people.link(people.bobToken);
      assert.ok(fs.existsSync(people.blob));
      await remove(people);
      assert.equal((await call(on.server, 'GET', link.json.url)).status, 404);
      assert.equal((await people.link(people.bobToken)).status, 404);
      await eventually(() => !fs.existsSync(people.blob), 'the bytes to be removed');
    });
  }

  it('stay while an equal file is shown elsewhere', async () => {
    const bytes = pdf(2000);
    const one = await world(on, bytes), two = await world(on, bytes);
    assert.equal(one.blob, two.blob);
    await one.ann.request('message.delete', {threadId: one.threadId, messageId: one.messageId});
    assert.equal((await one.link(one.bobToken)).status, 404);
    const {url} = (await two.link(two.bobToken)).json;
    assert.equal((await call(on.server, 'GET', url)).status, 200);
    await two.ann.request('message.delete', {threadId: two.threadId, messageId: two.messageId});
    await eventually(() => !fs.existsSync(two.blob), 'the bytes to be removed');
  });

  it('stay while a case about the thread is open', async () => {
    const people = await world(on);
    const {threadId, messageId} = people;
    await people.bob.request('thread.report', {threadId, reason: 'spam'});
    await people.ann.request('message.delete', {threadId, messageId});
    const other = await world(on);
    await other.ann.request('message.delete', {threadId: other.threadId, messageId: other.messageId});
    await eventually(() => !fs.existsSync(other.blob), 'the bytes of the other message to be removed');
    assert.ok(fs.existsSync(people.blob));
  });

  for (const [decision, more] of [['reject', {}], ['approve', {actions: [{action: 'redact'}]}]]) {
    it(`that was reported stay until the case is decided: ${decision}`, async () => {
      const people = await world(on);
      const {threadId, messageId} = people;
      const {caseId} = await people.bob.request('message.report', {threadId, messageId, reason: 'spam'});
      await people.ann.request('message.delete', {threadId, messageId});
      assert.equal((await people.link(people.bobToken)).status, 404);
      const other = await world(on);  // its bytes go in a later round of the clock
      await other.ann.request('message.delete', {threadId: other.threadId, messageId: other.messageId});
      await eventually(() => !fs.existsSync(other.blob), 'the bytes of the other message to be removed');
      assert.ok(fs.existsSync(people.blob));
      const sue = await on.staff();
      assert.equal((await updated(sue, threadId)).attachments.length, 0);
      await sue.request('moderation.decide', {caseId, decision, notes: 'n', ...more});
      await eventually(() => !fs.existsSync(people.blob), 'the bytes to be removed');
    });
  }
});

describe('A file in quarantine', () => {
  const on = withServer({}, {args: ['--staff-access', 'cases']});

  it('is fetched by staff bound to its case, who are recorded, until the case ends', async () => {
    const bytes = pdf(3000);
    const {bob, threadId, attachmentId, messageId, link} = await world(on, bytes);
    const key = await on.token('svc_backend', {role: 'service'});
    const verdict = await call(on.server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body: {state: 'quarantined'}, headers: bearer(key)});
    assert.equal(verdict.status, 200, verdict.text);
    const name = fresh('sue');
    const sue = await on.as(name, {role: 'moderator'});
    const token = await on.token(name, {role: 'moderator'});
    assert.equal((await link(token)).status, 404, 'no case lets them in');
    await assert.rejects(sue.request('moderation.file', {attachmentId, state: 'ready', reason: 'r'}), {code: 'NOT_FOUND'});
    const {caseId} = await bob.request('message.report', {threadId, messageId, reason: 'spam'});
    await sue.request('moderation.case', {caseId});
    const {url} = (await link(token)).json;
    const got = await fetch(on.server.http + url);
    assert.equal(got.status, 200);
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(bytes));
    const {entries} = await sue.request('moderation.audit', {threadId});
    assert.ok(entries.some((entry) => JSON.stringify(entry).includes('files.getQuarantined')), JSON.stringify(entries));
    await sue.request('moderation.decide', {caseId, decision: 'reject', notes: 'n'});
    const later = await call(on.server, 'GET', url);
    assert.deepEqual([later.status, later.json.error.code], [422, 'UPLOAD_QUARANTINED']);
  });
});
