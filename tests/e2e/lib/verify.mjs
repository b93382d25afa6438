// After a scenario: the store, recomputed by `parleyctl verify`, has no differences. E2E_VERIFY=0 leaves it out.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {Child, kParleyctl} from './server.mjs';
import {within} from './deadline.mjs';

const knowsVerify = () => fs.existsSync(kParleyctl) && /^ *verify\b/m.test(spawnSync(kParleyctl, ['--help']).stdout);

export const verifying = process.env.E2E_VERIFY !== '0' && knowsVerify();

/** Stops the server (SIGTERM) and verifies what it leaves behind. */
export async function checkStore(server) {
  if (server.running) await server.terminate();
  if (!verifying) return;
  const child = new Child(kParleyctl, ['--data', server.dir, 'verify']);
  const {code} = await within(child.exited, 'parleyctl verify');
  assert.equal(code, 0, `parleyctl verify finds differences\n${child.tail()}`);
}
