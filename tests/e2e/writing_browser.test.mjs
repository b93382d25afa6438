// Users' unsent texts are kept until they are sent: drafts, replies, edits and unsent messages, in Chromium with the real server.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {allMessages, createThread, fresh, say, users} from './lib/world.mjs';

/** Waits until the thread has these bodies: a page shows a message before it is acknowledged. */
const has = (session, threadId, bodies) => eventually(
  async () => isDeepStrictEqual((await allMessages(session, threadId)).map(({body}) => body), bodies), `the messages ${bodies}`);

describe('an unsent text', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  /** ann's window at a thread with bob, and bob's session. */
  async function talk() {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Writing'});
    const {thread: {threadId: other}} = await createThread(anns, bob, {subject: 'Elsewhere'});
    const page = await ChatPage.open(windows.browser, on.server, ann, {viewport: {width: 1280, height: 900}});
    windows.pages.push(page);
    return {ann, bob, anns, bobs, threadId, other, page};
  }
  const box = (page) => page.id('send-box').inputValue();
  const mode = (page, kind) => page.page.locator(`[data-testid=composer-mode][data-mode=${kind}]`);
  const press = async (page, text, button) => {
    await page.message(text).hover();
    await page.message(text).getByTestId(button).click();
  };

  it('is a draft, a reply or an edit: each survives opening another conversation, and none overwrites another', async () => {
    const {anns, bobs, threadId, other, page} = await talk();
    await say(anns, threadId, 'At noon then');
    await say(bobs, threadId, 'When do we meet?');
    const away = async () => {
      await page.openThread(other);
      assert.equal(await box(page), '');
      assert.equal(await page.id('composer-mode').count(), 0);
      await page.openThread(threadId);
    };
    await page.openThread(threadId);
    await page.shows('When do we meet?');
    await page.id('send-box').fill('The draft');
    await away();
    assert.equal(await box(page), 'The draft');
    await press(page, 'When do we meet?', 'message-reply');
    assert.equal(await box(page), 'The draft');
    await away();
    await mode(page, 'reply').getByText('When do we meet?').waitFor();

    await press(page, 'At noon then', 'message-edit');
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At noon then');
    await page.id('send-box').fill('At one then');
    await away();
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At one then');
    await page.page.reload();
    await page.connected();
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At one then');
    await page.id('send-box').press('Enter');
    await page.shows('At one then');

    // The reply is still in its place with its text.
    await mode(page, 'reply').getByText('When do we meet?').waitFor();
    assert.equal(await box(page), 'The draft');
    await page.id('send-box').press('Enter');
    await page.shows('The draft');
    assert.equal(await box(page), '');
    assert.equal(await page.id('composer-mode').count(), 0);
    await has(anns, threadId, ['At one then', 'When do we meet?', 'The draft']);
    const messages = await allMessages(anns, threadId);
    assert.deepEqual(messages.map(({body, replyTo}) => [body, replyTo !== null]), [['At one then', false], ['When do we meet?', false], ['The draft', true]]);
  });

  it('disappears from the other tab when it is sent in one', async () => {
    const {ann, threadId, page} = await talk();
    await page.openThread(threadId);
    const second = new ChatPage(await page.page.context().newPage(), on.server, ann);
    windows.pages.push(second);
    await second.page.goto(`${on.server.http}/?user=${ann}&thread=${threadId}`);
    await second.connected();
    await page.id('send-box').fill('Typed once');
    await eventually(async () => (await box(second)) === 'Typed once', 'the draft in the other tab');
    await page.id('send-box').press('Enter');
    await second.shows('Typed once');
    await eventually(async () => (await box(second)) === '', 'the sent draft gone from the other tab');
  });

  it('is not sent by an Enter that belongs to an input method, not even in Safari\'s order of events', async () => {
    const {anns, threadId, page} = await talk();
    await page.openThread(threadId);
    await page.id('send-box').fill('日本');
    await page.id('send-box').evaluate((element) => {
      const key = (init) => element.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, ...init}));
      element.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
      key({keyCode: 229, isComposing: true}); // other browsers: during the composition
      element.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '日本'}));
      key({keyCode: 229, isComposing: false}); // Safari: after the composition
    });
    assert.equal(await box(page), '日本');
    await page.id('send-box').press('End');
    await page.id('send-box').pressSequentially('語');
    await page.id('send-box').press('Enter');
    await page.shows('日本語');
    await has(anns, threadId, ['日本語']);
  });
});

describe('messages that arrive while the page is not visible', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  async function talk(options = {}) {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(anns, bob);
    const {messageId} = await say(bobs, threadId, 'first of all');
    const context = await windows.browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    const page = new ChatPage(await context.newPage(), on.server, ann);
    windows.pages.push(page);
    const createdAt = (await allMessages(anns, threadId)).find((message) => message.messageId === messageId).createdAt;
    const go = async () => {
      await page.page.goto(`${on.server.http}/?user=${ann}&thread=${threadId}`);
      await page.shows('first of all');
    };
    return {bobs, threadId, page, createdAt, go};
  }

  it('begin below a line “New”, which stays while the user reads', async () => {
    const {bobs, threadId, page, go} = await talk();
    await go();
    const look = (looks) => page.page.evaluate((here) => {
      document.hasFocus = () => here;
      dispatchEvent(new Event(here ? 'focus' : 'blur'));
    }, looks);
    const lines = () => page.page.locator('.divider-unread').evaluateAll((all) => all.map((line) => line.nextElementSibling.querySelector('[data-testid=message-body]').innerText.trim()));
    await page.unread(threadId, 0);
    await say(bobs, threadId, 'seen as it came');
    await page.shows('seen as it came');
    await page.unread(threadId, 0);
    const before = await lines();
    await look(false);
    for (const text of ['while away', 'and more']) await say(bobs, threadId, text);
    await page.shows('and more');
    assert.deepEqual(await lines(), ['while away']);
    await look(true);
    await page.unread(threadId, 0);
    await say(bobs, threadId, 'back again');
    await page.shows('back again');
    assert.deepEqual(await lines(), ['while away']);
    assert.ok(!before.includes('seen as it came'));
  });

  it('are dated again at midnight: today becomes yesterday', async () => {
    const {page, createdAt, go, threadId} = await talk({timezoneId: 'UTC', locale: 'en-GB'});
    await page.page.clock.install({time: new Date(`${createdAt.slice(0, 10)}T23:50:00Z`)});
    await go();
    const day = page.page.locator('.divider').first();
    const when = page.entry(threadId).locator('.entry-time');
    assert.equal((await day.innerText()).trim().toLowerCase(), 'today');
    const time = (await when.innerText()).trim();
    assert.match(time, /^\d\d:\d\d$/);
    await page.page.clock.fastForward('11:00');
    await eventually(async () => (await day.innerText()).trim().toLowerCase() === 'yesterday', 'the day to turn');
    assert.doesNotMatch((await when.innerText()).trim(), /:/);
  });
});

describe('unsent messages', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  /** A window with a connection that can be interrupted: `chat.line(false)`, and restored. */
  async function open(context, userId, address = `/?user=${userId}`) {
    const sockets = new Set();
    let up = true;
    const page = await context.newPage();
    await page.routeWebSocket(/\/v1\/ws/, (socket) => {
      if (!up) return void socket.close({code: 4000});
      const server = socket.connectToServer();
      sockets.add({socket, server});
    });
    const chat = new ChatPage(page, on.server, userId);
    windows.pages.push(chat);
    chat.line = async (wanted) => {
      up = wanted;
      if (wanted) return chat.connected();
      for (const {socket, server} of sockets) await Promise.all([socket.close({code: 4000}), server.close()]);
      sockets.clear();
      await chat.banner('reconnecting');
    };
    await page.goto(`${on.server.http}${address}`);
    await chat.connected();
    return chat;
  }

  async function group() {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await bobs.request('thread.create', {kind: 'group', subject: 'Band', participants: [{userId: ann}], clientId: fresh('g', 'cl')});
    await say(bobs, threadId, 'Welcome');
    return {ann, bob, anns, bobs, threadId};
  }

  it('ask before their tab is closed, and are sent by the next one', async () => {
    const {ann, bobs, threadId} = await group();
    const context = await windows.browser.newContext();
    const chat = await open(context, ann);
    await chat.openThread(threadId);
    await chat.line(false);
    await chat.send('Written on a train');
    await chat.page.locator('[data-testid=message][data-state=pending]').waitFor();
    const asked = chat.page.waitForEvent('dialog');
    const closing = chat.page.close({runBeforeUnload: true});
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    const closed = chat.page.waitForEvent('close');
    await dialog.accept();
    await Promise.all([closing, closed]);
    windows.pages.splice(windows.pages.indexOf(chat), 1);
    const next = await open(context, ann);
    await next.openThread(threadId);
    await next.shows('Written on a train');
    await has(bobs, threadId, ['Welcome', 'Written on a train']);

    // Without unsent messages the page does not ask.
    await eventually(async () => next.page.evaluate(() => Object.keys(localStorage).every((key) => !key.startsWith('parley.outbox.'))), 'nothing kept');
    let asks = 0;
    next.page.on('dialog', (other) => { asks += 1; void other.accept(); });
    await next.page.reload();
    await next.connected();
    assert.equal(asks, 0);
  });

  for (const demo of [true, false]) {
    it(`are counted in the question before ${demo ? 'another user of a demo is chosen' : 'signing out'}, and sent after the return`, async () => {
      const {ann, bobs, threadId} = await group();
      const context = await windows.browser.newContext();
      const address = async () => (demo ? `/?user=${ann}` : `/#token=${await on.token(ann)}`);
      const chat = await open(context, ann, await address());
      await chat.openThread(threadId);
      await chat.line(false);
      for (const text of ['First', 'Second']) await chat.send(text);
      await chat.page.locator('[data-testid=message][data-state=pending]').nth(1).waitFor();
      let asks = 0;
      chat.page.on('dialog', (other) => { asks += 1; void other.accept(); });
      const leave = async () => {
        await chat.id('account').click();
        await chat.id('leave').click();
      };
      await leave();
      await chat.id('leave-unsent').getByText('2 messages have not been sent.').waitFor();
      await chat.id('leave-dialog').getByText('Stay').click();
      await leave();
      await chat.id('leave-confirm').click();
      await chat.id('user-picker').waitFor();
      assert.equal(asks, 0, 'asked once only');
      const next = await open(context, ann, await address());
      await next.openThread(threadId);
      await next.shows('Second');
      await eventually(async () => (await allMessages(bobs, threadId)).length === 3, 'both are sent');
    });
  }

  it('move from a closed tab to an open one, and are sent once', async () => {
    const {ann, bobs, threadId} = await group();
    const context = await windows.browser.newContext();
    const [first, second] = [await open(context, ann), await open(context, ann)];
    await first.openThread(threadId);
    await first.line(false);
    await first.send('From the first');
    await first.page.locator('[data-testid=message][data-state=pending]').waitFor();
    windows.pages.splice(windows.pages.indexOf(first), 1);
    await first.page.close();
    await second.openThread(threadId);
    await second.shows('From the first');
    await has(bobs, threadId, ['Welcome', 'From the first']);
  });

  it('show their failure in every view, also after leaving: to be sent again or discarded', async () => {
    const {ann, bobs, threadId} = await group();
    const {thread: {threadId: other}} = await bobs.request('thread.create', {kind: 'group', subject: 'Choir', participants: [{userId: ann}], clientId: fresh('g', 'cl')});
    const chat = await open(await windows.browser.newContext({viewport: {width: 1280, height: 900}}), ann);
    await chat.openThread(other);
    await chat.openThread(threadId);
    await chat.line(false);
    await chat.send('To the band');
    await chat.page.locator('[data-testid=message][data-state=pending]').waitFor();
    await chat.openThread(other);
    await (await on.staff()).request('thread.setStatus', {threadId, status: 'locked', reason: 'A test'});
    await chat.line(true);
    await chat.entry(threadId).locator('[data-testid=entry-unsent][data-count="1"]').waitFor();
    await chat.page.locator('[data-testid=unsent-banner][data-count="1"]').waitFor();
    await chat.id('unsent-open').click();
    await chat.id('unsent-item').getByText('To the band').waitFor();
    await chat.id('unsent-thread').click();
    await chat.page.locator(`[data-testid=thread-view][data-thread-id="${threadId}"]`).waitFor();
    await chat.page.locator('[data-testid=message][data-state=failed]').getByText('To the band').waitFor();
    await chat.id('unsent-banner').waitFor({state: 'hidden'});
    await chat.id('message-discard').click();
    await chat.id('entry-unsent').waitFor({state: 'detached'});

    // Removed from a conversation: its view is closed, and with it the place for the failure.
    await chat.openThread(other);
    await chat.line(false);
    await chat.send('To the choir');
    await chat.page.locator('[data-testid=message][data-state=pending]').waitFor();
    await bobs.request('participant.remove', {threadId: other, userId: ann});
    await chat.line(true);
    await chat.page.locator('[data-testid=unsent-banner][data-count="1"]').waitFor();
    await chat.page.reload();
    await chat.connected();
    await chat.page.locator('[data-testid=unsent-banner][data-count="1"]').waitFor();
    await chat.id('unsent-open').click();
    await chat.id('unsent-item').getByText('To the choir').waitFor();
    await chat.id('unsent-retry').click();
    await chat.page.locator('[data-testid=unsent-banner][data-count="1"]').waitFor(); // refused again

    // Added again: the conversation shows it, and sends it.
    await bobs.request('participant.add', {threadId: other, userId: ann});
    await chat.id('unsent-dialog').waitFor({state: 'detached'});
    await chat.id('message-retry').click();
    await eventually(async () => (await allMessages(bobs, other)).some(({body}) => body === 'To the choir'), 'sent again');

    await chat.shows('To the choir');
    await chat.line(false);
    await chat.send('Never mind');
    await chat.page.locator('[data-testid=message][data-state=pending]').waitFor();
    await bobs.request('participant.remove', {threadId: other, userId: ann});
    await chat.line(true);
    await chat.id('unsent-open').click();
    await chat.id('unsent-discard').click();
    await chat.id('unsent-banner').waitFor({state: 'hidden'});
  });
});
