// Secret and private data does not leak. Puts the input of users and back ends, and the secrets that the server hands out, into
// every place that accepts them; then searches for them in the log at its most verbose level, in /metrics, in every error answer,
// in parleyctl's output, and (secrets only) in the bytes of the store.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {after, before, it} from 'node:test';
import {Session} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {filesIn} from './lib/digest.mjs';
import {bearer, call} from './lib/http.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {operatorOf, Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

/** The texts that must not appear, by kind. `stored`: the store may contain it, because it is data to store. */
const secrets = new Map();
const errors = [];
let server, log = '', tenant, ann, bob, threadId;

const random = (size = 12) => crypto.randomBytes(size).toString('hex');
function canary(what, value, {stored = false} = {}) {
  assert.ok(typeof value === 'string' && value.length >= 10, `${what}: ${value}`);
  secrets.set(what, {value, stored});
  return value;
}
const privately = (what, value) => canary(what, value, {stored: true});

/** A call; if its answer is an error, it must contain nothing private. */
async function ask(method, target, {credential, body, headers = {}} = {}) {
  const answer = await call(server, method, target, {body, headers: credential ? bearer(credential, headers) : headers});
  if (answer.status >= 400) errors.push(`${method} ${JSON.stringify(answer.headers)} ${answer.text}`);
  return answer;
}
const reported = async (...request) => {
  const answer = await ask(...request);
  assert.ok(answer.status < 300, `${request[0]} ${request[1]}: ${answer.status} ${answer.text}`);
  return answer.json;
};

/** Sends bytes unchanged; returns the response. */
function raw(bytes) {
  return within(new Promise((resolve) => {
    let back = '';
    const socket = net.connect(server.port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('latin1').on('data', (text) => (back += text)).on('error', () => {}).on('close', () => resolve(back));
  }), 'the answer to raw bytes');
}

async function ctl(...args) {
  const child = new Child(kParleyctl, args);
  const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
  return {code, text: child.stdout + child.stderr};
}

/** The parts of a token. Each part is as secret as the whole. */
function tokenCanaries(what, token) {
  canary(what, token);
  canary(`${what}, its claims`, token.split('.')[1]);
  canary(`${what}, its signature`, token.split('.')[2]);
}

before(async () => {
  server = new Server({demo: false, args: ['--log-level', 'debug', '--failed-credentials-per-minute', '0'], wrap: ['prlimit', '--core=0']});
  await server.launch();
  log = server.child.stderr;
  server.child.process.stderr.on('data', (text) => (log += text));
  canary('the operator key', operatorOf(server).credential);
  const [, sealing] = /^psk_([0-9a-f]+)$/m.exec(fs.readFileSync(path.join(server.dir, 'sealing.key'), 'utf8'));
  canary('the sealing key', sealing);
  tenant = await Tenant.of(server, 'canary');
  canary('a tenant key', tenant.key.credential);
});
after(() => server?.dispose());

it('secrets and private data are put into every place that accepts them', async () => {
  const key = tenant.key.credential;
  const operator = operatorOf(server).credential;
  const email = privately('an e-mail', `mail-${random()}@example.com`);
  const userId = fresh('ann');
  await reported('POST', '/v1/users', {credential: key, body: {userId, email, displayName: privately('a name', `Ann ${random()}`)}});
  const made = await reported('POST', '/v1/tokens', {credential: key, body: {userId}});
  tokenCanaries('an access token', made.token);
  canary('a refresh token', made.refreshToken);
  const renewed = await reported('POST', '/v1/tokens/refresh', {body: {refreshToken: made.refreshToken}});
  tokenCanaries('a renewed token', renewed.token);
  canary('a renewed refresh token', renewed.refreshToken);
  const pak = canary('a user key', (await reported('POST', `/v1/users/${userId}/api-keys`, {credential: key, body: {name: 'robot'}})).secret);
  const invited = await reported('POST', '/v1/invites', {credential: key, body: {email: privately('an invited e-mail', `invited-${random()}@example.com`), level: 'read'}});
  canary('an invite token', invited.token);
  const table = await reported('POST', `/v1/tenants/${tenant.tenantId}/table-keys`, {credential: operator, body: {name: 'tables'}});
  canary('the secret of a table key', table.secretAccessKey ?? table.secret);
  const signing = canary('a signing secret', random(32));
  await reported('PUT', `/v1/tenants/${tenant.tenantId}/signing-keys/kid-1`, {credential: operator, body: {alg: 'HS256', secret: signing}});

  ann = await Session.as(server, '', {token: renewed.token});
  bob = await tenant.user('bob');
  const phone = `+1555${String(crypto.randomInt(1e9)).padStart(9, '0')}`;
  privately('a phone number', phone);
  const body = privately('a message', `xylophone ${random()}`);
  const subject = privately('a subject', `marimba ${random()}`);
  ({thread: {threadId}} = await ann.request('thread.create',
                                            {kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('c', 'c'), subject}).catch(
    async () => ann.request('thread.create', {kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('c', 'c')})));
  const {messageId} = await ann.request('message.send', {threadId, clientId: 'm-1', type: 'text', body: `${body} call ${phone} or ${email}`});
  await ann.request('message.edit', {threadId, messageId, body: `${body} ${privately('an edit', `glockenspiel ${random()}`)}`}).catch((error) => errors.push(JSON.stringify(error)));

  // Every kind of refusal: none may repeat its input.
  const everything = [...secrets.values()].map(({value}) => value);
  const credentials = [key, operator, pak, renewed.token, renewed.refreshToken, invited.token, made.refreshToken];
  for (const [i, value] of everything.entries()) {
    const quoted = encodeURIComponent(value);
    await ask('GET', `/v1/users?token=${quoted}&email=${quoted}&prefix=${quoted}`, {credential: i % 2 ? key : 'nobody'});
    await ask('GET', `/v1/nowhere/${quoted}?access_token=${quoted}`, {headers: {'x-secret': quoted, cookie: `token=${quoted}`, referer: `https://a.example/?${quoted}`}});
    await ask('POST', '/v1/users', {credential: key, body: {userId: value, email: value, unknownMember: value}});
    await ask('POST', '/v1/ops/message.send', {credential: renewed.token, body: `{"threadId":"${value}","body":"${value}","clientId":"c`});
    await ask('POST', '/v1/ops/message.send', {credential: renewed.token, body: {threadId, clientId: `x${i}`, type: value, body: value}});
    await ask('POST', `/v1/ops/${quoted}`, {credential: renewed.token, body: '{}'});
    await ask('POST', '/v1/tokens/refresh', {body: {refreshToken: `${value}x`}});
    await ask('POST', '/v1/invites/accept', {credential: renewed.token, body: {token: value}});
    await ask('PUT', `/v1/tenants/${tenant.tenantId}/signing-keys/${quoted}`, {credential: operator, body: {alg: 'HS256', secret: value, publicKey: value}});
    await ask('PATCH', `/v1/tenants/${tenant.tenantId}`, {credential: operator, body: {settings: {[value.slice(0, 20)]: value, allowedOrigins: [value]}}});
    await ask('POST', '/v1/dynamodb', {headers: {'x-amz-target': 'DynamoDB_20120810.ListTables', authorization: `AWS4-HMAC-SHA256 Credential=${value}/x, Signature=${value}`}, body: {secret: value}});
    for (const text of [`GET /v1/users?q=${value} HTTP/9.9\r\nAuthorization: Bearer ${value}\r\n\r\n`, `${value}\r\n\r\n`,
                        `POST /v1/users HTTP/1.1\r\nHost: x\r\nX-${value}: \x01${value}\r\nContent-Length: ${value}\r\n\r\n${value}`])
      errors.push(await raw(text));
    const refused = await ann.request('message.send', {threadId, clientId: `y${i}`, type: 'text', body: value, extra: value}).catch((error) => error);
    errors.push(JSON.stringify(refused.error ?? {code: refused.code, message: refused.message}));
  }
  for (const credential of credentials) {
    await ask('GET', '/v1/inbox', {credential: `${credential}x`});
    await ask('GET', '/v1/inbox', {credential: credential.slice(0, -1)});
    await Session.as(server, '', {token: `${credential}x`}).then((one) => one.close(), (error) => errors.push(String(error.message)));
  }
  assert.ok(errors.length > 100, `${errors.length} errors`);
});

/** Fails for every secret in the text: unchanged, in base64 or in hex. */
function findIn(text, {unless = () => false} = {}) {
  return [...secrets].filter(([, one]) => !unless(one) && [
    one.value, encodeURIComponent(one.value), JSON.stringify(one.value).slice(1, -1), Buffer.from(one.value).toString('base64').replace(/=+$/, ''),
    Buffer.from(one.value).toString('hex'),
  ].some((spelled) => text.includes(spelled))).map(([what]) => what);
}

it('no error contains any of it', () => {
  const bad = errors.filter((text) => findIn(text).length > 0).map((text) => `${findIn(text)}: ${text.slice(0, 400)}`);
  assert.deepEqual(bad.slice(0, 5), []);
});

it('/metrics contains none of it', async () => {
  const {text} = await call(server, 'GET', '/metrics');
  assert.ok(text.includes('parley_sessions'));
  assert.deepEqual(findIn(text), []);
});

it('the store contains no secret, and data that is not secret can be found there', async () => {
  const kept = filesIn(server.dir).filter((file) => !['operator.key', 'sealing.key'].includes(path.basename(file)));
  const bytes = kept.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
  assert.deepEqual(findIn(bytes, {unless: ({stored}) => stored}), []);
  assert.ok(bytes.includes(secrets.get('a message').value), 'the log of the store is not compressed: it would be seen');
});

it('output at a normal and an abrupt end contains none of it, and the log before does not either', async () => {
  await within(server.child.kill('SIGABRT'), 'the end');
  assert.match(log, /session begins/);
  assert.match(log, /answered method=POST route=\/v1\/users /);
  const bad = log.split('\n').filter((line) => findIn(line).length > 0);
  assert.deepEqual(bad.slice(0, 5).map((line) => `${findIn(line)}: ${line}`), []);
});

it('the output of parleyctl for the store contains only the requested part of it', async () => {
  const on = ['--data', server.dir];
  for (const command of [['dump', '--tenant', tenant.tenantId, '--thread', threadId], ['verify', '--project'], ['epoch'], ['sealing', 'status'],
                         ['tenant', 'list'], ['tenant', 'get', tenant.tenantId], ['key', 'list', '--tenant', tenant.tenantId]]) {
    const {code, text} = await ctl(...on, ...command);
    assert.equal(code, 0, text);
    assert.deepEqual(findIn(text), [], command.join(' '));
  }
  const {text} = await ctl(...on, 'dump', '--text', '--tenant', tenant.tenantId, '--thread', threadId);
  assert.ok(findIn(text).includes('a message'), 'it is shown where it is asked for');
});
