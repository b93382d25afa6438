// Uppy, unmodified, in a page of another origin: several uploads at a time, cut connections, a reload, a refusal.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import http from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {withBrowser, webClient} from './lib/browser.mjs';
import {withCutProxy} from './lib/cut_proxy.mjs';
import {eventually} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

const kMiB = 1 << 20;
const here = path.dirname(fileURLToPath(import.meta.url));

/** A page with Uppy, as a bundler of a shop would make it; esbuild comes with the clients' packages. */
async function bundle() {
  const {build} = createRequire(path.resolve(webClient(), '../../package.json'))('esbuild');
  const contents = "import Uppy from '@uppy/core'; import Tus from '@uppy/tus'; Object.assign(window, {Uppy, Tus});";
  const {outputFiles: [{text}]} = await build({stdin: {contents, resolveDir: here}, bundle: true, write: false, format: 'iife', platform: 'browser', logLevel: 'error'});
  return text;
}

describe('Uppy in a page of another origin', () => {
  const on = withServer({}, {demo: false});
  const windows = withBrowser();
  const proxy = withCutProxy(() => new URL(on.server.http).port);
  const site = http.createServer(({url}, response) => {
    const script = url === '/uppy.js';
    response.writeHead(200, {'content-type': script ? 'text/javascript' : 'text/html'});
    response.end(script ? uppy : '<!doctype html><title>A shop</title><script src="/uppy.js"></script>');
  });
  let uppy, origin, tenant, ann, threadId;
  before(async () => {
    uppy = await bundle();
    await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${site.address().port}`;
    tenant = await Tenant.of(on.server, 'acme', {allowedOrigins: [origin]});
    ann = await tenant.user('ann');
    const bob = await tenant.user('bob');
    const {thread} = await tenant.as(ann.userId).op('thread.create', {kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('cl')});
    threadId = thread.threadId;
  });
  after(() => site.close());

  /** A page with an Uppy that uploads for ann; `window.seen` has the methods and offsets of its requests. */
  async function open(more = {}) {
    const page = await (await windows.browser.newContext()).newPage();
    page.asked = [];
    page.on('request', (request) => (request.url().includes('/v1/uploads') ? page.asked.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`.trim()) : undefined));
    page.start = async () => {
      await page.goto(origin);
      await page.evaluate(([endpoint, token, thread, options]) => {
        window.uppy = new window.Uppy({meta: {threadId: thread}, autoProceed: false});
        window.uppy.use(window.Tus, {
          endpoint, headers: {authorization: `Bearer ${token}`}, allowedMetaFields: ['threadId', 'name', 'type'],
          chunkSize: 500_000, limit: 4, retryDelays: [50, 200, 1000, 2000], ...options});
      }, [`${proxy.http}/v1/uploads`, ann.token, threadId, more]);
    };
    await page.start();
    return page;
  }

  /** Adds PDF files whose bytes follow from their name. */
  const add = (page, ...files) => page.evaluate((given) => given.forEach(({name, size, type}) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ++at) bytes[at] = (at * 31 + name.length * 7) & 255;
    bytes.set(new TextEncoder().encode('%PDF-1.7\n'));
    window.uppy.addFile({name, type, data: new File([bytes], name, {type, lastModified: 1})});
  }), files.map((file) => ({type: 'application/pdf', ...file})));
  const hashOf = ({name, size}) => {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ++at) bytes[at] = (at * 31 + name.length * 7) & 255;
    bytes.write('%PDF-1.7\n');
    return crypto.createHash('sha256').update(bytes).digest('hex');
  };
  const upload = (page) => page.evaluate(async () => {
    const {successful, failed} = await window.uppy.upload();
    return {successful: successful.map(({name, uploadURL}) => ({name, uploadURL})), failed: failed.map(({name, error}) => ({name, error}))};
  });
  /** Waits until the server has examined the upload. */
  const stored = (url) => eventually(async () => {
    const {json} = await call(on.server, 'GET', `/v1/uploads/${url.split('/').at(-2)}`, {headers: bearer(ann.token)});
    assert.equal(json.attachment.state, 'ready');
    return json.attachment;
  });

  it('uploads several files at a time, though their connections are cut', async () => {
    const page = await open();
    const files = ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((name) => ({name: `${name}.pdf`, size: 900_000 + name.length}));
    await add(page, ...files);
    const cuts = proxy.cuts;
    proxy.cutAfter(1_300_000);
    const {successful, failed} = await upload(page);
    assert.deepEqual(failed, []);
    assert.equal(proxy.cuts, cuts + 1);
    assert.equal(successful.length, files.length);
    for (const {name, uploadURL} of successful) {
      const file = files.find((one) => one.name === name);
      const {name: kept, size, sha256, mime} = await stored(uploadURL);
      assert.deepEqual({kept, size, sha256, mime}, {kept: name, size: file.size, sha256: hashOf(file), mime: 'application/pdf'});
    }
    assert.ok(page.asked.includes('HEAD'), 'asks for the offset after the cut');
    await page.context().close();
  });

  it('goes on after a reload with the same file', async () => {
    const page = await open({retryDelays: null});
    const file = {name: 'album.pdf', size: 3 * kMiB};
    await add(page, file);
    proxy.cutAfter(1_700_000);
    const {failed} = await upload(page);
    assert.equal(failed.length, 1);
    await page.start();
    page.asked.length = 0;
    await add(page, file);
    const {successful: [{uploadURL}]} = await upload(page);
    assert.equal((await stored(uploadURL)).sha256, hashOf(file));
    assert.ok(page.asked.includes('HEAD') && !page.asked.includes('POST') && !page.asked.includes('PATCH 0'), `goes on: ${page.asked}`);
    await page.context().close();
  });

  it('reads the refusal of the server', async () => {
    const page = await open();
    await add(page, {name: 'page.html', size: 2_000, type: 'text/html'});
    const {failed: [{error}]} = await upload(page);
    assert.match(error, /UNSUPPORTED_TYPE/);
    await page.context().close();
  });

  it('pauses, resumes and cancels', async () => {
    const page = await open({chunkSize: 100_000});
    const file = {name: 'long.pdf', size: 2 * kMiB};
    await add(page, file);
    const outcome = page.evaluate(() => new Promise((resolve) => {
      let paused = false;
      window.uppy.on('upload-progress', ({id}, {bytesUploaded}) => {
        if (paused || bytesUploaded < 300_000) return;
        paused = true;
        window.uppy.pauseResume(id);
        setTimeout(() => window.uppy.pauseResume(id), 0);
      });
      window.uppy.on('upload-success', (_, {uploadURL}) => resolve({uploadURL, paused}));
      void window.uppy.upload();
    }));
    const {uploadURL, paused} = await outcome;
    assert.equal(paused, true);
    assert.equal((await stored(uploadURL)).sha256, hashOf(file));
    await add(page, {name: 'gone.pdf', size: 2 * kMiB});
    const ended = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.evaluate(() => {
      window.uppy.on('upload-progress', ({id, name}, {bytesUploaded}) => (name === 'gone.pdf' && bytesUploaded > 0 ? window.uppy.removeFile(id) : undefined));
      void window.uppy.upload();
    });
    assert.equal((await (await ended).response()).status(), 204);
    await page.context().close();
  });
});
