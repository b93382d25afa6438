// Builds the web client for the browser test, when its sources are newer than what is there.
import {spawnSync} from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {filesIn} from './lib/digest.mjs';

const clients = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../clients');
const stamp = path.join(clients, 'web/dist/.built-from');

const sources = ['sdk', 'web'].flatMap((name) => filesIn(path.join(clients, name)))
    .filter((file) => !/\/(node_modules|dist|test)\//.test(file) && !file.endsWith('.tsbuildinfo'));
sources.push(path.join(clients, 'package-lock.json'), path.join(clients, 'tsconfig.base.json'));
const hash = crypto.createHash('sha256');
for (const file of sources.sort()) hash.update(file.slice(clients.length)).update(fs.readFileSync(file));
const wanted = hash.digest('hex');

function npm(...args) {
  const {status, error} = spawnSync('npm', args, {cwd: clients, stdio: 'inherit'});
  if (status === 0) return;
  console.error(`npm ${args.join(' ')} failed in ${clients} (${error?.message ?? `exit code ${status}`})`);
  process.exit(1);
}

if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) {
  console.log('The web client is built.');
} else {
  npm('ci', '--no-audit', '--no-fund');
  npm('run', 'build');
  fs.writeFileSync(stamp, wanted);
}
