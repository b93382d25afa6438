// Bodies as common clients send and receive them: in chunks, after 100 Continue, compressed, or absent; the client's address, and
// the access log.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {describe, it} from 'node:test';
import zlib from 'node:zlib';
import {eventually, within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {fresh} from './lib/world.mjs';

/** One request controlled by the caller: {status, headers, bytes}. `send(request)` writes and ends it. */
function ask(url, options, send = (request) => request.end()) {
  const answered = new Promise((resolve, reject) => {
    const request = http.request(url, {agent: false, ...options}, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve({status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks)}));
    });
    request.on('error', reject);
    send(request);
  });
  return within(answered, `${options.method ?? 'GET'} ${url}`);
}

describe('Bodies of HTTP', () => {
  const on = withServer();
  const op = (name) => `${on.server.http}/v1/ops/${name}`;

  it('may come in chunks from clients that do not know the length', async () => {
    const headers = bearer(await on.token(fresh('ann')), {'content-type': 'application/json'});
    const {status, bytes} = await ask(op('inbox.list'), {method: 'POST', headers}, (request) => {
      for (const part of ['{"li', 'mit"', ':1}']) request.write(part);
      request.end();
    });
    assert.equal(status, 200, bytes.toString());
    const stream = new ReadableStream({
      start(controller) {
        for (const part of ['{', '"limit":2', '}']) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const fetched = await within(fetch(op('inbox.list'), {method: 'POST', headers, body: stream, duplex: 'half'}), 'a fetch');
    assert.equal(fetched.status, 200);
    assert.deepEqual(Object.keys(await fetched.json()), Object.keys(JSON.parse(bytes)));
  });

  it('in chunks have the same bound, beyond which they are not read', async () => {
    const headers = bearer(await on.token(fresh('ann')), {'content-type': 'application/json'});
    const {status, bytes} = await ask(op('inbox.list'), {method: 'POST', headers}, (request) => {
      request.on('error', () => {});
      request.write(Buffer.alloc(200_000, ' '));
      request.write(Buffer.alloc(100_000, ' '));
    });
    assert.equal(status, 413);
    assert.equal(JSON.parse(bytes).error.code, 'TOO_LARGE');
    const {text} = await call(on.server, 'GET', '/metrics');
    assert.match(text, /^parley_http_body_bytes 0$/m);
  });

  it('are sent after 100 Continue only if the client asks for it', async () => {
    const headers = bearer(await on.token(fresh('ann')), {'content-type': 'application/json', expect: '100-continue', 'content-length': 2});
    let permitted = false;
    const {status} = await ask(op('inbox.list'), {method: 'POST', headers}, (request) => {
      request.flushHeaders();
      request.on('continue', () => {
        permitted = true;
        request.end('{}');
      });
    });
    assert.deepEqual([status, permitted], [200, true]);
    const refused = await ask(op('inbox.list'), {method: 'POST', headers: {...headers, 'content-length': 999_999}}, (request) => {
      request.flushHeaders();
      request.on('continue', () => assert.fail('permission for too much'));
    });
    assert.equal(refused.status, 413);
  });

  it('are compressed for clients that prefer it, with the same text and a Vary header for caches', async () => {
    const url = `${on.server.http}/metrics`;
    const plain = await ask(url, {});
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Origin, Accept-Encoding');
    for (const accepts of ['gzip', 'br;q=1, gzip;q=0.5, identity;q=0']) {
      const {headers, bytes} = await ask(url, {headers: {'accept-encoding': accepts}});
      assert.equal(headers['content-encoding'], 'gzip', accepts);
      assert.equal(headers.vary, 'Origin, Accept-Encoding');
      assert.ok(bytes.length < plain.bytes.length / 2);
      assert.match(zlib.gunzipSync(bytes).toString(), /^parley_sessions 0$/m);
    }
    for (const accepts of ['br', 'gzip;q=0', 'gzip;q=nonsense', 'identity, gzip;q=0.5']) {
      assert.equal((await ask(url, {headers: {'accept-encoding': accepts}})).headers['content-encoding'], undefined, accepts);
    }
    const short = await ask(`${on.server.http}/healthz`, {headers: {'accept-encoding': 'gzip'}});
    assert.deepEqual([short.bytes.toString(), short.headers['content-encoding']], ['ok\n', undefined]);
  });

  it('are omitted for HEAD, whose headers are those of GET', async () => {
    const get = await ask(`${on.server.http}/readyz`, {});
    const head = await ask(`${on.server.http}/readyz`, {method: 'HEAD'});
    assert.equal(head.bytes.length, 0);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal(head.headers['content-type'], get.headers['content-type']);
  });
});

describe('Files of the web client', () => {
  const folder = tempDir('web');
  const page = `<!doctype html><title>t</title>${'<p>Words, and more words.</p>'.repeat(200)}`;
  const picture = Buffer.from(Array.from({length: 5000}, (_, i) => (i * i * 7919) % 256));
  fs.writeFileSync(path.join(folder, 'index.html'), page);
  fs.writeFileSync(path.join(folder, 'picture.png'), picture);
  const on = withServer({}, {args: ['--web', folder]});

  it('are compressed ahead of time, except pictures', async () => {
    const headers = {'accept-encoding': 'gzip, deflate, br'};
    const {headers: got, bytes} = await ask(`${on.server.http}/`, {headers});
    assert.deepEqual([got['content-encoding'], got.vary, got['content-type']], ['gzip', 'Origin, Accept-Encoding', 'text/html; charset=utf-8']);
    assert.equal(zlib.gunzipSync(bytes).toString(), page);
    assert.equal((await ask(`${on.server.http}/`, {})).bytes.toString(), page);
    const plain = await ask(`${on.server.http}/picture.png`, {headers});
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary, Buffer.compare(plain.bytes, picture)], [undefined, 'Origin', 0]);
  });
});

describe('The access log', () => {
  const on = withServer({}, {args: ['--trusted-proxies', '127.0.0.1']});
  const lines = () => on.server.child.stderr.split('\n').filter((line) => line.includes(' http answered '));

  it('has a line for each request with its caller, without any text that a user wrote', async () => {
    const token = await on.token(fresh('ann'));
    await call(on.server, 'POST', '/v1/ops/inbox.list?password=hunter2', {
      body: {limit: 1}, headers: bearer(token, {'x-forwarded-for': '203.0.113.9, 2001:db8:1:2:3:4:5:6', 'cookie': 'session=hunter3', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'})});
    await call(on.server, 'GET', '/nowhere/hunter2', {headers: {'x-forwarded-for': 'hunter2', traceparent: '00-hunter2'}});
    const all = await eventually(() => lines().length >= 3 && lines(), 'three lines');
    const [, listed, missed] = all.slice(-3);
    assert.match(listed, /info http answered method=POST route=\S+ status=200 ms=\d+\.\d\d in=11 out=\d+ from=2001:db8:1:2::\/64 corrId=- trace=4bf92f3577b34da6a3ce929d0e0e4736$/);
    assert.match(missed, / method=GET route=\S+ status=404 ms=\d+\.\d\d in=0 out=\d+ from=127\.0\.0\.1 corrId=[\w-]+-\d+ trace=-$/);
    assert.doesNotMatch(on.server.child.stderr, new RegExp(`hunter[23]|203\\.0\\.113|${token.slice(-20)}`));
  });
});

describe('The access log and the operators\' listener', () => {
  const on = withServer({}, {args: ['--admin-listen', '127.0.0.1:0', '--access-log=false']});

  it('follow the options', async () => {
    const [, port] = /^operators: 127\.0\.0\.1:(\d+)$/m.exec(on.server.child.stdout);
    assert.notEqual(Number(port), on.server.port);
    const {status, bytes} = await ask(`http://127.0.0.1:${port}/metrics`, {});
    assert.equal(status, 200);
    assert.match(bytes.toString(), /^parley_sessions 0$/m);
    const refused = await ask(`http://127.0.0.1:${port}/v1/ws`, {headers: {
      'connection': 'Upgrade', 'upgrade': 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='}});
    assert.equal(refused.status, 404, 'no WebSockets there');
    assert.doesNotMatch(on.server.child.stderr, / http answered /);
  });
});
