// Sends the same random requests to our server, to dynalite and to dynoxide through Amazon's SDK: items, errors by name, counts,
// pages and the stored rows must be equal, except for the differences in lib/tables/differences.mjs.
//   E2E_SEED=7 OPS=100000 MAX_SECONDS=3600 node --test tables_differential.test.mjs
// Without a seed it plays the same requests each time, so that faults of the other programs cannot fail our tests by chance.
// E2E_SEED=random plays new ones.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Random, randomSeed} from './lib/random.mjs';
import {rounds} from './lib/rounds.mjs';
import {Differential, reported} from './lib/tables/differential.mjs';
import {kDeliberate, kKnown} from './lib/tables/differences.mjs';
import {dynoxideBinary, kChosen, startEndpoint} from './lib/tables/endpoints.mjs';
import {Operations} from './lib/tables/random_operations.mjs';

const kOps = rounds('OPS', {daily: 1000, nightly: 4000});
const kSeconds = Number(process.env.MAX_SECONDS ?? 40);
const kShown = Number(process.env.SHOWN ?? 12);

const kSeed = process.env.E2E_SEED ?? '1';
const prefix = 'differential.';
const peers = (process.env.PEERS?.split(',') ?? ['dynalite', ...(dynoxideBinary() ? ['dynoxide'] : [])]).filter((name) => name !== kChosen);
let subject;
let differential;

before(async () => {
  subject = await startEndpoint();
  differential = new Differential(subject, peers, prefix, [...kKnown, ...kDeliberate]);
  await differential.start();
});
after(async () => {
  await differential?.stop();
  await subject?.check();
  await subject?.stop();
});

test('random requests have the same outcomes as at other DynamoDB servers', async () => {
  process.env.E2E_SEED = kSeed === 'random' ? String(Math.floor(Math.random() * 2 ** 31)) : kSeed;
  const random = new Random(randomSeed());
  const operations = new Operations(random, prefix);
  const end = Date.now() + kSeconds * 1000;
  let played = 0;
  while (played < kOps && Date.now() < end) {
    await differential.play(operations.next());
    played += 1;
  }
  console.log(`# ${played} requests, ${differential.compared} comparisons with ${peers.join(' and ')}`);
  for (const peer of differential.peers) if (peer.failures > 0) console.log(`# ${peer.name} broke down ${peer.failures} times and was started anew`);
  for (const [why, count] of differential.excused) console.log(`# ${count} × ${why}`);
  const kinds = differential.kinds();
  for (const {kind, all} of kinds.slice(0, kShown)) console.log(`\n${all.length} × ${kind}\n${reported(all[0])}`);
  assert.ok(played > 0);
  assert.equal(kinds.length, 0, `${differential.found.length} differences of ${kinds.length} kinds, the first of which are above`);
});
