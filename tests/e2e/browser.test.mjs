// Two pages of the web client chat through the real server in Chromium.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {fresh, say} from './lib/world.mjs';

describe('two pages that chat', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  async function open(userId) {
    const chat = await ChatPage.open(windows.browser, on.server, userId);
    windows.pages.push(chat);
    return chat;
  }

  it('talk live, show unread numbers, and survive a reload and a server restart', async () => {
    const [alice, bob] = [await open('usr_alice'), await open('usr_bob')];
    const threadId = await alice.startThread('usr_bob', 'A picnic');
    await alice.send('Are you coming?');
    await alice.shows('Are you coming?');

    await bob.unread(threadId, 1);
    await alice.send('There will be cake');
    await bob.unread(threadId, 2);
    await bob.openThread(threadId);
    await bob.shows('Are you coming?');
    await bob.shows('There will be cake');
    await bob.unread(threadId, 0);
    await bob.send('Cake!');
    await alice.shows('Cake!');

    await alice.page.reload();
    await alice.connected();
    await alice.page.locator(`[data-testid=thread-view][data-thread-id="${threadId}"][data-loaded=true]`).waitFor();
    await alice.shows('Cake!');
    await alice.send('After the reload');
    await bob.shows('After the reload');

    // The server dies and both pages report it. Messages written before its return are sent once it is back.
    await on.server.kill9();
    await Promise.all([alice.banner('reconnecting'), bob.banner('reconnecting')]);
    await alice.send('Written while the server was down');
    await on.server.launch();
    await Promise.all([alice.connected(), bob.connected()]);
    await bob.shows('Written while the server was down');
    await bob.send('After the restart');
    await alice.shows('After the restart');

    const said = ['Are you coming?', 'There will be cake', 'Cake!', 'After the reload',
                  'Written while the server was down', 'After the restart'];
    for (const chat of [alice, bob]) {
      await eventually(async () => (await chat.numbers()).length === said.length, 'all messages numbered');
      assert.deepEqual((await chat.bodies()).map((text) => text.trim()), said);
      assert.deepEqual(await chat.numbers(), [1, 2, 3, 4, 5, 6]);
    }
  });

  it('load older pages on scroll, each message once and in order', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const writer = await on.as(ann);
    const {thread: {threadId}} = await writer.request('thread.create', {
      kind: 'project', buyerUserId: ann, sellerUserId: bob, clientId: 'long', subject: 'A long talk'});
    let newest;
    for (let i = 1; i <= 180; ++i) newest = await say(writer, threadId, `message number ${i}`);
    await (await on.as(bob)).request('read.mark', {threadId, messageId: newest.messageId});
    const page = await open(bob);
    await page.openThread(threadId);
    await page.shows('message number 180');
    assert.ok((await page.numbers()).length < 180, 'not all pages at once');
    await eventually(async () => {
      await page.id('messages').evaluate((box) => { box.scrollTop = 0; });
      const numbers = await page.numbers();
      assert.deepEqual(numbers, Array.from(numbers, (_, i) => numbers[0] + i)); // the page draws only a part of long lists
      return numbers[0] === 1;
    }, 'the first message at the top');
  });

  it('shows a live message of another kind of client, and its edit', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const page = await open(bob);
    const writer = await on.as(ann, {encoding: 'msgpack'});
    const {thread: {threadId}} = await writer.request('thread.create', {
      kind: 'project', buyerUserId: ann, sellerUserId: bob, clientId: 'c', subject: 'From afar'});
    await page.entry(threadId).waitFor();
    await page.openThread(threadId);
    const {messageId} = await say(writer, threadId, 'hello page');
    await page.shows('hello page');
    await writer.request('message.edit', {threadId, messageId, body: 'hello, page!'});
    await page.shows('hello, page!');
    await page.send('hello, client');
    const event = await writer.nextEvent((e) => e.ev === 'message.created' && e.item.authorUserId === bob);
    assert.equal(event.item.body, 'hello, client');
    await writer.nextEvent((e) => e.ev === 'participant.read' && e.userId === bob);
  });
});
