// kill -9 under load, repeatedly: no acknowledged send is lost or duplicated, every retried send gets the right answer, seq and
// msgNo have no gaps, inboxes agree, sessions resume without loss or repeat.
import assert from 'node:assert/strict';
import path from 'node:path';
import {describe, it} from 'node:test';
import {CrashRun, kSmallMemtables} from './lib/crashes.mjs';
import {randomSeed} from './lib/random.mjs';
import {rounds} from './lib/rounds.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {acksFile, checkStore, verify} from './lib/verify.mjs';

const kCycles = rounds('E2E_CRASHES', {daily: 6, nightly: 24});

describe('kill -9 under load', () => {
  const on = withServer({}, {args: kSmallMemtables});

  it(`loses nothing acknowledged in ${kCycles} crashes`, async () => {
    const run = new CrashRun(on.server, randomSeed());
    const acks = path.join(tempDir('acks'), 'acks');
    await run.prepare();
    for (let i = 0; i < kCycles; ++i) {
      await run.crash(() => verify(on.server.dir, {acks: acksFile(acks, run.sends)}));
      await run.recover();
    }
    const {cycles, sends} = await run.finish();
    await checkStore(on.server, {acks: acksFile(acks, run.sends)});
    console.log(`# ${cycles} crashes, ${sends} sends`);
    assert.ok(cycles === kCycles && sends > 30 * kCycles);
  });
});
