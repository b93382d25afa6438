// Runs docs/tutorial.md: its commands in one shell against a demo server, and compares the answers with those shown.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import fs from 'node:fs';
import {after, before, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {Server} from './lib/server.mjs';

const page = fs.readFileSync(fileURLToPath(new URL('../../docs/tutorial.md', import.meta.url)), 'utf8');
const blocks = [...page.matchAll(/^```(sh|text)\n([^]*?)^```/gm)].map(([, kind, text]) => ({kind, text}));

let server;
before(async () => {
  const serve = blocks[0].text.trim().split(' ');
  assert.equal(serve.shift(), 'scripts/serve');
  server = await Server.start({demo: true, args: serve});
});
after(() => server?.dispose());

/** Returns the first piece of a shown answer, between its ellipses, that is missing; nothing if all occur in order. */
function missing(shown, printed) {
  let at = 0;
  for (const piece of shown.trim().split(/…|\n/)) {
    const found = printed.indexOf(piece, at);
    if (found < 0) return piece;
    at = found + piece.length;
  }
  return undefined;
}

it('leads through the tutorial with the answers that it shows', async () => {
  // A mark between the blocks separates their output.
  const commands = blocks.slice(1).filter(({kind}) => kind === 'sh').map(({text}) => text.replace('http://localhost:8080', server.http));
  const {stdout} = await promisify(execFile)('bash', ['-euc', commands.join('echo END-OF-BLOCK\n')]);
  const printed = stdout.split('END-OF-BLOCK\n');
  assert.equal(printed.length, commands.length);
  assert.doesNotMatch(stdout, /"error":\{/);
  let block = -1;
  for (const {kind, text} of blocks.slice(1)) {
    if (kind === 'sh') ++block;
    else assert.equal(missing(text, printed[block]), undefined, `the answer is another:\n${printed[block]}`);
  }
});

it('detects an answer that differs', () => {
  assert.equal(missing('"a":1,…"c":3', '{"a":1,"b":2,"c":3}'), undefined);
  assert.equal(missing('"c":3,…"a":1', '{"a":1,"b":2,"c":3}'), '"c":3,');
});
