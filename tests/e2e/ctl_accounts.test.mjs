// parleyctl on a running server: administration by an operator and a back end over HTTP and HTTPS; then the same data of the
// stopped store.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {bearer, call} from './lib/http.mjs';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {fresh} from './lib/world.mjs';

async function ctl(...args) {
  const child = new Child(kParleyctl, args);
  const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
  return {code, out: child.stdout, err: child.stderr};
}

/** Parses its output for programs: an object per line. */
async function rows(...args) {
  const {code, out, err} = await ctl('--json', ...args);
  assert.equal(code, 0, err);
  return out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}
async function one(...args) {
  const all = await rows(...args);
  assert.equal(all.length, 1);
  return all[0];
}

describe('parleyctl on a running server', () => {
  const folder = tempDir('ctl');
  const inFolder = (name) => path.join(folder, name);
  let server, operator;
  before(async () => {
    server = await Server.start();
    operator = ['--data', server.dir, '--url', server.http];
  });
  after(async () => {
    await server?.dispose();
    removeDir(folder);
  });

  /** An active tenant and the options for its back end. */
  async function activeTenant() {
    const tenant = fresh('acme', 't').replaceAll('_', '-').toLowerCase();
    assert.equal((await ctl(...operator, 'tenant', 'create', tenant, '--name', 'Acme', '--settings', '{"knownUsersOnly":false,"userProjects":true}')).code, 0);
    assert.equal((await ctl(...operator, 'tenant', 'activate', tenant)).code, 0);
    const keyFile = inFolder(`${tenant}.key`);
    const made = await ctl(...operator, '--tenant', tenant, 'key', 'create', '--name', 'back end', '--secret-file', keyFile);
    assert.equal(made.code, 0, made.err);
    return {tenant, keyFile, service: ['--url', server.http, '--key-file', keyFile]};
  }

  it('creates a tenant, then activates, changes and suspends it', async () => {
    const made = await one(...operator, 'tenant', 'create', 'first-shop', '--name', 'First Shop', '--settings', '{"messagesPerDay":7}');
    assert.deepEqual([made.tenantId, made.name, made.status, made.version], ['first-shop', 'First Shop', 'onboarding', 1]);
    assert.equal((await one(...operator, 'tenant', 'activate', 'first-shop')).status, 'active');
    const settings = inFolder('settings.json');
    fs.writeFileSync(settings, JSON.stringify({messagesPerDay: null, folders: ['starred']}));
    const changed = await one(...operator, 'tenant', 'set', 'first-shop', `@${settings}`, '--name', 'Shop');
    assert.deepEqual([changed.name, changed.settings], ['Shop', {folders: ['starred'], knownUsersOnly: true}]);
    assert.equal((await one(...operator, 'tenant', 'suspend', 'first-shop')).status, 'suspended');
    assert.deepEqual((await one(...operator, 'tenant', 'get', 'first-shop')).settings, {folders: ['starred'], knownUsersOnly: true});
  });

  it('shows people a table, and a tenant member by member', async () => {
    await ctl(...operator, 'tenant', 'create', 'table-shop', '--name', 'Bj\u00f6rn \u001b[31m & Co');
    const {code, out} = await ctl(...operator, 'tenant', 'list');
    assert.equal(code, 0);
    const [head, ...lines] = out.trimEnd().split('\n');
    assert.match(head, /^tenantId +name +status +createdAt +version$/);
    const line = lines.find((text) => text.startsWith('table-shop ')) ?? assert.fail(out);
    assert.ok(line.includes('Björn [31m & Co') && !out.includes('\u001b'), 'what somebody wrote does not steer the terminal');
    assert.equal(line.indexOf('onboarding'), head.indexOf('status'));
    const {out: members} = await ctl(...operator, 'tenant', 'get', 'table-shop');
    assert.match(members, /^tenantId +table-shop$/m);
    assert.match(members, /^status +onboarding$/m);
  });

  it('exits with 1 and prints code and hint if the server refuses', async () => {
    const gone = await ctl(...operator, 'tenant', 'get', 'nobody-there');
    assert.deepEqual([gone.code, gone.out], [1, '']);
    assert.match(gone.err, /^parleyctl: NOT_FOUND: no such tenant\n  \S.*\n$/);
    const wrong = await ctl(...operator, 'tenant', 'create', 'wrong-shop', '--name', 'x', '--settings', '{"folders":7}');
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /BAD_REQUEST.*\n.*\n  \S*folders/s);
    const reported = await ctl(...operator, '--json', 'tenant', 'get', 'nobody-there');
    assert.equal(JSON.parse(reported.err).code, 'NOT_FOUND');
    await ctl(...operator, 'tenant', 'create', 'stale-shop', '--name', 'x');
    await ctl(...operator, 'tenant', 'set', 'stale-shop', '{}', '--name', 'y');
    const stale = await ctl(...operator, 'tenant', 'set', 'stale-shop', '--name', 'z', '--from-version', '1');
    assert.deepEqual([stale.code, /VERSION_CONFLICT/.test(stale.err)], [1, true], stale.err);
  });

  it('writes a key to a new file, which serves only its own tenant\'s back end', async () => {
    const {tenant, keyFile, service} = await activeTenant();
    assert.equal(fs.statSync(keyFile).mode & 0o777, 0o600);
    assert.match(fs.readFileSync(keyFile, 'utf8'), /^ptk_[0-9a-f]{64}\n$/);
    assert.deepEqual((await rows(...service, 'tenant', 'list')).map(({tenantId}) => tenantId), [tenant]);
    const [key] = await rows(...service, 'key', 'list');
    assert.deepEqual([key.name, key.status], ['back end', 'active']);
    assert.equal((await ctl(...service, 'tenant', 'suspend', tenant)).code, 1);

    const again = await ctl(...operator, '--tenant', tenant, 'key', 'create', '--secret-file', keyFile);
    assert.equal(again.code, 2, 'a file that is there is not overwritten');
    const other = await ctl(...service, 'key', 'create');
    assert.match(other.out, /^secret +ptk_[0-9a-f]{64}$/m);
    assert.equal((await rows(...service, 'key', 'list')).length, 2);

    const revoked = await one(...operator, '--tenant', tenant, 'key', 'revoke', key.keyId);
    assert.equal(revoked.status, 'revoked');
    const refused = await ctl(...service, 'key', 'list');
    assert.deepEqual([refused.code, /UNAUTHENTICATED/.test(refused.err)], [1, true], refused.err);
  });

  it('creates no file if the key is refused', async () => {
    const file = inFolder('never.key');
    assert.equal((await ctl(...operator, '--tenant', 'nobody-there', 'key', 'create', '--secret-file', file)).code, 1);
    assert.ok(!fs.existsSync(file));
  });

  it('sets, lists and deletes signing keys of a back end, read from files', async () => {
    const {service} = await activeTenant();
    const [secret, pem] = [inFolder('hs256.secret'), inFolder('ed25519.pem')];
    fs.writeFileSync(secret, `${'k'.repeat(32)}\n`, {mode: 0o600});
    fs.writeFileSync(pem, generateKeyPairSync('ed25519').publicKey.export({type: 'spki', format: 'pem'}));
    assert.equal((await one(...service, 'key', 'signing-set', 'k1', '--alg', 'HS256', '--secret', secret)).alg, 'HS256');
    assert.equal((await one(...service, 'key', 'signing-set', 'k2', '--alg', 'EdDSA', '--public-key', pem)).alg, 'EdDSA');
    assert.deepEqual((await rows(...service, 'key', 'signing-list')).map(({kid}) => kid), ['k1', 'k2']);
    const done = await ctl(...service, 'key', 'signing-delete', 'k1');
    assert.deepEqual([done.code, done.out], [0, 'done\n'], done.err);
    assert.deepEqual((await rows(...service, 'key', 'signing-list')).map(({kid}) => kid), ['k2']);
    fs.writeFileSync(secret, `${'k'.repeat(31)}\n`);
    assert.equal((await ctl(...service, 'key', 'signing-set', 'k3', '--alg', 'HS256', '--secret', secret)).code, 1, 'the line\'s end is no part of it');
  });

  it('pages through a long list', async () => {
    const {tenant, service} = await activeTenant();
    const operatorKey = fs.readFileSync(path.join(server.dir, 'operator.key'), 'utf8').trim();
    const ids = Array.from({length: 205}, (_, i) => `p${tenant}`.slice(0, 30) + `-${i}`);
    for (const tenantId of ids) {
      const {status, text} = await call(server, 'POST', '/v1/tenants', {body: {tenantId, name: 'x'}, headers: bearer(operatorKey)});
      assert.equal(status, 201, text);
    }
    const listed = new Set((await rows(...operator, 'tenant', 'list')).map(({tenantId}) => tenantId));
    assert.ok(ids.every((id) => listed.has(id)));
    assert.equal((await rows(...service, 'tenant', 'list')).length, 1);
  });

  it('creates table keys, lists what they open, and revokes them', async () => {
    const {service} = await activeTenant();
    const key = await one(...service, 'table', 'key-create', '--name', 'reports', '--read-only', '--tables', 'tenants,messages');
    const file = inFolder('table.json');
    fs.writeFileSync(file, JSON.stringify(key), {mode: 0o600});
    const [listed] = await rows(...service, 'table', 'key-list');
    assert.deepEqual([listed.accessKeyId, listed.readOnly, listed.tables], [key.accessKeyId, true, ['tenants', 'messages']]);
    const tables = await rows('--url', server.http, '--table-key-file', file, 'table', 'list');
    assert.ok(tables.some(({name}) => name === 'tenants'), JSON.stringify(tables));
    assert.equal((await one(...service, 'table', 'key-revoke', key.accessKeyId)).status, 'revoked');
    const refused = await ctl('--url', server.http, '--table-key-file', file, 'table', 'list');
    assert.deepEqual([refused.code, /UnrecognizedClientException/.test(refused.err)], [1, true], refused.err);
  });

  it('creates users and their tokens, and deletes both', async () => {
    const {tenant, service} = await activeTenant();
    const ann = fresh('ann');
    const made = await one(...service, 'user', 'create', ann, '--email', 'Ann@Example.com', '--display-name', 'Ann', '--role', 'support',
                           '--channel-identities', '{"slack":"U1"}', '--attributes', '{"adult":true}');
    assert.deepEqual([made.userId, made.email, made.displayName, made.role, made.channelIdentities, made.attributes],
                     [ann, 'ann@example.com', 'Ann', 'support', {slack: 'U1'}, {adult: true}]);
    await ctl(...operator, '--tenant', tenant, 'user', 'create', fresh('bob'));
    assert.equal((await rows(...service, 'user', 'list')).length, 2);
    for (const by of [['--prefix', ann], ['--email', 'ann@example.com'], ['--identity', 'slack:U1']])
      assert.deepEqual((await rows(...service, 'user', 'list', ...by)).map(({userId}) => userId), [ann], by[0]);
    assert.deepEqual(await one(...operator, '--tenant', tenant, 'user', 'get', ann), made);

    const {token, refreshToken} = await one(...service, 'token', 'create', ann, '--ttl-seconds', '600');
    const ask = () => call(server, 'POST', '/v1/ops/inbox.list', {body: {}, headers: bearer(token)});
    assert.equal((await ask()).status, 200);
    assert.match(refreshToken, /^prt_/);
    assert.deepEqual(await ctl(...service, 'token', 'revoke', ann), {code: 0, out: 'done\n', err: ''});
    assert.equal((await ask()).status, 401);

    assert.equal((await ctl(...service, 'user', 'delete', ann)).code, 0);
    const gone = await ctl(...service, 'user', 'get', ann);
    assert.deepEqual([gone.code, /NOT_FOUND/.test(gone.err)], [1, true], gone.err);
  });

  it('invites an address once at a time, and revokes the invitation', async () => {
    const {tenant, service} = await activeTenant();
    const file = inFolder(`${tenant}.invite`);
    const {invite} = await one(...service, '--secret-file', file, 'invite', 'create', 'Kim@Example.com', '--level', 'write');
    assert.deepEqual([invite.email, invite.level, invite.resource, invite.state], ['kim@example.com', 'write', 'tenant', 'pending']);
    assert.match(fs.readFileSync(file, 'utf8'), /^\S{32,}\n$/);
    const again = await ctl(...service, 'invite', 'create', 'kim@example.com', '--level', 'read');
    assert.deepEqual([again.code, /ALREADY_EXISTS/.test(again.err)], [1, true], again.err);
    assert.equal((await one(...operator, '--tenant', tenant, 'invite', 'revoke', invite.inviteId)).state, 'revoked');
    assert.deepEqual((await rows(...service, 'invite', 'list')).map(({inviteId, state}) => [inviteId, state]), [[invite.inviteId, 'revoked']]);
    assert.match((await ctl(...service, 'invite', 'create', 'lee@example.com', '--level', 'read')).out, /^token +\S{32,}$/m);
  });

  it('reads threads as a service does', async () => {
    const {keyFile, service} = await activeTenant();
    const token = fs.readFileSync(keyFile, 'utf8').trim();
    const ann = fresh('ann');
    const {status, json} = await call(server, 'POST', '/v1/ops/thread.create', {
      headers: bearer(token, {'parley-user': ann}),
      body: {kind: 'project', buyerUserId: ann, sellerUserId: fresh('bob'), clientId: 'c-1', subject: 'Saturday', lbgId: 'lbg_ctl'},
    });
    assert.equal(status, 200, JSON.stringify(json));
    const {threadId} = json.thread;
    assert.equal((await one(...service, 'thread', 'get', threadId)).thread.subject, 'Saturday');
    assert.deepEqual((await rows(...service, 'thread', 'list', '--lbg-id', 'lbg_ctl')).map((row) => row.threadId), [threadId]);
    assert.deepEqual((await rows(...service, 'thread', 'inbox', ann)).map((row) => row.threadId), [threadId]);
    assert.equal((await ctl(...service, 'thread', 'list')).code, 1);
    assert.equal((await ctl(...service, 'thread', 'get', 'thrd_01k9a52dr0d179n3hr96t0j00g')).code, 1);
  });

  it('exits with 2 if it could not connect', async () => {
    const fails = async (why, ...args) => {
      const {code, out, err} = await ctl(...args);
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, why);
    };
    const nowhere = ['--data', server.dir, '--url', 'http://127.0.0.1:1'];
    await fails(/cannot be reached/, ...nowhere, 'tenant', 'list');
    await fails(/readable on the way/, '--data', server.dir, '--url', 'http://chat.example.com', 'tenant', 'list');
    await fails(/--key-file is required/, '--url', server.http, 'tenant', 'list');
    await fails(/cannot be read/, '--url', server.http, '--key-file', inFolder('none.key'), 'tenant', 'list');
    await fails(/needs --tenant/, ...operator, 'key', 'list');
    await fails(/is not JSON/, ...operator, 'tenant', 'set', 'first-shop', '{');
    await fails(/whole number/, ...operator, '--tenant', 'first-shop', 'token', 'create', 'usr_ann', '--ttl-seconds', 'long');
    await fails(/name/, ...operator, 'tenant', 'create', 'first-shop');
    await fails(/stopped store/, ...operator, 'verify');
    await fails(/renew belongs to epoch/, '--data', server.dir, 'tenant', 'list', '--renew');
    await fails(/not expected/, ...operator, 'tenant', 'list', 'everything');
  });

  it('prints its version and the arguments of a command', async () => {
    assert.match((await ctl('--version')).out, /^parleyctl \d+\.\d+\.\d+\n$/);
    assert.match((await ctl('tenant', 'set', '--help')).out, /--from-version/);
  });
});

describe('parleyctl on a store that was stopped', () => {
  const folder = tempDir('ctl_store');
  let server, listed;
  before(async () => {
    server = await Server.start();
    const operator = ['--data', server.dir, '--url', server.http];
    await ctl(...operator, 'tenant', 'create', 'kept-shop', '--name', 'Kept');
    await ctl(...operator, 'tenant', 'create', 'a-second-shop', '--name', 'Second');
    const ofShop = [...operator, '--tenant', 'kept-shop'];
    await ctl(...ofShop, 'key', 'create', '--name', 'kept');
    await ctl(...ofShop, 'user', 'create', 'usr_kim', '--display-name', 'Kim', '--email', 'kim@example.com');
    await ctl(...ofShop, 'user', 'create', 'usr_lee', '--channel-identities', '{"slack":"U2"}');
    listed = {
      users: await rows(...ofShop, 'user', 'list'),
      tenants: (await rows(...operator, 'tenant', 'list')).filter(({tenantId}) => tenantId !== 'demo'),
      keys: await rows(...ofShop, 'key', 'list'),
    };
    assert.equal((await server.terminate()).code, 0);
  });
  after(async () => {
    await server?.dispose();
    removeDir(folder);
  });

  it('shows tenants, keys and users as the server did', async () => {
    const data = ['--data', server.dir];
    const kept = (await rows(...data, 'tenant', 'list')).filter(({tenantId}) => tenantId !== 'demo');
    assert.equal(kept.length, 2);
    assert.deepEqual(kept, listed.tenants, 'in the same order');
    assert.equal((await one(...data, 'tenant', 'get', 'kept-shop')).name, 'Kept');
    assert.equal(listed.keys.length, 1);
    assert.deepEqual(await rows(...data, '--tenant', 'kept-shop', 'key', 'list'), listed.keys);
    assert.equal(listed.users.length, 2);
    assert.deepEqual(await rows(...data, '--tenant', 'kept-shop', 'user', 'list'), listed.users);
    const [kim, lee] = listed.users;
    assert.deepEqual(await rows(...data, '--tenant', 'kept-shop', 'user', 'list', '--email', 'KIM@example.com'), [kim]);
    assert.deepEqual(await rows(...data, '--tenant', 'kept-shop', 'user', 'list', '--identity', 'slack:U2'), [lee]);
    assert.deepEqual(await rows(...data, '--tenant', 'kept-shop', 'user', 'list', '--prefix', 'usr_l'), [lee]);
    assert.deepEqual(await one(...data, '--tenant', 'kept-shop', 'user', 'get', 'usr_kim'), kim);
    assert.ok((await rows(...data, '--tenant', 'kept-shop', 'table', 'list')).some(({name}) => name === 'tenants'));
  });

  it('prints the result of verify for programs', async () => {
    const sum = await one('--data', server.dir, 'verify');
    assert.deepEqual([sum.threads, sum.differences, sum.threadsNotJudged, sum.unrenewedCopy, sum.repaired], [0, 0, 0, false, []]);
    assert.ok(sum.items > 4, 'tenants, a key and users are items');

    const acks = path.join(folder, 'acks');
    fs.writeFileSync(acks, 'nonsense\n');
    const {code, out} = await ctl('--json', '--data', server.dir, 'verify', '--acks', acks);
    const [differs, again] = out.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual([code, differs, again.differences], [1, {differs: `${acks}:1: the line cannot be read`}, 1]);
  });

  it('exits with 2 for unknown things and for commands that need a server', async () => {
    for (const [why, ...args] of [[/no such tenant/, 'tenant', 'get', 'nobody'], [/no such user/, '--tenant', 'kept-shop', 'user', 'get', 'usr_x'],
                                  [/running server: --url/, 'tenant', 'suspend', 'kept-shop'], [/--tenant is required/, 'user', 'list']]) {
      const {code, err} = await ctl('--data', server.dir, ...args);
      assert.equal(code, 2);
      assert.match(err, why);
    }
  });
});

describe('parleyctl over https', () => {
  const folder = tempDir('ctl_tls');
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  let server, operator;
  before(async () => {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30', '-subj',
                             '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], {stdio: 'ignore'});
    fs.chmodSync(key, 0o600);
    server = await Server.start({args: ['--tls-certificate', certificate, '--tls-key', key]});
    operator = ['--data', server.dir, '--url', `https://127.0.0.1:${server.port}`];
  });
  after(async () => {
    await server?.dispose();
    removeDir(folder);
  });

  it('trusts only the given certificates', async () => {
    const refused = await ctl(...operator, 'tenant', 'list');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /certificate/);
    assert.equal((await ctl(...operator, '--cacert', certificate, 'tenant', 'list')).code, 0);
  });

  it('refuses a certificate of another name', async () => {
    const {code, err} = await ctl('--data', server.dir, '--url', `https://localhost:${server.port}`, '--cacert', certificate, 'tenant', 'list');
    assert.equal(code, 2);
    assert.match(err, /subject name|subjectAltName/);
  });
});
