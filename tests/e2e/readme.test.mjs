// Runs the commands of the project's README unchanged. Only the address and the folders are replaced.
import assert from 'node:assert/strict';
import {execFile, spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import {after, before, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const text = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** The fenced blocks of one language, in order. */
function blocks(language) {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((match) => match[1]);
}

/** The block that contains this text. */
function blockWith(language, needle) {
  const found = blocks(language).filter((block) => block.includes(needle));
  assert.equal(found.length, 1, `README.md has one ${language} block with ${needle}`);
  return found[0];
}

describe('the README', () => {
  const data = tempDir('readme');
  let server;
  let port;
  let threadId;

  before(async () => {
    const [serve] = blockWith('sh', 'scripts/serve').split('\n').filter((line) => line.startsWith('scripts/serve'));
    server = new Child('bash', ['-c', `cd ${root} && exec ${serve}`],
                       {env: {PARLEY_LISTEN: '127.0.0.1:0', PARLEY_DATA: data}});
    const died = server.exited.then(() => Promise.reject(new Error(`scripts/serve ended\n${server.tail()}`)));
    died.catch(() => {});
    ({port} = await within(Promise.race([server.firstLine.promise, died]), 'scripts/serve to listen',
                           {ms: 120_000, context: () => server.tail()}));
  });
  after(async () => {
    await server.kill('SIGKILL');
    removeDir(data);
  });

  /** Runs a block of shell commands; resolves with their output. */
  async function run(block) {
    const here = block.replaceAll('localhost:8080', `localhost:${port}`)
      .replaceAll('build/release/bin/parleyctl', kParleyctl).replaceAll('var/demo', data)
      .replaceAll('THREAD', threadId);
    const {stdout} = await promisify(execFile)('bash', ['-euc', here], {cwd: root});
    return stdout;
  }

  it('names existing scripts', () => {
    for (const [, script] of text.matchAll(/\b(scripts\/[a-z]+)\b/g)) fs.accessSync(path.join(root, script), fs.constants.X_OK);
  });

  it('names existing files', () => {
    const links = [...text.matchAll(/\]\(([^):#]+)\)/g)].map((match) => match[1]);
    const paths = [...text.matchAll(/`([a-z_]+\/[\w./]+)`/g)].map((match) => match[1])
      .filter((name) => !name.startsWith('build/') && !name.includes('/v1/'));
    assert.ok(links.length > 5 && paths.length > 10, 'links and paths are found');
    for (const name of [...links, ...paths]) assert.ok(fs.existsSync(path.join(root, name)), `${name} is there`);
  });

  it('shows a session that runs as described', async () => {
    const [, command] = /`(scripts\/session \w+)`/.exec(text);
    const session = spawn('bash', ['-c', `exec ${command} http://127.0.0.1:${port}`], {cwd: root, stdio: ['pipe', 'pipe', 'inherit']});
    const replies = new Map();
    const received = [];
    let arrived = () => {};
    readline.createInterface({input: session.stdout}).on('line', (line) => {
      const frame = JSON.parse(line);
      if (frame.id) replies.set(frame.id, frame);
      else received.push(frame.ev);
      arrived();
    });
    const until = (what, condition) => within(new Promise((resolve) => {
      arrived = () => condition() && resolve();
      arrived();
    }), what);
    const ask = async (line) => {
      const {id} = JSON.parse(line);
      replies.delete(id);
      session.stdin.write(`${line}\n`);
      await until(`the reply to ${line}`, () => replies.has(id));
      assert.ok(replies.get(id).ok, JSON.stringify(replies.get(id)));
      return replies.get(id).ok;
    };
    try {
      const [create, further] = blocks('json').map((block) => block.trim().split('\n'));
      const {thread} = await ask(create[0]);
      assert.equal(thread.kind, 'direct');
      ({threadId} = thread);
      const shown = [...blockWith('text', '"ev"').matchAll(/^\{"ev":"([^"]+)"/gm)].map((match) => match[1]);
      await until('the events shown', () => received.length >= shown.length);
      assert.deepEqual(received.slice(0, shown.length), shown);
      const [send, list] = further.map((line) => line.replaceAll('THREAD', threadId));
      const sent = await ask(send);
      const {entries} = await ask(list);
      assert.deepEqual(entries.map((entry) => entry.threadId), [threadId]);
      assert.deepEqual(await ask(send), {...sent, duplicate: true});
    } finally {
      session.stdin.end();
      session.kill();
    }
  });

  it('shows HTTP calls that are answered', async () => {
    const lines = (await run(blockWith('sh', 'TOKEN='))).trim().split('\n');
    const inbox = JSON.parse(lines[0].slice(0, lines[0].lastIndexOf('}') + 1));
    assert.equal(inbox.entries.length, 1, 'Bob finds the thread that Alice made');
  });

  it('ends with a successful verify', async () => {
    await within(server.kill('SIGTERM'), 'the server to stop', {context: () => server.tail()});
    const out = await run(blockWith('sh', 'verify'));
    assert.match(out, /\b0 differences\b/);
    assert.match(out, /MSG#/);
  });
});
