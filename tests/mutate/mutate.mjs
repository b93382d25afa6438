// Applies each mutation of mutations.txt alone to a copy of the tree, rebuilds the test that should catch it, and
// runs that test, which must fail. Run it by scripts/mutate; see tests/README.md.
//
//   node tests/mutate/mutate.mjs [NAME…]     all, or those whose name contains one of these
//   node tests/mutate/mutate.mjs --list      lists all
//   node tests/mutate/mutate.mjs --sample N  N of them, different ones each day
//   node tests/mutate/mutate.mjs --check     only that the list fits the tree: every text is in its function exactly once
import {execFileSync, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {functionsOf} from './functions.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(process.env.MUTATE_ROOT ?? path.join(here, '../..'));
const work = path.join(root, 'build/mutate');
const tree = path.join(work, 'tree');
const kBuildMs = 30 * 60_000;
const kTestMs = 2 * 60_000;  // a test that hangs counts as failed

/** The mutations in the order of the file. */
function readMutations() {
  const mutations = [];
  for (const line of fs.readFileSync(path.join(here, 'mutations.txt'), 'utf8').split('\n')) {
    const name = /^\[(.+)\]$/.exec(line)?.[1];
    const last = mutations.at(-1);
    if (name) mutations.push({name, file: '', in: '', pattern: [], replacement: [], target: '', filter: ''});
    else if (line.startsWith('file ')) last.file = line.slice(5);
    else if (line.startsWith('in ')) last.in = line.slice(3);
    else if (line.startsWith('-')) last.pattern.push(line.slice(1));
    else if (line.startsWith('+')) last.replacement.push(line.slice(1));
    else if (line.startsWith('caught ')) [last.target, last.filter] = line.slice(7).split(' ');
    else if (line !== '' && !line.startsWith('#')) throw new Error(`mutations.txt: ${line}`);
  }
  return mutations.map((one) =>
    ({...one, pattern: one.pattern.join('\n'), replacement: one.replacement.join('\n')}));
}

/** The positions in `source` of the text that a mutation replaces. */
function placesOf({in: name, pattern}, source) {
  return functionsOf(source, name).flatMap(([from, to]) => {
    const places = [];
    for (let at = source.indexOf(pattern, from); at >= 0 && at < to; at = source.indexOf(pattern, at + 1)) places.push(at);
    return places;
  });
}

/** Returns why a mutation does not fit the tree; nothing if it does. */
function misfit(mutation, base) {
  const {file, in: name, pattern, replacement, target, filter} = mutation;
  const at = path.join(base, file);
  if (!fs.existsSync(at)) return `${file} does not exist`;
  if (!pattern || pattern === replacement) return 'it replaces nothing';
  if (!target.endsWith('_test') || !filter) return 'it names no test';
  const source = fs.readFileSync(at, 'utf8');
  if (functionsOf(source, name).length === 0) return `${file} does not define ${name}`;
  const times = placesOf(mutation, source).length;
  return times === 1 ? null : `its text is ${times} times in ${name}, ${file}`;
}

function run(command, args, {timeout, cwd = tree} = {}) {
  const done = spawnSync(command, args, {cwd, timeout, encoding: 'utf8', maxBuffer: 1 << 28, killSignal: 'SIGKILL'});
  return {ok: done.status === 0, timedOut: done.error?.code === 'ETIMEDOUT', output: (done.stdout ?? '') + (done.stderr ?? '')};
}

const build = (target) => run('ninja', ['-C', 'build/release', target], {timeout: kBuildMs});
const test = ({target, filter}) =>
  run(path.join(tree, 'build/release/bin', target), [`--gtest_filter=${filter}`], {timeout: kTestMs});
const ran = (output) => Number(/\[==========\] (\d+) tests? from .* ran/.exec(output)?.[1] ?? 0);

/** Copies the tracked and the new files as they are now; only reads the user's own. */
function copyTree() {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {cwd: root, maxBuffer: 1 << 28})
    .toString().split('\0').filter((file) => file && fs.existsSync(path.join(root, file)));
  const wanted = new Set(files);
  for (const file of files) {
    const from = path.join(root, file), to = path.join(tree, file);
    const bytes = fs.readFileSync(from);
    if (fs.existsSync(to) && fs.readFileSync(to).equals(bytes)) continue;  // unchanged files are not rebuilt
    fs.mkdirSync(path.dirname(to), {recursive: true});
    fs.writeFileSync(to, bytes, {mode: fs.statSync(from).mode});
  }
  for (const file of fs.readdirSync(tree, {recursive: true})) {
    const at = path.join(tree, file);
    if (!file.startsWith('build') && fs.statSync(at, {throwIfNoEntry: false})?.isFile() && !wanted.has(file)) fs.rmSync(at);
  }
}

/** Returns 'caught', or the fault. */
function judge(mutation) {
  const file = path.join(tree, mutation.file);
  const before = fs.readFileSync(file, 'utf8');
  const [at] = placesOf(mutation, before);
  fs.writeFileSync(file, before.slice(0, at) + mutation.replacement + before.slice(at + mutation.pattern.length));
  try {
    const built = build(mutation.target);
    if (!built.ok) return `does not build:\n${built.output.split('\n').filter((line) => line.includes('error')).slice(0, 5).join('\n')}`;
    const tested = test(mutation);
    return tested.ok ? 'SURVIVED' : tested.timedOut ? 'caught (it hangs)' : 'caught';
  } finally {
    fs.writeFileSync(file, before);
  }
}

/** Returns `count` mutations; on consecutive days they differ until each was chosen. */
function sampleOf(all, count) {
  const steps = Math.ceil(all.length / count);
  const first = Math.floor(Date.now() / 86_400_000) % steps;
  return all.filter((_, i) => i % steps === first).slice(0, count);
}

function chosenBy(words, all) {
  if (words[0] === '--sample') return sampleOf(all, Number(words[1]));
  if (words.length === 0 || words[0] === '--list') return all;
  return all.filter(({name}) => words.some((word) => name.includes(word)));
}

function main(words) {
  const all = readMutations();
  const misfits = all.map((one) => [one.name, misfit(one, root)]).filter(([, why]) => why);
  const names = new Set(all.map(({name}) => name));
  if (names.size < all.length) misfits.push(['mutations.txt', 'two mutations have the same name']);
  for (const [name, why] of misfits) console.log(`${name}: ${why}`);
  if (misfits.length > 0) return 2;
  if (words[0] === '--check') return 0;
  if (words[0] === '--sample' && !(Number(words[1]) >= 1)) throw new Error('--sample needs a number');
  // Sorted by target, so that each test program is rebuilt as rarely as possible.
  const chosen = [...chosenBy(words, all)].sort((a, b) => a.target.localeCompare(b.target));
  if (words[0] === '--list') {
    for (const {name, target, filter} of chosen) console.log(`${name}: ${target} ${filter}`);
    return 0;
  }
  fs.mkdirSync(tree, {recursive: true});
  copyTree();
  const configured = run('cmake', ['--preset', 'release'], {timeout: kBuildMs});
  if (!configured.ok) throw new Error(configured.output);
  let bad = 0;
  const tell = (mutation, verdict) => {
    if (!verdict.startsWith('caught')) ++bad;
    console.log(`${mutation.name}: ${verdict} (${mutation.target} ${mutation.filter})`);
  };
  for (const target of new Set(chosen.map((one) => one.target))) {
    const built = build(target);
    if (!built.ok) throw new Error(built.output);
    // A test that does not exist, or fails without a mutation, catches nothing, so check that first.
    const bites = chosen.filter((one) => one.target === target).filter((mutation) => {
      const sound = test(mutation);
      if (!sound.ok) tell(mutation, 'FAILS WITHOUT IT');
      else if (ran(sound.output) === 0) tell(mutation, 'NO SUCH TEST');
      return sound.ok && ran(sound.output) > 0;
    });
    for (const mutation of bites) tell(mutation, judge(mutation));
  }
  console.log(`${chosen.length - bad} of ${chosen.length} caught`);
  return bad === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
