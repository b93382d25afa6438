// Avatars and brands: images that belong to no thread and that everybody in the tenant sees.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {describe, it} from 'node:test';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {fetchFile, upload} from './lib/file_calls.mjs';
import {pdf} from './lib/uploads.mjs';
import {fresh} from './lib/world.mjs';

const image = (name) => fs.readFileSync(new URL(`../features/files/images/${name}`, import.meta.url));

describe('Avatars', () => {
  const on = withServer();
  const args = {purpose: 'avatar', name: 'me.png', mime: 'image/png'};
  const begin = (token, more) => call(on.server, 'POST', '/v1/uploads', {body: {...args, size: 100, ...more}, headers: bearer(token)});
  const avatar = (token, userId) => call(on.server, 'GET', `/v1/users/${userId}/avatar`, {headers: bearer(token)});

  it('are seen by everybody in the tenant, small and without the original', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const [annToken, bobToken] = [await on.token(ann), await on.token(bob)];
    assert.equal((await avatar(bobToken, ann)).status, 404);
    const bytes = image('wide.png');
    const attachmentId = await upload(on.server, annToken, args, bytes);
    const {json} = await avatar(bobToken, ann);
    assert.deepEqual([json.attachment.attachmentId, json.attachment.by], [attachmentId, ann]);
    for (const variant of ['thumb', 'preview', 'original']) {
      const got = await fetchFile(on.server, bobToken, attachmentId, `&variant=${variant}`);
      assert.equal(got.status, 200, variant);
      assert.ok(!got.bytes.equals(bytes), 'never the original');
    }
    assert.equal((await fetchFile(on.server, annToken, attachmentId)).status, 200);
    assert.equal((await call(on.server, 'GET', `/v1/files/${attachmentId}`, {})).status, 401);
    assert.equal((await call(on.server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(bobToken)})).status, 404);
  });

  it('are replaced by a newer one', async () => {
    const ann = fresh('ann');
    const token = await on.token(ann);
    const first = await upload(on.server, token, args, image('wide.png'));
    const second = await upload(on.server, token, args, image('alpha.png'));
    assert.equal((await avatar(token, ann)).json.attachment.attachmentId, second);
    assert.equal((await fetchFile(on.server, await on.token(fresh('bob')), first)).status, 404, 'at once');
    assert.equal((await fetchFile(on.server, token, second)).status, 200);
  });

  it('are images of at most 2 MiB', async () => {
    const token = await on.token(fresh('ann'));
    const refusal = async (more) => {
      const {status, json} = await begin(token, more);
      return [status, json.error.code];
    };
    assert.deepEqual(await refusal({size: 2 * 1024 * 1024 + 1}), [422, 'ATTACHMENT_TOO_LARGE']);
    assert.deepEqual(await refusal({mime: 'application/pdf'}), [422, 'UNSUPPORTED_TYPE']);
    assert.deepEqual(await refusal({purpose: 'banner'}), [400, 'BAD_REQUEST']);
    assert.deepEqual(await refusal({threadId: 'thrd_01h00000000000000000000000'}), [400, 'BAD_REQUEST']);
    const {json} = await begin(token, {size: 3000});
    const sent = await call(on.server, 'PUT', json.uploadUrl, {body: pdf(3000)});
    assert.deepEqual([sent.status, sent.json.error.code], [422, 'UNSUPPORTED_TYPE']);
  });

  it('cannot be sent', async () => {
    const [ann, bob] = [await on.as(fresh('ann')), await on.as(fresh('bob'))];
    const attachmentId = await upload(on.server, await on.token(ann.userId), args, image('wide.png'));
    const {thread: {threadId}} = await ann.request('thread.create', {
      kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('t', 'cl')});
    await assert.rejects(ann.request('message.send', {
      threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]}), {code: 'NOT_FOUND'});
  });

  it('of the tenant, its brand, are set by services and admins', async () => {
    const brand = {...args, purpose: 'brand'};
    const member = await begin(await on.token(fresh('ann')), {purpose: 'brand'});
    assert.deepEqual([member.status, member.json.error.code], [403, 'FORBIDDEN']);
    const admin = await on.token(fresh('boss'), {role: 'admin'});
    const attachmentId = await upload(on.server, admin, brand, image('wide.png'));
    const token = await on.token(fresh('bob'));
    const {json} = await call(on.server, 'GET', '/v1/brand', {headers: bearer(token)});
    assert.equal(json.attachment.attachmentId, attachmentId);
    assert.equal((await fetchFile(on.server, token, attachmentId, '&variant=thumb')).status, 200);
  });
});
