// The layer below the operations on which SDKs depend: signatures, checksums, request ids, errors, the allowed clock difference.
import assert from 'node:assert/strict';
import http from 'node:http';
import {after, before, test} from 'node:test';
import zlib from 'node:zlib';
import {refused} from './lib/tables/client.mjs';
import {startEndpoint} from './lib/tables/endpoints.mjs';

let endpoint;
before(async () => { endpoint = await startEndpoint('parley'); });
after(async () => {
  await endpoint?.check();
  await endpoint?.stop();
});

const withKey = (key, options = {}) => endpoint.client({key, ...options});

/** Makes one call with a new client. */
async function once(client, call) {
  try {
    return await call(client);
  } finally {
    client.close();
  }
}

/** Sends a raw, unsigned request. → {status, headers, body, text} */
function raw(path, {target, body = '{}', headers = {}, method = 'POST'} = {}) {
  return new Promise((resolve, reject) => {
    const all = {'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body), ...(target && {'x-amz-target': target}), ...headers};
    const request = http.request(endpoint.server.http + path, {method, headers: all, agent: false}, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks), text: String(Buffer.concat(chunks))}));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A client's last response: its status, headers and body. */
function recorded(client) {
  const seen = {};
  client.client.middlewareStack.add((next) => async (args) => {
    const result = await next(args);
    seen.status = result.response.statusCode;
    seen.headers = result.response.headers;
    return result;
  }, {step: 'deserialize', priority: 'low'});
  return seen;
}

test('a wrong secret, an unknown key and a clock that is an hour off are refused by name', async () => {
  await once(withKey({...endpoint.key, secretAccessKey: 'x'.repeat(40)}), (db) => refused(db.ListTables({}), 'InvalidSignatureException'));
  await once(withKey({accessKeyId: 'AKIAUNKNOWNUNKNOWN00', secretAccessKey: 'x'}), (db) => refused(db.ListTables({}), 'UnrecognizedClientException'));
  for (const systemClockOffset of [3_600_000, -3_600_000]) {
    await once(withKey(endpoint.key, {systemClockOffset}), (db) => refused(db.ListTables({}), 'InvalidSignatureException'));
  }
});

test('a request without a signature or with half of one is refused', async () => {
  const target = 'DynamoDB_20120810.ListTables';
  const none = await raw('/v1/dynamodb', {target});
  assert.equal(none.status, 400);
  assert.match(JSON.parse(none.text).__type, /MissingAuthenticationTokenException$/);
  const half = await raw('/v1/dynamodb', {target, headers: {authorization: 'AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request'}});
  assert.equal(half.status, 400);
  assert.match(JSON.parse(half.text).__type, /IncompleteSignatureException$/);
});

test('the root path works too, for tools without a path setting', async () => {
  await once(endpoint.client({endpoint: endpoint.server.http}), async (db) => {
    assert.ok((await db.ListTables({})).TableNames.length > 20);
  });
});

test('any region of the client is accepted', async () => {
  for (const region of ['us-east-1', 'eu-central-1', 'local']) {
    await once(endpoint.client({region}), async (db) => assert.ok((await db.ListTables({Limit: 1})).TableNames.length === 1));
  }
});

test('answers carry a request id and the checksum of their bytes', async () => {
  await once(endpoint.client(), async (db) => {
    const seen = recorded(db);
    await db.ListTables({});
    assert.match(seen.headers['x-amzn-requestid'], /^[A-Z0-9]{52}$|^[0-9a-f-]{36}$/i);
    assert.match(seen.headers['content-type'], /^application\/x-amz-json-1\.0/);
    const first = seen.headers['x-amzn-requestid'];
    await db.ListTables({});
    assert.notEqual(seen.headers['x-amzn-requestid'], first);
  });
  const {headers, bytes} = await raw('/v1/dynamodb', {target: 'DynamoDB_20120810.ListTables'});
  assert.equal(Number(headers['x-amz-crc32']), crc32(bytes));
});

function crc32(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

test('connections are reused: a thousand calls need few of them', async () => {
  await once(endpoint.client(), async (db) => {
    const ports = new Set();
    db.client.middlewareStack.add((next) => async (args) => {
      const result = await next(args);
      ports.add(result.response.body?.socket?.localPort ?? result.response.body?.req?.socket?.localPort);
      return result;
    }, {step: 'deserialize', priority: 'high'});
    for (let i = 0; i < 200; i += 1) await db.DescribeTable({TableName: 'Events'});
    assert.ok(ports.size <= 3, `${ports.size} connections`);
  });
});

test('an item above the size of a request, and a body above 16 MB, are refused without harm', async () => {
  await once(endpoint.client(), async (db) => {
    const put = (length) => db.PutItem({TableName: 'webhook-logs', Item: {pk: {S: 'large'}, sk: {S: 'x'}, body: {S: 'x'.repeat(length)}}});
    await refused(put(400 * 1024), 'ValidationException', /[Ii]tem size/);
    await put(399 * 1024);
    await assert.rejects(put(17 * 1024 * 1024));
    assert.equal((await db.GetItem({TableName: 'webhook-logs', Key: {pk: {S: 'large'}, sk: {S: 'x'}}})).Item.body.S.length, 399 * 1024);
    await db.DeleteItem({TableName: 'webhook-logs', Key: {pk: {S: 'large'}, sk: {S: 'x'}}});
  });
});

test('limits are described', async () => {
  const limits = await endpoint.db.DescribeLimits({});
  for (const name of ['AccountMaxReadCapacityUnits', 'AccountMaxWriteCapacityUnits', 'TableMaxReadCapacityUnits', 'TableMaxWriteCapacityUnits']) {
    assert.ok(limits[name] > 0, name);
  }
});

/** Returns a client that encodes each body with `encode` before it signs the request. */
function encoding(name, encode) {
  const db = withKey(endpoint.key);
  db.client.middlewareStack.add((next) => async (args) => {
    args.request.body = encode(Buffer.from(args.request.body));
    args.request.headers['content-encoding'] = name;
    args.request.headers['content-length'] = String(args.request.body.length);
    return next(args);
  }, {step: 'build', priority: 'low'});
  return db;
}

test('a gzip body is accepted within the bound of its content; other codings are 415', async () => {
  await once(encoding('gzip', (body) => zlib.gzipSync(body)), async (db) => assert.ok((await db.ListTables({})).TableNames.length > 0));
  await once(encoding('gzip', () => zlib.gzipSync(Buffer.alloc(17 << 20, ' '))), (db) => refused(db.ListTables({}), 'RequestEntityTooLargeException'));
  await once(encoding('gzip', (body) => body), (db) => refused(db.ListTables({}), 'SerializationException'));
  await once(encoding('br', (body) => zlib.brotliCompressSync(body)), (db) => refused(db.ListTables({}), 'UnsupportedMediaTypeException'));
});
