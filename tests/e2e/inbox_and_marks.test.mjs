// Organizing the inbox and marking messages in real pages of the web client: reactions, pinned messages, labels, snoozing,
// drafts, files, the unread total, the focus, and staff's additional views.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say, users} from './lib/world.mjs';

describe('the web client', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  async function open(userId, options) {
    const chat = await ChatPage.open(windows.browser, on.server, userId, options);
    windows.pages.push(chat);
    return chat;
  }

  /** A project of ann and bob, open on bob's page. */
  async function project(subject = 'A shoot', options) {
    const {ann, bob} = users('ann', 'bob');
    const session = await on.as(ann);
    const {thread: {threadId}} = await createThread(session, bob, {subject});
    const page = await open(bob, options);
    return {ann, bob, session, threadId, page};
  }

  const text = (locator) => locator.innerText().then((shown) => shown.replace(/\s+/g, ' ').trim());
  const focused = (chat) => chat.page.evaluate(() => document.activeElement?.dataset.testid ?? document.activeElement?.className);

  it('shows reactions with their counts, and sets and removes the user\'s own', async () => {
    const {ann, session, threadId, page} = await project();
    const {messageId} = await say(session, threadId, 'Nice, is it not?');
    await session.request('message.react', {threadId, messageId, emoji: '🔥', on: true});
    await page.openThread(threadId);
    const chip = (emoji, count) => page.message('Nice, is it not?').locator(`[data-testid=reaction][data-emoji="${emoji}"][data-count="${count}"]`);
    await chip('🔥', 1).waitFor();
    assert.equal(await chip('🔥', 1).getAttribute('aria-pressed'), 'false');

    await page.message('Nice, is it not?').hover();
    await page.message('Nice, is it not?').getByTestId('message-react').click();
    await page.page.locator('[data-testid=react-with][data-emoji="👍"]').click();
    await chip('👍', 1).waitFor();
    assert.equal(await chip('👍', 1).getAttribute('aria-pressed'), 'true');
    await chip('🔥', 1).click();
    await chip('🔥', 2).waitFor();
    assert.match(await chip('🔥', 2).getAttribute('title'), /^you, Ann/);
    const reported = await session.nextEvent((event) => event.ev === 'message.updated' && event.item.reactions.length === 2);
    assert.deepEqual(reported.item.reactions.map(({userIds}) => userIds.length).sort(), [1, 1].sort());
    await chip('🔥', 2).click();
    await chip('🔥', 1).waitFor();
    await session.request('message.react', {threadId, messageId, emoji: '🔥', on: false});
    await page.message('Nice, is it not?').locator('[data-emoji="🔥"]').waitFor({state: 'detached'});
    assert.ok(ann);
  });

  it('lists pinned messages on top, and scrolls to them however far away they are', async () => {
    const {session, threadId, page} = await project();
    const {messageId} = await say(session, threadId, 'the very first one');
    for (let i = 2; i <= 130; ++i) await say(session, threadId, `message number ${i}`);
    await session.request('message.pin', {threadId, messageId, pinned: true});
    await page.openThread(threadId);
    await page.id('jump-newest').click(); // from the first unread one
    await page.shows('message number 130');
    await page.id('pins').getByText('the very first one').waitFor();
    assert.ok((await page.numbers())[0] > 1, 'the message is not loaded');
    await page.id('pin-jump').click();
    await page.shows('the very first one');
    await eventually(async () => (await page.message('the very first one').boundingBox())?.y > 0, 'it is in view');
    const numbers = await page.numbers();
    assert.deepEqual(numbers, Array.from({length: numbers.length}, (_, i) => i + 1), 'without a hole');

    await page.message('message number 3').hover();
    await page.message('message number 3').getByTestId('message-pin').click();
    await page.page.locator('[data-testid=pins][data-count="2"]').waitFor();
    assert.match(await text(page.id('pinned')), /message number 3/, 'the last one pinned is shown');
    await page.id('pins-toggle').click();
    await page.id('pinned').nth(1).getByTestId('pin-remove').click();
    await page.page.locator('[data-testid=pins][data-count="1"]').waitFor();
    await page.id('jump-newest').click();
    await page.shows('message number 130');
    const {thread} = await session.request('thread.get', {threadId});
    assert.equal(thread.pins.length, 1);
  });

  it('puts pinned threads on top, labels and filters entries, and snoozes with a way back', async () => {
    const {ann, bob, session, threadId: older, page} = await project('The older one');
    await say(session, older, 'one');
    const {thread: {threadId: newer}} = await createThread(session, bob, {subject: 'The newer one'});
    await say(session, newer, 'two');
    const order = () => page.id('inbox-entry').evaluateAll((entries) => entries.map((entry) => entry.dataset.threadId));
    await eventually(async () => (await order())[0] === newer, 'the newer one on top');
    await page.menu(older, 'menu-pin');
    await eventually(async () => (await order())[0] === older, 'the pinned one on top');
    await page.page.reload();
    await page.connected();
    await eventually(async () => String(await order()) === String([older, newer]), 'the same order after a reload');

    await page.menu(newer, 'menu-label');
    await page.id('label-input').fill('urgent');
    await page.id('label-save').click();
    await page.entry(newer).getByTestId('entry-label').getByText('urgent').waitFor();
    await page.page.locator('[data-testid=label-filter][data-label=urgent]').click();
    await page.entry(older).waitFor({state: 'detached'});
    assert.deepEqual(await order(), [newer]);
    await page.page.locator('[data-testid=label-filter][data-label=urgent]').click();
    await page.entry(older).waitFor();

    await page.menu(newer, 'snooze-tomorrow');
    await page.entry(newer).waitFor({state: 'detached'});
    await page.id('notice-action').click();
    await page.entry(newer).waitFor();
    await page.menu(newer, 'snooze-card');
    await page.entry(newer).waitFor({state: 'detached'});
    await page.id('folder-snoozed').click();
    assert.match(await text(page.entry(newer).getByTestId('entry-snoozed')), /until a card changes/);
    await page.id('folder-all').click();
    await say(session, newer, 'this does not wake it');
    await session.request('card.create', {threadId: newer, clientId: 'wake', type: 'CANCEL_REQUEST', payload: {reason: 'Rain'}});
    await page.entry(newer).waitFor();
    assert.ok(ann);
  });

  it('keeps a draft over a reload and shows it in the inbox', async () => {
    const {session, threadId, page} = await project();
    const {thread: {threadId: other}} = await createThread(session, page.userId, {subject: 'Another'});
    await page.openThread(threadId);
    await page.id('send-box').fill('Dear Ann, about the');
    await page.openThread(other);
    assert.equal(await text(page.entry(threadId).getByTestId('entry-draft')), 'Draft: Dear Ann, about the');
    await page.page.reload();
    await page.connected();
    await page.entry(threadId).getByTestId('entry-draft').waitFor();
    await page.openThread(threadId);
    assert.equal(await page.id('send-box').inputValue(), 'Dear Ann, about the');
    await page.send('Dear Ann, about the pier');
    await page.openThread(other);
    await page.entry(threadId).getByText('You: Dear Ann, about the pier').waitFor();
    assert.equal(await page.id('entry-draft').count(), 0);
  });

  it('shows the unread total in the title and beside the folder', async () => {
    const {session, threadId, page} = await project();
    for (let i = 0; i < 3; ++i) await say(session, threadId, `new ${i}`);
    await eventually(async () => (await page.page.title()) === '(3) Parley', 'three in the title');
    assert.equal(await text(page.id('total-all')), '3');
    await eventually(async () => (await text(page.id('total-unread'))) === '1', 'one unread thread');
    await page.openThread(threadId);
    await eventually(async () => (await page.page.title()) === 'Parley', 'nothing in the title');
    await page.id('total-all').waitFor({state: 'detached'});
  });

  it('moves the focus into an opened thread and back to its entry, and announces it', async () => {
    const {session, threadId, page} = await project('Where to', {viewport: {width: 390, height: 780}});
    await say(session, threadId, 'hello');
    await page.entry(threadId).locator('.entry-open').focus();
    await page.page.keyboard.press('Enter');
    await page.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    assert.equal(await focused(page), 'send-box');
    await page.id('page-announcer').getByText('Conversation: Where to').waitFor({state: 'attached'});
    await page.page.getByRole('button', {name: 'Back to conversations'}).click();
    await eventually(async () => (await focused(page)) === 'entry-open', 'the entry has the focus');
    assert.equal(await page.page.evaluate(() => document.activeElement.closest('[data-thread-id]').dataset.threadId), threadId);
  });

  it('can be used with the keyboard: menus, and the actions of a message as one stop', async () => {
    const {session, threadId, page} = await project();
    await say(session, threadId, 'Press me');
    await page.openThread(threadId);
    await page.entry(threadId).locator('.entry-open').focus();
    for (const expected of ['entry-pin', 'entry-mute', 'entry-archive', 'entry-more']) {
      await page.page.keyboard.press(expected === 'entry-pin' ? 'Tab' : 'ArrowRight');
      assert.equal(await focused(page), expected);
    }
    await page.page.keyboard.press('Tab');
    assert.equal(await page.entry(threadId).locator(':focus').count(), 0, 'an entry and its actions are two stops');

    const actions = page.message('Press me').getByRole('toolbar');
    await actions.getByTestId('message-react').focus();
    await page.page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), 'message-reply');
    await page.page.keyboard.press('End');
    assert.equal(await focused(page), 'message-report');
    await page.page.keyboard.press('Home');
    await page.page.keyboard.press('Enter');
    await page.page.getByRole('menu', {name: 'React'}).waitFor();
    await page.page.keyboard.press('ArrowLeft');
    assert.equal(await page.page.evaluate(() => document.activeElement.dataset.emoji), '💯');
    await page.page.keyboard.press('Escape');
    assert.equal(await focused(page), 'message-react');
    await page.page.getByRole('menu').waitFor({state: 'detached'});
    await page.page.keyboard.press('Enter');
    await page.page.keyboard.press('Enter');
    await page.page.locator('[data-testid=reaction][data-emoji="👍"]').waitFor();
  });

  it('names every control, and fits a phone and a wide window', async () => {
    for (const viewport of [{width: 360, height: 700}, {width: 1280, height: 800}]) {
      const {session, threadId, page} = await project('Anything at all, but of some length', {viewport});
      await say(session, threadId, `${'long'.repeat(60)} | a | b |\n|---|---|\n| ${'cell'.repeat(30)} | 2 |`);
      await session.request('card.create', {threadId, clientId: 'card', type: 'RESCHEDULE', payload: {
        newStart: '2031-05-17T09:30:00.000Z', newEnd: '2031-05-17T13:30:00.000Z'}});
      const fits = async (what) => {
        const unnamed = await page.page.evaluate(namelessControls);
        assert.deepEqual(unnamed, [], `${what}, ${viewport.width} wide`);
        const [needed, there] = await page.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(needed <= there, `${what} is ${needed} wide in a window of ${there}`);
      };
      await page.id('new-thread').click();
      await page.id('new-thread-user').fill('usr_x,usr_y,');
      await fits('the dialog');
      await page.page.keyboard.press('Escape');
      await fits('the inbox');
      await page.openThread(threadId);
      await page.id('card-menu').waitFor();
      await fits('the thread');
      for (const menu of ['new-card-more', 'card-menu']) {
        await page.id(menu).click();
        await page.page.getByRole('menuitem').first().waitFor();
        await fits(menu);
        await page.page.keyboard.press('Escape');
      }
      await page.id('panel-toggle').click();
      await page.id('tab-content').waitFor();
      await fits('the panel');
    }
  });

  it('shows attachments and the files of the panel by name, type and size', async () => {
    const {session, threadId, page} = await project();
    const backEnd = await on.service();
    await backEnd.as(session.userId)('message.send', {threadId, clientId: 'file', type: 'asset', body: '', attachments: [
      {kind: 'preview', s3Key: 'threads/x/pier%20one.jpg', mime: 'image/jpeg', w: 1200, h: 800}]});
    const proofs = [{id: 'p1', name: 'proof-one.jpg', s3Key: 'p/1', mime: 'image/jpeg', bytes: 2_400_000, nsfwBand: 0}];
    await backEnd.as(session.userId)('tab.put', {threadId, tab: 'files', version: 0, content: {proofs, finals: []}});
    await page.openThread(threadId);
    assert.equal(await text(page.id('attachment')), 'pier one.jpg JPEG image · 1200 × 800');
    await page.id('panel-toggle').click();
    await page.id('tab-files').click();
    assert.equal(await text(page.id('panel-item')), 'proof-one.jpg JPEG image · 2.4 MB');
  });

  it('opens a card as a reply to a message, with a due time', async () => {
    const {session, threadId, page} = await project();
    const {messageId} = await say(session, threadId, 'Can we do without the drone?');
    await page.openThread(threadId);
    await page.message('Can we do without the drone?').hover();
    await page.message('Can we do without the drone?').getByTestId('message-reply').click();
    await page.id('new-card-more').click();
    await page.id('new-card-CANCEL_REQUEST').click();
    await page.id('card-field-reason').fill('Then not at all');
    await page.id('card-due-at').fill('2031-01-05T10:00');
    await page.id('card-form-submit').click();
    await page.id('card-due').waitFor();
    await page.page.locator('[data-testid=message]').filter({has: page.id('card')}).getByTestId('quote').getByText('Can we do without').waitFor();
    assert.equal(await page.id('composer-mode').count(), 0, 'the answer was given');
    const {cards} = await session.request('card.list', {threadId});
    assert.match(cards[0].dueAt, /^2031-01-0[45]T/);
    const {messages} = await session.request('message.list', {threadId});
    assert.equal(messages.find(({type}) => type === 'action').replyTo, messageId);
  });

  it('shows staff earlier versions of a message', async () => {
    const {session, threadId, page} = await project();
    const {messageId} = await say(session, threadId, 'first words');
    await session.request('message.edit', {threadId, messageId, body: 'second words'});
    await page.openThread(threadId);
    await page.shows('second words');
    assert.equal(await page.id('message-history').count(), 0, 'a member is not offered it');

    const staff = await open(fresh('staff'), {role: 'moderator', threadId});
    await staff.shows('second words');
    assert.match(await text(staff.id('composer-closed')), /as staff/);
    await staff.message('second words').hover();
    await staff.id('message-history').click();
    assert.match(await text(staff.id('history-version')), /Ann.* changed this: first words/);
    await staff.id('history-close').click();
    await staff.id('history').waitFor({state: 'detached'});
    assert.equal(await focused(staff), 'message-history');
  });
});

/** In the page: returns controls without an accessible name. */
function namelessControls() {
  const text = (element) => (element?.textContent ?? '').trim();
  const named = (element) => (element.getAttribute('aria-label') ?? '') !== '' || text(element) !== '' ||
    text(document.getElementById(element.getAttribute('aria-labelledby') ?? '')) !== '' ||
    [...(element.labels ?? [])].some((label) => text(label) !== '');
  const all = document.querySelectorAll('button, a[href], input, select, textarea, dialog, aside, [role=menu], [role=toolbar], [role=region], [role=group]');
  return [...all].filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 120));
}
