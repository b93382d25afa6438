// TLS from common clients: refusals, and a new certificate without a restart.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import {describe, it} from 'node:test';
import tls from 'node:tls';
import WebSocket from 'ws';
import {deferred, within} from './lib/deadline.mjs';
import {Child, Server, kParleyd} from './lib/server.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';

const folder = tempDir('tls');
const key = path.join(folder, 'key.pem');
const certificate = path.join(folder, 'cert.pem');

/** Replaces the pair by a new one for this name. */
function makePair(name) {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30',
                           '-subj', `/CN=${name}`, '-keyout', key, '-out', certificate], {stdio: 'ignore'});
  fs.chmodSync(key, 0o600);
}

/** The handshake's outcome: {name, protocol}, or {error}. */
function handshake(port, options = {}) {
  const met = new Promise((resolve) => {
    const socket = tls.connect({port, host: '127.0.0.1', rejectUnauthorized: false, ...options}, () => {
      resolve({name: socket.getPeerCertificate().subject.CN, protocol: socket.getProtocol()});
      socket.destroy();
    });
    socket.on('error', (error) => resolve({error: error.code ?? error.message}));
  });
  return within(met, 'a TLS handshake');
}

function get(port, target) {
  const answered = new Promise((resolve, reject) => {
    https.get({port, host: '127.0.0.1', path: target, rejectUnauthorized: false, agent: false}, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => text += data).on('end', () => resolve(text));
    }).on('error', reject);
  });
  return within(answered, `GET ${target}`);
}

/** A socket that sends hello and then echoes through ping. */
async function open(port) {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/ws`, {rejectUnauthorized: false});
  const pongs = [];
  socket.on('pong', () => pongs.shift()?.resolve());
  await within(new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject)), 'an open socket');
  return {
    socket,
    answers: () => {
      const pong = deferred();
      pongs.push(pong);
      socket.ping();
      return within(pong.promise, 'a pong');
    },
  };
}

async function logged(server, text) {
  const found = deferred();
  const look = () => server.child.stderr.includes(text) && found.resolve();
  server.child.process.stderr.on('data', look);
  look();
  await within(found.promise, `the log to say "${text}"`, {context: () => server.child.tail()});
}

describe('TLS', () => {
  makePair('first');
  const on = withServer({}, {args: ['--tls-certificate', certificate, '--tls-key', key, '--io-threads', '2']});

  it('is 1.2 or 1.3, whatever the client supports', async () => {
    const {port} = on.server;
    assert.equal((await handshake(port)).protocol, 'TLSv1.3');
    assert.equal((await handshake(port, {maxVersion: 'TLSv1.2'})).protocol, 'TLSv1.2');
    for (const old of ['TLSv1', 'TLSv1.1']) {
      const {error, protocol} = await handshake(port, {minVersion: old, maxVersion: old, ciphers: 'ALL:@SECLEVEL=0'});
      assert.match(error, /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, `${old}: ${protocol}`);
    }
    const weak = await handshake(port, {maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA:AES128-GCM-SHA256'});
    assert.ok(weak.error, 'no cipher without forward secrecy');
  });

  it('uses a new pair on SIGHUP on every thread, and open sessions stay', async () => {
    const {server} = on;
    const before = await Promise.all(Array.from({length: 8}, () => open(server.port)));
    const expiry = async () => Number(/^parley_tls_certificate_expiry_seconds (\S+)$/m.exec(await get(server.port, '/metrics'))[1]);
    assert.ok(Math.abs(await expiry() - Date.now() / 1000 - 30 * 86400) < 3600);
    makePair('second');
    server.child.process.kill('SIGHUP');
    await logged(server, 'the certificate was reloaded');
    const names = await Promise.all(Array.from({length: 16}, async () => (await handshake(server.port)).name));
    assert.deepEqual(new Set(names), new Set(['second']));
    for (const one of before) await one.answers();
    const after = await open(server.port);
    await after.answers();
    for (const {socket} of [...before, after]) socket.terminate();
  });

  it('keeps the current pair if the new one is invalid', async () => {
    const {server} = on;
    makePair('third');
    fs.chmodSync(key, 0o644);
    server.child.process.kill('SIGHUP');
    await logged(server, 'the certificate was not reloaded');
    await logged(server, 'is open to other users: chmod 600');
    assert.equal((await handshake(server.port)).name, 'second');
    fs.chmodSync(key, 0o600);
    server.child.process.kill('SIGHUP');
    await within((async () => {
      while ((await handshake(server.port)).name !== 'third');
    })(), 'the third certificate');
  });
});

describe('a key readable by others', () => {
  it('keeps the server from starting, with instructions', async () => {
    makePair('open');
    for (const mode of [0o644, 0o640, 0o604]) {
      fs.chmodSync(key, mode);
      const dir = tempDir();
      const child = new Child(kParleyd, ['--data', dir, '--listen', '127.0.0.1:0', '--demo', '--tls-certificate', certificate, '--tls-key', key]);
      const {code} = await within(child.exited, 'a refusal');
      assert.equal(code, 4, child.tail());
      assert.match(child.stderr, /the TLS key \S+ is open to other users: chmod 600/);
      assert.doesNotMatch(child.stderr, /PRIVATE KEY/);
    }
  });
});

describe('SIGHUP without TLS', () => {
  it('is logged, and the server continues', async () => {
    const server = await Server.start();
    server.child.process.kill('SIGHUP');
    await logged(server, 'there is no certificate to reload');
    assert.deepEqual(await server.terminate(), {code: 0, signal: null});
    await server.dispose();
  });
});
