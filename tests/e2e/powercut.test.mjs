// Power cuts under load: after each, the files contain only synced data (and, at random, some unsynced data), and the same must
// be true as after kill -9. In the last test the disk lies, to show that the audit would detect it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, describe, it} from 'node:test';
import {CrashRun, kSmallMemtables} from './lib/crashes.mjs';
import {cutPower, powercutEnv, startLedger} from './lib/powercut.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {rounds} from './lib/rounds.mjs';
import {Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {acksFile, checkStore, verify} from './lib/verify.mjs';

const kCuts = rounds('E2E_POWERCUTS', {daily: 6, nightly: 20});
const kTear = process.env.E2E_TEAR ?? 'none';  // none, zeros, garbage: the end of the remaining tail of a log

describe('power cuts under load', () => {
  const roots = [];
  const servers = [];
  after(async () => {
    for (const server of servers) await server.dispose();
    roots.forEach(removeDir);
  });

  async function shimmed() {
    const root = tempDir('powercut');
    roots.push(root);
    const disk = {dir: path.join(root, 'data'), ledger: path.join(root, 'ledger'), faults: path.join(root, 'faults')};
    fs.mkdirSync(disk.dir);
    startLedger(disk.dir, disk.ledger);
    const server = new Server({dir: disk.dir, args: kSmallMemtables, env: powercutEnv(disk.dir, disk.ledger, disk.faults)});
    servers.push(server);
    await server.launch();
    return {server, disk};
  }

  it(`loses nothing acknowledged in ${kCuts} power cuts`, async () => {
    const {server, disk} = await shimmed();
    const seed = randomSeed();
    const random = new Random(seed);
    const run = new CrashRun(server, seed);
    await run.prepare();
    const acks = () => acksFile(path.join(path.dirname(disk.dir), 'acks'), run.sends);
    for (let i = 0; i < kCuts; ++i) {
      let lost = [];
      try {
        // Every third time no unsynced data survives; otherwise a random part does. The store is verified before a server can
        // repair it.
        await run.crash(() => {
          lost = cutPower(disk.dir, disk.ledger, {random: i % 3 ? random : null, tear: kTear});
          return verify(disk.dir, {acks: acks()});
        });
        await run.recover();
      } catch (error) {
        error.message += `\nseed ${seed}, cut ${i}, the cut took:\n  ${lost.join('\n  ')}`;
        throw error;
      }
    }
    const {sends} = await run.finish();
    console.log(`# ${kCuts} power cuts, ${sends} sends`);
    assert.ok(sends > 30 * kCuts);
    await checkStore(server, {acks: acks()});
  });

  it('would detect an acknowledgement before the sync', async () => {
    const {server, disk} = await shimmed();
    const run = new CrashRun(server, 1);
    await run.prepare();
    await run.crash(() => cutPower(disk.dir, disk.ledger));
    await run.recover();
    fs.writeFileSync(disk.faults, 'blind .log\n');  // from now on the disk only pretends to sync the log
    await assert.rejects(async () => {
      await run.crash(() => cutPower(disk.dir, disk.ledger));
      await run.recover();
    }, {name: 'AssertionError'});  // from the audit: an acknowledged send, edit or read is lost
  });
});
