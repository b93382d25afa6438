// The key file of the store's secrets: created at the first start, required afterwards, rotated.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {Child, kParleyctl, kParleyd, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {Tenant} from './lib/tenants.mjs';

async function run(program, ...args) {
  const child = new Child(program, args);
  const {code} = await within(child.exited, args.join(' '), {context: () => child.tail()}).finally(() => child.process.kill('SIGKILL'));
  return {code, out: child.stdout, err: child.stderr};
}
const ctl = (...args) => run(kParleyctl, ...args);

describe('the key that seals the secrets of a store', () => {
  const elsewhere = tempDir('sealing');
  const file = path.join(elsewhere, 'sealing.key');
  let server, tenant, ann, refreshToken, pak;

  before(async () => {
    server = await Server.start({demo: false, args: ['--sealing-key-file', file]});
    tenant = await Tenant.of(server, 'sealed');
    ann = await tenant.user('ann');
    refreshToken = ann.refreshToken;
    pak = (await tenant.key.ok('POST', `/v1/users/${ann.userId}/api-keys`, {name: 'robot'})).secret;
  });
  after(async () => {
    await server?.dispose();
    removeDir(elsewhere);
  });

  const onStore = (...args) => ctl('--data', server.dir, '--sealing-key-file', file, ...args);
  /** Everything handed out before still opens the same things. */
  async function everythingOpens() {
    for (const credential of [ann.token, pak]) {
      const answer = await call(server, 'POST', '/v1/ops/inbox.list', {body: '{}', headers: bearer(credential)});
      assert.equal(answer.status, 200, answer.text);
    }
    const renewed = await call(server, 'POST', '/v1/tokens/refresh', {body: {refreshToken}});
    assert.equal(renewed.status, 200, renewed.text);
    ({refreshToken} = renewed.json);
  }
  async function counts() {
    const {code, out, err} = await onStore('--json', 'sealing', 'status');
    assert.equal(code, 0, err);
    return out.trim().split('\n').map((line) => JSON.parse(line));
  }
  async function refused(words) {
    const {code, out, err} = await run(kParleyd, '--data', server.dir, '--listen', '127.0.0.1:0', '--sealing-key-file', file);
    assert.equal(code, 3, err);
    assert.ok(!out.includes('listening'));
    for (const word of words) assert.ok(err.includes(word), `${word}: ${err}`);
    const asked = await onStore('tenant', 'list');
    assert.equal(asked.code, 2);
    assert.ok(asked.err.includes(words[0]), asked.err);
    assert.equal((await onStore('sealing', 'rotate')).code, 2);
  }

  it('is in a separate file that only its owner can read', async () => {
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.ok(!fs.existsSync(path.join(server.dir, 'sealing.key')));
    assert.match(server.child.stderr, /the key that seals the store's secrets was made/);
    const [, key] = /^(psk_[0-9a-f]{64})$/m.exec(fs.readFileSync(file, 'utf8')) ?? assert.fail('no key');
    assert.ok(!server.child.stderr.includes(key.slice(4)), 'the log does not hold it');
    await everythingOpens();
    assert.equal((await server.terminate()).code, 0);
    for (const name of fs.readdirSync(server.dir)) {
      const {mode} = fs.statSync(path.join(server.dir, name));
      assert.equal(mode & 0o077, 0, name);
    }
    assert.equal(fs.statSync(server.dir).mode & 0o777, 0o700);
  });

  it('cannot be missing or replaced by another', async () => {
    const [{key}] = await counts();
    fs.renameSync(file, `${file}.away`);
    await refused([file, key]);
    assert.ok(!fs.existsSync(file), 'none was made');
    fs.writeFileSync(file, `psk_${'5'.repeat(64)}\n`, {mode: 0o600});
    await refused([file, key]);
    fs.copyFileSync(`${file}.away`, file);
    fs.chmodSync(file, 0o644);
    await refused(['chmod 600']);
    fs.renameSync(`${file}.away`, file);
    const {code, err} = await ctl('--data', server.dir, 'verify');
    assert.equal(code, 0, 'a store may be proven without it');
    assert.match(err, /note: the secrets in this store are sealed with the key/);
    await server.restart();
    await everythingOpens();
  });

  it('can be rotated: everything is resealed, and then the old key can be removed', async () => {
    assert.equal((await onStore('sealing', 'rotate')).code, 2, 'not under a server');
    assert.equal((await server.terminate()).code, 0);
    const [old] = await counts();
    assert.ok(old.values > 5, `${old.values} values`);
    const rotated = await onStore('sealing', 'rotate');
    assert.equal(rotated.code, 0, rotated.err);
    const [now, before] = await counts();
    assert.notEqual(now.key, old.key);
    assert.deepEqual([before, now.values], [{key: old.key, values: 0}, old.values]);
    const verified = await onStore('verify');
    assert.equal(verified.code, 0, verified.out);
    const kept = fs.readFileSync(file, 'utf8');
    const [first] = kept.match(/^psk_.*$/m);
    fs.writeFileSync(file, `${first}\n`);
    await server.restart();
    await everythingOpens();
    assert.equal((await server.terminate()).code, 0);
    fs.writeFileSync(file, kept.replace(first, '').replaceAll('# key', '# was'));
    await refused([file, now.key]);
    fs.writeFileSync(file, kept);
    await server.restart();
    await everythingOpens();
  });
});
