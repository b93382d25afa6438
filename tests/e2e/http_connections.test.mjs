// HTTP connections as common clients use them: kept open, in pools, pipelined, closed when idle, and over TLS.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import {describe, it} from 'node:test';
import {within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {createThread, fresh} from './lib/world.mjs';

const kTableBodyBytes = 17 * 1024 * 1024;

/** One call with an agent: {status, headers, text, port}; the port is the client's, one per connection. */
function over(agent, url, {method = 'GET', body, headers = {}, scheme = http} = {}) {
  const answered = new Promise((resolve, reject) => {
    const request = scheme.request(url, {agent, method, headers: body === undefined ? headers : {
      'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers}}, (response) => {
      const port = response.socket.localPort;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({
        status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString(), port}));
    });
    request.on('error', reject);
    request.end(body);
  });
  return within(answered, `${method} ${url}`);
}

/** Sends bytes on one connection and reads until `count` answers have arrived; returns their status lines. */
async function pipelined(server, pieces, count) {
  const {hostname, port} = new URL(server.http);
  const socket = net.connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  let text = '';
  const all = new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (data) => {
      text += data;
      if (text.split('HTTP/1.1 ').length > count) resolve();
    });
    socket.on('end', resolve);
  });
  for (const piece of pieces) socket.write(piece);
  await within(all, `${count} answers`);
  socket.destroy();
  return text.match(/HTTP\/1\.1 \d{3}/g).map((line) => Number(line.slice(9)));
}

describe('HTTP connections', () => {
  const on = withServer({}, {args: ['--http-idle-timeout-ms', '1000']});

  it('serve successive calls, successful and failed ones', async () => {
    const agent = new http.Agent({keepAlive: true, maxSockets: 1});
    const token = await on.token(fresh('ann'));
    const ports = new Set();
    const expect = async (status, target, options) => {
      const answer = await over(agent, on.server.http + target, options);
      assert.equal(answer.status, status, `${target}: ${answer.text}`);
      ports.add(answer.port);
    };
    for (let i = 0; i < 20; ++i) {
      await expect(200, '/healthz');
      await expect(200, '/v1/ops/inbox.list', {method: 'POST', body: '{}', headers: bearer(token)});
      await expect(401, '/v1/ops/inbox.list', {method: 'POST', body: '{}'});
      await expect(404, '/nowhere');
      await expect(400, '/v1/ops/inbox.list', {method: 'POST', body: '[', headers: bearer(token)});
      await expect(200, '/readyz', {method: 'HEAD'});
    }
    assert.equal(ports.size, 1, 'over one connection');
    agent.destroy();
  });

  it('serve the calls of many pools at once', async () => {
    const ann = await on.as(fresh('ann'));
    const {thread: {threadId}} = await createThread(ann, fresh('bob'));
    const token = await on.token(ann.userId);
    const agent = new http.Agent({keepAlive: true, maxSockets: 50});
    const answers = await Promise.all(Array.from({length: 500}, (_, i) => over(
      agent, `${on.server.http}/v1/ops/message.send`, {method: 'POST', headers: bearer(token), body: JSON.stringify(
        {threadId, clientId: `c${i}`, type: 'text', body: `n${i}`})})));
    assert.deepEqual(answers.filter(({status}) => status !== 200), []);
    assert.equal(new Set(answers.map(({text}) => JSON.parse(text).messageId)).size, 500);
    assert.ok(new Set(answers.map(({port}) => port)).size <= 50);
    agent.destroy();
  });

  it('accept requests before earlier answers, whole and in single bytes', async () => {
    const token = await on.token(fresh('ann'));
    const op = (body, more = '') => `POST /v1/ops/inbox.list HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Length: ${body.length}\r\n${more}\r\n${body}`;
    const probe = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const requests = probe + op('{}') + op('[') + probe + op('{"limit":1}') + probe;
    const statuses = [200, 200, 400, 200, 200, 200];
    assert.deepEqual(await pipelined(on.server, [requests], 6), statuses);
    assert.deepEqual(await pipelined(on.server, requests, 6), statuses);
    const smuggled = op('0\r\n\r\n', 'Transfer-Encoding: chunked\r\n') + probe;
    assert.deepEqual(await pipelined(on.server, [probe + smuggled], 9), [200, 400], 'and nothing behind a refusal');
  });

  it('are closed cleanly after being idle for a while', async () => {
    const {hostname, port} = new URL(on.server.http);
    const socket = net.connect(Number(port), hostname);
    const ended = within(once(socket, 'end'), 'the end of an idle connection');
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    await ended;
    socket.destroy();
  });

  it('accept large bodies only for the tables', async () => {
    const post = (target, bytes, headers = {}) => call(on.server, 'POST', target, {body: Buffer.alloc(bytes, ' '), headers});
    const aws = {'x-amz-target': 'DynamoDB_20120810.PutItem'};
    assert.notEqual((await post('/v1/dynamodb', kTableBodyBytes)).status, 413);
    assert.notEqual((await post('/', kTableBodyBytes, aws)).status, 413);
    assert.equal((await post('/v1/dynamodb', kTableBodyBytes + 1)).status, 413);
    assert.equal((await post('/', kTableBodyBytes + 1, aws)).status, 413);
    assert.equal((await post('/', 262_145)).status, 413);
    assert.equal((await post('/v1/ops/inbox.list', 262_145, aws)).status, 413);
    const {text} = await call(on.server, 'GET', '/metrics');
    assert.match(text, /^parley_http_body_bytes 0$/m, 'nothing of them is left');
  });
});

describe('HTTP connections in a drain', () => {
  const on = withServer();

  it('are closed when idle, while pending requests get a last answer', async () => {
    const {hostname, port} = new URL(on.server.http);
    const idle = net.connect(Number(port), hostname);
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    const ended = within(once(idle, 'end'), 'the end of an idle connection');
    // This session does not answer its close, so the drain waits for it.
    const slow = await on.as(fresh('slow'));
    const ann = await on.as(fresh('ann'));
    slow.socket._socket.pause();
    const exited = on.server.terminate();
    await ann.nextEvent('session.draining');
    await ended;
    const agent = new http.Agent({keepAlive: true});
    const answer = await over(agent, `${on.server.http}/readyz`);
    assert.deepEqual([answer.status, answer.headers.connection], [503, 'close']);
    slow.socket._socket.resume();
    assert.deepEqual(await exited, {code: 0, signal: null});
    idle.destroy();
    agent.destroy();
  });
});

describe('HTTP connections over TLS', () => {
  const folder = tempDir('tls');
  const [key, certificate] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1',
                           '-subj', '/CN=localhost', '-keyout', key, '-out', certificate], {stdio: 'ignore'});
  const on = withServer({}, {args: ['--tls-certificate', certificate, '--tls-key', key]});

  it('are kept open, too', async () => {
    const agent = new https.Agent({keepAlive: true, maxSockets: 1, rejectUnauthorized: false});
    const url = on.server.http.replace('http:', 'https:');
    const ports = new Set();
    for (let i = 0; i < 20; ++i) {
      const body = JSON.stringify({userId: 'u', pad: 'x'.repeat(60_000)});
      const answer = await over(agent, `${url}/v1/demo/token`, {scheme: https, method: 'POST', body});
      assert.equal(answer.status, 400, answer.text);
      ports.add(answer.port);
    }
    assert.equal(ports.size, 1);
    agent.destroy();
  });
});
