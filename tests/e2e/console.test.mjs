// The moderators' console in Chromium, used only by keyboard: a report appears without a reload, a grave one needs two approvals,
// and redacted text disappears from members' open pages. axe-core checks every page.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {kNasty, needTwo, quarrel, report, withConsole} from './lib/console_suite.mjs';
import {eventually} from './lib/deadline.mjs';
import {fresh} from './lib/world.mjs';

/** Members' open pages of the thread. */
async function openThread(on, {ann, bob, threadId}) {
  const chats = await Promise.all([ann, bob].map((userId) => on.chat(userId, {threadId})));
  for (const chat of chats) await chat.shows(kNasty);
  return chats;
}

describe('a moderator', () => {
  const on = withConsole();

  it('H101 H103 sees a report arrive in the open queue, and its counts change', async () => {
    const queue = await on.console(fresh('mona'));
    await queue.id('queue-empty').waitFor();
    await queue.counts('pending', 0);
    await isAccessible(queue.page, 'an empty queue');
    const {anns, ...said} = await quarrel(on);
    const {caseId} = await report(anns, said);
    await queue.row(caseId).waitFor();
    await queue.counts('pending', 1);
    await queue.id('queue-news').filter({hasText: '1 new case'}).waitFor({state: 'attached'});
    await isAccessible(queue.page, 'the queue');
    await anns.request('thread.report', {threadId: said.threadId, reason: 'spam'});
    await queue.counts('pending', 2);

    await queue.press('f');
    await queue.focusedIs('filter-all');
    await queue.keyTo('filter-pending');
    await queue.press('Enter');
    await queue.keyTo('filter-type');
    await queue.choose('message', 'M');
    await eventually(async () => (await queue.id('case-row').count()) === 1, 'the case about a message alone');
    await queue.row(caseId).waitFor();
    await queue.id('queue-news').filter({hasText: '1 case listed'}).waitFor({state: 'attached'});
    await queue.keyTo('filter-severity');
    await queue.choose('high', 'H');
    await queue.id('queue-empty').waitFor();
    await queue.counts('pending', 2);
    await queue.page.reload();
    await queue.id('queue-empty').waitFor();
    assert.equal(await queue.id('filter-severity').inputValue(), 'high', 'a reload narrows alike');
    await queue.press('x');
    await eventually(async () => (await queue.id('case-row').count()) === 2, 'all cases');
    await queue.press('f');
    await queue.keyTo('filter-user');
    await queue.type(`${said.bob}\n`);
    await eventually(async () => (await queue.id('case-row').count()) === 1, 'the case about him alone');
    await queue.focusedIs('filter-user', 'whoever narrows goes on there');
  });

  it('H102 H106 decides together with a second one, and the text disappears from members\' pages', async () => {
    const {anns, ...said} = await quarrel(on);
    const [mona, milo] = await Promise.all(['mona', 'milo'].map((name) => on.console(fresh(name))));
    await needTwo(on.server);
    const {caseId} = await report(anns, said);
    const chats = await openThread(on, said);

    await mona.openCase(caseId);
    await mona.focusedIs('page');
    await mona.id('needs-two').waitFor();
    await mona.id('report').filter({hasText: 'He means it'}).waitFor();
    assert.deepEqual(await mona.id('message-body').allInnerTexts(), ['When do we meet?', kNasty, 'I shall report this']);
    await mona.page.locator(`[data-testid=message][data-message-id=${said.messageId}][data-reported=true]`).waitFor();
    await isAccessible(mona.page, 'a case');
    await mona.press('1');
    await mona.page.locator('[data-testid=action][data-action=redact]').waitFor();
    assert.ok(await mona.id('decide-approve').isChecked(), 'an action goes with an approval');
    await isAccessible(mona.page, 'a decision with an action');
    await mona.press('a');
    await mona.press('Control+Enter');
    await mona.id('decide-error').filter({hasText: 'Give a reason'}).waitFor();
    await isAccessible(mona.page, 'a decision without notes');
    await mona.decide('a', 'An insult');
    await mona.case(caseId, 'awaiting_second_approval').waitFor();
    await mona.id('notice').filter({hasText: 'awaiting second approval'}).waitFor();
    await mona.id('waits-for-other').waitFor();
    await mona.focusedIs('page', 'the form is empty again');
    await isAccessible(mona.page, 'a case that waits for somebody else');

    await mona.decide('a', 'I insist');
    await eventually(async () => (await mona.id('approval').count()) === 1 && (await mona.id('approval').innerText()).includes('I insist'),
                     'the same moderator replaces what they said');
    await mona.case(caseId, 'awaiting_second_approval').waitFor();
    for (const chat of chats) await chat.shows(kNasty);

    await milo.openCase(caseId);
    await milo.id('second').filter({hasText: 'second approval'}).waitFor();
    await milo.page.locator(`[data-testid=approval][data-actor=${mona.userId}]`).waitFor();
    await isAccessible(milo.page, 'a case that waits for the viewer');
    await milo.decide('a', 'So do I');
    await milo.case(caseId, 'resolved').waitFor();
    await milo.id('no-decision').waitFor();
    await milo.page.locator('[data-testid=resolution][data-outcome=approve]').waitFor();
    await milo.page.locator(`[data-testid=message][data-message-id=${said.messageId}][data-moderation=redacted]`).waitFor();
    assert.equal(await milo.page.getByText(kNasty).count(), 0, 'nor do staff see it');
    await isAccessible(milo.page, 'a case that is decided');

    await mona.case(caseId, 'resolved').waitFor();
    await mona.id('notice').filter({hasText: 'has decided'}).waitFor();
    for (const chat of chats) {
      await chat.page.getByText(kNasty).first().waitFor({state: 'detached'});
      await chat.page.reload();
      await chat.connected();
      await chat.shows('I shall report this');
      assert.equal(await chat.page.getByText(kNasty).count(), 0, `${chat.userId} reads it nowhere`);
      await isAccessible(chat.page, 'a conversation with a redacted message');
    }

    await milo.press('u');
    await milo.row(caseId).waitFor();
    await milo.counts('resolved', 1);
    await eventually(async () => milo.page.evaluate((id) => document.activeElement?.closest('[data-case-id]')?.dataset.caseId === id, caseId),
                     'the focus where the queue was left');
  });
});
