// The disk is full or fails to sync: no unstored write is acknowledged, /readyz gives the reason, and a restart recovers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, describe, it} from 'node:test';
import {Disconnected, Session} from './lib/client.mjs';
import {eventually} from './lib/deadline.mjs';
import {OpError} from './lib/errors.mjs';
import {call} from './lib/http.mjs';
import {powercutEnv, startLedger} from './lib/powercut.mjs';
import {Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {checkStore} from './lib/verify.mjs';
import {allMessages, createThread, entryOf, fresh, say} from './lib/world.mjs';

describe('writes that fail', () => {
  const roots = [];
  const servers = [];
  after(async () => {
    for (const server of servers) await server.dispose();
    roots.forEach(removeDir);
  });

  async function started(options) {
    const server = await Server.start(options);
    servers.push(server);
    return server;
  }

  function root() {
    roots.push(tempDir('disk'));
    return roots.at(-1);
  }

  /** A server under the shim with faults that can be switched on. */
  async function withFaults() {
    const at = root();
    const dir = path.join(at, 'data');
    const faults = path.join(at, 'faults');
    fs.mkdirSync(dir);
    startLedger(dir, path.join(at, 'ledger'));
    const server = await started({dir, env: powercutEnv(dir, path.join(at, 'ledger'), faults)});
    return {server, fail: (how) => fs.writeFileSync(faults, `${how}\n`), heal: () => fs.rmSync(faults)};
  }

  /** ann sends until a send fails; → the acknowledged sends and the first failure. */
  async function sendUntilFailure(ann, threadId, body = (i) => `n${i}`) {
    const acknowledged = [];
    for (let i = 0; i < 20_000; ++i) {
      try {
        acknowledged.push(await say(ann, threadId, body(i)));
      } catch (error) {
        if (!(error instanceof OpError) && !(error instanceof Disconnected)) throw error;
        return {acknowledged, error};
      }
    }
    throw new Error('20 000 sends and the disk is not full');
  }

  async function isNotReady(server) {
    const answer = await eventually(async () => {
      const ready = await call(server, 'GET', '/readyz');
      return ready.status === 503 && ready;
    }, '/readyz 503');
    assert.match(answer.text, /write|disk|storage|store/i, 'the reason is told');
  }

  /** Starts again on the same store without faults; every acknowledged message exists once, and writes continue. */
  async function recovers(server, userId, threadId, acknowledged) {
    await server.kill9();
    const healed = await started({dir: server.dir});
    const ann = await Session.as(healed, userId);
    const messages = await allMessages(ann, threadId);
    const stored = messages.map((m) => m.messageId);
    assert.equal(new Set(stored).size, stored.length);
    assert.deepEqual(messages.map((m) => m.msgNo), messages.map((_, i) => i + 1));
    for (const {messageId} of acknowledged) assert.ok(stored.includes(messageId), `${messageId} was acknowledged`);
    const sent = await say(ann, threadId, 'after the repair');
    assert.equal(sent.msgNo, messages.length + 1);
    assert.equal((await entryOf(ann, threadId)).lastMessage.messageId, sent.messageId);
    assert.equal((await call(healed, 'GET', '/readyz')).status, 200);
    await ann.close();
    await checkStore(healed);
  }

  for (const fault of ['write ENOSPC', 'write EIO', 'sync EIO']) {
    it(`answers UNAVAILABLE and stops writing: ${fault}`, async () => {
      const {server, fail, heal} = await withFaults();
      const ann = await Session.as(server, fresh('ann'));
      const bob = await Session.as(server, fresh('bob'), {encoding: 'msgpack'});
      const {thread: {threadId}} = await createThread(ann, bob.userId);
      const acknowledged = [await say(ann, threadId, 'before')];
      await bob.nextEvent('message.created');
      fail(fault);
      const {error, acknowledged: more} = await sendUntilFailure(ann, threadId);
      assert.deepEqual(more, [], 'nothing is acknowledged that cannot be stored');
      assert.equal(error.code, 'UNAVAILABLE', `${error.message}\n${server.child.tail()}`);
      await isNotReady(server);
      assert.equal((await call(server, 'GET', '/healthz')).status, 200);
      // The disk works again, but the outcome of the failed write is unknown until a restart.
      heal();
      await assert.rejects(say(ann, threadId, 'still'), {code: 'UNAVAILABLE'});
      assert.deepEqual(bob.seen('message.created').map((e) => e.item.body), ['before'], 'nothing was shown early');
      await recovers(server, ann.userId, threadId, acknowledged);
    });
  }

  it('survives a file that cannot grow', async () => {
    // A refusal by the kernel: RLIMIT_FSIZE with SIGXFSZ ignored makes write() fail with EFBIG.
    const server = await started({dir: path.join(root(), 'data'),
                                  wrap: ['sh', '-c', 'trap "" XFSZ; ulimit -f 600; exec "$@"', 'sh']});
    const ann = await Session.as(server, fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const {acknowledged, error} = await sendUntilFailure(ann, threadId, (i) => `${i} ${'x'.repeat(7000)}`);
    assert.ok(acknowledged.length > 5);
    assert.equal(error.code, 'UNAVAILABLE', `${error.message}\n${server.child.tail()}`);
    await isNotReady(server);
    await recovers(server, ann.userId, threadId, acknowledged);
  });
});
