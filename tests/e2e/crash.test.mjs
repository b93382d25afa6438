// kill -9 under load, again and again: no acknowledged send is lost or doubled, every retried send is answered right,
// seq and msgNo have no holes, inboxes agree, sessions resume without loss or repeat.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {CrashRun, kSmallMemtables} from './lib/crashes.mjs';
import {randomSeed} from './lib/random.mjs';
import {withServer} from './lib/suite.mjs';

const kCycles = Number(process.env.E2E_CRASHES ?? 24);

describe('kill -9 under load', () => {
  const on = withServer({}, {args: kSmallMemtables});

  it(`loses nothing acknowledged in ${kCycles} crashes`, async () => {
    const run = new CrashRun(on.server, randomSeed());
    await run.prepare();
    for (let i = 0; i < kCycles; ++i) {
      await run.crash();
      await run.recover();
    }
    const {cycles, sends} = await run.finish();
    console.log(`# ${cycles} crashes, ${sends} sends`);
    assert.ok(cycles === kCycles && sends > 30 * kCycles);
  });
});
