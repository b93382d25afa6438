// After a scenario: the store, recomputed by `parleyctl verify`, has no differences. E2E_VERIFY=0 skips it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {Child, kParleyctl} from './server.mjs';
import {within} from './deadline.mjs';

const verifying = process.env.E2E_VERIFY !== '0';

/** Stops the server (SIGTERM) and verifies what it leaves behind; `acks` as acksFile() writes them. */
export async function checkStore(server, {acks} = {}) {
  if (server.running) await server.terminate();
  await verify(server.dir, {acks});
}

/** Verifies a store that no process holds. */
export async function verify(dir, {acks} = {}) {
  if (!verifying) return;
  const run = async (data, ...more) => {
    const child = new Child(kParleyctl, ['--data', data, 'verify', ...(acks ? ['--acks', acks] : []), ...more]);
    const {code} = await within(child.exited, 'parleyctl verify').finally(() => child.process.kill('SIGKILL'));
    return {code, child};
  };
  let {code, child} = await run(dir);
  // What a kill left unprojected is judged after projecting it: in a copy, since the server must repair the store itself.
  if (code === 2 && /not judged/.test(child.stdout)) {
    const copy = fs.mkdtempSync(`${dir}-projected-`);
    fs.cpSync(dir, copy, {recursive: true});
    ({code, child} = await run(copy, '--project'));
    fs.rmSync(copy, {recursive: true});
  }
  assert.equal(code, 0, `parleyctl verify finds differences\n${child.tail()}`);
}

/** Writes down what was acknowledged, for parleyctl to find in the store. → the file */
export function acksFile(file, sends) {
  fs.writeFileSync(file, sends.filter((send) => send.reply !== null).map(({args: {threadId}, reply}) => (
    `${JSON.stringify({tenantId: 'demo', threadId, messageId: reply.messageId, seq: reply.seq, msgNo: reply.msgNo})}\n`)).join(''));
  return file;
}
