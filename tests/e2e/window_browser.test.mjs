// The page in its window, with mouse, keyboard and touch, in Chromium with the real server.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, say, users} from './lib/world.mjs';

const kSizes = [{width: 1440, height: 900}, {width: 1024, height: 768}, {width: 390, height: 844}];

describe('the page', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  /** ann's window at a thread with bob that is longer than the window. */
  async function talk(viewport, more = {}) {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(anns, bob, {subject: 'In the window'});
    const first = await say(bobs, threadId, 'The first of them');
    for (let i = 0; i < 40; ++i) await say(i % 2 ? anns : bobs, threadId, `Number ${i}: [a link](https://example.com/${i})\n\n${'and more of it\n'.repeat(3)}`);
    await say(bobs, threadId, `Code:\n\n\`\`\`\n${'code '.repeat(60)}\n\`\`\``);
    await say(anns, threadId, 'An answer', {replyTo: first.messageId});
    const page = await ChatPage.open(windows.browser, on.server, ann, {viewport, threadId, ...more});
    windows.pages.push(page);
    await page.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    return {ann, bob, anns, bobs, threadId, page};
  }
  const scrolled = (page) => page.evaluate(() => {
    const {scrollTop, scrollLeft, scrollHeight, clientHeight} = document.scrollingElement;
    return {scrollTop, scrollLeft, more: scrollHeight - clientHeight, header: document.querySelector('.thread-header').getBoundingClientRect().top >= 0};
  });

  for (const viewport of kSizes) {
    it(`stays in its window of ${viewport.width} by ${viewport.height}`, async () => {
      const {page: {page}} = await talk(viewport);
      const still = {scrollTop: 0, scrollLeft: 0, more: 0, header: true};
      await page.locator('.thread-header').hover();
      await page.mouse.wheel(0, 2_000);
      await page.locator('.thread-header button').last().focus();
      await page.keyboard.press('End');
      await page.keyboard.press('PageDown');
      assert.deepEqual(await scrolled(page), still);
      await page.getByTestId('quote').last().click();
      await page.locator('[data-testid=message-body]', {hasText: 'The first of them'}).first().waitFor();
      await eventually(async () => page.evaluate(() => document.activeElement.dataset.messageId !== undefined), 'the quoted message in focus');
      assert.deepEqual(await scrolled(page), still);
      for (const hidden of await page.locator('.visually-hidden').all()) await hidden.evaluate((element) => element.scrollIntoView());
      assert.deepEqual(await scrolled(page), still);
    });

    it(`covers nothing at ${viewport.width} by ${viewport.height}`, async () => {
      const {page: {page}} = await talk(viewport);
      if (viewport.width > 760) {
        await page.getByTestId('participants-toggle').click();
        const panel = page.locator('.people');
        if (!(await panel.isVisible())) await page.getByTestId('participants-toggle').click();
        await panel.waitFor();
        await page.getByTestId('send-box').fill('In sight');
        await page.getByTestId('send-button').click({timeout: 5_000});
        await page.locator('[data-testid=message-body]', {hasText: 'In sight'}).waitFor();
      }
      // No toolbar covers a text, whichever message the pointer is on.
      const bodies = page.locator('[data-testid=message]:has(.message-actions) .message-body');
      const last = await bodies.count() - 1;
      for (const at of [last, last - 1]) {
        await bodies.nth(at).hover();
        const hidden = await page.evaluate(() => {
          const shown = [...document.querySelectorAll('.message-actions')].filter((bar) => getComputedStyle(bar).opacity === '1' && bar.getClientRects().length > 0);
          const texts = [...document.querySelectorAll('.message-body')].map((text) => text.getBoundingClientRect());
          return shown.some((bar) => {
            const box = bar.getBoundingClientRect();
            return texts.some((text) => box.left < text.right && text.left < box.right && box.top < text.bottom && text.top < box.bottom);
          });
        });
        assert.equal(hidden, false);
      }
      if (viewport.width < 760) await page.locator('.thread-back').click();
      const rows = await page.locator('.folder').evaluateAll((buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().top)).size);
      assert.equal(rows, 1, 'the folders are one line');
    });
  }

  for (const viewport of [...kSizes, {width: 1280, height: 800}]) {
    it(`keeps a card in its bubble at ${viewport.width} by ${viewport.height}`, async () => {
      const {ann, bob} = users('ann', 'bob');
      const anns = await on.as(ann);
      const {thread: {threadId}} = await createThread(anns, bob, {subject: 'In its bubble'});
      const payload = {newStart: '2030-01-02T10:00:00.000Z', newEnd: '2030-01-02T12:00:00.000Z'};
      await anns.request('card.create', {threadId, clientId: 'card', type: 'RESCHEDULE', payload});
      const page = await ChatPage.open(windows.browser, on.server, ann, {viewport, threadId});
      windows.pages.push(page);
      const card = page.page.locator('[data-testid=message] .card').first();
      await card.waitFor();
      const outside = await card.evaluate((element) => {
        const {left, right} = element.closest('.message-main').getBoundingClientRect();
        return [element, ...element.querySelectorAll('*')]
          .filter((part) => part.getBoundingClientRect().right > right + 1 || part.getBoundingClientRect().left < left - 1)
          .map((part) => part.className);
      });
      assert.deepEqual(outside, []);
    });
  }

  it('has controls large enough for a finger, and a tap on a link only follows it', async () => {
    const {page, anns, threadId} = await talk(kSizes[2], {hasTouch: true});
    const small = await page.page.evaluate(() => [...document.querySelectorAll('.app button')]
      .filter((button) => button.getClientRects().length > 0)
      .map((button) => [button.className || button.textContent, button.getBoundingClientRect()])
      .filter(([, {width, height}]) => width < 44 || height < 44)
      .map(([name]) => name));
    assert.deepEqual(small, []);
    const link = page.page.locator('.message-body a').last();
    const opened = page.page.context().waitForEvent('page');
    await link.tap();
    await (await opened).close();
    await page.page.getByTestId('message-more').last().tap();
    await page.page.getByTestId('message-pin').last().tap();
    await page.page.locator('.pins').waitFor();
    const {messages} = await anns.request('message.list', {threadId, limit: 50});
    assert.equal(messages.filter(({pin}) => pin).length, 1, 'what was meant, and no more');
  });

  it('can be used by keyboard: few stops to the composer, arrows in lists, help, and skip links', async () => {
    const {page: {page}} = await talk(kSizes[0]);
    await page.locator('body').click({position: {x: 1, y: 1}});
    await page.evaluate(() => document.activeElement.blur());
    let stops = 0;
    for (; stops < 40; ++stops) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement.id === 'send-box')) break;
    }
    assert.ok(stops < 30, `${stops} stops to the send box`);
    await page.locator('.message[tabindex="0"]').focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.classList.contains('message')), true);
    await page.keyboard.press('Home');
    await page.keyboard.press('?');
    await page.getByTestId('keyboard-help').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('keyboard-help').waitFor({state: 'detached'});
    await page.keyboard.press('Control+k');
    assert.equal(await page.evaluate(() => document.activeElement.classList.contains('entry-open')), true);
    await page.getByTestId('send-box').focus();
    await page.keyboard.press('?');
    assert.equal(await page.getByTestId('send-box').inputValue(), '?', 'typed, where one types');
    const skip = page.locator('.skip-links a', {hasText: 'send box'});
    await skip.focus();
    assert.ok((await skip.boundingBox()).width > 40, 'seen when it has the focus');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'send-box');
    await page.locator('.message-body pre').last().focus();
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await page.locator('.message-body pre').last().evaluate((code) => code.scrollLeft)) > 0, 'code that scrolls');
  });

  for (const colorScheme of ['light', 'dark']) {
    it(`has no violation found by axe (${colorScheme})`, async () => {
      const {page: {page}} = await talk(kSizes[0]);
      await page.emulateMedia({colorScheme});
      await isAccessible(page, `a conversation in ${colorScheme}`);
    });
  }

  it('shows that a conversation is refused', async () => {
    const {page} = await talk(kSizes[0]);
    const eve = await on.as(users('eve').eve);
    const {thread: {threadId}} = await createThread(eve, users('fay').fay, {subject: 'Elsewhere'});
    await page.page.goto(`${on.server.http}/?user=${page.userId}&thread=${threadId}`);
    await page.page.getByRole('alert').filter({hasText: /not|no longer/i}).first().waitFor();
  });
});
