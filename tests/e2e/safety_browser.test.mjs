// Safety in pages of the web client: message requests, blocks, reports, the text policy, and sanctions and settings. axe-core
// checks every new view.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {eventually} from './lib/deadline.mjs';
import {withPages} from './lib/pages.mjs';
import {operatorOf} from './lib/tenants.mjs';
import {fresh, users} from './lib/world.mjs';

/** The demo tenant's settings, beside its defaults. */
async function set(server, settings) {
  const operator = operatorOf(server);
  const {tenant: {version}} = await operator.ok('GET', '/v1/tenants/demo');
  await operator.ok('PATCH', '/v1/tenants/demo', {version, settings});
}

/** A moderating member's session. */
const decide = async (on, userId, state, more = {}) =>
  (await on.staff()).request('moderation.user', {userId, state, reason: 'as a test wants it', ...more});

/** Starts a direct thread with a first message; → its id. */
async function begin(chat, other, text) {
  await chat.id('new-thread').click();
  await chat.id('new-thread-user').fill(`${other},`);
  await chat.id('new-thread-message').fill(text);
  await chat.id('new-thread-submit').click();
  const view = chat.page.locator('[data-testid=thread-view][data-loaded=true]');
  await view.waitFor();
  return view.getAttribute('data-thread-id');
}

const closed = (chat, code) => chat.page.locator(`[data-testid=composer-closed][data-code=${code}]`);
const gate = (chat, state) => chat.page.locator(`[data-testid=request-view][data-state=${state}]`);
const focused = (chat) => chat.page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.id);
/** Presses a key until the wanted element has the focus, like a user without a mouse. */
async function keyTo(chat, testId, key = 'Tab', most = 30) {
  for (let pressed = 0; pressed < most; ++pressed) {
    if ((await focused(chat)) === testId) return;
    await chat.page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${testId}, but to ${await focused(chat)}`);
}

describe('strangers', () => {
  const on = withPages('--message-requests');

  /** ann asks bob; → both pages, hers at the thread. */
  async function asked(text = 'Hello, you do not know me') {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = await on.openAll(ann, bob);
    const threadId = await begin(anns, bob, text);
    await bobs.id('total-requests').filter({hasText: /^1$/}).waitFor();
    return {ann, bob, anns, bobs, threadId};
  }

  /** Moves to the request by keyboard. */
  async function openRequest(chat) {
    await chat.id('folder-requests').focus();
    await chat.page.keyboard.press('Enter');
    await chat.page.locator('.entry-open').waitFor();
    await chat.page.locator('.entry-open').focus();
    await chat.page.keyboard.press('Enter');
    await gate(chat, 'pending').waitFor();
  }

  it('send a request, are accepted by keyboard, and talk', async () => {
    const {ann, anns, bobs, threadId} = await asked();
    await closed(anns, 'REQUEST_PENDING').filter({hasText: /Waiting for an answer.*Expires in/}).waitFor();
    await anns.entry(threadId).getByTestId('entry-request').filter({hasText: 'Waiting'}).waitFor();
    await isAccessible(anns.page, 'the page of who asked');
    assert.equal(await bobs.id('inbox-entry').count(), 0, 'it is in the folder of requests only');
    await isAccessible(bobs.page, 'an inbox with no conversation on screen');
    await bobs.page.setViewportSize({width: 375, height: 700});
    await isAccessible(bobs.page, 'the same on a telephone');
    await bobs.page.setViewportSize({width: 1280, height: 720});

    await openRequest(bobs);
    assert.equal(await bobs.id('request-preview').innerText(), 'Hello, you do not know me');
    assert.match(await bobs.id('thread-title').innerText(), /^Ann/);
    await bobs.id('request-expiry').waitFor();
    assert.equal(await bobs.id('send-box').count(), 0);
    await isAccessible(bobs.page, 'a request');
    await bobs.page.reload();
    await gate(bobs, 'pending').waitFor();

    await eventually(async () => (await focused(bobs)) === 'thread-title', 'the focus at the request');
    await keyTo(bobs, 'request-accept');
    await bobs.page.keyboard.press('Enter');
    await bobs.shows('Hello, you do not know me');
    await eventually(async () => (await focused(bobs)) === 'send-box', 'the focus in the send box');
    await bobs.page.keyboard.type('Now I do');
    await bobs.page.keyboard.press('Enter');
    await anns.shows('Now I do');
    await anns.send('Thank you');
    await bobs.shows('Thank you');
    await bobs.id('folder-all').click();
    await bobs.entry(threadId).waitFor();
    assert.equal(await bobs.id('total-requests').count(), 0);
    assert.equal(await anns.id('entry-request').count(), 0);
    assert.match((await (await on.as(ann)).request('inbox.list', {})).entries[0].request.state, /accepted/);
  });

  it('are declined and notified, and are then blocked without notice', async () => {
    const {ann, anns, bobs, threadId} = await asked('Please buy this');
    await openRequest(bobs);
    await keyTo(bobs, 'request-decline');
    await bobs.page.keyboard.press('Enter');
    await gate(bobs, 'declined').waitFor();
    await eventually(async () => (await focused(bobs)) === 'thread-title', 'the focus, as the button is gone');
    await closed(anns, 'REQUEST_DECLINED').waitFor();
    await anns.entry(threadId).getByTestId('entry-request').filter({hasText: 'Declined'}).waitFor();
    await bobs.entry(threadId).getByTestId('entry-request').filter({hasText: 'You declined'}).waitFor();
    assert.equal(await bobs.page.getByText('Please buy this').count(), 0, 'nothing of it is shown any longer');
    assert.equal(await bobs.id('total-requests').count(), 0);
    await isAccessible(bobs.page, 'a request that was declined');

    await bobs.id('request-block').click();
    await isAccessible(bobs.page, 'the question before a block', '[data-testid=block-dialog]');
    await bobs.id('block-confirm').click();
    await gate(bobs, 'blocked').waitFor();
    await bobs.id('blocked-open').click();
    await bobs.page.locator(`[data-testid=blocked-person][data-user-id=${ann}]`).waitFor();
    await closed(anns, 'REQUEST_DECLINED').waitFor();
    await anns.page.reload();
    await closed(anns, 'REQUEST_DECLINED').waitFor();
  });

  it('are invited into a group, and are members once they accept', async () => {
    const {ann, bob, carol} = users('ann', 'bob', 'carol');
    const [anns, bobs] = await on.openAll(ann, bob);
    const threadId = await anns.startThread([bob, carol].join(','), 'Climbing', 'message');
    assert.equal(await anns.id('participant').count(), 1, 'nobody came in unasked');
    assert.equal(await anns.id('entry-request').count(), 0, 'the group itself asks nobody');
    await anns.send('Who is coming?');
    await anns.shows('Who is coming?');
    await bobs.id('total-requests').filter({hasText: /^1$/}).waitFor();
    await openRequest(bobs);
    await bobs.id('request-text').filter({hasText: /join a group/}).waitFor();
    await bobs.page.getByText('Climbing').first().waitFor();
    await keyTo(bobs, 'request-accept');
    await bobs.page.keyboard.press('Enter');
    await bobs.page.locator(`[data-testid=thread-view][data-thread-id="${threadId}"][data-loaded=true]`).waitFor();
    await bobs.send('I am');
    await anns.shows('I am');
    await anns.page.locator(`[data-testid=participant][data-user-id=${bob}]`).waitFor();

    const {dave} = users('dave');
    await anns.id('participant-input').fill(dave);
    await anns.id('participant-add').click();
    await anns.id('notice').filter({hasText: /has received a request/}).waitFor();
  });

  it('see the price of a request and the fields that it requires', async () => {
    const {ann, bob} = users('ann', 'bob');
    await (await on.as(bob)).request('contact.filterSet', {fields: ['budget']});
    const anns = await on.openPage(ann);
    await anns.id('new-thread').click();
    await anns.id('new-thread-credits').filter({hasText: /40 credits left/}).waitFor();
    await anns.id('new-thread-user').fill(`${bob},`);
    await anns.id('new-thread-message').fill('A picture of me, please');
    await anns.id('new-thread-submit').click();
    await anns.page.locator('[data-testid=new-thread-contact][data-field=budget]').fill('500');
    await isAccessible(anns.page, 'the dialog that asks for more', '[data-testid=new-thread-dialog]');
    await anns.id('new-thread-submit').click();
    await anns.shows('A picture of me, please');
    await anns.send('I met what was asked, and am let in');
    await anns.shows('I met what was asked, and am let in');
    await anns.id('new-thread').click();
    await anns.id('new-thread-credits').filter({hasText: /39 credits left/}).waitFor();
  });
});

describe('users who know each other', () => {
  const on = withPages();

  async function pair() {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = await on.openAll(ann, bob);
    const threadId = await begin(anns, bob, 'Hello');
    await bobs.openThread(threadId);
    await bobs.shows('Hello');
    return {ann, bob, anns, bobs, threadId};
  }

  async function block(chat) {
    await chat.id('menu-block').click();
    await chat.id('block-dialog').getByText('It has no effect in groups').waitFor();
    await chat.id('block-confirm').click();
  }

  it('are separated by a block for both, until the blocker lifts it in the list', async () => {
    const {bob, anns, bobs, threadId} = await pair();
    await anns.id('thread-safety').click();
    await block(anns);
    await closed(anns, 'BLOCKED').filter({hasText: /You have blocked Bob/}).waitFor();
    await isAccessible(anns.page, 'a thread whose other is blocked');
    await bobs.send('Are you there?');
    await closed(bobs, 'MSG_BLOCKED_BY_USER').waitFor();
    assert.doesNotMatch(await bobs.id('composer-closed').innerText(), /blocked/i, 'who blocks is not said');
    await bobs.message('Are you there?').locator('.message-failed').waitFor();
    await isAccessible(bobs.page, 'the page of who is blocked');
    await anns.page.reload();
    await closed(anns, 'BLOCKED').waitFor();

    await anns.id('blocked-open').click();
    const row = anns.page.locator(`[data-testid=blocked-person][data-user-id=${bob}]`);
    await row.waitFor();
    await isAccessible(anns.page, 'the list of the blocked', '[data-testid=blocked-dialog]');
    await row.getByTestId('unblock').click();
    await anns.id('blocked-dialog').getByText('You have not blocked anyone.').waitFor();
    await eventually(async () => (await focused(anns)) === 'blocked-close', 'the focus, as the row is gone');
    await anns.page.keyboard.press('Escape');
    await anns.id('send-box').waitFor();
    await bobs.id('composer-again').click();
    await eventually(async () => (await focused(bobs)) === 'send-box', 'the focus in the send box');
    await bobs.id('message-retry').click();
    await anns.shows('Are you there?');
    assert.equal(await bobs.page.locator(`[data-thread-id="${threadId}"] .message-failed`).count(), 0);
  });

  it('are listed by pages, however many are blocked', async () => {
    const {ann} = users('ann');
    const session = await on.as(ann);
    for (let i = 0; i < 23; ++i) await session.request('user.block', {userId: fresh('pest')});
    const anns = await on.openPage(ann);
    await anns.id('blocked-open').click();
    await anns.id('blocked-more').click();
    await anns.id('blocked-more').waitFor({state: 'detached'});
    assert.equal(await anns.id('blocked-person').count(), 23);
    await anns.id('blocked-person').first().getByTestId('unblock').click();
    await eventually(async () => (await anns.id('blocked-person').count()) === 22, 'one less');
    assert.equal(await focused(anns), 'unblock', 'the next one has the focus');
  });

  it('have few rows in the page, of which every one can be reached', async () => {
    const {ann} = users('ann');
    const session = await on.as(ann);
    const pests = Array.from({length: 130}, () => fresh('pest'));
    await Promise.all(pests.map((userId) => session.request('user.block', {userId})));
    const anns = await on.openPage(ann);
    await anns.id('blocked-open').click();
    await anns.id('blocked-person').first().waitFor();
    const seen = new Set();
    const look = async () => {
      const rows = await anns.id('blocked-person').evaluateAll((all) => all.map((row) => row.dataset.userId));
      assert.ok(rows.length <= 100, `${rows.length} rows`);
      rows.forEach((id) => seen.add(id));
      return rows;
    };
    const first = await look();
    while (await anns.id('blocked-more').count()) {
      await anns.id('blocked-more').click();
      await look();
    }
    assert.deepEqual([...seen].sort(), [...pests].sort());
    while (await anns.id('blocked-earlier').count()) await anns.id('blocked-earlier').click();
    assert.equal((await look())[0], first[0]);
  });

  it('continue in a group, to which a block does not apply', async () => {
    const {ann, bob, carol} = users('ann', 'bob', 'carol');
    const [anns, bobs] = await on.openAll(ann, bob);
    const threadId = await anns.startThread([bob, carol].join(','), 'Climbing', 'message');
    await bobs.openThread(threadId);
    const person = anns.page.locator(`[data-testid=participant][data-user-id=${bob}]`);
    await person.getByTestId('person-more').click();
    await block(anns);
    await person.getByText('blocked').waitFor();
    await anns.send('Still here');
    await bobs.shows('Still here');
    await bobs.send('So am I');
    await anns.shows('So am I');
    await isAccessible(anns.page, 'the participants, one of them blocked');
    await person.getByTestId('person-more').click();
    await anns.id('menu-unblock').click();
    await person.getByText('blocked').waitFor({state: 'detached'});
  });

  it('report a message by keyboard, repeat it to the same case, and no one else sees it', async () => {
    const {ann, anns, bobs, threadId} = await pair();
    await bobs.send('Something nasty');
    await anns.shows('Something nasty');
    const report = async (notes) => {
      await anns.message('Something nasty').getByRole('toolbar').locator('button').first().focus();
      await keyTo(anns, 'message-report', 'ArrowRight');
      await anns.page.keyboard.press('Enter');
      await anns.id('report-form').waitFor();
      await keyTo(anns, 'report-reason');
      await anns.page.keyboard.press('H'); // Harassment
      assert.equal(await anns.id('report-reason').inputValue(), 'harassment');
      await keyTo(anns, 'report-notes');
      await anns.page.keyboard.type(notes);
      await isAccessible(anns.page, 'the report', '[data-testid=report-dialog]');
      await keyTo(anns, 'report-submit');
      await anns.page.keyboard.press('Enter');
      await anns.id('report-sent').waitFor();
      await isAccessible(anns.page, 'the answer to a report', '[data-testid=report-dialog]');
      const caseId = await anns.id('report-sent').getAttribute('data-case-id');
      await anns.page.keyboard.press('Enter');
      await anns.id('report-dialog').waitFor({state: 'detached'});
      assert.equal(await focused(anns), 'message-report', 'the focus goes back');
      return caseId;
    };
    const caseId = await report('He means it');
    assert.equal(await report('And again'), caseId);
    const {cases} = await (await on.staff()).request('moderation.queue', {threadId});
    assert.deepEqual(cases.map((one) => [one.caseId, one.reason, one.reportedBy]), [[caseId, 'harassment', [ann]]]);
    await bobs.send('Nothing has changed');
    await bobs.shows('Nothing has changed');
    await bobs.shows('Something nasty');
    assert.equal(await bobs.id('notice').count(), 0);
  });

  it('report a conversation from its header and a user from the participants', async () => {
    const {bob, anns, threadId} = await pair();
    const send = async (reason) => {
      await anns.id('menu-report').click();
      await anns.id('report-submit').click();
      await anns.page.getByText('Choose what is wrong.').waitFor();
      await anns.id('report-reason').selectOption(reason);
      await anns.id('report-severity').selectOption('high');
      await anns.id('report-submit').click();
      await anns.id('report-sent').waitFor();
      await anns.id('report-close').click();
    };
    await anns.id('thread-safety').click();
    await send('spam');
    await anns.page.locator(`[data-testid=participant][data-user-id=${bob}]`).getByTestId('person-more').click();
    await send('impersonation');
    const staff = await on.staff();
    const {cases} = await staff.request('moderation.queue', {threadId});
    assert.deepEqual(cases.map((one) => [one.type, one.reason, one.severity]).sort(), [['thread', 'spam', 'high'], ['user', 'impersonation', 'high']]);
  });
});

describe('decisions of the tenant and its moderators', () => {
  const on = withPages();

  async function writer() {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = await on.openAll(ann, bob);
    const threadId = await begin(anns, bob, 'Hello');
    await bobs.openThread(threadId);
    return {ann, bob, anns, bobs, threadId};
  }

  it('show a hint above the composer, or a refusal that keeps the text for correction', async () => {
    await set(on.server, {safety: {textPolicy: {sets: [
      {name: 'payments', action: 'block', hint: 'Please pay here.', terms: ['venmo'], score: 1}, {name: 'soft_payment', action: 'nudge', hint: 'Deals are safest here.', terms: ['pay directly']}]}}});
    try {
      const {anns, bobs} = await writer();
      await anns.send('You could pay directly');
      await anns.id('nudge').filter({hasText: 'Deals are safest here.'}).waitFor();
      await bobs.shows('You could pay directly');
      assert.equal(await bobs.id('nudge').count(), 0, 'the author alone is told');
      await isAccessible(anns.page, 'a hint of the text policy');
      await anns.id('nudge-dismiss').click();
      await anns.id('nudge').waitFor({state: 'detached'});

      await anns.send('Or by venmo');
      await anns.id('send-refused').filter({hasText: 'Please pay here.'}).waitFor();
      assert.equal(await anns.id('send-box').inputValue(), 'Or by venmo');
      assert.equal(await anns.message('Or by venmo').count(), 0);
      await isAccessible(anns.page, 'a refused text');
      await anns.send('Or by card');
      await bobs.shows('Or by card');
      await anns.id('send-refused').waitFor({state: 'detached'});
      assert.equal(await bobs.page.getByText('venmo').count(), 0);
    } finally {
      await set(on.server, {safety: {textPolicy: 'off'}});
    }
  });

  it('mute a user for a time, and unmute them', async () => {
    const {ann, anns, bobs} = await writer();
    await decide(on, ann, 'muted', {until: new Date(Date.now() + 3_600_000).toISOString()});
    await anns.send('May I?');
    await closed(anns, 'FORBIDDEN').filter({hasText: /You can write again at/}).waitFor();
    await bobs.send('I hear nothing');
    await anns.shows('I hear nothing');
    await isAccessible(anns.page, 'the page of somebody muted');
    await decide(on, ann, 'ok');
    await anns.id('composer-again').click();
    await anns.id('message-retry').click();
    await bobs.shows('May I?');
  });

  it('disconnect a suspended user and leave nothing on the screen', async () => {
    const {ann, anns} = await writer();
    await decide(on, ann, 'suspended');
    const out = anns.page.locator('[data-testid=signed-out][data-reason=refused]').filter({hasText: 'suspended'});
    await out.waitFor();
    assert.equal(await anns.id('message').count(), 0);
    await isAccessible(anns.page, 'the page of somebody suspended');
    await anns.page.reload();
    await out.waitFor();
  });

  it('switch messaging to read-only with a notice, after which unsent messages are sent', async () => {
    const {anns, bobs, threadId} = await writer();
    await set(on.server, {safety: {readOnly: true}});
    try {
      await anns.send('Into the pause');
      await closed(anns, 'UNAVAILABLE').filter({hasText: /paused/}).waitFor();
      await isAccessible(anns.page, 'a paused conversation');
      await set(on.server, {safety: {messagingDisabled: true}});
      const anew = await on.openPage(bobs.userId, {threadId});
      await anew.page.locator('.thread-failure').filter({hasText: /paused/}).waitFor();
      await isAccessible(anew.page, 'a conversation that is switched off');
    } finally {
      await set(on.server, {safety: {readOnly: false, messagingDisabled: false}});
    }
    await eventually(async () => {
      // It is sent automatically, unless a slow machine made the page give up before.
      if (await anns.id('message-retry').count()) await anns.id('message-retry').click();
      return (await bobs.message('Into the pause').count()) === 1;
    }, 'the message', {ms: 60_000, everyMs: 100});
    await anns.id('send-box').waitFor();
  });
});
