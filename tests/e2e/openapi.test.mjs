// Compares the OpenAPI document with the server: calls every route and op with accepted and refused requests, and checks requests
// and answers with an independent validator. The last test fails if a route was not called.
import {createConfig, lint} from '@redocly/openapi-core';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {Contract, faulty, printed} from './lib/contract.mjs';
import {eventually, within} from './lib/deadline.mjs';
import {call} from './lib/http.mjs';
import {Server} from './lib/server.mjs';
import {clientOf} from './lib/tables/client.mjs';
import {tempDir} from './lib/temp.mjs';
import {Caller, operatorOf, Tenant, tenantName} from './lib/tenants.mjs';
import {checkStore} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

const text = printed('openapi');
const contract = new Contract(JSON.parse(text));
const ok = (...args) => contract.ok(...args);
const refused = (...args) => contract.refused(...args);

let server, operator, acme;
before(async () => {
  server = await Server.start({args: ['--web', webRoot()]});
  operator = operatorOf(server);
  acme = await Tenant.of(server, 'acme', {cardPorts: ['booking', 'events']});
});
after(async () => {
  try {
    if (server?.running) await checkStore(server);
  } finally {
    await server?.dispose();
  }
});

function webRoot() {
  const root = tempDir('web');
  fs.writeFileSync(path.join(root, 'index.html'), '<!doctype html><title>Parley</title>');
  return root;
}

/** Callers without a credential and with an invalid one. */
const nobody = () => ({label: 'nobody', call: (method, target, body, headers = {}) => call(server, method, target, {body, headers})});
const bad = () => new Caller(server, 'a bad key', `ptk_${'0'.repeat(64)}`);

describe('the OpenAPI document', () => {
  it('is served by the server', async () => {
    const {status, headers, text: served} = await call(server, 'GET', '/v1/openapi.json');
    assert.equal(status, 200);
    assert.match(headers['content-type'], /^application\/json/);
    assert.deepEqual(JSON.parse(served), JSON.parse(text));
    const socket = await call(server, 'GET', '/v1/asyncapi.json');
    assert.deepEqual(JSON.parse(socket.text), JSON.parse(printed('asyncapi')));
  });

  it('is accepted by a linter', async () => {
    const file = path.join(tempDir('openapi'), 'openapi.json');
    fs.writeFileSync(file, text);
    const config = await createConfig({extends: ['recommended']});
    const problems = await lint({ref: file, config});
    const errors = problems.filter(({severity}) => severity === 'error');
    assert.deepEqual(errors.slice(0, 20).map(({message, ruleId, location}) => `${ruleId}: ${message} ${location[0]?.pointer}`), []);
  });
});

describe('routes outside of administration', () => {
  it('probes, metrics and the document itself, with any request', async () => {
    for (const target of ['/healthz', '/readyz?verbose=1', '/metrics?name=x', '/v1/openapi.json?x', '/v1/asyncapi.json']) {
      const answer = await call(server, 'GET', target);
      contract.find('GET', target).checkAnswer(answer, target);
      contract.taken('GET', target, answer);
    }
  });

  it('the socket', async () => {
    await contract.reported(nobody(), 426, 'GET', '/v1/ws');
    const headers = {connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='};
    const status = await within(new Promise((resolve, reject) => {
      const request = http.get(`${server.http}/v1/ws`, {headers, agent: false}, ({statusCode}) => resolve(statusCode));
      request.on('upgrade', ({statusCode}, socket) => {
        socket.destroy();
        resolve(statusCode);
      });
      request.on('error', reject);
    }), 'the upgrade');
    contract.taken('GET', '/v1/ws', {status});
  });

  it('the tables, at both their paths', async () => {
    const key = await acme.key.ok('POST', `/v1/tenants/${acme.tenantId}/table-keys`, {name: 'tables'});
    for (const target of ['/', '/v1/dynamodb']) {
      const {client, close, ...db} = clientOf(server.http + target, {key});
      let response;
      client.middlewareStack.add((next) => async (args) => {
        assert.equal(args.request.path.replace(/(.)\/$/, '$1'), target);
        const result = await next(args);
        response = result.response;
        return result;
      }, {step: 'deserialize', priority: 'low'});
      await db.ListTables({});
      close();
      contract.taken('POST', target, {status: response.statusCode, headers: response.headers});
      const headers = {'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables'};
      await contract.reported(nobody(), 400, 'POST', target, {}, headers);
    }
  });

  it('the web client', async () => {
    const answer = await call(server, 'GET', '/');
    contract.find('GET', '/').checkAnswer(answer, '/');
    contract.taken('GET', '/', answer);
  });
});

describe('the clock', () => {
  it('is shown to the operator and confirmed by them', async () => {
    await ok(operator, 'GET', '/v1/clock');
    await ok(operator, 'POST', '/v1/clock/confirm', {});
    await refused(acme.key, 'FORBIDDEN', 'GET', '/v1/clock');
  });
});

describe('traces', () => {
  it('are started, listed and stopped by the operator', async () => {
    const {trace} = await ok(operator, 'POST', '/v1/traces', {what: 'user=ann', seconds: 60});
    assert.equal(trace.what, 'user=ann');
    const {items} = await ok(operator, 'GET', '/v1/traces');
    assert.deepEqual(items.map(({traceId, what}) => ({traceId, what})), [{traceId: trace.traceId, what: 'user=ann'}]);
    await refused(operator, 'BAD_REQUEST', 'POST', '/v1/traces', {what: 'everything'});
    await refused(acme.key, 'FORBIDDEN', 'POST', '/v1/traces', {what: 'user=ann'});
    await ok(operator, 'DELETE', `/v1/traces/${trace.traceId}`);
    await refused(operator, 'NOT_FOUND', 'DELETE', `/v1/traces/${trace.traceId}`);
  });
});

describe('tenants and their keys', () => {
  const tenantId = tenantName('lent');
  const own = `/v1/tenants/${tenantId}`;
  let service;

  it('are created, listed, read, changed, activated and suspended', async () => {
    const body = {tenantId, name: 'Lent', settings: {folders: ['starred']}};
    await ok(operator, 'POST', '/v1/tenants', body);
    await refused(operator, 'ALREADY_EXISTS', 'POST', '/v1/tenants', body);
    await refused(acme.key, 'FORBIDDEN', 'POST', '/v1/tenants', body);
    const first = await ok(operator, 'GET', '/v1/tenants?limit=1');
    await ok(operator, 'GET', `/v1/tenants?limit=1&cursor=${encodeURIComponent(first.cursor)}`);
    await refused(operator, 'BAD_REQUEST', 'GET', '/v1/tenants?limit=0');
    await ok(operator, 'GET', own);
    await refused(acme.key, 'NOT_FOUND', 'GET', own);
    await ok(operator, 'PATCH', own, {version: 1, settings: {folders: null}});
    await refused(operator, 'VERSION_CONFLICT', 'PATCH', own, {version: 1, name: 'Stale'});
    await refused(operator, 'BAD_REQUEST', 'PATCH', own, {version: 2, settings: {noSuchSetting: 1}});
    await ok(operator, 'POST', `${own}/activate`);
    await ok(operator, 'POST', `${own}/suspend`);
    await ok(operator, 'POST', `${own}/activate`);
    for (const end of ['activate', 'suspend']) await refused(operator, 'NOT_FOUND', 'POST', `/v1/tenants/no-such/${end}`);
  });

  it('have keys', async () => {
    const {key, secret} = await ok(operator, 'POST', `${own}/keys`, {name: 'back end'});
    await ok(operator, 'POST', `${own}/keys`);
    service = new Caller(server, 'the key of lent', secret);
    const other = (await ok(service, 'POST', `${own}/keys`, {name: null})).key;
    await ok(service, 'GET', `${own}/keys`);
    await ok(service, 'POST', `${own}/keys/${other.keyId}/revoke`);
    await refused(service, 'NOT_FOUND', 'POST', `${own}/keys/${key.keyId.slice(0, -4)}0000/revoke`);
    for (const [method, end] of [['POST', 'keys'], ['GET', 'keys']]) await refused(acme.key, 'NOT_FOUND', method, `${own}/${end}`);
  });

  it('have signing keys', async () => {
    await ok(service, 'PUT', `${own}/signing-keys/k1`, {alg: 'HS256', secret: 's'.repeat(32)});
    await refused(service, 'BAD_REQUEST', 'PUT', `${own}/signing-keys/k1`, {alg: 'HS256', secret: 'short'});
    await ok(service, 'GET', `${own}/signing-keys`);
    await refused(acme.key, 'NOT_FOUND', 'GET', `${own}/signing-keys`);
    await ok(service, 'DELETE', `${own}/signing-keys/k1`);
    await refused(service, 'NOT_FOUND', 'DELETE', `${own}/signing-keys/k1`);
  });

  it('have table keys', async () => {
    const {accessKeyId} = await ok(service, 'POST', `${own}/table-keys`, {name: 'reports', tables: ['tenants'], readOnly: true});
    await refused(acme.key, 'NOT_FOUND', 'POST', `${own}/table-keys`);
    await ok(service, 'GET', `${own}/table-keys`);
    await refused(acme.key, 'NOT_FOUND', 'GET', `${own}/table-keys`);
    await ok(service, 'POST', `${own}/table-keys/${accessKeyId}/revoke`);
    await refused(service, 'NOT_FOUND', 'POST', `${own}/table-keys/PKT${'A'.repeat(17)}/revoke`);
  });

  it('have a demonstration', async () => {
    await ok(nobody(), 'POST', '/v1/demo/token', {userId: 'usr_demo', role: 'member', ttlSeconds: 60, attrs: {vip: true}});
    await refused(nobody(), 'BAD_REQUEST', 'POST', '/v1/demo/token', {userId: 'no id'});
    await ok(nobody(), 'POST', '/v1/demo/table-key', {name: 'demo'});
    await refused(nobody(), 'BAD_REQUEST', 'POST', '/v1/demo/table-key', {tables: 7});
  });
});

describe('users, their keys and tokens', () => {
  const userId = fresh('una');
  const own = `/v1/users/${userId}`;
  const channelIdentities = {slack: fresh('slack')};

  it('are created, found, read, changed and deleted', async () => {
    const body = {userId, email: `${userId}@Example.com`, displayName: 'Una', role: 'member', channelIdentities, attributes: {vip: true}};
    await ok(acme.key, 'POST', '/v1/users', body, {'idempotency-key': 'una'});
    await ok(operator, 'POST', `/v1/users?tenant=${acme.tenantId}`, {});
    await refused(acme.key, 'ALREADY_EXISTS', 'POST', '/v1/users', body);
    await ok(acme.key, 'GET', `/v1/users?limit=1&prefix=${userId}`);
    await ok(acme.key, 'GET', `/v1/users?email=${encodeURIComponent(body.email)}`);
    await ok(acme.key, 'GET', `/v1/users?identity=slack:${channelIdentities.slack}`);
    await refused(acme.key, 'BAD_REQUEST', 'GET', '/v1/users?limit=0');
    const {user} = await ok(acme.key, 'GET', own);
    await refused(acme.key, 'NOT_FOUND', 'GET', `/v1/users/${fresh('none')}`);
    await ok(acme.key, 'PATCH', own, {version: user.version, displayName: null, email: null});
    await refused(acme.key, 'VERSION_CONFLICT', 'PATCH', own, {version: user.version, displayName: 'Stale'});
    const gone = await acme.user('gone');
    await ok(acme.key, 'DELETE', `/v1/users/${gone.userId}`);
    await refused(acme.key, 'NOT_FOUND', 'DELETE', `/v1/users/${gone.userId}`);
  });

  it('have keys of their own', async () => {
    const keys = `${own}/api-keys`;
    const {apiKey, secret} = await ok(acme.key, 'POST', keys, {name: 'scripts', expiresAt: '2100-01-01T00:00:00.000Z'});
    await refused(acme.key, 'BAD_REQUEST', 'POST', keys, {expiresAt: 'tomorrow'});
    await ok(acme.key, 'GET', `${keys}?limit=1`);
    await refused(await acme.user('stranger'), 'FORBIDDEN', 'GET', keys);
    await ok(new Caller(server, 'a user API key', secret), 'POST', '/v1/tokens', {});
    await ok(acme.key, 'DELETE', `${keys}/${apiKey.keyId}`);
    await refused(acme.key, 'NOT_FOUND', 'DELETE', `${keys}/${apiKey.keyId}`);
  });

  it('have tokens', async () => {
    const {refreshToken} = await ok(acme.key, 'POST', '/v1/tokens', {userId, role: 'member', ttlSeconds: 60, scope: 'read'});
    await refused(acme.key, 'BAD_REQUEST', 'POST', '/v1/tokens', {userId, ttlSeconds: 86401});
    const next = await ok(nobody(), 'POST', '/v1/tokens/refresh', {refreshToken});
    await ok(nobody(), 'POST', '/v1/tokens/revoke', {refreshToken: next.refreshToken});
    await ok(acme.key, 'POST', '/v1/tokens/revoke', {userId});
    await refused(nobody(), 'UNAUTHENTICATED', 'POST', '/v1/tokens/refresh', {refreshToken});
    await refused(acme.key, 'BAD_REQUEST', 'POST', '/v1/tokens/revoke', {});
    for (const who of [nobody(), bad()]) await refused(who, 'UNAUTHENTICATED', 'POST', '/v1/tokens/revoke', {userId});
  });
});

describe('permissions and invitations', () => {
  const resource = 'albums/a1';

  it('are granted, listed, lowered and removed', async () => {
    const [owner, other] = [await acme.user('owner'), await acme.user('other')];
    await ok(acme.key, 'PUT', '/v1/permissions', {resource, userId: owner.userId, level: 'owner'});
    await ok(owner, 'PUT', '/v1/permissions', {resource, userId: other.userId, level: 'write', mode: 'raise'});
    await ok(owner, 'GET', `/v1/permissions?resource=${resource}&limit=1`);
    await ok(acme.key, 'GET', `/v1/permissions?userId=${other.userId}`);
    await refused(acme.key, 'BAD_REQUEST', 'GET', '/v1/permissions');
    await refused(owner, 'FORBIDDEN', 'PUT', '/v1/permissions', {resource, userId: owner.userId, level: 'read'});
    await refused(owner, 'FORBIDDEN', 'DELETE', `/v1/permissions?resource=${resource}&userId=${owner.userId}`);
    await ok(owner, 'DELETE', `/v1/permissions?resource=${resource}&userId=${other.userId}`);
  });

  it('are offered, listed, accepted and revoked', async () => {
    const guest = await acme.user('guest');
    const {token} = await ok(acme.key, 'POST', '/v1/invites', {email: guest.email, level: 'read', resource, ttlSeconds: 60});
    await refused(acme.key, 'ALREADY_EXISTS', 'POST', '/v1/invites', {email: guest.email, level: 'read', resource});
    const {invite} = await ok(acme.key, 'POST', '/v1/invites', {email: 'who@example.com', level: 'write'});
    await ok(acme.key, 'GET', `/v1/invites?limit=1&resource=${resource}`);
    await refused(guest, 'FORBIDDEN', 'GET', '/v1/invites');
    await ok(acme.key, 'POST', `/v1/invites/${invite.inviteId}/revoke`);
    await refused(acme.key, 'NOT_FOUND', 'POST', '/v1/invites/none/revoke');
    await ok(guest, 'POST', '/v1/invites/accept', {token});
    await refused(guest, 'NOT_FOUND', 'POST', '/v1/invites/accept', {token});
  });
});

describe('files', () => {
  /** Sends bytes to an upload's URL, which is their only credential. */
  async function send(method, target, body, headers = {}) {
    const operation = contract.find(method, target);
    const answer = await call(server, method, target, {body, headers: {'tus-resumable': '1.0.0', ...headers}});
    assert.equal(String(answer.status), operation.success, `${method} ${target}: ${answer.text}`);
    operation.checkAnswer(answer, `${method} ${target}`);
    operation.taken.push({caller: nobody(), target});
  }

  it('are uploaded, judged, fetched and cancelled', async () => {
    const [ann, bob] = [await acme.user('ann'), await acme.user('bob')];
    const {thread: {threadId}} = await ann.op('thread.create', {kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('cl')});
    const wish = {threadId, name: 'a.txt', mime: 'text/plain', size: 4};
    const {attachment: {attachmentId}, uploadUrl} = await ok(ann, 'POST', '/v1/uploads', wish);
    await refused(ann, 'UNSUPPORTED_TYPE', 'POST', '/v1/uploads', {...wish, mime: 'text/html'});
    const other = uploadUrl.slice(0, -4);
    for (const method of ['PATCH', 'PUT', 'GET', 'DELETE']) {
      await refused(nobody(), 'NOT_FOUND', method, other, undefined, {
        'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream'});
    }
    await send('PATCH', uploadUrl, Buffer.from('ab'), {'upload-offset': '0', 'content-type': 'application/offset+octet-stream'});
    await send('GET', uploadUrl);
    await send('PUT', uploadUrl, Buffer.from('abcd'), {'content-type': 'application/octet-stream'});
    await ok(ann, 'GET', `/v1/uploads/${attachmentId}`);
    await refused(bob, 'NOT_FOUND', 'GET', `/v1/uploads/${attachmentId}`);
    await ok(acme.key, 'POST', `/v1/uploads/${attachmentId}/verdict`, {nsfwBand: 0});
    await refused(ann, 'FORBIDDEN', 'POST', `/v1/uploads/${attachmentId}/verdict`, {nsfwBand: 0});
    const moderator = await acme.user('mod', {role: 'moderator'});
    await ok(moderator, 'POST', '/v1/ops/moderation.file', {attachmentId, nsfwBand: 0, reason: 'r'});
    await refused(ann, 'FORBIDDEN', 'POST', '/v1/ops/moderation.file', {attachmentId, nsfwBand: 0, reason: 'r'});
    const {url} = await eventually(async () => {
      const {status} = await ann.call('GET', `/v1/files/${attachmentId}?link=1`);
      return status === 200 && ok(ann, 'GET', `/v1/files/${attachmentId}?link=1`);
    }, 'the file to be ready');
    await refused(bob, 'NOT_FOUND', 'GET', `/v1/files/${attachmentId}`);
    const operation = contract.find('GET', url);
    const bytes = await call(server, 'GET', url);
    assert.equal(bytes.text, 'abcd');
    operation.taken.push({caller: nobody(), target: url});
    await refused(nobody(), 'NOT_FOUND', 'GET', url.slice(0, -4));
    const {uploadUrl: second} = await ok(ann, 'POST', '/v1/uploads', wish);
    await send('DELETE', second);
  });

  it('are avatars and brands', async () => {
    const [ann, admin] = [await acme.user('ann'), await acme.user('boss', {role: 'admin'})];
    const png = fs.readFileSync(new URL('../features/files/images/alpha.png', import.meta.url));
    await refused(ann, 'NOT_FOUND', 'GET', `/v1/users/${ann.userId}/avatar`);
    await refused(ann, 'NOT_FOUND', 'GET', '/v1/brand');
    for (const [who, purpose, target] of [[ann, 'avatar', `/v1/users/${ann.userId}/avatar`], [admin, 'brand', '/v1/brand']]) {
      const {uploadUrl} = await ok(who, 'POST', '/v1/uploads', {purpose, name: 'a.png', mime: 'image/png', size: png.length});
      await send('PUT', uploadUrl, png, {'content-type': 'application/octet-stream'});
      await eventually(async () => (await ann.call('GET', target)).status === 200, 'the image to be ready');
      await ok(ann, 'GET', target);
    }
  });
});

describe('integration events', () => {
  it('are posted, listed, leased, acknowledged and deleted', async () => {
    const {eventId} = await ok(acme.key, 'POST', '/v1/events?type=order.paid', {price: 12.5});
    await refused(acme.key, 'BAD_REQUEST', 'POST', '/v1/events?type=a%23b', {});
    await ok(acme.key, 'GET', '/v1/events?status=undelivered&type=order.paid&limit=1');
    await refused(acme.key, 'BAD_REQUEST', 'GET', '/v1/events?status=lost');
    await ok(acme.key, 'GET', '/v1/inbox?limit=1&leaseSeconds=1');
    await refused(acme.key, 'BAD_REQUEST', 'GET', '/v1/inbox?leaseSeconds=0');
    const one = `/v1/events/${eventId}`;
    await ok(acme.key, 'GET', one);
    await ok(acme.key, 'POST', `${one}/ack`);
    await ok(acme.key, 'POST', '/v1/events/ack', {eventIds: [eventId, 'none']});
    await refused(acme.key, 'BAD_REQUEST', 'POST', '/v1/events/ack', {eventIds: []});
    await ok(acme.key, 'DELETE', one);
    for (const [method, end] of [['GET', ''], ['DELETE', ''], ['POST', '/ack']]) await refused(acme.key, 'NOT_FOUND', method, one + end);
  });
});

describe('ops', () => {
  const [lbgId, legId] = [fresh('lbg'), fresh('leg')];
  let ann, bob, moderator, threadId, messageId;
  const op = (who, name, args = {}) => ok(who, 'POST', `/v1/ops/${name}`, args);
  const inThread = (who, name, args = {}) => op(who, name, {threadId, ...args});
  const clientId = () => fresh('c');

  before(async () => {
    [ann, bob, moderator] = [await acme.user('ann'), await acme.user('bob'), await acme.user('mod', {role: 'moderator'})];
  });

  it('create a thread and send a message in it', async () => {
    const {thread} = await op(ann, 'thread.create', {
      kind: 'project', buyerUserId: ann.userId, sellerUserId: bob.userId, lbgId, legId, subject: 'Saturday', clientId: clientId()});
    threadId = thread.threadId;
    messageId = (await inThread(ann, 'message.send', {clientId: clientId(), type: 'text', body: 'Hi'})).messageId;
    await inThread(bob, 'message.react', {messageId, emoji: '👍', on: true});
    await inThread(ann, 'message.pin', {messageId, pinned: true});
    await inThread(ann, 'message.edit', {messageId, body: 'Hello'});
    for (const name of ['message.list', 'thread.get', 'participant.list', 'card.list']) await inThread(bob, name);
    await inThread(bob, 'thread.changes', {afterSeq: 0});
    await inThread(bob, 'read.mark', {messageId});
    await inThread(moderator, 'message.history', {messageId});
  });

  it('keep the inbox', async () => {
    await inThread(bob, 'inbox.set', {pinned: true, label: 'work'});
    await op(bob, 'inbox.list', {folder: 'pinned', limit: 1});
    await op(bob, 'inbox.counts');
    await inThread(bob, 'inbox.explain');
    await inThread(bob, 'participant.mute', {muted: true});
    await op(bob, 'presence.get', {userIds: [ann.userId]});
    await op(bob, 'user.get', {userIds: [ann.userId, fresh('none')]});
  });

  it('change the thread and its members', async () => {
    const {thread} = await inThread(ann, 'thread.get');
    await inThread(ann, 'thread.update', {version: thread.version, subject: 'Sunday'});
    const eve = fresh('eve');
    await inThread(acme.key, 'participant.add', {userId: eve, roleContext: 'admin'});
    await inThread(acme.key, 'participant.update', {userId: eve, permission: 'read'});
    await inThread(acme.key, 'participant.remove', {userId: eve});
    await inThread(ann, 'tab.put', {tab: 'brief', version: 0, content: {title: 'Wedding'}});
    await inThread(ann, 'tab.get', {tab: 'brief'});
    await inThread(acme.key, 'thread.schedule', {meetingAt: '2100-01-02T10:00:00.000Z'});
    await op(acme.key, 'thread.byProject', {lbgId, limit: 1});
    await op(acme.as(ann.userId), 'thread.broadcast', {lbgId, clientId: clientId(), body: 'To all'});
    await inThread(ann, 'message.delete', {messageId});
    await inThread(acme.key, 'thread.audit');
    await op(moderator, 'moderation.audit', {limit: 1});
    await inThread(moderator, 'thread.setStatus', {status: 'locked', reason: 'r'});
    await inThread(moderator, 'thread.setStatus', {status: 'open', reason: 'r'});
  });

  it('block users', async () => {
    const pest = await acme.user('pest');
    await op(ann, 'user.block', {userId: pest.userId});
    await op(ann, 'user.blocks', {limit: 1});
    await refused(pest, 'MSG_BLOCKED_BY_USER', 'POST', '/v1/ops/thread.create', {kind: 'direct', participants: [{userId: ann.userId}]});
    await op(ann, 'user.unblock', {userId: pest.userId});
    await op(moderator, 'moderation.user', {userId: pest.userId, state: 'muted', until: '2100-01-02T10:00:00.000Z', reason: 'spam'});
    await op(moderator, 'moderation.user', {userId: pest.userId});
    await op(moderator, 'moderation.resetLadder', {userId: pest.userId, reason: 'a mistake'});
    await refused(pest, 'FORBIDDEN', 'POST', '/v1/ops/thread.create', {kind: 'direct', participants: [{userId: bob.userId}]});
    await inThread(acme.key, 'thread.setBooking', {state: 'closed'});
    await refused(ann, 'FORBIDDEN', 'POST', '/v1/ops/thread.setBooking', {threadId, state: 'live'});
  });

  it('report and decide', async () => {
    const said = (await inThread(ann, 'message.send', {clientId: clientId(), type: 'text', body: 'Pay me elsewhere'})).messageId;
    const {caseId} = await inThread(bob, 'message.report', {messageId: said, reason: 'spam'});
    await inThread(bob, 'thread.report', {reason: 'spam', severity: 'low'});
    await inThread(bob, 'user.report', {userId: ann.userId, reason: 'spam', notes: 'again'});
    await op(moderator, 'moderation.queue', {threadId, limit: 1});
    await op(moderator, 'moderation.case', {caseId});
    await op(moderator, 'moderation.decide', {caseId, decision: 'reject', notes: 'harmless'});
    await inThread(moderator, 'moderation.message', {messageId: said, moderation: 'redacted', reason: 'r'});
    await op(moderator, 'moderation.threads', {status: 'open', limit: 1});
  });

  it('turn an inquiry into a project', async () => {
    const {thread} = await op(ann, 'thread.create', {kind: 'inquiry', buyerUserId: ann.userId, sellerUserId: bob.userId, clientId: clientId()});
    await op(acme.key, 'thread.promote', {threadId: thread.threadId, legId: fresh('leg'), eventId: fresh('e')});
  });

  it('answer a message request and set contact filters', async () => {
    const asking = await Tenant.of(server, 'asking', {messageRequests: {enabled: true}});
    const [cleo, dan] = [await asking.user('cleo'), await asking.user('dan')];
    await op(dan, 'contact.filterSet', {fields: ['date']});
    await op(dan, 'contact.filter');
    const ask = async (to, more) => (await op(cleo, 'thread.create', {
      kind: 'direct', participants: [{userId: to.userId}], firstMessage: `Hi ${to.userId}`, clientId: clientId(), ...more})).thread.threadId;
    await op(dan, 'contact.filterSet', {});
    await op(dan, 'request.accept', {threadId: await ask(dan, {contact: {date: '2100-01-02'}})});
    await op(cleo, 'inbox.counts');
    for (const name of ['request.decline', 'request.block']) {
      const other = await asking.user('eli');
      await op(other, name, {threadId: await ask(other)});
    }
  });

  it('move a card and complete its effect', async () => {
    const {messageId: card} = await inThread(ann, 'card.create', {
      clientId: clientId(), type: 'RESCHEDULE',
      payload: {newStart: '2100-01-02T10:00:00.000Z', newEnd: '2100-01-02T12:00:00.000Z', reason: 'rain', legId}});
    await inThread(bob, 'card.act', {messageId: card, intent: 'accept', version: 1, clientId: clientId()});
    const {items} = await op(acme.key, 'outbox.list');
    const {effectId} = items.find(({awaits, messageId: id}) => awaits && id === card) ?? assert.fail(JSON.stringify(items));
    await inThread(acme.key, 'card.resolve', {messageId: card, effectId, outcome: 'ok', clientId: clientId()});
    const reported = items.find((item) => !item.awaits && item.threadId === threadId) ?? assert.fail(JSON.stringify(items));
    await inThread(acme.key, 'outbox.ack', {effectIds: [reported.effectId]});
  });
});

// Repeats the requests accepted above with one fault each. None of them has an effect.
describe('requests that the document forbids are refused', () => {
  it('a missing and a bad credential', async () => {
    for (const operation of contract.operations.filter((one) => one.needsCredential && one.isOurs)) {
      const {target, body} = operation.taken[0] ?? assert.fail(`${operation} was never taken`);
      for (const who of [nobody(), bad()]) await refused(who, 'UNAUTHENTICATED', operation.method, target, body);
    }
  });

  it('a body with one fault', async () => {
    for (const operation of contract.operations.filter((one) => one.body?.schema.properties)) {
      const {caller, target, body = {}} = operation.taken[0] ?? assert.fail(`${operation} was never taken`);
      for (const wrong of faulty(operation, body)) {
        assert.notEqual(operation.faultOf(target, wrong), null);
        const {status, text, json} = await caller.call(operation.method, target, wrong);
        const said = `${operation} ${JSON.stringify(wrong)}: ${status} ${text}`;
        assert.ok(['BAD_REQUEST', 'TOO_LARGE'].includes(json?.error?.code), said);
        operation.checkAnswer({status, text, json, headers: {'content-type': 'application/json'}}, said);
        operation.refusedWith.add(json.error.code);
      }
    }
  });

  it('a parameter that is unknown or of the wrong type', async () => {
    for (const operation of contract.operations.filter((one) => one.isOurs && !one.path.startsWith('/v1/ops/'))) {
      const {caller, target, body} = operation.taken[0] ?? assert.fail(`${operation} was never taken`);
      const with_ = (query) => `${target.split('?')[0]}?${query}`;
      await refused(caller, 'BAD_REQUEST', operation.method, with_('noSuchParameter=1'), body);
      for (const {name, in: where, valid} of operation.parameters) {
        if (where !== 'query' || name === 'tenant' || valid('\u0001')) continue;
        await refused(caller, 'BAD_REQUEST', operation.method, with_(`${name}=%01`), body);
      }
    }
  });
});

describe('every route of the document', () => {
  it('was called successfully above and, unless it refuses nothing, refused', () => {
    const missing = contract.operations.filter((one) => one.taken.length === 0 || (one.refuses && one.refusedWith.size === 0));
    assert.deepEqual(missing.map(String), []);
  });
});
