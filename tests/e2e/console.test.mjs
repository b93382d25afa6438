// The console of those who moderate, in Chromium, by keyboard alone: a report is seen without a reload. Every page is looked
// at by axe-core.
import {describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {ChatPage, withBrowser, webClient} from './lib/browser.mjs';
import {ConsolePage} from './lib/console_page.mjs';
import {withServer} from './lib/suite.mjs';
import {createThread, fresh, say, users} from './lib/world.mjs';

const kNasty = 'You horrible person';

/** For a describe: a server, and windows of members and of moderators. */
function withConsole(...flags) {
  const on = withServer({}, {args: ['--web', webClient(), ...flags]});
  const windows = withBrowser();
  const opens = (kind) => async (userId, options) => {
    const page = await kind.open(windows.browser, on.server, userId, options);
    windows.pages.push(page);
    return page;
  };
  return Object.assign(on, {chat: opens(ChatPage), console: opens(ConsolePage)});
}

/** bob says something to ann in a project of theirs. */
async function quarrel(on) {
  const {ann, bob} = users('ann', 'bob');
  const [anns, bobs] = [await on.as(ann), await on.as(bob)];
  const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Harbour wedding'});
  await say(anns, threadId, 'When do we meet?');
  const {messageId} = await say(bobs, threadId, kNasty);
  await say(anns, threadId, 'I shall report this');
  return {ann, bob, anns, bobs, threadId, messageId};
}

const report = (session, {threadId, messageId}, more = {}) =>
  session.request('message.report', {threadId, messageId, reason: 'harassment', notes: 'He means it', ...more});

describe('a moderator', () => {
  const on = withConsole();

  it('H101 H103 sees a report come into the open queue, and its counts change', async () => {
    const queue = await on.console(fresh('mona'));
    await queue.counts('pending', 0);
    await isAccessible(queue.page, 'an empty queue');
    const {anns, ...said} = await quarrel(on);
    const {caseId} = await report(anns, said);
    await queue.row(caseId).waitFor();
    await queue.counts('pending', 1);
    await queue.id('queue-news').filter({hasText: '1 new case'}).waitFor({state: 'attached'});
    await isAccessible(queue.page, 'the queue');
  });
});
