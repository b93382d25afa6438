// parleyctl on a stopped store: the output of dump, epoch and `verify --acks`, and their exit codes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {Session} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {acksFile} from './lib/verify.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

async function ctl(...args) {
  const child = new Child(kParleyctl, args);
  const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
  return {code, out: child.stdout, err: child.stderr};
}

describe('parleyctl', () => {
  let server, ann, bob, threadId, sent, epoch;
  before(async () => {
    server = await Server.start();
    const session = await Session.as(server, fresh('ann'));
    [ann, bob, epoch] = [session.userId, fresh('bob'), session.hello.epoch];
    ({thread: {threadId}} = await createThread(session, bob, {subject: 'Saturday', lbgId: 'lbg_1'}));
    sent = {args: {threadId}, reply: await say(session, threadId, 'a *body*', {clientId: 'c-1'})};
    await session.request('participant.mute', {threadId, muted: true});
    await session.close();
    assert.equal((await server.terminate()).code, 0);
  });
  after(() => server?.dispose());

  it('dumps a partition row by row: attributes beside pk and sk', async () => {
    const {code, out} = await ctl('--data', server.dir, 'dump', '--thread', threadId, '--text');
    assert.equal(code, 0);
    const rows = out.trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(rows.every(({pk}) => pk === `THR#${threadId}`));
    const row = (sk) => rows.find((one) => one.sk === sk) ?? assert.fail(`no row ${sk}\n${out}`);
    const {createdAt, messageId} = sent.reply;
    const part = ({pk, sk, kind, lbgId, subject, status}) => ({pk, sk, kind, lbgId, subject, status});
    assert.deepEqual(part(row('THR')),
                     {pk: `THR#${threadId}`, sk: 'THR', kind: 'project', lbgId: 'lbg_1', subject: 'Saturday', status: 'open'});
    assert.deepEqual([row(`PART#${ann}`).roleContext, row(`PART#${ann}`).muted, row(`PART#${ann}`).blockedUntil], ['buyer', true, null]);
    const message = row(`MSG#${createdAt}#${messageId}`);
    assert.deepEqual([message.body, message.authorUserId, message.flags.moderation, message.nsfwBand], ['a *body*', ann, 'clean', 0]);
    assert.deepEqual([row('LOG#4').event, row('LOG#4').changed], ['message.created', `MSG#${createdAt}#${messageId}`]);
    assert.equal(row(`IDEM#${ann}#c-1`).reply.messageId, messageId);
    assert.equal(rows.length, 1 + 2 + 1 + 4 + 1, out);
  });

  it('omits users\' texts unless asked for them', async () => {
    const {code, out} = await ctl('--data', server.dir, 'dump', '--thread', threadId);
    assert.equal(code, 0);
    assert.ok(!/Saturday|a \*body\*/.test(out), out);
    const rows = out.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual([rows[0].sk, rows[0].subject, rows[0].status, rows[0].kind], ['THR', '(text)', 'open', 'project']);
    assert.equal(rows.find(({sk}) => sk.startsWith('MSG#')).authorUserId, ann);
  });

  it('reports an unknown thread', async () => {
    for (const id of ['thrd_01k9a52dr0d179n3hr96t0j00g', 'thrd_x']) {
      const {code, out, err} = await ctl('--data', server.dir, 'dump', '--thread', id);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /no such thread|not a valid thread/);
    }
  });

  it('prints the epoch that clients receive', async () => {
    assert.deepEqual(await ctl('--data', server.dir, 'epoch'), {code: 0, out: `${epoch}\n`, err: ''});
  });

  it('finds every acknowledged message and names a missing one', async () => {
    const acks = path.join(server.dir, '..', `${path.basename(server.dir)}.acks`);
    try {
      const verified = await ctl('--data', server.dir, 'verify', '--acks', acksFile(acks, [sent]));
      assert.equal(verified.code, 0, verified.out);
      assert.match(verified.out, /^1 threads, 1 messages, \d+ inbox rows, 1 project rows, \d+ audit entries, 1 items, 1 index entries, 1 acknowledgements: 0 differences$/m);

      const lost = {...sent.reply, messageId: 'msg_01k9a52dr0d179n3hr96t0j00g'};
      const moved = {...sent.reply, seq: sent.reply.seq + 1};
      acksFile(acks, [sent, {...sent, reply: lost}, {...sent, reply: moved}]);
      const {code, out} = await ctl('--data', server.dir, 'verify', '--acks', acks);
      assert.equal(code, 1);
      assert.ok(out.includes(`${acks}:2: ${lost.messageId} was acknowledged and is missing\n`), out);
      assert.ok(out.includes(`${acks}:3: ${moved.messageId} was acknowledged with another seq\n`), out);
      assert.match(out, /3 acknowledgements: 2 differences$/m);

      fs.appendFileSync(acks, 'nonsense\n');
      assert.equal((await ctl('--data', server.dir, 'verify', '--acks', acks)).code, 1);
      assert.equal((await ctl('--data', server.dir, 'verify', '--acks', `${acks}.gone`)).code, 2);
    } finally {
      fs.rmSync(acks, {force: true});
    }
  });

  it('exits with 2 when it could not run', async () => {
    assert.equal((await ctl('--data', `${server.dir}-elsewhere`, 'verify')).code, 2);
    assert.equal((await ctl('--data', server.dir, 'destroy')).code, 2);
    assert.equal((await ctl('--data', server.dir, 'dump')).code, 2);
  });
});
