// Pages of the web client in common window sizes.
import {ChatPage, withBrowser, webClient} from './browser.mjs';
import {withServer} from './suite.mjs';

/** A desktop, a small laptop, a phone. */
export const kWindows = [{width: 1440, height: 900}, {width: 1024, height: 768}, {width: 390, height: 844}];

/** For a describe: a server with these flags, and `openPage` and `openAll` for its pages. */
export function withPages(...flags) {
  const on = withServer({}, {args: ['--web', webClient(), ...flags]});
  const windows = withBrowser();
  const openPage = async (userId, options) => {
    const chat = await ChatPage.open(windows.browser, on.server, userId, options);
    windows.pages.push(chat);
    return chat;
  };
  const openAll = (...userIds) => Promise.all(userIds.map((userId) => openPage(userId)));
  return Object.assign(on, {openPage, openAll, windows});
}
