// The console's other pages in Chromium, used only by keyboard: users, conversations, the audit; denied access, ended sessions,
// and a lost connection. axe-core checks every page and dialog.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {fits, isAccessible} from './lib/axe.mjs';
import {kNasty, needTwo, quarrel, report, withConsole} from './lib/console_suite.mjs';
import {eventually} from './lib/deadline.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh, say} from './lib/world.mjs';

const entries = (page, {action, actor} = {}) =>
  page.page.locator(`[data-testid=audit-entry]${action ? `[data-action="${action}"]` : ''}${actor ? `[data-actor="${actor}"]` : ''}`);

/** The recorded looks and acts of one staff member, newest first. */
async function onRecord(on, actor, filter = {}) {
  const admin = await on.staff({role: 'admin'});
  return (await admin.request('moderation.audit', {actor, limit: 200, ...filter})).entries;
}

/** Searches the audit by these fields. */
async function search(page, fields) {
  await page.press('f');
  for (const [name, text] of Object.entries(fields)) {
    await page.keyTo(`audit-${name}`);
    await page.press('Control+a', 'Delete');
    await page.type(text);
  }
  await page.press('Enter');
}

describe('a moderator', () => {
  const on = withConsole();

  it('finds a user, sees their sanctions and records, and mutes them with a reason', async () => {
    const {bob, bobs, threadId} = await quarrel(on);
    const mona = await on.console(fresh('mona'));
    await mona.press('g i');
    await mona.id('go-to').waitFor();
    await isAccessible(mona.page, 'the dialog that asks for an id', '[data-testid=go-to]');
    await mona.press('Escape');
    await mona.id('go-to').waitFor({state: 'detached'});
    await mona.goTo(bob);
    await mona.page.locator(`[data-testid=user][data-user-id=${bob}][data-state=ok]`).waitFor();
    await mona.focusedIs('page');
    await entries(mona, {action: 'look.moderation.audit', actor: mona.userId}).first().waitFor();
    await mona.page.locator(`[data-testid=thread-row][data-thread-id=${threadId}]`).waitFor();
    await isAccessible(mona.page, 'a user');

    await mona.press('s');
    await mona.focusedIs('conduct-state');
    await mona.choose('muted', 'Mu');
    await mona.press('Tab');
    await mona.focusedIs('conduct-lasting');
    await mona.choose('1h', 'One');
    await mona.keyTo('conduct-submit');
    await mona.press('Enter');
    await mona.id('conduct-error').filter({hasText: 'Give a reason'}).waitFor();
    await isAccessible(mona.page, 'a change without a reason');
    await mona.press('s');
    await mona.giveReason('conduct', 'Insults, twice');
    await mona.page.locator(`[data-testid=user][data-user-id=${bob}][data-state=muted]`).waitFor();
    await mona.id('standing').filter({hasText: /Muted.*until.*Insults, twice/s}).waitFor();
    await mona.id('notice').filter({hasText: /muted/}).waitFor();
    await entries(mona, {action: 'moderation.user', actor: mona.userId}).filter({hasText: 'state: ok → muted'}).waitFor();
    await assert.rejects(say(bobs, threadId, 'May I?'), {code: 'FORBIDDEN'});
    await isAccessible(mona.page, 'a user who is muted');

    await mona.press('Escape');
    await mona.focusedIs('page', 'Escape leaves a field');
    await mona.goTo(mona.userId);
    await mona.page.locator(`[data-testid=user][data-user-id=${mona.userId}]`).waitFor();
    assert.equal(await mona.id('conduct').count(), 0, 'nobody decides about themselves');
  });

  it('H104 looks into a conversation live with a reason, acts in it, and is recorded in the audit', async () => {
    const {ann, bob, bobs, threadId, messageId} = await quarrel(on);
    const mona = await on.console(fresh('mona'));
    await mona.press('g c');
    await mona.press('f');
    await mona.focusedIs('threads-user');
    await mona.type(`${bob}\n`);
    await eventually(async () => (await mona.id('thread-row').count()) === 1, 'his conversation alone');
    await mona.focusedIs('threads-user', 'whoever narrows goes on there');
    await isAccessible(mona.page, 'the conversations');
    await mona.keyTo('thread-row-link');
    await mona.press('Enter');
    await mona.id('look-in-gate').waitFor();
    await isAccessible(mona.page, 'the question before a look');
    await mona.press('l');
    await mona.focusedIs('look-in-reason');
    await mona.press('Enter');
    await mona.id('look-in-error').filter({hasText: 'Give a reason'}).waitFor();
    assert.equal((await onRecord(on, mona.userId, {threadId})).length, 0, 'nothing was looked at so far');
    await mona.type('A call of his mother\n');
    await mona.page.locator(`[data-testid=thread][data-thread-id=${threadId}]`).waitFor();
    await mona.focusedIs('page');
    await mona.id('message-body').filter({hasText: kNasty}).waitFor();
    await say(bobs, threadId, 'Nobody sees me here');
    await mona.id('message-body').filter({hasText: 'Nobody sees me here'}).waitFor();
    await isAccessible(mona.page, 'a look into a conversation');

    const nasty = mona.page.locator(`[data-testid=message][data-message-id=${messageId}]`);
    await nasty.getByTestId('moderate').focus();
    await mona.press('Enter');
    await mona.id('moderate-dialog').waitFor();
    await isAccessible(mona.page, 'the dialog that moderates a message', '[data-testid=moderate-dialog]');
    await mona.giveReason('moderate-form', 'An insult');
    await mona.page.locator(`[data-testid=message][data-message-id=${messageId}][data-moderation=redacted]`).waitFor();
    await mona.id('moderate-dialog').waitFor({state: 'detached'});
    assert.equal(await mona.page.getByText(kNasty).count(), 0);
    assert.notEqual(await mona.focused(), 'BODY', 'the focus is somewhere, though its button is gone');
    await mona.giveReason('status', 'Until both have calmed down');
    await mona.page.locator('[data-testid=thread][data-status=locked]').waitFor();
    await assert.rejects(say(bobs, threadId, 'And now?'), {code: 'THREAD_LOCKED'});
    await isAccessible(mona.page, 'a conversation that is locked');

    await mona.press('Escape', 'g a');
    await entries(mona).first().waitFor();
    await isAccessible(mona.page, 'the audit');
    await search(mona, {threadId});
    await entries(mona, {action: 'look.thread.open', actor: mona.userId}).filter({hasText: 'A call of his mother'}).waitFor();
    await entries(mona, {action: 'moderation.message', actor: mona.userId}).filter({hasText: 'An insult'}).waitFor();
    await entries(mona, {action: 'thread.setStatus', actor: mona.userId}).filter({hasText: 'calmed down'}).waitFor();
    await mona.focusedIs('audit-threadId', 'whoever searches goes on there');
    assert.equal(await entries(mona).filter({hasNotText: threadId}).count(), 0);

    const searches = async () => (await onRecord(on, mona.userId)).filter(({action}) => action === 'look.moderation.audit').length;
    const before = await searches();
    await mona.press('Escape');
    await mona.press('x');
    await entries(mona, {action: 'look.moderation.threads', actor: mona.userId}).first().waitFor();
    await search(mona, {actor: ann});
    await mona.id('audit-empty').waitFor();
    assert.equal(await searches(), before + 2, 'each search is on record, once');
  });

  it('finds decisions in the audit by case, by user and by time', async () => {
    const {anns, ...said} = await quarrel(on);
    const {caseId} = await report(anns, said);
    const staff = await on.staff();
    await staff.request('moderation.decide', {caseId, decision: 'approve', notes: 'Seen', actions: [{action: 'warn', userId: said.bob}]});
    const {at} = (await onRecord(on, staff.userId, {caseId})).find(({action}) => action === 'moderation.decide');
    const mona = await on.console(fresh('mona'), {place: 'view=audit'});
    await entries(mona).first().waitFor();
    await search(mona, {caseId});
    await entries(mona, {action: 'moderation.decide', actor: staff.userId}).filter({hasText: 'Seen'}).waitFor();
    await eventually(async () => (await entries(mona).count()) === (await entries(mona).filter({hasText: caseId}).count()), 'those of the case alone');
    await mona.press('Escape');
    await search(mona, {caseId: '', userId: said.bob});
    await entries(mona, {action: 'moderation.user', actor: staff.userId}).filter({hasText: 'state: ok → warned'}).waitFor();
    assert.equal(await mona.page.evaluate(() => new URLSearchParams(location.search).get('case')), null);

    const late = new Date(Date.parse(at) + 1).toISOString();
    const shown = (more) => mona.page.goto(`${on.server.http}/console?user=${mona.userId}&role=moderator&view=audit&case=${caseId}&${more}`);
    await shown(`from=${late}&to=${late}`);
    await mona.id('audit-empty').waitFor();
    await isAccessible(mona.page, 'a search that finds nothing');
    await shown(`from=${at}&to=${late}`);
    await entries(mona, {action: 'moderation.decide'}).waitFor();
    await mona.press('x');
    await mona.press('f');
    await mona.type('no id!\n');
    await mona.page.getByText('is not an id').waitFor();
    await isAccessible(mona.page, 'a search for what is no id');
  });

  it('sees the keys of each page, can turn them off, and is shown an error for unknown ids', async () => {
    const mona = await on.console(fresh('mona'));
    await mona.press('Shift+?');
    await mona.id('shortcuts').waitFor();
    await mona.id('shortcuts').getByText('Next case').waitFor();
    await isAccessible(mona.page, 'the list of keys', '[data-testid=shortcuts]');
    await mona.keyTo('shortcuts-on');
    await mona.press('Space');
    await mona.press('Escape');
    await mona.id('shortcuts').waitFor({state: 'detached'});
    await mona.press('g a');
    assert.equal(await mona.id('page').getAttribute('data-view'), 'queue', 'single keys do nothing');
    await mona.press('Shift+?');
    await mona.keyTo('shortcuts-on');
    await mona.press('Space');
    await mona.press('Escape');
    await mona.id('shortcuts').waitFor({state: 'detached'});
    await mona.goTo('case_01m7yrf2sj68a1mp3h0c8degyz');
    await mona.id('failure').waitFor();
    await isAccessible(mona.page, 'a case that does not exist');
    await mona.press('u');
    await mona.page.locator('[data-testid=page][data-view=queue]').waitFor();
  });
});

describe('a phone', () => {
  const on = withConsole();
  const kPhone = {width: 360, height: 720};
  const isUsable = async ({page}, what) => {
    await fits(page, what);
    const targets = ':is(.top, .page, .dialog) :is(button, select, input:not([type=checkbox], [type=radio]), nav a), .list tbody th a';
    const small = await page.locator(targets).evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0)
      .map((one) => [one.dataset.testid ?? one.textContent, one.getBoundingClientRect()])
      .filter(([, {width, height}]) => width < 44 || height < 44)
      .map(([name, {width, height}]) => `${name}: ${width} × ${height}`));
    assert.deepEqual(small, [], `${what}: what a finger hits`);
    await isAccessible(page, `${what} on a telephone`);
  };

  it('shows every page without scrolling sideways', async () => {
    const {anns, ...said} = await quarrel(on);
    await needTwo(on.server);
    const {caseId} = await report(anns, said, {notes: 'x'.repeat(200)});
    const mona = await on.console(fresh('mona'), {viewport: kPhone});
    await mona.row(caseId).waitFor();
    await isUsable(mona, 'the queue');
    await mona.openCase(caseId);
    await mona.press('1', '3', 'a');
    await mona.page.locator('[data-testid=action][data-action=mute]').waitFor();
    await isUsable(mona, 'a case and its decision');
    await mona.decide('a', 'An insult');
    await mona.case(caseId, 'awaiting_second_approval').waitFor();
    await isUsable(mona, 'a case that waits for somebody else');
    await mona.goTo(said.bob);
    await entries(mona, {action: 'moderation.decide'}).waitFor();
    await mona.id('thread-row').waitFor();
    await isUsable(mona, 'a user');
    await mona.press('g c');
    await mona.id('thread-row').waitFor();
    await isUsable(mona, 'the conversations');
    await mona.goTo(said.threadId);
    await mona.id('look-in-gate').waitFor();
    await isUsable(mona, 'the question before a look');
    await mona.press('l');
    await mona.type('Duty\n');
    await mona.id('looking').waitFor();
    await isUsable(mona, 'a look into a conversation');
    await mona.press('g a');
    await entries(mona, {action: 'look.thread.open'}).waitFor();
    await isUsable(mona, 'the audit');
  });
});

describe('a user who is not or no longer staff', () => {
  const on = withConsole();
  const kShown = ['case-row', 'queue', 'nav-queue', 'audit-list', 'threads', 'page'];
  const nothingElse = async ({page}) => {
    for (const testId of kShown) assert.equal(await page.getByTestId(testId).count(), 0, testId);
  };

  it('gets only a clear message as a member', async () => {
    const {anns, ann, ...said} = await quarrel(on);
    const {caseId} = await report(anns, said);
    for (const place of ['', `view=case&id=${caseId}`, 'view=audit']) {
      const page = await on.console(ann, {role: null, token: await on.token(ann), place});
      await page.id('barred').filter({hasText: 'for staff'}).waitFor();
      await nothingElse(page);
      await page.press('g a');
      await nothingElse(page);
      await isAccessible(page.page, 'the page of a member');
    }
  });

  it('sees that they are suspended, and nothing else stays on the screen', async () => {
    const mona = await on.console(fresh('mona'));
    await mona.id('queue-empty').or(mona.id('queue')).waitFor();
    const admin = await on.staff({role: 'admin'});
    await admin.request('moderation.user', {userId: mona.userId, state: 'suspended', reason: 'as a test wants it'});
    await mona.page.locator('[data-testid=signed-out][data-reason=refused]').filter({hasText: 'suspended'}).waitFor();
    await nothingElse(mona);
    await isAccessible(mona.page, 'the console of somebody suspended');
  });

  it('sees that their tokens are revoked', async () => {
    const acme = await Tenant.of(on.server, 'acme');
    const mod = await acme.user('mod', {role: 'moderator', displayName: 'Mod Moor'});
    const page = await on.console(mod.userId, {token: mod.token});
    await page.id('queue-empty').waitFor();
    await page.page.locator('.top-who').filter({hasText: 'Mod Moor'}).waitFor();
    await acme.key.ok('POST', '/v1/tokens/revoke', {userId: mod.userId});
    await page.page.locator('[data-testid=signed-out][data-reason=signed-out]').waitFor();
    await nothingElse(page);
    await isAccessible(page.page, 'the console of somebody signed out');
  });
});

describe('a console that loses its server', () => {
  const on = withConsole();

  it('reconnects with correct counts, repeats no look, and shows that it no longer looks into the conversation', async () => {
    const {anns, ...said} = await quarrel(on);
    const {caseId} = await report(anns, said);
    const [queue, about, look] = [await on.console(fresh('mona')), await on.console(fresh('milo')), await on.console(fresh('mia'))];
    await queue.counts('pending', 1);
    await about.openCase(caseId);
    await about.press('a');
    await about.type('A half-written no');
    await look.goTo(said.threadId);
    await look.press('l');
    await look.type('Duty\n');
    await look.page.locator('[data-testid=looking][data-live=true]').waitFor();

    await on.server.kill9();
    for (const page of [queue, about, look]) await page.banner('reconnecting');
    await isAccessible(queue.page, 'a queue without a connection');
    await look.page.locator('[data-testid=looking][data-live=false]').waitFor();
    await isAccessible(look.page, 'a look that has ended');
    await on.server.launch();
    for (const page of [queue, about, look]) await page.connected();
    const other = await quarrel(on);
    const {caseId: second} = await report(other.anns, other);
    await queue.row(second).waitFor();
    await queue.counts('pending', 2);
    assert.equal(await about.id('decide-notes').inputValue(), 'A half-written no', 'what was typed is kept');
    await say(await on.as(said.bob), said.threadId, 'Said in between');
    await look.keyTo('look-again');
    await look.press('Enter');
    await look.page.locator('[data-testid=looking][data-live=true]').waitFor();
    await look.id('message-body').filter({hasText: 'Said in between'}).waitFor();
    const looks = async ({userId}, action) => (await onRecord(on, userId)).filter((entry) => entry.action === action).length;
    assert.equal(await looks(about, 'look.moderation.case'), 1);
    assert.equal(await looks(look, 'look.thread.open'), 2);
  });
});
