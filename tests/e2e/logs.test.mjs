// Logs: at the most verbose level they contain session and correlation ids, and never a body, a token or a key.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {bearer, call, demoToken, httpOp, service} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

describe('logs at level debug', () => {
  const on = withServer({}, {args: ['--log-level', 'debug', '--access-log-ops=true', '--idle-archive-days', '90']});

  it('name sessions and correlation ids, and contain no body, token or key', async () => {
    const body = 'xylophone-in-the-body';
    const ann = await on.as(fresh('ann'), {device: 'a telephone'});
    const bob = await on.as(fresh('bob'));
    const {thread: {threadId}} = await createThread(ann, bob.userId, {subject: 'xylophone-in-the-subject'});
    await say(ann, threadId, body);
    await bob.nextEvent('message.created');

    const token = await demoToken(on.server, fresh('eve'));
    const {token: key} = await service(on.server);
    await httpOp(on.server, key, 'message.send', {threadId, clientId: 'c', type: 'text', body}).catch((error) => assert.equal(error.code, 'FORBIDDEN'));
    await httpOp(on.server, token, 'message.list', {threadId}).catch((error) => assert.equal(error.code, 'THREAD_NOT_MEMBER'));
    await call(on.server, 'POST', '/v1/ops/message.send', {body: `{"body":"${body}`, headers: bearer(token)});
    await call(on.server, 'POST', '/v1/ops/inbox.list', {body: '{}', headers: bearer(`${token}x`)});
    const refused = await ann.request('message.send', {threadId, clientId: 'c', type: 'text', body, extra: body}).catch((error) => error);
    assert.equal(refused.code, 'BAD_REQUEST');

    await on.server.terminate();
    const log = on.server.child.stderr;
    assert.match(log, /session begins session=ses_\S+ tenant=\S+ user=usr_ann\S* device="a telephone"/);
    assert.match(log, /ws answered op=message.send code=OK ms=[\d.]+ bytes=\d+ session=ses_\S+ request=\d+ corrId=-\n/);
    assert.match(log, new RegExp(`ws answered op=message.send code=BAD_REQUEST .* corrId=${(refused.error ?? refused).corrId}\n`));
    for (const start of [/parleyd starts version=\S+ commit=\S+/, /the store is open data=\S+ epoch=\S+ position=\d+/, /addresses listen=\S+ operators=\S+ tls=no/, /tenants count=\d+ demo=yes/, /options that differ from their defaults .*idle_archive_days=90.*log_level=debug/])
      assert.match(log, start);
    assert.ok(log.includes(`corrId=${(refused.error ?? refused).corrId}`), 'the corrId of an error is in the log');
    for (const secret of [body, 'xylophone', token, token.split('.')[2], key]) {
      assert.ok(typeof secret === 'string' && secret.length > 8, `a secret to look for: ${secret}`);
      assert.ok(!log.includes(secret), `the log holds ${secret}`);
    }
    for (const line of log.trim().split('\n')) assert.match(line, /^\d{4}-\d\d-\d\dT[\d:.]+Z (debug|info|warning|error) \w+ /);
    await on.server.launch();
  });
});
