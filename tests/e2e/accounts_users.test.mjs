// A server without a demo: the operator creates a tenant, its back end creates users, keys and tokens, and their revocation
// closes the sockets that they opened.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, afterEach, before, describe, it} from 'node:test';
import {Sessions} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {checkErrorShape} from './lib/errors.mjs';
import {bearer, call} from './lib/http.mjs';
import {Server} from './lib/server.mjs';
import {checkStore} from './lib/verify.mjs';

class PlainServer extends Server {
  command() {
    return super.command().filter((argument) => argument !== '--demo');
  }
}

describe('users, their keys and their tokens', () => {
  let server, sessions, operator, backEnd;

  const send = async (credential, method, where, body) => (
    call(server, method, where, {body, headers: credential ? bearer(credential) : {}}));
  const expect = async (status, ...request) => {
    const answer = await send(...request);
    assert.equal(answer.status, status, `${request.slice(1, 3).join(' ')}: ${answer.text}`);
    if (status >= 400) checkErrorShape(answer.json.error);
    return answer.json;
  };
  const issue = (userId) => expect(200, backEnd, 'POST', '/v1/tokens', {userId});
  const refresh = (refreshToken) => send(null, 'POST', '/v1/tokens/refresh', {refreshToken});
  /** For so many seconds a refresh can be repeated. */
  const graceOf = async (refreshGraceSeconds) => {
    const {tenant: {version}} = await expect(200, operator, 'GET', '/v1/tenants/acme');
    await expect(200, operator, 'PATCH', '/v1/tenants/acme', {version, settings: {refreshGraceSeconds}});
  };
  const connect = (token, encoding) => sessions.as('', {token, encoding});
  const closedWith = async (session) => (await within(session.closed, 'the session to be closed')).code;

  before(async () => {
    server = new PlainServer();
    await server.launch();
    sessions = new Sessions(server);
    const file = path.join(server.dir, 'operator.key');
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    operator = fs.readFileSync(file, 'utf8').trim();
    await expect(201, operator, 'POST', '/v1/tenants', {tenantId: 'acme', name: 'Acme', settings: {knownUsersOnly: false, userProjects: true}});
    backEnd = (await expect(201, operator, 'POST', '/v1/tenants/acme/keys', {name: 'back end'})).secret;
  });
  afterEach(() => sessions?.closeAll());
  after(async () => {
    try {
      await sessions?.closeAll();
      if (server?.running) await checkStore(server);
    } finally {
      await server?.dispose();
    }
  });

  it('creates users before the tenant is active, and tokens only afterwards', async () => {
    const {user} = await expect(201, backEnd, 'POST', '/v1/users', {userId: 'ann', email: 'Ann@Example.com'});
    assert.equal(user.email, 'ann@example.com');
    await expect(403, backEnd, 'POST', '/v1/tokens', {userId: 'ann'});
    await expect(200, operator, 'POST', '/v1/tenants/acme/activate');
    const {token, refreshToken, expiresAt} = await issue('ann');
    assert.match(refreshToken, /^prt_[0-9a-f]{64}$/);
    assert.ok(Date.parse(expiresAt) > Date.now());
    const session = await connect(token, 'msgpack');
    assert.equal((await session.request('inbox.list', {})).entries.length, 0);
  });

  it('repeats the lost answer of a refresh, after a crash too, until the next token is used', async () => {
    await graceOf(60); // as slow as a busy machine may be
    const {refreshToken} = await issue('ann');
    const first = await refresh(refreshToken);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual((await refresh(refreshToken)).json, first.json);
    await server.restart();
    assert.deepEqual((await refresh(refreshToken)).json, first.json, 'the same three values');
    await expect(200, first.json.token, 'POST', '/v1/ops/inbox.list', {});
    const next = await refresh(first.json.refreshToken);
    assert.equal(next.status, 200, next.text);
    assert.equal((await refresh(refreshToken)).status, 401, 'its successor was used');
    await expect(401, next.json.token, 'POST', '/v1/ops/inbox.list', {});
  });

  it('refreshes a token once; any other second use ends the family and its newest session', async () => {
    await graceOf(0);
    const first = await issue('ann');
    const renewed = await refresh(first.refreshToken);
    assert.equal(renewed.status, 200, renewed.text);
    const session = await connect(renewed.json.token);
    const other = await connect((await issue('ann')).token);
    assert.equal((await refresh(first.refreshToken)).status, 401);
    assert.equal(await closedWith(session), 4401);
    assert.equal((await refresh(renewed.json.refreshToken)).status, 401);
    await expect(401, renewed.json.token, 'POST', '/v1/ops/inbox.list', {});
    await other.request('inbox.list', {});
  });

  it('lets one of many simultaneous refreshes succeed and voids the family, if answers are not repeated', async () => {
    const {refreshToken} = await issue('ann');
    const answers = await Promise.all(Array.from({length: 6}, () => refresh(refreshToken)));
    const won = answers.filter(({status}) => status === 200);
    assert.ok(won.length <= 1, JSON.stringify(answers.map(({status}) => status)));
    for (const {json} of won) {
      await expect(401, json.token, 'POST', '/v1/ops/inbox.list', {});
      assert.equal((await refresh(json.refreshToken)).status, 401);
    }
  });

  it('gives all simultaneous refreshes the same answer, if answers are repeated', async () => {
    await graceOf(60);
    const {refreshToken} = await issue('ann');
    const answers = await Promise.all(Array.from({length: 6}, () => refresh(refreshToken)));
    for (const {status, json, text} of answers) {
      assert.equal(status, 200, text);
      assert.deepEqual(json, answers[0].json);
    }
    assert.equal((await refresh(answers[0].json.refreshToken)).status, 200);
  });

  it('connects with a user API key until that is deleted', async () => {
    const {apiKey, secret} = await expect(201, backEnd, 'POST', '/v1/users/ann/api-keys', {name: 'script'});
    const byKey = await connect(secret);
    const byToken = await connect((await expect(200, secret, 'POST', '/v1/tokens', {})).token);
    const {items} = await expect(200, secret, 'GET', '/v1/users/ann/api-keys');
    assert.deepEqual(items.map(({keyId, prefix}) => [keyId, prefix]), [[apiKey.keyId, secret.slice(0, apiKey.prefix.length)]]);
    await expect(204, secret, 'DELETE', `/v1/users/ann/api-keys/${apiKey.keyId}`);
    assert.deepEqual([await closedWith(byKey), await closedWith(byToken)], [4401, 4401]);
    await expect(401, secret, 'GET', '/v1/users/ann');
  });

  it('closes the sessions of a user\'s tokens when all of them are revoked', async () => {
    const session = await connect((await issue('ann')).token);
    await expect(204, backEnd, 'POST', '/v1/tokens/revoke', {userId: 'ann'});
    assert.equal(await closedWith(session), 4401);
    const {token, refreshToken} = await issue('ann');
    const again = await connect(token);
    await expect(204, null, 'POST', '/v1/tokens/revoke', {refreshToken});
    assert.equal(await closedWith(again), 4401);
  });

  it('closes the sessions of a deleted user, who stays deleted after a restart', async () => {
    await expect(201, backEnd, 'POST', '/v1/users', {userId: 'bob'});
    const {token, refreshToken} = await issue('bob');
    const {secret} = await expect(201, backEnd, 'POST', '/v1/users/bob/api-keys', {});
    const [byToken, byKey] = [await connect(token), await connect(secret)];
    await expect(204, backEnd, 'DELETE', '/v1/users/bob');
    assert.deepEqual([await closedWith(byToken), await closedWith(byKey)], [4401, 4401]);
    await server.restart();
    for (const credential of [token, secret]) await expect(401, credential, 'POST', '/v1/ops/inbox.list', {});
    assert.equal((await refresh(refreshToken)).status, 401);
    await expect(404, backEnd, 'GET', '/v1/users/bob');
  });

  it('closes every session when the tenant is suspended', async () => {
    const {token, refreshToken} = await issue('ann');
    const session = await connect(token);
    await expect(200, operator, 'POST', '/v1/tenants/acme/suspend');
    assert.equal(await closedWith(session), 4403);
    assert.equal((await refresh(refreshToken)).status, 403);
    await expect(200, backEnd, 'GET', '/v1/users');
  });
});
