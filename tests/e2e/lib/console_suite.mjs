// Shared by the console's tests: windows of members and of moderators on one server, and an offending message to moderate.
import {ChatPage, withBrowser, webClient} from './browser.mjs';
import {ConsolePage} from './console_page.mjs';
import {withServer} from './suite.mjs';
import {operatorOf} from './tenants.mjs';
import {createThread, say, users} from './world.mjs';

export const kNasty = 'You horrible person';

/** For a describe: a server (`on.server`), its sessions, and `on.chat` and `on.console` for windows. */
export function withConsole(options = {}) {
  const on = withServer({}, {args: ['--web', webClient()], ...options});
  const windows = withBrowser();
  const keep = async (page) => {
    windows.pages.push(await page);
    return page;
  };
  const opens = (Kind) => (userId, more) => keep(Kind.open(windows.browser, on.server, userId, more));
  return Object.assign(on, {chat: opens(ChatPage), console: opens(ConsolePage), keep, windows});
}

/** bob insults ann in a project of theirs. */
export async function quarrel(on) {
  const {ann, bob} = users('ann', 'bob');
  const [anns, bobs] = [await on.as(ann), await on.as(bob)];
  const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Harbour wedding'});
  await say(anns, threadId, 'When do we meet?');
  const {messageId} = await say(bobs, threadId, kNasty);
  await say(anns, threadId, 'I shall report this', {replyTo: messageId});
  return {ann, bob, anns, bobs, threadId, messageId};
}

export const report = (session, {threadId, messageId}, more = {}) =>
  session.request('message.report', {threadId, messageId, reason: 'harassment', notes: 'He means it', ...more});

/** Makes reports of messages, whose severity is medium, require two approvals. A reporter cannot set the severity. */
export async function needTwo(server) {
  const operator = operatorOf(server);
  const {tenant: {version}} = await operator.ok('GET', '/v1/tenants/demo');
  await operator.ok('PATCH', '/v1/tenants/demo', {version, settings: {safety: {dualApproval: ['medium', 'high', 'critical']}}});
}
