// The power cut: after kill -9, removes everything from a directory that the shim's ledger (tests/powercut/ledger.h) does not
// list as durable. tests/powercut/README.md describes the model.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {filesIn} from './digest.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

export const kShim = path.resolve(process.env.POWERCUT_SHIM ??
                                  path.join(here, '../../../build/release/lib/libparley_powercut.so'));

/** The environment that puts a process under the shim. */
export function powercutEnv(dir, ledger, faults) {
  if (!fs.existsSync(kShim)) throw new Error(`there is no shim at ${kShim}; build parley_powercut or set POWERCUT_SHIM`);
  return {LD_PRELOAD: kShim, POWERCUT_DIR: fs.realpathSync(dir), POWERCUT_LOG: ledger, POWERCUT_FAULTS: faults ?? ''};
}

/** Replays a ledger. → {durable: Map("dev ino" → bytes), names: changes of names not yet durable, in order} */
export function readLedger(text) {
  const durable = new Map();
  let names = [];
  const lines = text.split('\n');
  lines.pop();  // the rest after the last newline: empty, or a line that the kill cut
  for (const line of lines) {
    const kind = line[0];
    const [first, second, value] = line.slice(2).split(' ');
    const file = `${first} ${second}`;
    const known = durable.get(file) ?? 0;
    if (kind === 'N') durable.set(file, 0);
    else if (kind === 'S') durable.set(file, Math.max(known, Number(value)));
    else if (kind === 'W' || kind === 'T') durable.set(file, Math.min(known, Number(value)));
    else if (kind === 'D') names = names.filter((change) => change.dir !== first);
    else if (kind === 'X') throw new Error(`the ledger cannot account for this: ${line.slice(2)}`);
    else if ('cmlru'.includes(kind)) names.push({kind, dir: first, paths: line.slice(3 + first.length).split('\t')});
    else throw new Error(`no line of a ledger: ${line}`);
  }
  return {durable, names};
}

function undo({kind, paths: [a, b, saved]}) {
  if (kind === 'c' || kind === 'l') fs.rmSync(a, {force: true});
  else if (kind === 'm') fs.rmdirSync(a);
  else if (kind === 'u') fs.renameSync(b, a);
  else {
    fs.renameSync(b, a);
    if (saved !== '-') fs.renameSync(saved, b);
  }
}

/**
 * Cuts the power of `dir`. `random` decides which undurable parts survive; without it none do. The rest of a write-
 * ahead log (*.log) may end in zeros or garbage, depending on `tear`. Restarts the ledger. → the losses, for the failure
 * text.
 */
export function cutPower(dir, ledger, {random = null, tear = 'none'} = {}) {
  const {durable, names} = readLedger(fs.readFileSync(ledger, 'utf8'));
  const lost = [];
  // Changes of names reach the disk in order, so a prefix of the unsynced ones survives.
  const survive = random ? random.int(0, names.length) : 0;
  for (const change of names.slice(survive).reverse()) {
    undo(change);
    lost.push(`undone ${change.kind} ${change.paths[0]}`);
  }
  for (const file of filesIn(dir)) {
    const {dev, ino, size} = fs.statSync(file);
    const keep = Math.min(size, durable.get(`${dev} ${ino}`) ?? 0);
    if (keep === size) continue;
    const left = keep + (random?.chance(0.5) ? random.int(0, size - keep) : 0);
    fs.truncateSync(file, left);
    lost.push(`${file}: ${size} -> ${left} bytes, ${keep} durable`);
    if (tear !== 'none' && left > keep && file.endsWith('.log') && random.chance(0.5)) {
      const from = random.int(keep, left - 1);
      const fd = fs.openSync(file, 'r+');
      fs.writeSync(fd, tear === 'zeros' ? Buffer.alloc(left - from) : random.bytes(left - from), 0, left - from, from);
      fs.closeSync(fd);
      lost.push(`${file}: ${tear} from ${from}`);
    }
  }
  startLedger(dir, ledger);
  return lost;
}

/** Starts a ledger in which everything in `dir` is durable, names included; drops the files saved for undoing. */
export function startLedger(dir, ledger) {
  const parent = path.dirname(ledger);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(ledger)}.saved.`)) fs.rmSync(path.join(parent, name));
  }
  const lines = [];
  for (const file of filesIn(dir)) {
    const {dev, ino, size} = fs.statSync(file);
    lines.push(`N ${dev} ${ino} 0\nS ${dev} ${ino} ${size}\n`);
  }
  fs.writeFileSync(ledger, lines.join(''));
}
