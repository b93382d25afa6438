// Users arrive at the web client with tokens from their tenant's page, in Chromium.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {describe, it} from 'node:test';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

/** The back end of a separate tenant; a call that is refused fails the test. */
async function shopOf(server) {
  const tenantId = fresh('shop', 't').replaceAll('_', '-');
  const asked = async (credential, method, target, body) => {
    const {status, json, text} = await call(server, method, target, {body, headers: bearer(credential)});
    assert.ok(status >= 200 && status < 300, `${method} ${target}: ${status} ${text}`);
    return json;
  };
  const operator = fs.readFileSync(path.join(server.dir, 'operator.key'), 'utf8').trim();
  await asked(operator, 'POST', '/v1/tenants', {tenantId, name: 'Shop', settings: {messageRequests: {enabled: false}, userProjects: true}});
  const {secret} = await asked(operator, 'POST', `/v1/tenants/${tenantId}/keys`, {name: 'back end'});
  await asked(operator, 'POST', `/v1/tenants/${tenantId}/activate`, {});
  return (method, target, body) => asked(secret, method, target, body);
}

describe('a page that is opened with a token', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  /** Opens `address` of the server without waiting for it. */
  async function visit(userId, address) {
    const context = await windows.browser.newContext();
    const chat = new ChatPage(await context.newPage(), on.server, userId);
    windows.pages.push(chat);
    await chat.page.goto(`${on.server.http}${address}`);
    return chat;
  }
  const address = (chat) => chat.page.evaluate(() => location.href);

  it('chats as the user of the token, shows it nowhere, and survives a reload', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const chat = await visit(ann, `/?user=usr_mallory#token=${await on.token(ann)}`);
    await chat.connected();
    assert.equal(await address(chat), `${on.server.http}/`);
    assert.equal(await chat.page.evaluate(() => history.length), 2, 'about:blank and the page: no entry holds the token');
    const threadId = await chat.startThread(bob, 'Signed in');
    await chat.send('It is me');
    await chat.shows('It is me');
    assert.equal(await address(chat), `${on.server.http}/?thread=${threadId}`);
    await chat.page.reload();
    await chat.connected();
    await chat.shows('It is me');
    const seen = await (await on.as(bob)).request('message.list', {threadId});
    assert.equal(seen.messages[0].authorUserId, ann);
  });

  it('is signed in in the next tab as well, until the user signs out', async () => {
    const ann = fresh('ann');
    const chat = await visit(ann, `/#token=${await on.token(ann)}`);
    await chat.connected();
    const second = new ChatPage(await chat.page.context().newPage(), on.server, ann);
    await second.page.goto(`${on.server.http}/`);
    await second.connected();
    await chat.id('account').click();
    await chat.id('leave').click();
    await chat.id('leave-dialog').getByText('Stay').click();
    await chat.connected();
    await chat.id('account').click();
    await chat.id('leave').click();
    await chat.id('leave-confirm').click();
    await chat.id('user-picker').waitFor();
    await second.id('signed-out').waitFor();
    await second.page.reload();
    await second.id('user-picker').waitFor();
  });

  for (const [what, at, key] of [['web client', '/', 'parley.tokens'], ['console', '/console', 'parley.console.tokens']]) {
    it(`does not sign the user over to the account of a link without asking, in the ${what}, and never while it is open`, async () => {
      const [ann, eve] = [fresh('ann'), fresh('eve')];
      const role = at === '/' ? 'member' : 'moderator';
      const chat = await visit(ann, `${at}#token=${await on.token(ann, {role})}`);
      await chat.connected();
      const kept = () => chat.page.evaluate((name) => localStorage.getItem(name), key);
      const mine = await kept();
      const theirs = await on.token(eve, {role});

      // In the open page only the fragment changes: the page continues and shows no token.
      await chat.page.evaluate((token) => { window.stays = true; location.hash = `token=${token}`; }, theirs);
      await eventually(async () => !(await address(chat)).includes('token'), 'the token gone from the address');
      assert.equal(await chat.page.evaluate(() => window.stays), true);
      assert.equal(await kept(), mine);
      assert.equal(await chat.id('switch-account').count(), 0);

      const second = new ChatPage(await chat.page.context().newPage(), on.server, ann);
      await second.page.goto(`${on.server.http}${at}#token=${theirs}`);
      await second.page.locator(`[data-testid=switch-account][data-from=${ann}][data-to=${eve}]`).waitFor();
      assert.equal(await kept(), mine);
      await second.id('switch-stay').click();
      await second.connected();
      assert.equal(await kept(), mine);

      const third = new ChatPage(await chat.page.context().newPage(), on.server, eve);
      await third.page.goto(`${on.server.http}${at}#token=${theirs}`);
      await third.id('switch-take').click();
      await third.connected();
      assert.equal(JSON.parse(await kept()).token, theirs);
      await chat.id('signed-out').waitFor(); // the page is now signed out
      await second.id('signed-out').waitFor();
    });
  }

  it('shows names, refreshes its token without interruption, and is signed out when the back end revokes it', async () => {
    const shop = await shopOf(on.server);
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    await shop('POST', '/v1/users', {userId: ann, displayName: 'Ann Moor'});
    await shop('POST', '/v1/users', {userId: bob, displayName: 'Robert Lee'});
    const arrive = async (userId, ttlSeconds) => {
      const {token, refreshToken} = await shop('POST', '/v1/tokens', {userId, ttlSeconds});
      const chat = await visit(userId, `/#token=${token}&refreshToken=${refreshToken}`);
      await chat.connected();
      return {chat, refreshToken};
    };
    const {chat: bobs} = await arrive(bob, 3600);
    const {chat: anns, refreshToken} = await arrive(ann, 62); // it expires soon, so the server announces it at once
    const threadId = await anns.startThread(bob, 'Names');
    await anns.send('Hello, Robert');
    await bobs.openThread(threadId);
    await bobs.shows('Hello, Robert');
    await bobs.id('message-author').filter({hasText: 'Ann Moor'}).first().waitFor();
    await anns.page.locator('.who-name').filter({hasText: 'Ann Moor'}).waitFor();

    const kept = () => anns.page.evaluate(() => JSON.parse(localStorage.getItem('parley.tokens')).refreshToken);
    await eventually(async () => (await kept()) !== refreshToken, 'a newer refresh token');
    assert.equal(await anns.id('connection-banner').getAttribute('data-state'), 'connected');

    await shop('POST', '/v1/tokens/revoke', {userId: ann});
    await anns.id('signed-out').waitFor();
    await shop('DELETE', `/v1/users/${ann}`);
    await bobs.page.reload();
    await bobs.id('message-author').filter({hasText: 'Deleted User'}).first().waitFor();
    await bobs.id('new-thread').click();
    await bobs.id('new-thread-user').fill('usr_nobody,');
    await bobs.id('new-thread-submit').click();
    await bobs.page.getByText('No user here has the id usr_nobody.').waitFor();
  });

  it('shows that the session has expired, and none of its content', async () => {
    const ann = fresh('ann');
    const chat = await visit(ann, `/#token=${await on.token(ann, {ttlSeconds: 3})}`);
    await chat.page.locator('[data-testid=signed-out][data-reason=expired]').waitFor();
    assert.equal(await chat.id('inbox').count(), 0);
    await chat.page.reload();
    await chat.id('user-picker').waitFor();
  });

  it('accepts tokens from the page that opened it only if that has the same origin', async () => {
    const [ann, eve] = [fresh('ann'), fresh('eve')];
    const opens = (token) => `<script>
      addEventListener('message', ({data, source, origin}) => {
        if (data.type === 'parley.wantsTokens') source.postMessage({type: 'parley.tokens', token: '${token}'}, origin);
      });
      const push = () => child.postMessage({type: 'parley.tokens', token: '${token}'}, '*');
      const child = window.open('${on.server.http}/');
      setInterval(push, 50);
    </script>`;
    const foreign = http.createServer(async (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(opens(await on.token(eve)));
    });
    await new Promise((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    try {
      const context = await windows.browser.newContext();
      const evil = new ChatPage(await context.newPage(), on.server, eve);
      windows.pages.push(evil);
      const popup = context.waitForEvent('page', (page) => page !== evil.page);
      await evil.page.goto(`http://127.0.0.1:${foreign.address().port}/`);
      await (await popup).getByTestId('user-picker').waitFor();
    } finally {
      foreign.close();
    }

    const context = await windows.browser.newContext();
    const own = new ChatPage(await context.newPage(), on.server, ann);
    windows.pages.push(own);
    await context.route('**/own-page', async (route) => route.fulfill({
      contentType: 'text/html', headers: {'cross-origin-opener-policy': 'same-origin'}, body: opens(await on.token(ann))}));
    const popup = context.waitForEvent('page', (page) => page !== own.page);
    await own.page.goto(`${on.server.http}/own-page`);
    const chat = new ChatPage(await popup, on.server, ann);
    await chat.connected();
    await eventually(async () => (await chat.page.evaluate(() => localStorage.getItem('parley.tokens'))) !== null, 'kept');
  });
});

describe('a server without a demo', () => {
  const on = withServer({}, {demo: false, args: ['--web', webClient()]});
  const windows = withBrowser();

  async function visit(address, who = 'a visitor') {
    const chat = new ChatPage(await (await windows.browser.newContext()).newPage(), on.server, who);
    windows.pages.push(chat);
    await chat.page.goto(`${on.server.http}${address}`);
    return chat;
  }

  it('shows visitors neither users nor staff roles, whatever the address contains', async () => {
    for (const address of ['/', '/console', '/?user=usr_alice', '/?user=usr_alice&role=moderator', '/console?user=usr_mona&role=admin']) {
      const {page} = await visit(address);
      await page.getByTestId('signed-out').waitFor();
      assert.doesNotMatch(await page.locator('body').innerText(), /alice|bob|mona|milo|usr_|moderator|admin|staff/i, address);
    }
  });

  it('suggests users with whom the user talks, and rejects a typed name of an unknown one', async () => {
    const shop = await Tenant.of(on.server, 'shop', {knownUsersOnly: undefined});
    const [ann, bob, cem] = [await shop.user('Ann'), await shop.user('Bob'), await shop.user('Cem')];
    const group = {kind: 'group', subject: 'Us', participants: [{userId: bob.userId}], firstMessage: 'Hello', clientId: 'g1'};
    const {thread: {threadId}} = await ann.ok('POST', '/v1/ops/thread.create', group);
    const page = await visit(`/#token=${ann.token}`, ann.userId);
    await page.connected();
    await page.openThread(threadId);
    await page.id('new-thread').click();
    const offered = page.id('new-thread-form').getByTestId('known-person');
    await offered.first().waitFor();
    assert.deepEqual(await offered.evaluateAll((all) => all.map((button) => button.dataset.userId)), [bob.userId]);
    await page.id('new-thread-user').fill('usr_alice,');
    await page.id('new-thread-submit').click();
    await page.page.getByText('No user here has the id usr_alice.').waitFor();
    await page.page.keyboard.press('Escape');
    await page.id('participant-input').fill('usr_ghost');
    await page.id('participant-add').click();
    await page.page.getByText('No user here has the id usr_ghost.').waitFor();
    await page.id('participant-input').fill(cem.userId);
    await page.id('participant-add').click();
    await page.page.locator(`[data-testid=participant][data-user-id="${cem.userId}"]`).waitFor();
    const {folders} = await ann.ok('POST', '/v1/ops/inbox.counts', {});
    assert.equal(folders.find(({folder}) => folder === 'all').threads, 1);
  });
});
