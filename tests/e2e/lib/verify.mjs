// After a scenario, `parleyctl verify` recomputes the store and must find no differences. E2E_VERIFY=0 skips it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {Child, kParleyctl} from './server.mjs';
import {within} from './deadline.mjs';

const verifying = process.env.E2E_VERIFY !== '0';

/** Stops the server (SIGTERM) and verifies its store; `acks` as written by acksFile(). */
export async function checkStore(server, {acks} = {}) {
  if (server.running) await server.terminate();
  const elsewhere = (server.options.args ?? []).some((arg) => arg === '--files-dir' || arg === '--files-store');
  await verify(server.dir, {acks, files: !elsewhere});
}

/** Verifies a store that no process has open; `files`: and the bytes of its uploads. */
export async function verify(dir, {acks, files = false} = {}) {
  if (!verifying) return;
  const run = async (data, ...more) => {
    const child = new Child(kParleyctl, ['--data', data, 'verify', ...(files ? ['--files'] : []), ...(acks ? ['--acks', acks] : []), ...more]);
    const {code} = await within(child.exited, 'parleyctl verify').finally(() => child.process.kill('SIGKILL'));
    return {code, child};
  };
  let {code, child} = await run(dir);
  // After a kill, projects the rest of the log before verifying: in a copy, because the server must repair the store itself.
  if (code === 2 && /not judged/.test(child.stdout)) {
    const copy = fs.mkdtempSync(`${dir}-projected-`);
    fs.cpSync(dir, copy, {recursive: true});
    ({code, child} = await run(copy, '--project'));
    fs.rmSync(copy, {recursive: true});
  }
  assert.equal(code, 0, `parleyctl verify finds differences\n${child.tail()}`);
}

/** Writes the list of acknowledged messages, which parleyctl must find in the store. → the file */
export function acksFile(file, sends) {
  fs.writeFileSync(file, sends.filter((send) => send.reply !== null).map(({args: {threadId}, reply}) => (
    `${JSON.stringify({tenantId: 'demo', threadId, messageId: reply.messageId, seq: reply.seq, msgNo: reply.msgNo})}\n`)).join(''));
  return file;
}
