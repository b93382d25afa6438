// Tests unread messages: the position at which a conversation opens, the messages marked as read, and the line “New”.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {kWindows, withPages} from './lib/pages.mjs';
import {eventually} from './lib/deadline.mjs';
import {createThread, entryOf, say, users} from './lib/world.mjs';

const words = (i) => `Number ${i}\nwith a second line`;

/**
 * Returns the numbers of the last completely visible message and of the one below the line “New”, and whether that
 * line is visible.
 */
const onScreen = (chat) => chat.page.evaluate(() => {
  const box = document.querySelector('[data-testid=messages]').getBoundingClientRect();
  const within = (element) => element.getBoundingClientRect().bottom <= box.bottom + 1 && element.getBoundingClientRect().top >= box.top;
  const shown = [...document.querySelectorAll('[data-testid=message]')].filter((row) => row.getBoundingClientRect().bottom <= box.bottom + 1);
  const line = document.querySelector('.divider-unread');
  return {
    lowest: Number(shown.at(-1)?.dataset.msgNo),
    line: line === null ? null : Number(line.nextElementSibling.dataset.msgNo),
    lineShown: line !== null && within(line),
  };
});

describe('unread messages', () => {
  const on = withPages();

  /** A conversation in which Bob sent `count` messages, of which Ann has read so many. */
  async function reported(count, read) {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(bobs, ann, {subject: 'News'});
    for (let i = 1; i <= count; ++i) {
      const {messageId} = await say(bobs, threadId, words(i));
      if (i === read) await anns.request('read.mark', {threadId, messageId});
    }
    return {ann, anns, bobs, threadId};
  }

  for (const viewport of kWindows) {
    it(`open at the first one, and only visible ones are read, at ${viewport.width} × ${viewport.height}`, async () => {
      const {ann, anns, threadId} = await reported(60, 20);
      const chat = await on.openPage(ann, {viewport});
      await chat.unread(threadId, 40);
      await chat.openThread(threadId);
      await chat.message(words(21).replace('\n', ' ')).or(chat.page.locator('[data-msg-no="21"]')).first().waitFor();
      const {line, lineShown, lowest} = await onScreen(chat);
      assert.deepEqual({line, lineShown}, {line: 21, lineShown: true});
      assert.ok(lowest < 60, 'not all of them fit');
      await eventually(async () => (await entryOf(anns, threadId)).unread === 60 - lowest, 'what was on screen is read');
      await chat.id('jump-newest').getByText(`${60 - lowest} new`).waitFor();

      await chat.id('messages').evaluate((box) => box.scrollBy(0, 300));
      const further = (await onScreen(chat)).lowest;
      assert.ok(further > lowest && further < 60);
      await eventually(async () => (await entryOf(anns, threadId)).unread === 60 - further, 'and what was scrolled to');
      await chat.id('jump-newest').click();
      await eventually(async () => (await entryOf(anns, threadId)).unread === 0, 'and the rest');
    });
  }

  it('open far above the newest for a user who has read none', async () => {
    for (const read of [20, 0]) {
      const {ann, anns, threadId} = await reported(140, read);
      const chat = await on.openPage(ann);
      await chat.openThread(threadId);
      await eventually(async () => (await onScreen(chat)).lineShown, 'the line is on screen');
      const {line, lowest} = await onScreen(chat);
      assert.equal(line, read + 1);
      await eventually(async () => (await entryOf(anns, threadId)).unread === 140 - lowest, 'what was on screen is read');
      await chat.id('jump-newest').getByText(`${140 - lowest} new`).waitFor();
      // Scrolls down to the end, page after page.
      await eventually(async () => {
        await chat.id('messages').evaluate((box) => box.scrollBy(0, 600));
        return (await onScreen(chat)).lowest === 140;
      }, 'the newest');
      await eventually(async () => (await entryOf(anns, threadId)).unread === 0, 'all read');
    }
  });

  it('have their line also after a lost connection or while another conversation was open', async () => {
    const {ann, anns, bobs, threadId} = await reported(3, 3);
    const {thread: {threadId: other}} = await createThread(bobs, ann, {subject: 'Other news'});
    const chat = await on.openPage(ann);
    await chat.openThread(threadId);
    await eventually(async () => (await onScreen(chat)).lowest === 3, 'all on screen');
    assert.equal((await onScreen(chat)).line, null);
    await chat.page.context().setOffline(true);
    await on.server.kill9();
    await chat.banner('reconnecting');
    await on.server.launch();
    const bob = await on.as(bobs.userId);
    await say(bob, threadId, 'While you were away');
    await chat.page.context().setOffline(false);
    await chat.connected();
    await chat.shows('While you were away');
    assert.equal((await onScreen(chat)).line, 4);

    await chat.openThread(other);
    await say(bob, threadId, 'While you were there');
    await chat.unread(threadId, 1);
    await chat.openThread(threadId);
    await chat.shows('While you were there');
    assert.equal((await onScreen(chat)).line, 5);
    await chat.unread(threadId, 0);
  });
});
