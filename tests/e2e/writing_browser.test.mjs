// What a person writes is theirs until it is sent: drafts, answers, edits and unsent messages, in Chromium with the real server.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {allMessages, createThread, fresh, say, users} from './lib/world.mjs';

describe('what is being written', () => {
  const on = withServer({}, {args: ['--web', webClient()]});
  const windows = withBrowser();

  /** ann's window at a thread with bob, and bob's session. */
  async function talk() {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Writing'});
    const {thread: {threadId: other}} = await createThread(anns, bob, {subject: 'Elsewhere'});
    const page = await ChatPage.open(windows.browser, on.server, ann, {viewport: {width: 1280, height: 900}});
    windows.pages.push(page);
    return {ann, bob, anns, bobs, threadId, other, page};
  }
  const box = (page) => page.id('send-box').inputValue();
  const mode = (page, kind) => page.page.locator(`[data-testid=composer-mode][data-mode=${kind}]`);
  const press = async (page, text, button) => {
    await page.message(text).hover();
    await page.message(text).getByTestId(button).click();
  };

  it('is a draft, an answer or an edit: each survives looking elsewhere, and none overwrites another', async () => {
    const {anns, bobs, threadId, other, page} = await talk();
    await say(anns, threadId, 'At noon then');
    await say(bobs, threadId, 'When do we meet?');
    const away = async () => {
      await page.openThread(other);
      assert.equal(await box(page), '');
      assert.equal(await page.id('composer-mode').count(), 0);
      await page.openThread(threadId);
    };
    await page.openThread(threadId);
    await page.shows('When do we meet?');
    await page.id('send-box').fill('The draft');
    await away();
    assert.equal(await box(page), 'The draft');
    await press(page, 'When do we meet?', 'message-reply');
    assert.equal(await box(page), 'The draft');
    await away();
    await mode(page, 'reply').getByText('When do we meet?').waitFor();

    await press(page, 'At noon then', 'message-edit');
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At noon then');
    await page.id('send-box').fill('At one then');
    await away();
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At one then');
    await page.page.reload();
    await page.connected();
    await mode(page, 'edit').waitFor();
    assert.equal(await box(page), 'At one then');
    await page.id('send-box').press('Enter');
    await page.shows('At one then');

    // The answer is where it was, and so is its text.
    await mode(page, 'reply').getByText('When do we meet?').waitFor();
    assert.equal(await box(page), 'The draft');
    await page.id('send-box').press('Enter');
    await page.shows('The draft');
    assert.equal(await box(page), '');
    assert.equal(await page.id('composer-mode').count(), 0);
    const messages = await allMessages(anns, threadId);
    assert.deepEqual(messages.map(({body, replyTo}) => [body, replyTo !== null]), [['At one then', false], ['When do we meet?', false], ['The draft', true]]);
  });

  it('leaves the other tab when it is sent in one', async () => {
    const {ann, threadId, page} = await talk();
    await page.openThread(threadId);
    const second = new ChatPage(await page.page.context().newPage(), on.server, ann);
    windows.pages.push(second);
    await second.page.goto(`${on.server.http}/?user=${ann}&thread=${threadId}`);
    await second.connected();
    await page.id('send-box').fill('Typed once');
    await eventually(async () => (await box(second)) === 'Typed once', 'the draft in the other tab');
    await page.id('send-box').press('Enter');
    await second.shows('Typed once');
    await eventually(async () => (await box(second)) === '', 'the sent draft gone from the other tab');
  });

  it('is not sent by an Enter that belongs to an input method, in the order of Safari either', async () => {
    const {anns, threadId, page} = await talk();
    await page.openThread(threadId);
    await page.id('send-box').fill('日本');
    await page.id('send-box').evaluate((element) => {
      const key = (init) => element.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, ...init}));
      element.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
      key({keyCode: 229, isComposing: true}); // everywhere else: while it composes
      element.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '日本'}));
      key({keyCode: 229, isComposing: false}); // Safari: when it has composed
    });
    assert.equal(await box(page), '日本');
    await page.id('send-box').press('End');
    await page.id('send-box').pressSequentially('語');
    await page.id('send-box').press('Enter');
    await page.shows('日本語');
    assert.deepEqual((await allMessages(anns, threadId)).map(({body}) => body), ['日本語']);
  });
});
