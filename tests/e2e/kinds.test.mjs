// Users who talk without a project, each in a page of the web client, through the real server: direct threads and groups.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {users} from './lib/world.mjs';

describe('users who talk without a project', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  // Remove this and its two uses once the server has these kinds.
  async function skippedWithoutKinds(test) {
    const {ann, bob} = users('ann', 'bob');
    const args = {kind: 'direct', participants: [{userId: bob}]};
    const known = await (await on.as(ann)).request('thread.create', args).then(() => true, (error) => error.error?.fields?.kind === undefined);
    if (known) return false;
    test.skip('this server knows no direct threads and groups yet');
    return true;
  }

  async function open(...userIds) {
    const opened = await Promise.all(userIds.map((userId) => ChatPage.open(windows.browser, on.server, userId)));
    windows.pages.push(...opened);
    return opened;
  }

  /** Actions of projects are not offered. */
  async function hasNoProject(page) {
    for (const id of ['panel-toggle', 'new-card', 'panel']) assert.equal(await page.id(id).count(), 0, id);
  }

  const peopleOf = (page) => page.id('participant').evaluateAll((people) => people.map((person) => person.dataset.userId).sort());

  it('write to each other in their one permanent thread', async (test) => {
    if (await skippedWithoutKinds(test)) return;
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = await open(ann, bob);
    const threadId = await anns.startThread(bob, undefined, 'message');
    assert.match(await anns.id('thread-title').innerText(), /^Bob/);
    await anns.send('Hello, you');
    await bobs.entry(threadId).getByText(/^Ann/).waitFor();
    await bobs.unread(threadId, 1);
    await bobs.openThread(threadId);
    assert.match(await bobs.id('thread-title').innerText(), /^Ann/);
    await bobs.send('Hello yourself');
    await anns.shows('Hello yourself');
    for (const page of [anns, bobs]) {
      await hasNoProject(page);
      assert.deepEqual(await peopleOf(page), [ann, bob].sort());
      for (const id of ['participant-remove', 'participant-add']) assert.equal(await page.id(id).count(), 0, id);
    }
    assert.equal(await bobs.startThread(ann, undefined, 'message'), threadId, 'there is one thread of the two');
    assert.equal(await bobs.id('inbox-entry').count(), 1);

    // The other user's name is shown without opening the thread, regardless of who wrote last.
    await anns.page.goto(`${on.server.http}/?user=${ann}`);
    await anns.connected();
    await bobs.send('Are you still there?');
    await anns.entry(threadId).getByText(/^Bob/).waitFor();
  });

  it('create a group, whose owner adds and removes members and which a member leaves', async (test) => {
    if (await skippedWithoutKinds(test)) return;
    const {ann, bob, carol, dave} = users('ann', 'bob', 'carol', 'dave');
    const [anns, bobs, carols] = await open(ann, bob, carol);
    const threadId = await anns.startThread([bob, carol].join(','), 'Climbing', 'message');
    assert.equal(await anns.id('thread-title').innerText(), 'Climbing');
    for (const page of [bobs, carols]) {
      await page.openThread(threadId);
      await hasNoProject(page);
      assert.equal(await page.id('participant-add').count(), 0, 'a member does not add');
      assert.equal(await page.id('participant-remove').count(), 1, 'but may leave');
    }
    await hasNoProject(anns);
    await anns.id('participant-input').fill(dave);
    await anns.id('participant-add').click();
    await eventually(async () => String(await peopleOf(carols)) === String([ann, bob, carol, dave].sort()), 'four of them');

    const person = (page, userId) => page.page.locator(`[data-testid=participant][data-user-id=${userId}]`);
    await person(anns, bob).getByTestId('participant-remove').click();
    await person(anns, bob).getByTestId('participant-remove-confirm').click();
    await person(carols, bob).waitFor({state: 'detached'});
    await bobs.entry(threadId).waitFor({state: 'detached'});

    await person(carols, carol).getByTestId('participant-remove').click();
    await person(carols, carol).getByTestId('participant-remove-confirm').click();
    await carols.entry(threadId).waitFor({state: 'detached'});
    await eventually(async () => String(await peopleOf(anns)) === String([ann, dave].sort()), 'two are left');
  });
});
