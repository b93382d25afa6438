// The checkers detect the faults that they are made for. Needs no server.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {describe, it} from 'node:test';
import {checkPlain} from './lib/encodings.mjs';
import {checkErrorShape} from './lib/errors.mjs';
import {Mirror, ThreadMirror} from './lib/mirror.mjs';
import {Random} from './lib/random.mjs';
import {checkMessage, checkThread, idTime} from './lib/shapes.mjs';

const message = (id, seq, more = {}) => ({ev: 'message.created', threadId: 't', seq, item: {messageId: id, msgNo: seq, seq}, ...more});
const update = (id, seq) => message(id, seq, {ev: 'message.updated'});

describe('the mirror of a thread', () => {
  const mirror = (...events) => {
    const thread = new ThreadMirror('t');
    events.forEach((event) => thread.apply(event));
    return thread;
  };
  const synced = (seq) => ({ev: 'thread.synced', threadId: 't', seq});

  it('accepts catch-up with jumps, then live events without', () => {
    const thread = mirror(message('a', 2), message('b', 5), synced(6), message('c', 7), update('a', 8),
                          {ev: 'skip', threadId: 't', seq: 9}, message('d', 10));
    assert.equal(thread.held, 10);
    assert.deepEqual(thread.messages().map((m) => m.messageId), ['b', 'c', 'a', 'd']);
  });

  it('detects a gap, a repeat and a step back', () => {
    assert.throws(() => mirror(synced(3), message('a', 5)), /hole/);
    assert.throws(() => mirror(synced(3), message('a', 4), message('b', 4)), /hole or a repeat/);
    assert.throws(() => mirror(message('a', 4), message('b', 3)), /goes back/);
    assert.throws(() => mirror(message('a', 4), synced(3)), /behind/);
    assert.throws(() => mirror(synced(3), synced(3)), /second time/);
  });

  it('detects an item that is created twice, or updated before it was created', () => {
    assert.throws(() => mirror(message('a', 4), message('a', 5)), /created is for what is new/);
    assert.throws(() => mirror(update('a', 4)), /created is for what is new/);
  });

  it('requests the events that it lacks', () => {
    const all = new Mirror();
    all.thread('t');
    all.take(message('a', 4));
    all.take({ev: 'typing', threadId: 't', userIds: []});
    assert.deepEqual(all.resume('e'), {epoch: 'e', threads: {t: 4}});
    all.take(message('a', 4));
    assert.throws(() => all.check(), /goes back/);
  });
});

describe('the shapes', () => {
  const good = {
    messageId: 'msg_01jbz6y5w0aaaaaaaaaaaaaaaa', threadId: 'thrd_01jbz6y5w0aaaaaaaaaaaaaaaa', seq: 4, msgNo: 1,
    createdAt: idTime('msg_01jbz6y5w0aaaaaaaaaaaaaaaa'), type: 'text', body: 'b', attachments: [], action: null,
    authorUserId: 'usr_a', nsfwBand: null, flags: {moderation: 'clean', policyHints: []}, clientId: 'c', replyTo: null,
    editedAt: null, deletedAt: null, reactions: {}};

  it('accept a message as documented', () => {
    checkMessage(good);
  });

  it('detect every missing and every wrong field', () => {
    for (const field of Object.keys(good)) {
      const {[field]: _, ...rest} = good;
      assert.throws(() => checkMessage(rest), {name: 'AssertionError'}, field);
    }
    for (const wrong of [{seq: 0}, {createdAt: '2025-01-01T00:00:00Z'}, {createdAt: '2025-01-01T00:00:00.000Z'},
                         {messageId: 'msg_1'}, {type: 'TEXT'}, {body: null}, {flags: {}}, {threadId: 'thrd_IIIIII'}]) {
      assert.throws(() => checkMessage({...good, ...wrong}), {name: 'AssertionError'}, JSON.stringify(wrong));
    }
    assert.throws(() => checkThread({}), {name: 'AssertionError'});
  });

  it('detect errors that reveal too much or too little', () => {
    const error = {code: 'INTERNAL', message: 'm', hint: 'h', corrId: 'c'};
    checkErrorShape(error);
    assert.throws(() => checkErrorShape({...error, hint: ''}));
    assert.throws(() => checkErrorShape({...error, corrId: undefined}));
    assert.throws(() => checkErrorShape({...error, message: 'bad thing at gateway/main.cc:7'}));
  });

  it('detect data that is not plain', () => {
    checkPlain({a: [1, null, 'x', {b: false}]});
    for (const value of [1.5, 2 ** 53, new Uint8Array(1), new Date(), undefined, 10n]) {
      assert.throws(() => checkPlain({value}));
    }
  });
});

describe('the randomness', () => {
  it('repeats itself from its seed', () => {
    const draw = (seed) => {
      const random = new Random(seed);
      return [random.unit(), random.int(1, 100), random.text(20)];
    };
    assert.deepEqual(draw(7), draw(7));
    assert.notDeepEqual(draw(7), draw(8));
  });
});

describe('verifying a store', () => {
  const verify = (env) => spawnSync(process.execPath, ['--input-type=module', '-e', `
      import {verify} from '${new URL('./lib/verify.mjs', import.meta.url)}';
      await verify('/nowhere').catch((error) => { console.error(error); process.exitCode = 7; });`],
    {env: {...process.env, PARLEYCTL: '/nowhere/parleyctl', ...env}, encoding: 'utf8'});

  it('fails without a program to verify with, and is only skipped on request', () => {
    const failed = verify({E2E_VERIFY: ''});
    assert.equal(failed.status, 7, failed.stderr);
    assert.match(failed.stderr, /parleyctl verify/);
    assert.equal(verify({E2E_VERIFY: '0'}).status, 0);
  });
});
