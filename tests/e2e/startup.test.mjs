// Starting on an unusable store: an understandable message, an exit code, and an unchanged store.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {after, describe, it} from 'node:test';
import {Session} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {digest, filesIn} from './lib/digest.mjs';
import {Child, kParleyd, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

describe('a start that cannot succeed', () => {
  const dirs = [];
  const servers = [];
  after(async () => {
    for (const server of servers) await server.dispose();
    dirs.forEach(removeDir);
  });

  function dir() {
    dirs.push(tempDir('startup'));
    return dirs.at(-1);
  }

  async function started(options = {}) {
    const server = await Server.start(options);
    servers.push(server);
    return server;
  }

  /** A stopped store that contains a message; → {data, threadId, userId, body}. */
  async function store() {
    const server = await started({dir: dir()});
    const ann = await Session.as(server, fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    await say(ann, threadId, 'still here');
    await ann.close();
    assert.equal((await server.terminate()).code, 0);
    return {data: server.dir, threadId, userId: ann.userId};
  }

  async function stillHolds({data, threadId, userId}) {
    const server = await started({dir: data});
    const ann = await Session.as(server, userId);
    const {messages} = await ann.request('message.list', {threadId});
    assert.deepEqual(messages.map((m) => m.body), ['still here']);
    await ann.close();
    await server.terminate();
  }

  /** Runs parleyd with `args` to its end; it must not listen, must fail with a message, and must not crash. */
  async function refuses(args, words, {wrap = []} = {}) {
    const [program, ...rest] = [...wrap, kParleyd, ...args];
    const child = new Child(program, rest);
    const {code, signal} = await within(child.exited, 'the refusal to start', {context: () => child.tail()})
        .finally(() => child.process.kill('SIGKILL'));
    assert.equal(signal, null, `it exits by itself\n${child.tail()}`);
    assert.ok(code > 0 && code < 126, `exit code ${code}\n${child.tail()}`);
    assert.doesNotMatch(child.stdout, /listening on/);
    assert.match(child.stderr, words);
    return code;
  }
  const demo = (data, ...more) => ['--data', data, '--listen', '127.0.0.1:0', '--demo', ...more];

  it('reports that another process holds the store, and leaves that process alone', async () => {
    const server = await started({dir: dir()});
    const ann = await Session.as(server, fresh('ann'));
    await refuses(demo(server.dir), /another process|in use|locked|lock/i);
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    await say(ann, threadId, 'the first one still writes');
    await ann.close();
  });

  it('reports that the data directory is not a directory', async () => {
    const file = path.join(dir(), 'file');
    fs.writeFileSync(file, 'precious');
    await refuses(demo(file), /director/i);
    await refuses(demo(path.join(file, 'below')), /director/i);
    assert.equal(fs.readFileSync(file, 'utf8'), 'precious');
  });

  it('reports that it may not write to the data directory', async (t) => {
    const held = await store();
    const before = digest(held.data);
    const mode = fs.statSync(held.data).mode;
    fs.chmodSync(held.data, 0o500);
    try {
      if (process.getuid() === 0) {
        // Root may do everything, unless it drops that capability.
        if (fs.statSync(kParleyd).uid !== 0) return t.skip('root cannot be denied here');
        await refuses(demo(held.data), /permission|may not|denied/i,
                      {wrap: ['setpriv', '--inh-caps=-all', '--bounding-set=-all', '--reuid=65534', '--clear-groups', '--regid=65534']});
      } else {
        await refuses(demo(held.data), /permission|may not|denied/i);
      }
      assert.equal(digest(held.data), before);
    } finally {
      fs.chmodSync(held.data, mode);
    }
    await stillHolds(held);
  });

  const kDamages = {
    'a garbled CURRENT': (files) => files.filter(([f]) => f.endsWith('/CURRENT')).forEach(([f]) => fs.writeFileSync(f, 'MANIFEST-nonsense\n')),
    'a garbled MANIFEST': (files) => files.filter(([f]) => /\/MANIFEST-\d+$/.test(f)).forEach(([f, size]) => garble(f, 8, size - 8)),
    'a missing table': (files) => files.filter(([f]) => f.endsWith('.sst')).forEach(([f]) => fs.rmSync(f)),
  };
  for (const [name, damage] of Object.entries(kDamages)) {
    it(`reports that the store is damaged, and changes nothing: ${name}`, async () => {
      const held = await store();
      // A second start moves the log's content into a table.
      await stillHolds(held);
      const files = filesIn(held.data).map((f) => [f, fs.statSync(f).size]);
      damage(files);
      const before = digest(held.data);
      await refuses(demo(held.data), /corrupt|damaged|repair|restore/i);
      assert.equal(digest(held.data), before);
    });
  }

  it('reports that the port is in use', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    try {
      const {port} = taken.address();
      await refuses(['--data', dir(), '--listen', `127.0.0.1:${port}`, '--demo'], /in use|taken|listen/i);
    } finally {
      taken.close();
    }
  });

  it('refuses to run a demo on a public address', async () => {
    await refuses(['--data', dir(), '--listen', '0.0.0.0:0', '--demo'], /loopback/i);
    await refuses(['--data', dir(), '--listen', '127.0.0.1.invalid:0', '--demo'], /resolved/i);
  });

  it('limits the store to its owner under any umask, and corrects the mode of an open one', async () => {
    const data = path.join(dir(), 'store');
    // A running server deletes files that it no longer needs.
    const modes = () => [data, ...filesIn(data)].map((file) => [file, fs.statSync(file, {throwIfNoEntry: false})])
        .filter(([, stat]) => stat).map(([file, stat]) => [file, stat.mode & 0o077]);
    const open = () => modes().filter(([, mode]) => mode !== 0);
    const wrap = ['sh', '-c', 'umask 0; exec "$0" "$@"'];
    const first = await started({dir: data, wrap});
    assert.deepEqual(open(), []);
    assert.equal(fs.statSync(data).mode & 0o777, 0o700);
    await first.terminate();

    for (const [file] of modes()) fs.chmodSync(file, file === data ? 0o755 : 0o644);
    const second = await started({dir: data, wrap});
    assert.deepEqual(open(), []);
    assert.match(second.child.stderr, /readable by other users/);
    await second.terminate();
  });

  it('refuses unknown flags and a malformed address', async () => {
    await refuses(demo(dir(), '--sparkle'), /sparkle/);
    await refuses(['--data', dir(), '--listen', 'nowhere', '--demo'], /listen/i);
  });
});

function garble(file, from, length) {
  const fd = fs.openSync(file, 'r+');
  fs.writeSync(fd, Buffer.alloc(length, 0x5a), 0, length, from);
  fs.closeSync(fd);
}
