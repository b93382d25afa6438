// Decisions about files in the audit that a tenant exports, and beside a case that two people have to decide.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {eventually} from './lib/deadline.mjs';
import {call} from './lib/http.mjs';
import {Server, kParleyctl} from './lib/server.mjs';
import {Tenant} from './lib/tenants.mjs';
import {checkStore} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

const kChecker = fileURLToPath(new URL('../../docs/check_audit.py', import.meta.url));

/** A tenant in which Ann sent a file to Bob, and a moderator. */
async function world(server, settings = {}) {
  const tenant = await Tenant.of(server, 'judged', settings);
  const [ann, bob, sue] = [await tenant.user('ann'), await tenant.user('bob'), await tenant.user('sue', {role: 'moderator'})];
  const {thread: {threadId}} = await ann.op('thread.create', {
    kind: 'project', buyerUserId: ann.userId, sellerUserId: bob.userId, clientId: fresh('c', 'cl')});
  const bytes = Buffer.from(`%PDF-1.7\n${fresh('content')}`);
  const begun = await ann.ok('POST', '/v1/uploads', {threadId, name: 'a.pdf', mime: 'application/pdf', size: bytes.length});
  assert.equal((await call(server, 'PUT', begun.uploadUrl, {body: bytes})).status, 204);
  const {attachmentId} = begun.attachment;
  await eventually(async () => (await ann.ok('GET', `/v1/uploads/${attachmentId}`)).attachment.state === 'ready', 'the file to be ready');
  const {messageId} = await ann.op('message.send', {
    threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId}]});
  return {tenant, ann, bob, sue, threadId, messageId, attachmentId};
}

describe('moderation.file', () => {
  it('has an entry in the exported audit for each act, and none for a repeat', async () => {
    const server = await Server.start();
    try {
      const {tenant, ann, sue, attachmentId} = await world(server);
      for (const [state, reason] of [['quarantined', 'looks bad'], ['quarantined', 'looks bad'], ['ready', 'harmless']])
        await sue.op('moderation.file', {attachmentId, state, reason});
      await checkStore(server);
      const exported = spawnSync(kParleyctl, ['--data', server.dir, '--tenant', tenant.tenantId, '--json', 'audit', 'export'], {encoding: 'utf8'});
      assert.equal(exported.status, 0, exported.stderr);
      const acts = exported.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((entry) => entry.action === 'moderation.file');
      assert.deepEqual(acts.map((act) => [act.reason, act.actor, act.userId]), [
        ['looks bad', sue.userId, ann.userId], ['harmless', sue.userId, ann.userId]]);
      const checked = spawnSync('python3', [kChecker], {input: exported.stdout, encoding: 'utf8'});
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    } finally {
      await server.dispose();
    }
  });

  it('does not bypass a case that two have to decide', async () => {
    const server = await Server.start();
    try {
      const {tenant, bob, sue, threadId, messageId, attachmentId} = await world(server, {safety: {textPolicy: 'off', dualApproval: ['medium', 'high']}});
      const {caseId} = await bob.op('message.report', {threadId, messageId, reason: 'abuse'});
      const judge = () => sue.op('moderation.file', {attachmentId, state: 'quarantined', reason: 'r'});
      await assert.rejects(judge(), (error) => error.code === 'FORBIDDEN' && error.error.fields.caseId === caseId);
      await sue.op('moderation.decide', {caseId, decision: 'reject', notes: 'n'});
      assert.equal((await judge()).attachment.state, 'quarantined');
      assert.equal((await tenant.as(bob.userId).call('GET', `/v1/files/${attachmentId}`)).status, 422);
      await checkStore(server);
    } finally {
      await server.dispose();
    }
  });
});
