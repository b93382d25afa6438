// Long lists: everything in them can be reached, little of them is in the page, and what one looks at stays where it is.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {withPages} from './lib/pages.mjs';
import {createThread, say, users} from './lib/world.mjs';

const kRowsMax = 150;
const kThreads = 1_150;
const kMessages = 700;

/** Calls `make` for 1 to `count`, so many at a time. */
async function many(count, make, atATime = 40) {
  for (let first = 1; first <= count; first += atATime) {
    await Promise.all(Array.from({length: Math.min(atATime, count - first + 1)}, (_, i) => make(first + i)));
  }
}

describe('long lists', () => {
  const on = withPages();

  it('of conversations are reached to their end, by wheel and by keyboard, with few of them in the page', async () => {
    const {ann, bob} = users('ann', 'bob');
    const bobs = await on.as(bob);
    const ids = [];
    await many(kThreads, async (i) => {
      const {thread} = await createThread(bobs, ann, {subject: `Shoot ${i}`});
      ids.push(thread.threadId);
    });
    const chat = await on.openPage(ann);
    await chat.id('inbox-entry').first().waitFor();
    const seen = new Set();
    let most = 0;
    await eventually(async () => {
      const shown = await chat.id('inbox-entry').evaluateAll((rows) => rows.map((row) => row.dataset.threadId));
      shown.forEach((id) => seen.add(id));
      most = Math.max(most, shown.length);
      await chat.id('inbox').evaluate((box) => box.scrollBy(0, box.clientHeight));
      return seen.size === kThreads;
    }, 'every conversation', {everyMs: 5, ms: 90_000});
    assert.ok(most <= kRowsMax, `${most} entries in the page`);

    // The visible row keeps its position while rows are inserted above it.
    await chat.id('inbox').evaluate((box) => { box.scrollTop = box.scrollHeight / 2; });
    await eventually(async () => (await chat.id('inbox-entry').count()) > 5, 'entries in the middle');

    await chat.id('inbox').evaluate((box) => { box.scrollTop = 0; });
    await chat.page.locator('.entry[data-index="0"] .entry-open').focus();
    const focused = () => chat.page.evaluate(() => Number(document.activeElement.closest('.entry')?.dataset.index ?? -1));
    await chat.page.keyboard.press('End');
    await eventually(async () => (await focused()) === kThreads - 1, 'the last one has the focus');
    await chat.page.keyboard.press('ArrowUp');
    await eventually(async () => (await focused()) === kThreads - 2, 'and the one before');
    await chat.page.keyboard.press('Home');
    await eventually(async () => (await focused()) === 0, 'and the first one');
  });

  it('of messages are reached to both ends; the one on screen stays where it is', async () => {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(bobs, ann, {subject: 'A long talk'});
    for (let i = 1; i <= kMessages; i += 40) {
      await Promise.all(Array.from({length: Math.min(40, kMessages - i + 1)}, (_, k) => say(bobs, threadId, `Number ${i + k}\n${'line\n'.repeat((i + k) % 4)}`)));
    }
    const {messages: [{messageId}]} = await anns.request('message.list', {threadId, limit: 1});
    await anns.request('read.mark', {threadId, messageId});
    const chat = await on.openPage(ann, {threadId});
    await chat.page.locator(`[data-msg-no="${kMessages}"]`).waitFor();

    const walk = async (by, end, what) => {
      const seen = new Set();
      let most = 0;
      await eventually(async () => {
        const step = await chat.id('messages').evaluate(async (box, dy) => {
          const rows = () => [...box.querySelectorAll('[data-testid=message]')];
          const edge = box.getBoundingClientRect();
          box.scrollTop += dy;
          const mark = rows().find((row) => row.getBoundingClientRect().top >= edge.top && row.getBoundingClientRect().bottom <= edge.bottom);
          const before = mark.getBoundingClientRect().top;
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
          return {numbers: rows().map((row) => Number(row.dataset.msgNo)), moved: Math.abs(mark.getBoundingClientRect().top - before), there: mark.isConnected};
        }, by);
        assert.ok(step.there && step.moved <= 1, `${what}: what is on screen moved by ${step.moved} px`);
        assert.deepEqual(step.numbers, [...step.numbers].sort((a, b) => a - b), 'in order');
        assert.equal(new Set(step.numbers).size, step.numbers.length, 'each once');
        step.numbers.forEach((no) => seen.add(no));
        most = Math.max(most, step.numbers.length);
        return seen.has(end);
      }, `${what}: message ${end}`, {everyMs: 5, ms: 90_000});
      assert.ok(most <= kRowsMax, `${what}: ${most} messages in the page`);
      return seen;
    };
    assert.equal((await walk(-500, 1, 'up')).size, kMessages, 'none left out on the way up');
    assert.equal((await walk(500, kMessages, 'down')).size, kMessages, 'nor down');
    await chat.send('And another');
    await chat.shows('And another');
    await chat.page.locator('[data-testid=message]:last-child', {hasText: 'And another'}).waitFor();
  });
});
