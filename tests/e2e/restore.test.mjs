// A restore as docs/operations.md describes it: backup, more traffic, the backup restored, its epoch renewed. Clients that had
// seen more than it contains must reset.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {after, before, describe, it} from 'node:test';
import {Session} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {allMessages, createThread, fresh, say} from './lib/world.mjs';

async function ctl(...args) {
  const child = new Child(kParleyctl, args);
  const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
  return {code, out: child.stdout, err: child.stderr};
}

describe('a restore', () => {
  let server, backup, ann, threadId, held;
  before(async () => {
    server = await Server.start();
    backup = `${server.dir}.backup`;
    const session = await Session.as(server, fresh('ann'));
    ann = session.userId;
    ({thread: {threadId}} = await createThread(session, fresh('bob')));
    await say(session, threadId, 'in the backup');
    await session.close();
    assert.equal((await server.terminate()).code, 0);
    fs.cpSync(server.dir, backup, {recursive: true, preserveTimestamps: true});

    await server.restart();
    const later = await Session.as(server, ann);
    const {seq} = await say(later, threadId, 'after the backup');
    held = {epoch: later.hello.epoch, threads: {[threadId]: seq}};
    await later.close();
    assert.equal((await server.terminate()).code, 0);
  });
  after(() => {
    if (backup) fs.rmSync(backup, {recursive: true, force: true});
    return server?.dispose();
  });

  it('is detected by verify and by the server while the epoch is still the old one', async () => {
    assert.doesNotMatch((await ctl('--data', server.dir, 'verify')).out, /copy/, 'the original is none');
    fs.rmSync(server.dir, {recursive: true});
    fs.cpSync(backup, server.dir, {recursive: true, preserveTimestamps: true});
    const {code, out} = await ctl('--data', server.dir, 'verify');
    assert.equal(code, 0, out);
    assert.match(out, /^a copy whose epoch was not renewed/m);
    await server.restart();
    assert.match(server.child.stderr, /warning gateway the origin of the store .*epoch was not renewed/);
    assert.equal((await server.terminate()).code, 0);
    assert.match((await ctl('--data', server.dir, 'verify')).out, /epoch was not renewed/, 'still');
  });

  it('gives the store another epoch, which makes clients reset', async () => {
    const {code, out} = await ctl('--data', server.dir, 'epoch', '--renew');
    assert.equal(code, 0);
    const [, old, now] = /^(ep_\S+) -> (ep_\S+)\n$/.exec(out) ?? assert.fail(out);
    assert.equal(old, held.epoch);
    assert.notEqual(now, old);
    assert.deepEqual(await ctl('--data', server.dir, 'epoch'), {code: 0, out: `${now}\n`, err: ''});
    assert.doesNotMatch((await ctl('--data', server.dir, 'verify')).out, /copy/);

    await server.restart();
    assert.equal((await ctl('--data', server.dir, 'epoch', '--renew')).code, 2, 'not under a server');
    const session = await Session.as(server, ann, {resume: held});
    assert.equal(session.hello.epoch, now);
    assert.deepEqual(session.hello.resumed, {[threadId]: 'reset'});
    assert.deepEqual((await allMessages(session, threadId)).map(({body}) => body), ['in the backup']);
    await session.close();
    assert.equal((await server.terminate()).code, 0);
    assert.doesNotMatch(server.child.stderr, /renewed/);
  });
});
