// Servers of the DynamoDB protocol: ours, and two by others. Each is a child process on loopback that dies with the test.
// TABLES_ENDPOINT=dynalite|dynoxide runs the pattern tests there, to check that they require only common behaviour.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import net from 'node:net';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {call} from '../http.mjs';
import {eventually, within} from '../deadline.mjs';
import {Child, Server} from '../server.mjs';
import {removeDir, tempDir} from '../temp.mjs';
import {checkStore} from '../verify.mjs';
import {clientOf} from './client.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const kNobody = '65534';

export const kChosen = process.env.TABLES_ENDPOINT ?? 'parley';

/** Abilities of the others beyond single items, for tests to query. Ours has all of them, so no test skips it. */
const kAbilities = {
  dynalite: [],
  dynoxide: ['transactions', 'ttl', 'conditionItem', 'tokens', 'onlineIndexes', 'tieOrder', 'indexKeyTypes', 'atomicIndexes'],
};

/** → {name, url, client(options), can(ability), check(), stop()} */
export async function startEndpoint(name = kChosen, options = {}) {
  const starters = {parley: startParley, dynalite: startDynalite, dynoxide: startDynoxide};
  const endpoint = await starters[name](options);
  const db = endpoint.client();
  return {
    check: async () => {},
    ...endpoint,
    name,
    db,
    can: (ability) => name === 'parley' || kAbilities[name].includes(ability),
    stop: async () => {
      db.close();
      await endpoint.stop();
    },
  };
}

/** An access key of a running server's demo tenant. */
export async function tableKey(server, body = {}) {
  const {status, json, text} = await call(server, 'POST', '/v1/demo/table-key', {body});
  if (status >= 300 || !json?.accessKeyId) throw new Error(`no table key: ${status} ${text}`);
  return json;
}

async function startParley({args = []} = {}) {
  const server = await Server.start({args});
  const key = await tableKey(server);
  const url = `${server.http}/v1/dynamodb`;
  return {
    url,
    server,
    key,
    client: (options) => clientOf(url, {key, ...options}),
    check: () => checkStore(server),
    stop: () => server.dispose(),
  };
}

async function startDynalite() {
  const child = new Child(process.execPath, [path.join(here, 'dynalite_server.mjs')]);
  const {port} = await started(child, child.firstLine.promise, 'dynalite');
  return foreign(`http://127.0.0.1:${port}`, child);
}

/** The binary of @dynoxide/linux-x64, or null if npm did not install it (another kind of machine). */
export function dynoxideBinary() {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    return path.join(path.dirname(manifest), 'dynoxide');
  } catch {
    return null;
  }
}

async function startDynoxide() {
  const binary = dynoxideBinary();
  if (binary === null) throw new Error('@dynoxide/linux-x64 is not installed');
  // A third-party program: an unprivileged user runs a copy of it in a separate directory.
  const dir = tempDir('dynoxide');
  const copy = path.join(dir, 'dynoxide');
  fs.copyFileSync(binary, copy);
  fs.chmodSync(copy, 0o755);
  fs.chmodSync(dir, 0o755);
  const port = await freePort();
  const unprivileged = process.getuid() === 0
    ? ['--reuid', kNobody, '--regid', kNobody, '--clear-groups', '--inh-caps', '-all', '--bounding-set', '-all'] : [];
  const child = new Child('setpriv', [...unprivileged, '--no-new-privs', '--pdeathsig', 'KILL',
    copy, 'serve', '--host', '127.0.0.1', '--port', String(port)], {env: {HOME: dir, TMPDIR: dir}});
  const url = `http://127.0.0.1:${port}`;
  await started(child, eventually(() => connects(port), 'dynoxide'), 'dynoxide');
  return foreign(url, child, () => removeDir(dir));
}

function foreign(url, child, cleanUp = () => {}) {
  return {
    url,
    child,
    client: (options) => clientOf(url, options),
    stop: async () => {
      await within(child.kill('SIGKILL'), 'the killed server to be gone');
      cleanUp();
    },
  };
}

function started(child, listening, name) {
  const died = child.exited.then(() => {
    throw new Error(`${name} ended before it listened\n${child.tail()}`);
  });
  died.catch(() => {});
  return within(Promise.race([listening, died]), `${name} to listen`, {context: () => child.tail()});
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const {port} = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function connects(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
