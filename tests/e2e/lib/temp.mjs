// Temporary directories that are removed at every end of the test process. E2E_KEEP=1 keeps them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const made = new Set();

export function tempDir(label = 'data') {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `parley-e2e-${label}-`));
  made.add(dir);
  return dir;
}

export function removeDir(dir) {
  made.delete(dir);
  if (process.env.E2E_KEEP) console.log(`# kept ${dir}`);
  else fs.rmSync(dir, {recursive: true, force: true});
}

process.on('exit', () => made.forEach(removeDir));
