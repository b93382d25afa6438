// scripts/session as a user types into it: an invalid line is refused with the reason, and the session continues.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import {describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {within} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The lines of a stream, one at a time. */
function linesOf(stream) {
  const lines = readline.createInterface({input: stream})[Symbol.asyncIterator]();
  return async (what) => (await within(lines.next(), what)).value;
}

describe('a session on the terminal', () => {
  const chat = withServer();

  it('refuses a line that is not a request with the reason, and continues', async () => {
    const session = spawn(path.join(root, 'scripts/session'), ['usr_typist', chat.server.http], {stdio: ['pipe', 'pipe', 'pipe']});
    const [frame, complaint] = [linesOf(session.stdout), linesOf(session.stderr)];
    const refused = async (line, reason) => {
      session.stdin.write(`${line}\n`);
      assert.match(await complaint(`a complaint about ${line.slice(0, 40)}`), reason);
    };
    const answered = async (id) => {
      session.stdin.write(`${JSON.stringify({id, op: 'session.ping', args: {}})}\n`);
      const reply = JSON.parse(await frame(`the reply to ${id}`));
      assert.ok(reply.id === id && reply.ok, JSON.stringify(reply));
    };
    try {
      const hello = JSON.parse(await frame('the reply to the hello'));
      await refused('{"id":2,"op":', /^not sent: The line is not JSON/);
      await refused('hello', /^not sent: The line is not JSON/);
      await refused('[]', /^not sent: A request is a JSON object/);
      await refused('null', /^not sent: A request is a JSON object/);
      await refused('{"id":2}', /^not sent: A request needs an "op"/);
      await refused('{"id":-1,"op":"session.ping"}', /^not sent: An "id" is an integer/);
      const long = JSON.stringify({id: 2, op: 'session.ping', args: {pad: 'x'.repeat(hello.ok.limits.maxFrameBytes)}});
      await refused(long, /^not sent: The line has \d+ bytes/);
      await answered(2);
      await answered(2);
    } finally {
      session.stdin.end();
    }
    const code = await within(new Promise((resolve) => { session.on('close', resolve); }), 'the session to end');
    assert.equal(code, 0);
  });

  it('needs one package', () => {
    const {dependencies} = JSON.parse(fs.readFileSync(path.join(root, 'scripts/terminal/package.json'), 'utf8'));
    assert.deepEqual(Object.keys(dependencies), ['ws']);
  });
});
