// Files in a bucket: the whole life of an upload through s3rver, which stops and comes back, and links to the bucket itself.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {eventually, within} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {FaultyWay, kS3Env, S3} from './lib/s3.mjs';
import {Child, kParleyctl, kParleyd} from './lib/server.mjs';
import {withServer} from './lib/suite.mjs';
import {tempDir} from './lib/temp.mjs';
import {createThread, fresh} from './lib/world.mjs';

const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);
const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
const kTus = {'tus-resumable': '1.0.0'};

/** Calls on files, as the people of `on` make them. */
function calls(on) {
  const self = {
    async world() {
      const ann = await on.as(fresh('ann'));
      const bob = await on.as(fresh('bob'));
      const {thread} = await createThread(ann, bob.userId);
      return {ann, threadId: thread.threadId, annToken: await on.token(ann.userId), bobToken: await on.token(bob.userId)};
    },
    async begin({annToken, threadId}, size) {
      const begun = await call(on.server, 'POST', '/v1/uploads', {
        body: {threadId, name: 'plan.pdf', mime: 'application/pdf', size}, headers: bearer(annToken, kTus)});
      assert.equal(begun.status, 201, begun.text);
      return {url: begun.json.uploadUrl, id: begun.json.attachment.attachmentId};
    },
    patch: ({url}, offset, body) => call(on.server, 'PATCH', url, {
      body, headers: {...kTus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset)}}),
    async stateOf({annToken}, {id}) {
      return (await call(on.server, 'GET', `/v1/uploads/${id}`, {headers: bearer(annToken)})).json.attachment.state;
    },
    reached: (world, upload, state) => eventually(async () => (await self.stateOf(world, upload)) === state, state),
    async put(world, bytes) {
      const upload = await self.begin(world, bytes.length);
      const sent = await call(on.server, 'PUT', upload.url, {body: bytes});
      assert.equal(sent.status, 204, sent.text);
      await self.reached(world, upload, 'ready');
      return upload;
    },
    send: ({ann, threadId}, {id}) => ann.request('message.send', {
      threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: [{attachmentId: id}]}),
    async link(token, {id}) {
      const answer = await call(on.server, 'GET', `/v1/files/${id}?link=1`, {headers: bearer(token)});
      assert.equal(answer.status, 200, answer.text);
      return on.server.http + answer.json.url;
    },
    async fetched(token, upload, headers = {}) {
      const answer = await within(fetch(await self.link(token, upload), {headers}), 'the bytes');
      return {status: answer.status, bytes: Buffer.from(await answer.arrayBuffer())};
    },
    readyz: async () => (await call(on.server, 'GET', '/readyz')).text,
  };
  return self;
}

describe('Files in a bucket', () => {
  const s3 = new S3('parley-files');
  before(() => s3.start());
  after(() => s3.stop());
  const options = {args: [], env: kS3Env};
  before(() => options.args.push(...s3.args('some/prefix')));
  const on = withServer({}, options);
  const {world, begin, patch, stateOf, reached, put, send, fetched, readyz} = calls(on);
  const has = (bytes) => s3.keys().includes(`some/prefix/demo/${sha256(bytes)}`);

  it('are stored once they are complete, fetched by others, and gone with their message', async () => {
    const here = await world();
    const bytes = pdf(700_000);
    const upload = await begin(here, bytes.length);
    assert.equal((await patch(upload, 0, bytes.subarray(0, 300_000))).status, 204);
    assert.ok(!has(bytes));
    assert.equal((await patch(upload, 300_000, bytes.subarray(300_000))).status, 204);
    await reached(here, upload, 'ready');
    assert.ok(has(bytes));
    assert.deepEqual(fs.readdirSync(path.join(on.server.dir, 'files')), ['.uploads'], 'nothing else is here');
    const {messageId} = await send(here, upload);
    assert.ok((await fetched(here.bobToken, upload)).bytes.equals(bytes));
    await here.ann.request('message.delete', {threadId: here.threadId, messageId});
    await eventually(() => !has(bytes), 'the removal of the object');
  });

  it('of many megabytes are stored in parts and fetched in ranges', async () => {
    const here = await world();
    const bytes = pdf(24_000_000);
    const upload = await put(here, bytes);
    assert.ok(has(bytes));
    assert.equal(s3.requests(/partNumber=[12]&uploadId=\S+ 200/).length, 2, s3.child.tail());
    const whole = await fetched(here.annToken, upload);
    assert.ok(whole.bytes.equals(bytes));
    const part = await fetched(here.annToken, upload, {range: 'bytes=16777000-16777999'});
    assert.equal(part.status, 206);
    assert.ok(part.bytes.equals(bytes.subarray(16_777_000, 16_778_000)));
  });

  it('that are equal are stored once', async () => {
    const here = await world();
    const bytes = pdf(30_000);
    const [one, two] = [await put(here, bytes), await put(here, bytes)];
    assert.equal(s3.keys().filter((key) => key.endsWith(sha256(bytes))).length, 1);
    for (const upload of [one, two]) assert.ok((await fetched(here.annToken, upload)).bytes.equals(bytes));
  });

  it('wait while the bucket does not answer, and lose nothing', async () => {
    const here = await world();
    const known = await put(here, pdf(50_000));
    const bytes = pdf(60_000);
    const upload = await begin(here, bytes.length);
    await s3.stop();
    const sent = await patch(upload, 0, bytes);
    assert.deepEqual([sent.status, sent.json.error.code], [503, 'UNAVAILABLE'], sent.text);
    await eventually(async () => /the store of files does not answer/.test(await readyz()), 'a remark of /readyz');
    assert.equal((await call(on.server, 'GET', '/readyz')).status, 200);
    assert.match((await call(on.server, 'GET', '/metrics')).text, /^parley_file_store_unreachable 1$/m);
    assert.equal((await fetched(here.annToken, known)).status, 503);
    assert.equal(await stateOf(here, upload), 'uploading');
    await s3.start();
    await reached(here, upload, 'ready');
    assert.ok((await fetched(here.annToken, upload)).bytes.equals(bytes));
    await eventually(async () => !/store of files/.test(await readyz()), '/readyz without a remark');
    await put(here, pdf(10_000));
  });

  it('are found missing by parleyctl verify --files', async () => {
    const here = await world();
    const bytes = pdf(20_000);
    const {id} = await put(here, bytes);
    await on.server.terminate();
    const verify = async () => {
      const child = new Child(kParleyctl, ['--data', on.server.dir, 'verify', '--files', '--hashes', ...s3.args('some/prefix')], {env: kS3Env});
      return {...await within(child.exited, 'parleyctl verify'), out: child.stdout + child.stderr};
    };
    const clean = await verify();
    assert.equal(clean.code, 0, clean.out);
    for (const end of ['_object', '_object.md5', '_metadata.json'])
      fs.rmSync(path.join(s3.dir, s3.bucket, `some/prefix/demo/${sha256(bytes)}._S3rver${end}`), {force: true});
    const missing = await verify();
    assert.equal(missing.code, 1);
    assert.match(missing.out, new RegExp(`demo: ${id}: its stored bytes are missing`));
    await s3.stop();
    const away = await verify();
    assert.equal(away.code, 2, away.out);
    assert.match(away.out, /not all files were judged: the store of files does not answer/);
    await s3.start();
    await on.server.launch();
  });
});

describe('Requests to a bucket that fail', () => {
  const s3 = new S3('parley-faults');
  const way = new FaultyWay(s3);
  before(() => s3.start());
  before(() => way.start());
  after(() => s3.stop());
  const options = {args: [], env: kS3Env};
  before(() => options.args.push(...s3.args('', way)));
  const on = withServer({}, options);
  const {world, begin, patch, reached, fetched, readyz} = calls(on);
  /** Answers the first `times` requests that match with `status`. */
  const failFirst = (pattern, status, times) => {
    way.seen = [];
    way.fail = (line) => (pattern.test(line) && times-- > 0 ? status : undefined);
  };
  const count = (pattern) => way.seen.filter((line) => pattern.test(line)).length;

  it('are sent again', async () => {
    const here = await world();
    const bytes = pdf(30_000);
    failFirst(/^(PUT|HEAD) /, 503, 3);
    const upload = await begin(here, bytes.length);
    assert.equal((await patch(upload, 0, bytes)).status, 204);
    await reached(here, upload, 'ready');
    failFirst(/^GET /, 500, 2);
    assert.ok((await fetched(here.annToken, upload)).bytes.equals(bytes));
    assert.match((await call(on.server, 'GET', '/metrics')).text, /^parley_file_store_retries_total [5-9]/m);
  });

  it('leave no parts behind, and the upload is stored later', async () => {
    const here = await world();
    const bytes = pdf(20_000_000);
    failFirst(/partNumber=2/, 403, 1);
    const upload = await begin(here, bytes.length);
    assert.equal((await patch(upload, 0, bytes)).status, 503);
    const [begun] = way.seen.filter((line) => /partNumber=2/.test(line)).map((line) => /uploadId=(\w+)/.exec(line)[1]);
    assert.equal(count(new RegExp(`^DELETE .*uploadId=${begun}`)), 1, way.seen.join('\n'));
    await reached(here, upload, 'ready');
    assert.equal(count(/partNumber=2/), 2);
    assert.ok((await fetched(here.annToken, upload)).bytes.equals(bytes));
  });

  it('that the bucket refuses are told to the operator', async () => {
    const here = await world();
    const bytes = pdf(10_000);
    failFirst(/^PUT /, 403, 1_000);
    const upload = await begin(here, bytes.length);
    assert.equal((await patch(upload, 0, bytes)).status, 503);
    assert.match(await readyz(), /the store of files refuses requests/);
    assert.match(on.server.child.stderr, /the store of files refused a request.*status=403 code=Injected/);
    failFirst(/^PUT /, 403, 0);
    await reached(here, upload, 'ready');
    assert.doesNotMatch(await readyz(), /store of files/);
  });
});

describe('Links to files in a bucket', () => {
  const s3 = new S3('parley-links');
  before(() => s3.start());
  after(() => s3.stop());
  const keys = path.join(tempDir(), 'credentials');
  before(() => fs.writeFileSync(keys, 'aws_access_key_id = S3RVER\naws_secret_access_key = S3RVER\n', {mode: 0o600}));
  const options = {args: ['--files-redirect', '--files-s3-credentials-file', keys]};
  before(() => options.args.push(...s3.args()));
  const on = withServer({}, options);
  const {world, put, link} = calls(on);
  const opened = async (url) => within(fetch(url, {redirect: 'manual'}), 'an answer');
  const judge = async ({id}, verdict) => {
    const key = await on.token('svc_backend', {role: 'service'});
    const answer = await call(on.server, 'POST', `/v1/uploads/${id}/verdict`, {body: verdict, headers: bearer(key)});
    assert.equal(answer.status, 200, answer.text);
  };

  it('redirect to the bucket for 60 seconds', async () => {
    const here = await world();
    const bytes = pdf(80_000);
    const upload = await put(here, bytes);
    const answer = await opened(await link(here.annToken, upload));
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const target = new URL(answer.headers.get('location'));
    assert.equal(target.origin, s3.endpoint);
    assert.equal(target.searchParams.get('X-Amz-Expires'), '60');
    const got = await within(fetch(target), 'the bytes');
    assert.equal(got.status, 200);
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(bytes));
    assert.equal(got.headers.get('content-type'), 'application/pdf');
    assert.match(got.headers.get('content-disposition'), /^attachment; filename="plan.pdf"/);
    const {headers, status} = await call(on.server, 'HEAD', new URL(await link(here.annToken, upload)).pathname);
    assert.deepEqual([status, headers['content-length']], [200, '80000']);
  });

  it('do not for files above band 0 or in quarantine', async () => {
    const here = await world();
    const bytes = pdf(30_000);
    const upload = await put(here, bytes);
    const url = await link(here.annToken, upload);
    await judge(upload, {nsfwBand: 1});
    const answer = await opened(url);
    assert.equal(answer.status, 200, 'the server passes the bytes');
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
    await judge(upload, {nsfwBand: 0, state: 'quarantined', reason: 'a test'});
    assert.equal((await opened(url)).status, 422);
  });

  it('and credentials are not in the log', () => {
    assert.doesNotMatch(on.server.child.stdout + on.server.child.stderr, /X-Amz-Signature|aws_secret|Signature=/);
  });

  it('need a credentials file that nobody else may read', async () => {
    fs.chmodSync(keys, 0o644);
    const child = new Child(kParleyd, ['--data', tempDir(), '--listen', '127.0.0.1:0', ...s3.args(), '--files-s3-credentials-file', keys]);
    const {code} = await within(child.exited, 'parleyd');
    assert.equal(code, 2, child.tail());
    assert.match(child.stderr, /files_s3_credentials_file: others may access/);
  });
});

describe('Stores of bytes', () => {
  const s3 = new S3('parley-test');
  before(() => s3.start());
  after(() => s3.stop());

  it('behave alike, whether directory or bucket', async () => {
    const child = new Child(path.join(path.dirname(kParleyd), 'features_test'), ['--gtest_filter=In/Blobs.*'],
                            {env: {...kS3Env, PARLEY_TEST_S3: s3.endpoint}});
    const {code} = await within(child.exited, 'features_test', {ms: 120_000});
    assert.equal(code, 0, child.tail());
    assert.match(child.stdout, /\[ +OK \] In\/Blobs\.can_be_large\/bucket/);
  });

  it('serve the tests of files alike', async () => {
    const child = new Child(process.execPath, ['--test', fileURLToPath(new URL('files.test.mjs', import.meta.url))],
                            {env: {E2E_BUCKET: JSON.stringify(s3.args('suite')), NODE_TEST_CONTEXT: undefined}});
    const {code} = await within(child.exited, 'files.test.mjs', {ms: 120_000});
    assert.equal(code, 0, child.tail());
    assert.ok(s3.keys().some((key) => key.startsWith('suite/demo/')));
  });
});
