// Hostile texts of other users on pages in Chromium: names that change the direction of writing, and names in maps.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {ChatPage} from './lib/browser.mjs';
import {ConsolePage} from './lib/console_page.mjs';
import {report, withConsole} from './lib/console_suite.mjs';
import {eventually} from './lib/deadline.mjs';
import {bearer, call} from './lib/http.mjs';
import {createThread, fresh, say, users} from './lib/world.mjs';

// Right to left, ending in a character whose direction depends on the text around it.
const kName = 'מיכל (1)';
const kSubject = 'חתונה (2)';
const kLabel = 'דחוף (3)';

/** Returns places of the names in texts without isolation, and the names that were found at all. */
function loose(page) {
  return page.evaluate((names) => {
    const held = (text, name, at) => text[at - 1] === '\u2068' && text[at + name.length] === '\u2069';
    const isolates = (element) => ['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(element).unicodeBidi);
    const ownElement = (node, name) => {
      for (let e = node.parentElement; e !== null && e.textContent.replace(/[\u2068\u2069]/g, '').trim() === name; e = e.parentElement) if (isolates(e)) return true;
      return false;
    };
    const seen = new Set();
    const found = [];
    const look = (text, where, own) => {
      for (const name of names) {
        for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
          seen.add(name);
          if (!held(text, name, at) && !own(name)) found.push(where);
        }
      }
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) look(node.data, node.parentElement.outerHTML, (name) => ownElement(node, name));
    for (const element of document.body.querySelectorAll('*')) {
      for (const attribute of ['title', 'aria-label', 'placeholder', 'alt']) {
        const text = element.getAttribute(attribute) ?? '';
        look(text, `${attribute}: ${text}`, (name) => text === name);
      }
    }
    return {found, seen: [...seen].sort()};
  }, [kName, kSubject, kLabel]);
}

async function heldTogether(page, where, ...expected) {
  await eventually(async () => {
    const {seen} = await loose(page.page);
    return expected.every((name) => seen.includes(name));
  }, `${where}: ${expected.join(', ')} shown`);
  assert.deepEqual((await loose(page.page)).found, [], where);
}

describe('names of another direction', () => {
  const on = withConsole();

  /** A user with this name. */
  async function michal() {
    const {token} = await on.service();
    const userId = fresh('michal');
    const {status, text} = await call(on.server, 'POST', '/v1/users', {body: {userId, displayName: kName}, headers: bearer(token)});
    assert.ok(status < 300, text);
    return userId;
  }

  it('are isolated everywhere in the web client', async () => {
    const {ann, bob} = users('ann', 'bob');
    const her = await michal();
    const [anns, hers] = [await on.as(ann), await on.as(her)];
    const {thread: {threadId}} = await createThread(anns, her, {subject: kSubject, participants: [{userId: bob}], brief: {title: 'x'}});
    const {messageId} = await say(hers, threadId, 'shalom');
    await say(anns, threadId, 'hello', {replyTo: messageId});
    await hers.request('message.pin', {threadId, messageId, pinned: true});
    await hers.request('message.react', {threadId, messageId, emoji: '👍', on: true});
    await hers.request('tab.put', {threadId, tab: 'brief', version: 1, content: {title: 'y'}});
    const group = await anns.request('thread.create', {kind: 'group', participants: [{userId: her}, {userId: bob}], clientId: fresh('g', 'cl')});
    await say(hers, group.thread.threadId, 'to all');
    const direct = await hers.request('thread.create', {kind: 'direct', participants: [{userId: ann}], clientId: fresh('d', 'cl')});
    await say(hers, direct.thread.threadId, 'to you');
    await anns.request('inbox.set', {threadId, label: kLabel});

    const chat = await on.chat(ann, {viewport: {width: 1440, height: 900}});
    await heldTogether(chat, 'the inbox', kName, kSubject, kLabel);
    await chat.openThread(threadId);
    await heldTogether(chat, 'a project', kName, kSubject, kLabel);
    await hers.request('thread.open', {threadId});
    await hers.request('typing.set', {threadId, typing: true});
    await chat.id('typing').waitFor();
    await heldTogether(chat, 'who types', kName);
    await chat.message('shalom').hover();
    await chat.message('shalom').getByTestId('message-reply').click();
    await heldTogether(chat, 'a reply', kName);
    await chat.id('panel-toggle').click();
    await chat.id('tab-version').waitFor();
    await heldTogether(chat, 'the panel', kName);
    await chat.menu(threadId, 'menu-label');
    await heldTogether(chat, 'the dialog of a label', kSubject);
    await chat.page.keyboard.press('Escape');
    await chat.id('label-filter').click();
    await heldTogether(chat, 'a label as filter', kLabel);
    await chat.id('label-filter').click();
    await chat.openThread(group.thread.threadId);
    await heldTogether(chat, 'a group', kName);
    await chat.openThread(direct.thread.threadId);
    await heldTogether(chat, 'a thread of two', kName);
    await chat.id('thread-safety').click();
    await chat.id('menu-block').click();
    await heldTogether(chat, 'a block to be confirmed', kName);
    await chat.id('block-confirm').click();
    await chat.id('composer-closed').waitFor();
    await heldTogether(chat, 'a block', kName);
    await chat.id('blocked-open').click();
    await chat.id('blocked-person').waitFor();
    await heldTogether(chat, 'those who are blocked', kName);
  });

  it('are isolated in the console', async () => {
    const ann = fresh('ann');
    const her = await michal();
    const [anns, hers] = [await on.as(ann), await on.as(her)];
    const {thread: {threadId}} = await createThread(anns, her, {subject: kSubject});
    const {messageId} = await say(anns, threadId, 'You horrible person');
    const {caseId} = await report(hers, {threadId, messageId});
    await report(anns, {threadId, messageId: (await say(hers, threadId, 'So are you')).messageId});
    const staff = await on.console(fresh('mona'));
    await heldTogether(staff, 'the queue', kName);
    await staff.openCase(caseId);
    await heldTogether(staff, 'a case', kName, kSubject);
    await staff.goTo(her);
    await heldTogether(staff, 'a user', kName, kSubject);
    await staff.goTo(threadId);
    await staff.id('look-in-gate').waitFor();
    await staff.giveReason('look-in', 'A test');
    await staff.id('looking').waitFor();
    await heldTogether(staff, 'a look into a conversation', kName, kSubject);
  });
});

describe('code in a text from right to left', () => {
  const on = withConsole();

  it('is laid out from left to right', async () => {
    const {ann, bob} = users('ann', 'bob');
    const anns = await on.as(ann);
    const {thread: {threadId}} = await createThread(anns, bob);
    await say(anns, threadId, 'זה הקוד: `a[0] = (1);` וכך הלאה\n\n```\n(x) => -1;\n```');
    const chat = await on.chat(bob);
    await chat.openThread(threadId);
    const places = await chat.id('message-body').locator('code').evaluateAll((codes) => codes.map((code) => {
      const text = code.firstChild;
      const leftOf = (at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [...text.data.trimEnd()].map((_, at) => leftOf(at));
    }));
    assert.equal(places.length, 2);
    for (const lefts of places) assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
  });
});

describe('a map with a name that earlier servers accepted', () => {
  const on = withConsole();

  /** The server refuses `__proto__` today, so a proxy puts it in place of another name on the way to the page. */
  async function asOfOld(context) {
    await context.routeWebSocket(/\/v1\/ws/, (socket) => {
      socket.connectToServer().onMessage((frame) => {
        socket.send(Buffer.from(Buffer.from(frame).toString('latin1').replaceAll('ooproto__', '__proto__'), 'latin1'));
      });
    });
  }

  it('is shown by the web client and the console, which keep working', async () => {
    const {ann, bob} = users('ann', 'bob');
    const anns = await on.as(ann);
    const brief = {title: 'Harbour', ooproto__: {evil: 'yes'}};
    const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Old', brief});
    const payload = {title: 'A card', ooproto__: {evil: 'yes'}};
    const allowedTransitions = [{from: 'PENDING', intent: 'done', toState: 'DONE'}];
    await anns.request('card.create', {threadId, type: 'CUSTOM', payload, clientId: fresh('c', 'cl'), allowedTransitions});
    await say(anns, threadId, 'after the card');

    const context = await on.windows.browser.newContext({viewport: {width: 1440, height: 900}});
    await asOfOld(context);
    const chat = new ChatPage(await context.newPage(), on.server, ann);
    on.windows.pages.push(chat);
    await chat.page.goto(`${on.server.http}/?user=${ann}&thread=${threadId}`);
    await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    await chat.shows('after the card');
    await chat.page.locator('[data-testid=card][data-type=CUSTOM]').waitFor();
    await chat.id('panel-toggle').click();
    await chat.id('brief').getByText('Harbour').waitFor();
    await chat.id('brief-edit').click();
    await chat.id('brief-title').fill('Harbour, saved');
    await chat.id('brief-save').click();
    await chat.id('brief').getByText('Harbour, saved').waitFor();
    assert.equal(await chat.page.evaluate(() => ({}).evil), undefined);
    await chat.send('and on');
    await chat.shows('and on');

    const staff = await context.newPage();
    const console_ = new ConsolePage(staff, on.server, fresh('mona'));
    on.windows.pages.push(console_);
    await staff.goto(`${on.server.http}/console?user=${console_.userId}&role=moderator&view=thread&id=${threadId}`);
    await console_.connected();
    await console_.giveReason('look-in', 'A test');
    await console_.id('looking').waitFor();
    await staff.getByText('after the card').waitFor();
  });
});
