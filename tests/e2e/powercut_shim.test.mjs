// Checks the power cut itself: programs that acknowledge after a sync keep all acknowledged data; the same programs without the
// sync lose some. Needs no server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, describe, it} from 'node:test';
import {eventually, within} from './lib/deadline.mjs';
import {cutPower, kShim, powercutEnv, readLedger, startLedger} from './lib/powercut.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {Child} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';

const bin = path.resolve(process.env.POWERCUT_BIN ?? path.join(path.dirname(kShim), '../bin'));
const seed = randomSeed();

describe('the power cut', () => {
  const roots = [];
  after(() => roots.forEach(removeDir));

  function disk() {
    const root = tempDir('powercut');
    roots.push(root);
    const dir = path.join(root, 'data');
    const ledger = path.join(root, 'ledger');
    fs.mkdirSync(dir);
    startLedger(dir, ledger);
    return {dir, ledger, faults: path.join(root, 'faults')};
  }

  /** Runs a probe until it has acknowledged `goal`, kills it; → the last number it acknowledged. */
  async function runUntil(disk, program, how, goal) {
    const child = new Child(path.join(bin, program), [disk.dir, how], {env: powercutEnv(disk.dir, disk.ledger, disk.faults)});
    const last = () => Number(/(?:^|\n)(\d+)\n[^\n]*$/.exec(child.stdout)?.[1] ?? -1);
    await eventually(() => {
      assert.equal(child.process.exitCode, null, child.tail());
      return last() >= goal;
    }, `${program} to reach ${goal}`, {everyMs: 1}).finally(() => child.process.kill('SIGKILL'));
    await within(child.kill('SIGKILL'), 'the probe to be gone');
    return last();
  }

  const records = (dir) => {
    const file = path.join(dir, 'records');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  };

  async function check(dir, wanted) {
    const child = new Child(path.join(bin, 'powercut_rocksdb_probe'), [dir, 'check', String(wanted)]);
    const {code} = await within(child.exited, 'the check');
    return {code, text: child.tail()};
  }

  it('keeps every byte that was synced before it was acknowledged', async () => {
    const d = disk();
    const acknowledged = await runUntil(d, 'powercut_probe', 'sync', 200);
    cutPower(d.dir, d.ledger);
    assert.ok(records(d.dir) >= acknowledged + 1, `${records(d.dir)} records, ${acknowledged + 1} acknowledged`);
  });

  it('removes every byte that was acknowledged without a sync', async () => {
    const d = disk();
    await runUntil(d, 'powercut_probe', 'nosync', 200);
    assert.ok(records(d.dir) > 200, 'kill -9 alone loses nothing');
    cutPower(d.dir, d.ledger);
    assert.equal(records(d.dir), 0);
  });

  it('removes bytes that a lying disk reported as synced', async () => {
    const d = disk();
    fs.writeFileSync(d.faults, 'blind records\n');
    await runUntil(d, 'powercut_probe', 'sync', 50);
    cutPower(d.dir, d.ledger);
    assert.equal(records(d.dir), 0);
  });

  it('keeps what RocksDB synced, through created and deleted logs, tables and manifests', async () => {
    const random = new Random(seed);
    const d = disk();
    let goal = 0;
    for (let round = 0; round < 6; ++round) {
      goal += random.int(50, 400);
      const acknowledged = await runUntil(d, 'powercut_rocksdb_probe', 'sync', goal);
      const lost = cutPower(d.dir, d.ledger, {random: round % 2 ? random : null, tear: random.pick(['none', 'zeros', 'garbage'])});
      const {code, text} = await check(d.dir, acknowledged + 1);
      assert.equal(code, 0, `seed ${seed} round ${round}\n${text}\n${lost.join('\n')}`);
      startLedger(d.dir, d.ledger);  // the check wrote without the shim
    }
  });

  it('removes what RocksDB did not sync', async () => {
    const d = disk();
    const acknowledged = await runUntil(d, 'powercut_rocksdb_probe', 'nosync', 300);
    cutPower(d.dir, d.ledger);
    assert.equal((await check(d.dir, acknowledged + 1)).code, 1);
  });

  it('parses its ledger: sizes, overwriting, names and undoing them', () => {
    const {durable, names} = readLedger([
      'N 1 10 0', 'S 1 10 100', 'W 1 10 40', 'N 1 11 0', 'S 1 11 7', 'T 1 11 3', 'c 5 /d/a', 'D 5', 'c 5 /d/b',
      'r 5 /d/b\t/d/c\t-', 'S 1 12 99', 'S 1 10 9'].join('\n'));
    assert.deepEqual([...durable], [['1 10', 40], ['1 11', 3], ['1 12', 99]]);
    assert.deepEqual(names.map((n) => [n.kind, n.paths]), [['c', ['/d/b']], ['r', ['/d/b', '/d/c', '-']]]);
    assert.throws(() => readLedger('X mapped\n'), /cannot account/);
  });

  it('undoes changes of names whose directory was not synced', () => {
    const d = disk();
    const at = (name) => path.join(d.dir, name);
    fs.writeFileSync(at('old'), 'old');
    fs.writeFileSync(at('gone'), 'gone');
    startLedger(d.dir, d.ledger);
    const {ino} = fs.statSync(d.dir);
    // A rename replaces the old contents by the new, and a file is removed; the directory is not synced.
    fs.writeFileSync(at('new'), 'new');
    const {dev, ino: newIno} = fs.statSync(at('new'));
    fs.linkSync(at('old'), `${d.ledger}.saved.1.1`);
    fs.renameSync(at('new'), at('old'));
    fs.linkSync(at('gone'), `${d.ledger}.saved.1.2`);
    fs.rmSync(at('gone'));
    fs.appendFileSync(d.ledger, [`c ${ino} ${at('new')}`, `S ${dev} ${newIno} 3`,
      `r ${ino} ${at('new')}\t${at('old')}\t${d.ledger}.saved.1.1`, `u ${ino} ${at('gone')}\t${d.ledger}.saved.1.2`, ''].join('\n'));
    cutPower(d.dir, d.ledger);
    assert.deepEqual(fs.readdirSync(d.dir).sort(), ['gone', 'old']);
    assert.equal(fs.readFileSync(at('old'), 'utf8'), 'old');
  });
});
