// Exports the audit as lines that anyone can check: with `parleyctl audit export` from a running server and from a stopped store,
// checked by docs/check_audit.py, which shares no code with the server.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

const kChecker = fileURLToPath(new URL('../../docs/check_audit.py', import.meta.url));

async function ctl(...args) {
  const child = new Child(kParleyctl, args);
  const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
  return {code, out: child.stdout, err: child.stderr};
}

function check(lines, ...args) {
  const {status, stdout, stderr} = spawnSync('python3', [kChecker, ...args], {input: lines.map((line) => `${line}\n`).join(''), encoding: 'utf8'});
  return {status, out: stdout, err: stderr};
}
const linesOf = (out) => out.split('\n').filter(Boolean);

describe('an exported audit', () => {
  const folder = tempDir('audit');
  let server, exported;
  before(async () => {
    server = await Server.start({demo: false});
    const acme = await Tenant.of(server, 'acme');
    const [ann, bob, moderator] = [await acme.user('ann'), await acme.user('bob'), await acme.user('mod', {role: 'moderator'})];
    const {thread: {threadId}} = await ann.op('thread.create', {kind: 'inquiry', buyerUserId: ann.userId, sellerUserId: bob.userId, clientId: fresh('c')});
    for (const [status, reason] of [['locked', 'a "quoted" reason\nwith é, ☂ and \u007f'], ['open', 'over'], ['locked', 'again']])
      await moderator.op('thread.setStatus', {threadId, status, reason});
    await moderator.op('message.list', {threadId});
    const key = path.join(folder, 'acme.key');
    fs.writeFileSync(key, acme.key.credential, {mode: 0o600});
    const running = await ctl('--url', server.http, '--key-file', key, '--json', 'audit', 'export');
    assert.equal(running.code, 0, running.err);
    assert.equal((await server.terminate()).code, 0);
    const stopped = await ctl('--data', server.dir, '--tenant', acme.tenantId, '--json', 'audit', 'export');
    assert.equal(stopped.code, 0, stopped.err);
    exported = linesOf(stopped.out);
    assert.deepEqual(linesOf(running.out).reverse(), exported.slice(0, linesOf(running.out).length));
  });
  after(async () => {
    removeDir(folder);
    await server?.dispose();
  });

  it('is complete in any order of its lines', () => {
    assert.ok(exported.length >= 4, exported.join('\n'));
    for (const lines of [exported, exported.toReversed()]) {
      const {status, out, err} = check(lines);
      assert.equal(status, 0, out + err);
      assert.match(out, new RegExp(`^${exported.length} entries \\(1 to ${exported.length}\\): 0 faults$`, 'm'));
    }
  });

  it('ends with the hash that was noted', () => {
    const {hash} = JSON.parse(exported.at(-1));
    assert.equal(check(exported, '--last', hash).status, 0);
    assert.equal(check(exported.slice(0, -1), '--last', hash).status, 1);
  });

  it('shows changed, missing, duplicate and moved entries', () => {
    const entries = () => exported.map((line) => JSON.parse(line));
    const faults = (change) => {
      const all = entries();
      change(all);
      const {status, out} = check(all.map((entry) => JSON.stringify(entry)));
      assert.equal(status, 1, out);
      return out;
    };
    assert.match(faults((all) => { all[1].reason = 'another'; }), /^entry 2 was changed/m);
    assert.match(faults((all) => all.splice(1, 1)), /^entry 2 is missing/m);
    assert.match(faults((all) => all.push({...all[1]})), /^entry 2 occurs twice/m);
    assert.match(faults((all) => { [all[1].seq, all[2].seq] = [all[2].seq, all[1].seq]; }), /^entry 2 was changed/m);
  });

  it('can be checked in part', () => {
    assert.equal(check(exported.slice(1, 3)).status, 0);
  });

  it('is refused if it is unreadable', () => {
    for (const lines of [['nonsense'], ['{}'], ['[]']]) assert.equal(check(lines).status, 2);
  });
});
