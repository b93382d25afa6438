// Installs the pinned packages into node_modules, once per lock file.
import {spawnSync} from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const stamp = path.join(here, 'node_modules/.installed-from');
const wanted = crypto.createHash('sha256').update(fs.readFileSync(path.join(here, 'package-lock.json'))).digest('hex');

if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) {
  console.log('The packages are there.');
} else {
  const {status, error} = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here, stdio: 'inherit', env: {...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1'}});
  if (status !== 0) {
    console.error(`npm ci failed in ${here} (${error?.message ?? `exit code ${status}`}); is npm there, and its registry?`);
    process.exit(1);
  }
  fs.writeFileSync(stamp, wanted);
}
