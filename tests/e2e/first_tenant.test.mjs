// Runs the commands of docs/first-tenant.md, from an empty directory to a user who chats over wss.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {after, describe, it} from 'node:test';
import WebSocket from 'ws';
import {within} from './lib/deadline.mjs';
import {Child, kParleyctl, kParleyd} from './lib/server.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const page = fs.readFileSync(path.join(here, '../../docs/first-tenant.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, kind, text]) => ({kind, text}));
const folder = tempDir('first-tenant');
const children = [];
after(async () => {
  for (const child of children) await child.kill('SIGTERM');
  removeDir(folder);
});

/** The values that the page leaves to its reader. */
let url;
const filled = (text) =>
  text.replaceAll('URL', url).replaceAll('parleyctl ', `${kParleyctl} --cacert cert.pem `)
      .replaceAll('DATA', 'data');
function run(text) {
  return execFileSync('bash', ['-euc', filled(text)], {cwd: folder, encoding: 'utf8', env: {...process.env, CURL_CA_BUNDLE: 'cert.pem'}});
}

/** Frames of a socket, one by one. */
function connect(token) {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/v1/ws`, 'parley.v1.json',
                               {ca: fs.readFileSync(path.join(folder, 'cert.pem'))});
  const frames = [], waiting = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(data);
    waiting.length ? waiting.shift()(frame) : frames.push(frame);
  });
  const next = () => within(frames.length ? Promise.resolve(frames.shift()) : new Promise((resolve) => waiting.push(resolve)), 'a frame');
  const closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)));
  const opened = new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const hello = blocks.find(({kind}) => kind === 'json').text.replace('ACCESS_TOKEN', token);
  return {socket, next, closed, hello: async () => {
    await within(opened, 'the socket');
    socket.send(hello);
    return next();
  }};
}

describe('docs/first-tenant.md', () => {
  it('leads from a bare machine to a user who chats', async () => {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30', '-subj', '/CN=localhost',
                             '-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem'], {cwd: folder, stdio: 'ignore'});
    const [start, tenant, users] = blocks.filter(({kind}) => kind === 'sh').map(({text}) => text);
    const [chmod, parleyd] = start.trim().split('\n');
    execFileSync('bash', ['-euc', chmod], {cwd: folder});
    const args = parleyd.split(' ').slice(1).map((arg) => ({DATA: 'data', '0.0.0.0:8443': '127.0.0.1:0'})[arg] ?? arg)
                     .map((arg) => (/\.pem$|^data$/.test(arg) ? path.join(folder, arg) : arg));
    const server = new Child(kParleyd, args);
    children.push(server);
    const {port} = await within(server.firstLine.promise, 'the line that says that it listens');
    url = `https://localhost:${port}`;
    assert.match(server.stderr, /no tenant exists/);
    assert.equal(fs.statSync(path.join(folder, 'data/operator.key')).mode & 0o777, 0o600);
    assert.match(run('curl -s URL/readyz'), /no tenant exists/);

    run(tenant);
    assert.doesNotMatch(run('curl -s URL/readyz'), /no tenant exists/);
    const [made, tokens] = run(users).replace('}{', '}\n{').split('\n').map((line) => JSON.parse(line));
    assert.equal(made.user.displayName, 'Ann');
    run(users.replaceAll('usr_ann', 'usr_bob').replaceAll('Ann', 'Bob'));
    assert.match(tokens.refreshToken, /^prt_/);

    const ann = connect(tokens.token);
    const welcome = await ann.hello();
    assert.deepEqual([welcome.ok.userId, welcome.ok.tenantId], ['usr_ann', 'acme']);
    ann.socket.send(JSON.stringify({id: 2, op: 'thread.create', args: {kind: 'direct', participants: [{userId: 'usr_bob'}], clientId: 'c'}}));
    let reply = await ann.next();
    while (reply.id !== 2) reply = await ann.next();
    assert.equal(reply.ok.thread.kind, 'direct');

    run('parleyctl --url URL --key-file DATA/operator.key tenant suspend acme');
    assert.equal(await within(ann.closed, 'the end of the session'), 4403);
    const again = connect(tokens.token);
    const refused = await again.hello();
    assert.equal(refused.error.code, 'FORBIDDEN');
    assert.equal(await within(again.closed, 'the end of the refused session'), 4403);
    for (const secret of [tokens.token, tokens.refreshToken, fs.readFileSync(path.join(folder, 'backend.key'), 'utf8').trim(),
                          fs.readFileSync(path.join(folder, 'data/operator.key'), 'utf8').trim()])
      assert.ok(!server.stderr.includes(secret), 'no secret is in the log');
  });
});
