// Files that cards and tabs of the panel show: fetched by members, followed live, and gone with what showed them.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {fetchFile, upload} from './lib/file_calls.mjs';
import {pdf} from './lib/uploads.mjs';
import {fresh} from './lib/world.mjs';

describe('Files in cards and tabs', () => {
  const on = withServer({}, {args: ['--files-scan', 'service']});

  /** A project of two, and their tokens. */
  async function project() {
    const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
    const {thread: {threadId}} = await ann.request('thread.create', {
      kind: 'project', buyerUserId: ann.userId, sellerUserId: bob.userId, clientId: fresh('t', 'cl')});
    return {ann, bob, threadId, annToken: await on.token(ann.userId), bobToken: await on.token(bob.userId)};
  }
  const put = (token, threadId, bytes = pdf(3000)) =>
    upload(on.server, token, {threadId, name: 'plan.pdf', mime: 'application/pdf'}, bytes, 'scanning');
  async function judge(attachmentId, body) {
    const key = await on.token('svc_backend', {role: 'service'});
    const judged = await call(on.server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body, headers: bearer(key)});
    assert.equal(judged.status, 200, judged.text);
  }
  const dispute = (who, threadId, evidence) => who.request('card.create', {
    threadId, clientId: fresh('c', 'cl'), type: 'DISPUTE_OPEN', payload: {reason: 'late', evidence}});
  const pins = (who, threadId, version, list) => who.request('tab.put', {
    threadId, tab: 'moodboard', version, content: {pins: list}});
  it('are followed as evidence, and fetched by the other side', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await project();
    const bytes = pdf(3000);
    const attachmentId = await put(annToken, threadId, bytes);
    const {card} = await dispute(ann, threadId, [{attachmentId}]);
    assert.equal(card.payload.evidence[0].attachment.state, 'scanning');
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).code, 'ACTION_INVALID_STATE', 'not scanned yet');
    await judge(attachmentId, {state: 'ready', nsfwBand: 0});
    await eventually(async () => {
      const {cards} = await bob.request('card.list', {threadId});
      assert.equal(cards[0].payload.evidence[0].attachment.state, 'ready');
      assert.equal(cards[0].version, 1);
      return true;
    });
    const got = await fetchFile(on.server, bobToken, attachmentId);
    assert.ok(got.bytes.equals(bytes));
    assert.equal((await fetchFile(on.server, await on.token(fresh('eve')), attachmentId)).status, 404);
  });

  it('of others, and incomplete ones, cannot be named', async () => {
    const {ann, bob, threadId, annToken} = await project();
    const attachmentId = await put(annToken, threadId);
    await assert.rejects(dispute(bob, threadId, [{attachmentId}]), {code: 'CARD_INVALID'});
    await assert.rejects(dispute(ann, threadId, [{s3Key: 'k'}]), {code: 'CARD_INVALID'});
    await assert.rejects(dispute(ann, threadId, [{manifestRef: 'http://a.example/m'}]), {code: 'CARD_INVALID'});
    await assert.rejects(pins(bob, threadId, 0, [{id: 'p', attribution: 'me', attachmentId}]), {code: 'BAD_REQUEST'});
    await judge(attachmentId, {state: 'quarantined', reason: 'looks bad'});
    await assert.rejects(dispute(ann, threadId, [{attachmentId}]), {code: 'UPLOAD_QUARANTINED'});
    await assert.rejects(pins(ann, threadId, 0, [{id: 'p', attribution: 'me', attachmentId}]), {code: 'UPLOAD_QUARANTINED'});
    await assert.rejects(dispute(bob, threadId, [{attachmentId}]), {code: 'CARD_INVALID'});
  });

  it('are pinned, bounded by Safe-Mode at their bytes, and gone when unpinned', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await project();
    const attachmentId = await put(annToken, threadId);
    const pin = {id: 'p', attribution: 'me', attachmentId};
    await pins(ann, threadId, 0, [pin]);
    await judge(attachmentId, {state: 'ready', nsfwBand: 2});
    const {tab} = await bob.request('tab.get', {threadId, tab: 'moodboard'});
    assert.deepEqual([tab.version, tab.content.pins[0].attachment.state, tab.content.pins[0].attachment.nsfwBand], [1, 'ready', 2]);
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).code, 'MSG_NSFW_BLOCKED');
    assert.equal((await fetchFile(on.server, annToken, attachmentId)).status, 200, 'her own');
    await judge(attachmentId, {state: 'ready', nsfwBand: 0});
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 200);
    await pins(bob, threadId, 1, tab.content.pins.map((one) => ({...one, caption: 'nice'})));
    await pins(bob, threadId, 2, []);
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 404, 'at once');
    assert.equal((await fetchFile(on.server, annToken, attachmentId)).status, 404);
  });

  it('that were sent are listed in the files tab by the same id', async () => {
    const {ann, bob, threadId, annToken, bobToken} = await project();
    const attachmentId = await put(annToken, threadId);
    await judge(attachmentId, {state: 'ready', nsfwBand: 0});
    const {messageId} = await ann.request('message.send', {
      threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
    const proofs = [{id: 'p', name: 'The plan', attachmentId}];
    await ann.request('tab.put', {threadId, tab: 'files', version: 0, content: {proofs, finals: []}});
    await ann.request('message.delete', {threadId, messageId});
    assert.equal((await fetchFile(on.server, bobToken, attachmentId)).status, 200, 'the tab shows it');
    await assert.rejects(bob.request('tab.put', {threadId, tab: 'files', version: 1, content: {
      proofs, finals: [{manifestRef: 's3://finals/1'}]}}), {code: 'BAD_REQUEST'});
  });
});
