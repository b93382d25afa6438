// Two parties of a project act on cards and write its panel, each in a page of the web client, through the real server.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {ProjectPage} from './lib/project_page.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, users} from './lib/world.mjs';

describe('two parties of a project', () => {
  const on = withServer({}, {args: ['--web', webClient(), '--card-ports', 'booking']});
  const windows = withBrowser();

  /** A project of two users, open on a page of each. */
  async function project() {
    const {ann, bob} = users('ann', 'bob');
    const session = await on.as(ann);
    const {thread: {threadId}} = await createThread(session, bob, {subject: 'A shoot'});
    const buyer = await ProjectPage.open(windows.browser, on.server, ann, threadId);
    const seller = await ProjectPage.open(windows.browser, on.server, bob, threadId);
    windows.pages.push(buyer, seller);
    return {threadId, session, buyer, seller};
  }

  /** Plays the tenant's booking service: takes the thread's one effect from the feed and reports the outcome. */
  async function book(threadId, outcome) {
    const service = await on.service();
    const {items} = await service.op('outbox.list');
    const [effect, ...others] = items.filter((item) => item.threadId === threadId && item.awaits);
    assert.equal(effect?.effect, 'booking.reschedule');
    assert.deepEqual(others, []);
    const {messageId, effectId} = effect;
    await service.op('card.resolve', {threadId, messageId, effectId, outcome, clientId: `resolve-${effectId}`});
  }

  it('agree on another time: proposed, countered, accepted once the booking can be moved', async () => {
    const {threadId, buyer, seller} = await project();
    await buyer.propose('RESCHEDULE', {
      'schedule-start': '2030-01-05T10:00', 'schedule-end': '2030-01-05T12:00', 'schedule-reason': 'Rain'});
    const proposed = await seller.card('RESCHEDULE', 'PENDING');
    assert.match(await proposed.getByTestId('card-lines').innerText(), /10:00 \S*(UTC|GMT|[A-Z]{3,4})/, 'with its time zone');
    assert.deepEqual((await seller.intents(proposed, 'accept')).sort(), ['accept', 'counter', 'decline']);
    assert.equal(await (await buyer.card('RESCHEDULE', 'PENDING')).getByTestId('card-intent').count(), 0,
                 'nobody answers their own proposal');

    await seller.press(proposed, 'counter');
    await seller.submitForm(proposed, {'schedule-start': '2030-01-06T14:00', 'schedule-end': '2030-01-06T16:00'});
    for (const page of [buyer, seller]) await page.card('RESCHEDULE', 'SUPERSEDED');
    const counter = await buyer.card('RESCHEDULE', 'PENDING');
    assert.match(await counter.getByTestId('card-lines').innerText(), /14:00/);

    // At first the booking has a conflict: both are notified, and the buyer may decide again.
    for (const outcome of ['conflict', 'ok']) {
      await buyer.intents(counter, 'accept');
      await buyer.press(counter, 'accept');
      for (const page of [buyer, seller]) {
        await (await page.card('RESCHEDULE', 'PENDING')).getByTestId('card-awaiting').waitFor();
      }
      await book(threadId, outcome);
      if (outcome === 'ok') break;
      for (const page of [buyer, seller]) await page.id('card-error').waitFor();
    }
    for (const page of [buyer, seller]) {
      const accepted = await page.card('RESCHEDULE', 'ACCEPTED');
      await accepted.getByTestId('card-awaiting').waitFor({state: 'detached'});
      assert.equal(await page.id('card-intent').count(), 0, 'nothing is left to decide');
      assert.equal(await page.id('card').count(), 2);
    }
  });

  it('see an unchanged card after a reload, and after the server was killed with an effect outstanding', async () => {
    const {threadId, buyer, seller} = await project();
    await buyer.propose('RESCHEDULE', {'schedule-start': '2030-02-05T10:00', 'schedule-end': '2030-02-05T12:00'});
    await seller.card('RESCHEDULE', 'PENDING');
    await seller.reload();
    const proposed = await seller.card('RESCHEDULE', 'PENDING');
    await seller.intents(proposed, 'accept');
    await seller.press(proposed, 'accept');
    const waiting = async (page) => (await page.card('RESCHEDULE', 'PENDING')).getByTestId('card-awaiting').waitFor();
    for (const page of [buyer, seller]) await waiting(page);

    await on.server.kill9();
    for (const page of [buyer, seller]) await page.banner('reconnecting');
    await on.server.launch();
    for (const page of [buyer, seller]) await page.connected();
    await buyer.reload();
    for (const page of [buyer, seller]) await waiting(page);
    await book(threadId, 'ok');
    for (const page of [buyer, seller]) {
      const accepted = await page.card('RESCHEDULE', 'ACCEPTED');
      await accepted.getByTestId('card-awaiting').waitFor({state: 'detached'});
      assert.equal(await accepted.getAttribute('data-version'), '2');
      assert.equal(await page.id('card').count(), 1);
    }
  });

  it('open each kind of card with its fields', async () => {
    const {buyer, seller} = await project();
    await seller.propose('REQUEST_EXTRA', {'card-field-name': 'Drone', 'card-field-priceCents': '120.50'});
    const extra = await buyer.card('REQUEST_EXTRA', 'PENDING');
    assert.match(await extra.getByTestId('card-lines').innerText(), /Drone[^]*€120\.50/);
    await buyer.intents(extra, 'approve');
    await buyer.press(extra, 'approve');
    assert.match(await buyer.id('cost-dialog').innerText(), /Approve €120\.50\?[^]*Drone/);
    await buyer.id('cost-dialog').getByText('Not now').click();
    await buyer.card('REQUEST_EXTRA', 'PENDING');
    await buyer.press(extra, 'approve');
    await buyer.id('cost-confirm').click();
    await seller.card('REQUEST_EXTRA', 'PAID');

    await seller.propose('EXPENSE', {
      'card-field-merchant': 'Ferry', 'card-field-amountCents': '12,5', 'card-field-date': '2026-01-05T10:00',
      'card-field-receiptImage': 'receipts/1', 'card-field-buyerPayable': true});
    const expense = await buyer.card('EXPENSE', 'PENDING');
    assert.match(await expense.getByTestId('card-lines').innerText(), /€12\.50[^]*Yes/);
    await buyer.intents(expense, 'decline');

    await seller.propose('DELIVERABLE_FINAL', {'proofs-manifest': 'https://files.example/final-1'});
    const delivered = await buyer.card('DELIVERABLE_FINAL', 'SUBMITTED');
    await buyer.intents(delivered, 'acknowledge');
    await seller.propose('ACCEPTANCE_ACK', {'card-field-kind': 'milestone', 'card-field-milestoneId': 'm1'});
    await buyer.intents(await buyer.card('ACCEPTANCE_ACK', 'PENDING'), 'acknowledge');

    await buyer.propose('DISPUTE_OPEN', {'card-field-reason': 'Not as agreed', 'card-field-details': 'No lighthouse'});
    const dispute = await seller.card('DISPUTE_OPEN', 'OPEN');
    assert.match(await dispute.getByTestId('card-lines').innerText(), /Not as agreed[^]*No lighthouse/);
    await seller.startCard('DELIVERABLE_PROOF');  // no longer offered during a dispute
    await seller.page.getByRole('button', {name: 'Cancel'}).click();
    await seller.id('new-card-more').click();
    assert.equal(await seller.id('new-card-REQUEST_EXTRA').count(), 0);
    assert.equal(await seller.id('new-card-CANCEL_REQUEST').count(), 1);
    await (await buyer.card('ACCEPTANCE_ACK', 'PENDING')).getByTestId('card-intent').waitFor({state: 'detached'});
  });

  it('see in the form which card prevents theirs', async () => {
    const {buyer, seller} = await project();
    const when = (day) => ({'schedule-start': `2030-03-0${day}T10:00`, 'schedule-end': `2030-03-0${day}T12:00`});
    await buyer.propose('RESCHEDULE', when(1));
    await seller.card('RESCHEDULE', 'PENDING');
    await buyer.propose('RESCHEDULE', when(2));
    assert.match(await buyer.id('card-form-error').innerText(), /Reschedule, pending/);
    assert.equal(await buyer.page.getByLabel('From').inputValue(), '2030-03-02T10:00', 'what was typed stays');
    await buyer.page.getByRole('button', {name: 'Cancel'}).click();
    assert.equal(await seller.id('card').count(), 1);
  });

  it('see in the card that the other side was faster', async () => {
    const {buyer, seller} = await project();
    await seller.propose('OVERTIME_START', {'card-field-minutes': '30'});
    const asked = await buyer.card('OVERTIME_START', 'PENDING');
    await buyer.intents(asked, 'confirm');
    buyer.holdEvents();
    const own = await seller.card('OVERTIME_START', 'PENDING');
    await seller.intents(own, 'cancel');
    await seller.press(own, 'cancel');
    await seller.submitForm(own, {});
    await seller.card('OVERTIME_START', 'CANCELLED');
    await buyer.press(asked, 'confirm');
    await buyer.id('cost-confirm').click();
    buyer.releaseEvents();
    const cancelled = await buyer.card('OVERTIME_START', 'CANCELLED');
    assert.match(await cancelled.getByTestId('card-clash').innerText(), /Overtime, cancelled/);
  });

  it('bring a deliverable to approval with one revision', async () => {
    const {buyer, seller} = await project();
    assert.equal(await buyer.id('new-card-DELIVERABLE_PROOF').count(), 0, 'the buyer delivers nothing');
    await seller.propose('DELIVERABLE_PROOF', {'proofs-manifest': 'https://files.example/manifest-1', 'proofs-revisions': '1'});
    let proofs = await buyer.card('DELIVERABLE_PROOF', 'SUBMITTED');
    await buyer.intents(proofs, 'request_revisions');
    await buyer.press(proofs, 'request_revisions');
    await buyer.submitForm(proofs, {'card-note': 'Warmer, please'});

    const returned = await seller.card('DELIVERABLE_PROOF', 'REVISION_REQUESTED');
    await returned.getByText('Warmer, please').waitFor();
    await seller.intents(returned, 'resubmit');
    await seller.press(returned, 'resubmit');
    await seller.submitForm(returned, {'proofs-manifest': 'https://files.example/manifest-2'});

    proofs = await buyer.card('DELIVERABLE_PROOF', 'SUBMITTED');
    await proofs.getByText(/manifest-2/).waitFor();
    await buyer.intents(proofs, 'approve');
    await buyer.press(proofs, 'approve');
    for (const page of [buyer, seller]) {
      const approved = await page.card('DELIVERABLE_PROOF', 'APPROVED');
      assert.equal(await approved.getAttribute('data-version'), '4');
      assert.equal(await page.id('card').count(), 1);
    }
  });

  it('see both versions of a brief that both edited, and merge them', async () => {
    const {threadId, session, buyer, seller} = await project();
    for (const page of [buyer, seller]) await page.openTab('brief', 0);
    await buyer.editBrief({title: 'Harbour', goals: 'Ten pictures'});
    await buyer.id('brief-save').click();
    for (const page of [buyer, seller]) await page.tabAt('brief', 1);

    await buyer.editBrief({title: 'Harbour at dawn', budgetNotes: 'Two hours'});
    await seller.editBrief({title: 'Old harbour', moodNotes: 'Fog'});
    await buyer.id('brief-save').click();
    await seller.id('brief-stale').waitFor();
    await seller.id('brief-save').click();
    assert.deepEqual(await seller.conflictOf('title'), {mine: 'Old harbour', theirs: 'Harbour at dawn', changed: 'both'});
    assert.deepEqual(await seller.conflictOf('moodNotes'), {mine: 'Fog', theirs: '(empty)', changed: 'mine'});
    assert.deepEqual(await seller.conflictOf('budgetNotes'), {mine: '(empty)', theirs: 'Two hours', changed: 'theirs'});
    await seller.page.locator('[data-field=title]').getByTestId('conflict-theirs').click();
    await seller.id('conflict-merge').click();
    for (const page of [buyer, seller]) {
      await page.tabAt('brief', 3);
      await page.id('brief').getByText('Fog').waitFor();
    }
    const {tab} = await session.request('tab.get', {threadId, tab: 'brief'});
    assert.deepEqual(tab.content, {title: 'Harbour at dawn', goals: 'Ten pictures', moodNotes: 'Fog', budgetNotes: 'Two hours'});

    // Choosing the other version writes nothing.
    await buyer.editBrief({title: 'Pier'});
    await seller.editBrief({title: 'Quay'});
    await buyer.id('brief-save').click();
    await seller.id('brief-stale').waitFor();
    await seller.id('brief-save').click();
    await seller.id('conflict-take-theirs').click();
    await seller.id('brief').getByText('Pier').waitFor();
    assert.equal((await session.request('tab.get', {threadId, tab: 'brief'})).tab.version, 4);
  });

  it('share the shot list live, and see what services write', async () => {
    const {threadId, buyer, seller} = await project();
    for (const page of [buyer, seller]) await page.openTab('shotlist', 0);
    await buyer.id('add-name').fill('The lighthouse');
    await buyer.id('add-item').click();
    await seller.id('shot').filter({hasText: 'The lighthouse'}).getByRole('checkbox').click();
    await buyer.page.locator('[data-testid=shot][data-status=done]').waitFor();
    await eventually(async () => (await buyer.id('shot-progress').innerText()) === '1 of 1 shots', 'the progress in the head');

    const service = await on.service();
    const lines = [{lineId: 'l1', kind: 'expense', amountCents: 1250, title: 'Ferry'}];
    await service.op('tab.put', {threadId, tab: 'expenses', version: 0, content: {currency: 'EUR', lines}});
    await buyer.openTab('expenses', 1);
    assert.equal(await buyer.id('expenses-total').innerText(), 'Total: €12.50');

    await seller.id('tab-actions').click();
    await seller.id('panel-item').waitFor({state: 'detached'});
    await buyer.propose('RESCHEDULE', {'schedule-start': '2030-01-05T10:00', 'schedule-end': '2030-01-05T12:00'});
    await seller.id('panel-item').filter({hasText: 'Reschedule'}).waitFor();
  });
});
