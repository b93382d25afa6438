// Long lists: every row can be reached, few rows are in the page, and the visible rows keep their position.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {withPages} from './lib/pages.mjs';
import {createThread, fresh, say, users} from './lib/world.mjs';

const kRowsMax = 150;
const kThreads = Number(process.env.E2E_THREADS ?? 1_150);
const kMessages = Number(process.env.E2E_MESSAGES ?? 700);
const kPeople = 180;
/** How many messages the walk covers from either end; a pinned message leads to the other end. */
const kWalked = Math.min(kMessages, Number(process.env.E2E_WALKED ?? 700));
/** A walk through a long list takes its time. */
const kWalkMs = 90_000 + 20 * (kThreads + kWalked);

/** Calls `make` for 1 to `count`, so many at a time. */
async function many(count, make, atATime = 200) {
  for (let first = 1; first <= count; first += atATime) {
    await Promise.all(Array.from({length: Math.min(atATime, count - first + 1)}, (_, i) => make(first + i)));
  }
}

/** In the page: scrolls the messages in steps, until `end` is drawn. → the drawn messages, and how far insertions and removals moved the visible one. */
async function scrolled(box, {by, steps, end}) {
  const rows = () => [...box.querySelectorAll('[data-testid=message]')];
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const numbers = new Set();
  const seen = {most: 0, moved: 0, lost: 0, orderly: true};
  for (let i = 0; i < steps && !numbers.has(end); ++i) {
    box.scrollTop += by;
    const edge = box.getBoundingClientRect();
    const mark = rows().find((row) => row.getBoundingClientRect().top >= edge.top && row.getBoundingClientRect().bottom <= edge.bottom);
    const before = mark.getBoundingClientRect().bottom;
    await frame();
    await frame();
    const drawn = rows().map((row) => Number(row.dataset.msgNo));
    drawn.forEach((no) => numbers.add(no));
    seen.most = Math.max(seen.most, drawn.length);
    seen.moved = Math.max(seen.moved, Math.abs(mark.getBoundingClientRect().bottom - before));
    seen.lost += mark.isConnected ? 0 : 1;
    seen.orderly &&= drawn.every((no, at) => at === 0 || no > drawn[at - 1]);
  }
  return {...seen, numbers: [...numbers]};
}

/** In the page: scrolls this list by half a view a step until it moves no further. → the ids of the rows that were drawn, and how many there were at once. */
async function walked(box, {row, id}) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ids = new Set();
  let most = 0;
  for (let last = -1; box.scrollTop !== last; await frame()) {
    const drawn = [...box.querySelectorAll(`[data-testid=${row}]`)].map((one) => one.dataset[id]);
    drawn.forEach((one) => ids.add(one));
    most = Math.max(most, drawn.length);
    last = box.scrollTop;
    box.scrollBy(0, box.clientHeight / 2);
  }
  return {ids: [...ids], most};
}

describe('long lists', () => {
  const on = withPages();

  it('of conversations can be read to their end by wheel and by keyboard, with few rows in the page', async () => {
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
      const part = await chat.id('inbox').evaluate(walked, {row: 'inbox-entry', id: 'threadId'});
      part.ids.forEach((id) => seen.add(id));
      most = Math.max(most, part.most);
      return seen.size === kThreads;
    }, 'every conversation', {ms: kWalkMs});
    assert.ok(most <= kRowsMax, `${most} entries in the page`);

    // The visible row keeps its position while rows are inserted above it, and when the list is read again after a lost connection.
    await chat.id('inbox').evaluate((box) => { box.scrollTop = box.scrollHeight / 2; });
    const middle = () => chat.id('inbox').evaluate((box) => {
      const edge = box.getBoundingClientRect();
      const row = [...box.querySelectorAll('.entry')].find((one) => one.getBoundingClientRect().top >= edge.top && one.getBoundingClientRect().bottom <= edge.bottom);
      return row && {threadId: row.dataset.threadId, index: Number(row.dataset.index), top: Math.round(row.getBoundingClientRect().top)};
    });
    const {threadId, index, top} = await eventually(middle, 'an entry in the middle');
    const stays = (by, what) => eventually(async () => {
      const now = await middle();
      return now?.threadId === threadId && now.index === index + by && now.top === top;
    }, `the entry in the middle is where it was: ${what}`);
    await stays(0, 'at first');
    await say(bobs, ids[0], 'The oldest conversation goes to the top');
    await stays(1, 'another conversation has come above it');
    await on.server.restart();
    await chat.banner('reconnecting');
    await chat.connected();
    await eventually(async () => (await chat.id('inbox').getAttribute('aria-busy')) === 'false', 'the inbox is read again');
    await stays(1, 'the connection was lost');
    await say(await on.as(bob), ids[1], 'And the second oldest');
    await stays(2, 'another one has come');

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

  it('of messages can be read to both ends; the visible message keeps its position', async () => {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(bobs, ann, {subject: 'A long talk'});
    const sayNumber = (i) => say(bobs, threadId, `Number ${i}\n${'line\n'.repeat(i % 4)}`);
    const {messageId: firstId} = await sayNumber(1);
    await many(kMessages - 1, (i) => sayNumber(i + 1));
    const {messages: [{messageId}]} = await anns.request('message.list', {threadId, limit: 1});
    await anns.request('read.mark', {threadId, messageId});
    await bobs.request('message.pin', {threadId, messageId: firstId, pinned: true});
    const chat = await on.openPage(ann, {threadId});
    await chat.page.locator(`[data-msg-no="${kMessages}"]`).waitFor();

    const walk = async (by, start, end, what) => {
      const seen = new Set();
      const deadline = Date.now() + kWalkMs;
      while (!seen.has(end)) {
        assert.ok(Date.now() < deadline, `${what}: message ${end} is not reached in ${kWalkMs} ms`);
        const {numbers, most, moved, lost, orderly} = await chat.id('messages').evaluate(scrolled, {by, steps: 40, end});
        assert.ok(lost === 0 && moved <= 1, `${what}: what is on screen moved by ${moved} px, and ${lost} times left the page`);
        assert.ok(orderly, `${what}: each message once, in order`);
        assert.ok(most <= kRowsMax, `${what}: ${most} messages in the page`);
        numbers.forEach((no) => seen.add(no));
      }
      const missing = Array.from({length: kWalked}, (_, i) => Math.min(start, end) + i).filter((no) => !seen.has(no));
      assert.deepEqual(missing, [], `${what}: none left out`);
    };
    await walk(-700, kMessages, kMessages - kWalked + 1, 'up');
    await chat.id('pin-jump').click();
    await eventually(() => chat.page.evaluate(() => document.activeElement.dataset.msgNo === '1'), 'the first message has the focus');
    await walk(700, 1, kWalked, 'down');
    await chat.send('And another');
    await chat.shows('And another');
    await chat.page.locator('[data-testid=message]:last-child', {hasText: 'And another'}).waitFor();
  });

  it('of participants can be read to their end, too', async () => {
    const {ann} = users('ann');
    const anns = await on.as(ann);
    const {thread: {threadId}} = await anns.request('thread.create', {kind: 'group', subject: 'Choir', participants: [{userId: fresh('singer')}], clientId: fresh('choir', 'cl')});
    await many(kPeople - 2, () => anns.request('participant.add', {threadId, userId: fresh('singer')}));
    const chat = await on.openPage(ann, {threadId, viewport: {width: 1440, height: 900}});
    await chat.id('participant').first().waitFor();
    // A list that is still being filled may draw more for a moment, so a walk counts only from top to end with few rows.
    const list = chat.page.locator('.people-list');
    await eventually(async () => {
      await list.evaluate((box) => { box.scrollTop = 0; });
      const {ids, most} = await list.evaluate(walked, {row: 'participant', id: 'userId'});
      return most <= kRowsMax && ids.length === kPeople;
    }, `all ${kPeople} people in one walk, with at most ${kRowsMax} in the page`, {ms: kWalkMs});
  });
});
