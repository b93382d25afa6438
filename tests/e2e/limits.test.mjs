// Limits over real sockets: 429 with its headers, the effect of refusals on others, and limits that survive kill -9.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {refused} from './lib/errors.mjs';
import {bearer, call, httpOp} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {clientOf} from './lib/tables/client.mjs';
import {Tenant} from './lib/tenants.mjs';
import {createThread, fresh} from './lib/world.mjs';

describe('with limits', () => {
  const on = withServer({}, {args: ['--rate-limits']});

  it('Amazon\'s SDK waits and retries by itself if a key asks its tables too often', async () => {
    const tenant = await Tenant.of(on.server, 'busy', {limits: {enabled: true, keyRequestsPerSecond: 1}});
    const key = await tenant.operator.ok('POST', `/v1/tenants/${tenant.tenantId}/table-keys`, {name: 'busy'});
    const once = clientOf(on.server.http, {key});
    const patient = clientOf(on.server.http, {key, maxAttempts: 10});
    try {
      const row = await Promise.allSettled([1, 2, 3].map(() => once.ListTables({})));
      const refusals = row.flatMap(({reason}) => reason ?? []);
      assert.ok(refusals.length > 0, 'nothing is refused');
      for (const error of refusals) {
        assert.equal(error.name, 'ThrottlingException');
        assert.equal(error.$response.headers['retry-after'], '1');
      }
      assert.ok((await patient.ListTables({})).TableNames.length > 0);
    } finally {
      once.close();
      patient.close();
    }
  });

  const send = (session, threadId, n) => session.request('message.send', {threadId, clientId: `m-${n}`, type: 'text', body: 'x'});

  it('the 41st message to one user is refused even if pipelined, while another conversation works', async () => {
    const [ann, bob, carla] = [fresh('ann'), fresh('bob'), fresh('carla')];
    const session = await on.as(ann);
    const one = (await createThread(session, bob)).thread.threadId;
    const other = (await createThread(session, carla)).thread.threadId;
    const row = await Promise.allSettled(Array.from({length: 42}, (_, n) => send(session, one, n)));
    const taken = row.filter(({status}) => status === 'fulfilled').length;
    assert.ok(taken === 40 || taken === 41, `${taken} came through`);  // one more if the sends took three seconds
    const error = await refused(send(session, one, 'again'), 'RATE_LIMITED');
    assert.ok(error.retryAfterMs > 0 && error.retryAfterMs <= 3000, `${error.retryAfterMs} ms`);
    await send(session, other, 'm');
    assert.equal((await send(session, one, 0)).duplicate, true, 'a repeat is answered');
  });

  it('a refusal over HTTP is 429 with a time to retry, after which the request succeeds', async () => {
    const token = await on.token(fresh('ann'));
    const ask = () => call(on.server, 'POST', '/v1/ops/inbox.counts', {body: {}, headers: bearer(token)});
    let answer;
    let asked = 0;
    do {
      answer = await ask();
      ++asked;
      assert.ok(asked < 1000, 'nothing is refused');
      assert.equal(answer.headers['x-ratelimit-limit'], '20');
    } while (answer.status === 200);
    assert.equal(answer.status, 429);
    assert.equal(answer.headers['x-ratelimit-remaining'], '0');
    assert.equal(answer.headers['retry-after'], '1');
    assert.ok(Number(answer.headers['x-ratelimit-reset']) * 1000 > Date.now() - 1000);
    await new Promise((resolve) => setTimeout(resolve, answer.json.error.retryAfterMs));
    assert.equal((await ask()).status, 200);
  });

  it('counts of starts survive kill -9', async () => {
    const ann = fresh('ann');
    const group = (session, n) => session.request('thread.create', {kind: 'group', clientId: `g-${n}`});
    let session = await on.as(ann);
    for (let n = 0; n < 3; ++n) await group(session, n);
    await refused(group(session, 3), 'RATE_LIMITED');
    await on.server.restart();
    session = await on.as(ann);
    const error = await refused(group(session, 3), 'RATE_LIMITED');
    assert.ok(error.retryAfterMs > 0 && error.retryAfterMs <= 3600_000);
    await group(await on.as(fresh('bob')), 0);
  });

  it('closes a client with 4429 that ignores refusals', async () => {
    const session = await on.as(fresh('ann'));
    const flood = Array.from({length: 2000}, () => session.request('session.ping').catch(() => null));
    assert.equal((await within(session.closed, 'the end of a flood')).code, 4429);
    await Promise.all(flood);
  });
});

describe('guesses', () => {
  const on = withServer({}, {args: ['--rate-limits', '--failed-credentials-per-minute', '10']});

  it('from one address are limited, after which good credentials are refused as well', async () => {
    const token = await on.token(fresh('ann'));
    await httpOp(on.server, token, 'inbox.counts');
    const statusFor = async (credential) => (await call(on.server, 'POST', '/v1/ops/inbox.counts', {body: {}, headers: bearer(credential)})).status;
    for (let n = 0; n < 10; ++n) assert.equal(await statusFor(`psk_${n}`), 401);
    assert.equal(await statusFor('psk_10'), 429);
    assert.equal(await statusFor(token), 429);
    assert.equal((await call(on.server, 'GET', '/healthz')).status, 200);
  });
});
