// The packaged SDK in a page of another origin, with the real server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

const clients = path.resolve(webClient(), '../..');
const folders = {sdk: path.join(clients, 'sdk/dist'), msgpack: path.join(clients, 'node_modules/@msgpack/msgpack/dist.esm')};
const kPage = `<!doctype html><title>A shop</title>
  <script type="importmap">{"imports": {"@msgpack/msgpack": "/msgpack/index.mjs"}}</script>
  <script type="module">window.sdk = await import('/sdk/index.js');</script>`;
const kListed = 'https://shop.example';

/** A separate web server, so that its pages have another origin than Parley's. */
function shop() {
  return http.createServer(({url}, response) => {
    const [, folder, ...rest] = url.split('/');
    const file = folders[folder] && path.join(folders[folder], ...rest);
    const known = file !== undefined && fs.existsSync(file);
    const type = file === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(file === undefined || known ? 200 : 404, {'content-type': type}).end(known ? fs.readFileSync(file) : kPage);
  });
}

describe('a page of another origin, with the SDK', () => {
  const on = withServer({}, {demo: false});
  const windows = withBrowser();
  const site = shop();
  let origin, tenant;
  before(async () => {
    await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${site.address().port}`;
    tenant = await Tenant.of(on.server, 'acme', {allowedOrigins: [kListed]});
  });
  after(() => site.close());

  /** A page in which `client` belongs to this user. */
  async function open({userId, token}) {
    const page = await (await windows.browser.newContext()).newPage();
    await page.goto(origin);
    await page.waitForFunction(() => window.sdk !== undefined);
    await page.evaluate(([url, user, secret]) => {
      window.client = new window.sdk.ParleyClient({url, userId: user, getToken: () => Promise.resolve(secret)});
      window.client.start();
    }, [on.server.ws, userId, token]);
    return page;
  }

  it('is refused with the reason if no tenant lists its origin, and the log names both', async () => {
    const page = await open(await tenant.user('ann'));
    const error = await eventually(() => page.evaluate(() => {
      const {connection, connectionError} = window.client.state;
      return connection === 'closed' && connectionError && {code: connectionError.code, message: connectionError.message, hint: connectionError.hint};
    }), 'the connection is given up');
    assert.equal(error.code, 'ORIGIN_REFUSED');
    assert.ok(error.message.includes(origin) || error.hint.includes(origin), `the reason names the origin: ${JSON.stringify(error)}`);
    const named = () => on.server.child.stderr.split('\n').some((line) => line.includes(origin) && line.includes(kListed));
    await eventually(named, 'a line of the log with the origin and those that are allowed');
    await page.context().close();
  });

  it('sends attachments to the other member once its origin is listed', async () => {
    const {tenant: {version}} = await tenant.operator.ok('GET', `/v1/tenants/${tenant.tenantId}`);
    await tenant.operator.ok('PATCH', `/v1/tenants/${tenant.tenantId}`, {version, settings: {allowedOrigins: [kListed, origin]}});
    const [ann, bob] = [await tenant.user('ann'), await tenant.user('bob')];
    const {thread: {threadId}} = await tenant.as(ann.userId).op('thread.create', {kind: 'direct', participants: [{userId: bob.userId}], clientId: fresh('cl')});
    const page = await open(ann);
    const other = await on.open();
    await other.request('session.hello', {token: bob.token});
    const attachments = [
      {kind: 'manifest', manifestRef: 'https://files.example/harbour/call-sheet.pdf', mime: 'application/pdf'},
      {kind: 'manifest', manifestRef: 'https://files.example/harbour/pier.jpg', mime: 'image/jpeg'},
    ];
    const sent = await page.evaluate(([thread, files]) => window.client.send(thread, {body: '', attachments: files}), [threadId, attachments]);
    const fields = (list) => list.map(({kind, manifestRef, mime}) => ({kind, manifestRef, mime}));
    const {messages: [message]} = await other.request('message.list', {threadId, limit: 1});
    assert.equal(message.messageId, sent.messageId);
    assert.deepEqual(fields(message.attachments), attachments);
    const event = await other.nextEvent({ev: 'message.created', threadId});
    assert.deepEqual(fields(event.item.attachments), attachments);
    await page.context().close();
  });
});
