// A clock that is set ahead while the server runs, and parleyctl clock, which shows and confirms it. A small library replaces the
// server's own clock_gettime, so that no other process sees the step.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {Session} from './lib/client.mjs';
import {within} from './lib/deadline.mjs';
import {refused} from './lib/errors.mjs';
import {call} from './lib/http.mjs';
import {Child, kParleyctl, Server} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';
import {createThread, fresh, say} from './lib/world.mjs';

const kStep = 1200; // more than clock_ahead_max, less than the life of a token
const kLibrary = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec* out) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(id, out);
  if (result != 0 || id != CLOCK_REALTIME) return result;
  char text[32] = {0};
  const int file = open(getenv("CLOCK_AHEAD"), O_RDONLY);
  if (file >= 0) {
    if (read(file, text, sizeof text - 1) > 0) out->tv_sec += atol(text);
    close(file);
  }
  return result;
}
`;

describe('parleyctl clock', () => {
  const folder = tempDir('clock');
  const ahead = path.join(folder, 'ahead');
  let server, session, threadId;

  const setAhead = (seconds) => {
    fs.writeFileSync(`${ahead}.new`, String(seconds));
    fs.renameSync(`${ahead}.new`, ahead);  // so that it is never read half-written
  };
  async function ctl(...args) {
    const child = new Child(kParleyctl, args);
    const {code} = await within(child.exited, `parleyctl ${args.join(' ')}`);
    return {code, out: child.stdout, err: child.stderr};
  }
  const onServer = (...args) => ctl('--data', server.dir, '--url', server.http, ...args);
  async function clock(...args) {
    const {code, out, err} = await onServer('--json', 'clock', ...args);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  }

  before(async () => {
    const source = path.join(folder, 'clock.c');
    const library = path.join(folder, 'clock.so');
    fs.writeFileSync(source, kLibrary);
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
    setAhead(0);
    server = await Server.start({env: {LD_PRELOAD: library, CLOCK_AHEAD: ahead}});
    session = await Session.as(server, fresh('ann'));
    ({thread: {threadId}} = await createThread(session, fresh('bob')));
  });
  after(async () => {
    await session?.close();
    await server?.dispose();
    removeDir(folder);
  });

  it('shows a trusted clock, which needs no confirmation', async () => {
    for (const args of [[], ['--confirm']]) {
      const shown = await clock(...args);
      assert.deepEqual([shown.believed, shown.aheadMs], [true, 0]);
    }
    assert.equal((await call(server, 'GET', '/readyz')).status, 200);
    await say(session, threadId, 'before');
  });

  it('shows a clock that was set ahead: nothing is written until it is set back', async () => {
    setAhead(kStep);
    const shown = await clock();
    assert.equal(shown.believed, false);
    assert.ok(Math.abs(shown.aheadMs - kStep * 1000) < 60_000, `${shown.aheadMs} ms ahead`);
    await refused(say(session, threadId, 'meanwhile'), 'UNAVAILABLE');
    const ready = await call(server, 'GET', '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.text, /clock/);
    setAhead(0);
    assert.equal((await clock()).believed, true);
    await say(session, threadId, 'after it was set back');
  });

  it('confirms it only with the operator key, after which writes continue', async () => {
    setAhead(kStep);
    const stranger = path.join(folder, 'nobody');
    fs.mkdirSync(stranger);
    fs.writeFileSync(path.join(stranger, 'operator.key'), 'x'.repeat(64));
    assert.notEqual((await ctl('--data', stranger, '--url', server.http, 'clock', '--confirm')).code, 0);
    assert.equal((await clock()).believed, false);

    const confirmed = await clock('--confirm');
    assert.deepEqual([confirmed.believed, confirmed.aheadMs], [true, 0]);
    assert.ok(Date.parse(confirmed.now) > Date.now() + kStep * 1000 / 2, confirmed.now);
    assert.equal((await call(server, 'GET', '/readyz')).status, 200);
    const {createdAt} = await say(session, threadId, 'after it was confirmed');
    assert.ok(Date.parse(createdAt) > Date.now() + kStep * 1000 / 2, createdAt);
    assert.match(server.child.stderr + server.child.stdout, /the clock was confirmed/);
  });

  it('needs a running server', async () => {
    const {code, err} = await ctl('--data', server.dir, '--url', 'http://127.0.0.1:1', 'clock');
    assert.notEqual(code, 0);
    assert.ok(err.length > 0);
  });
});
