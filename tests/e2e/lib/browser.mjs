// Debian's Chromium, driven by playwright-core; finds elements of the web client by the data-testid names in its README.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, afterEach, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

const kChromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The folder of the built web client. */
export function webClient() {
  const dist = path.resolve(process.env.WEB_DIST ?? path.join(here, '../../../clients/web/dist'));
  if (!fs.existsSync(path.join(dist, 'index.html'))) {
    throw new Error(`there is no web client at ${dist}: run "npm ci && npm run build" in clients/, or set WEB_DIST`);
  }
  return dist;
}

export function launchBrowser() {
  return chromium.launch({
    executablePath: kChromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
           '--disable-component-update', '--disable-sync'],
  });
}

/** Saves the screen of a failed test. */
async function report({page, userId}) {
  const text = await page.locator('body').innerText({timeout: 1_000}).catch(String);
  console.error(`${userId} at ${page.url()}\n${text}`);
}

/**
 * For a describe: a browser with windows (`pages`), which are closed after each test; fails the test if one of them
 * had an error.
 */
export function withBrowser() {
  const windows = {browser: null, pages: []};
  before(async () => {
    windows.browser = await launchBrowser();
  });
  after(() => windows.browser?.close());
  afterEach(async (t) => {
    const pages = windows.pages.splice(0);
    if (t.passed === false) await Promise.all(pages.map(report));
    const complaints = pages.flatMap((window) => window.complaints);
    await Promise.all(pages.map((window) => window.page.context().close()));
    assert.deepEqual(complaints, [], 'no page ran into an error');
  });
  return windows;
}

/** One user's window. */
export class ChatPage {
  constructor(page, server, userId) {
    this.page = page;
    this.server = server;
    this.userId = userId;
    this.complaints = [];
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  /**
   * `role`: as staff of that role; `threadId`: at this thread; `viewport`: the size of the window. Other options are
   * for the browser's context.
   */
  static async open(browser, server, userId, {role, threadId, viewport, ...more} = {}) {
    const context = await browser.newContext(viewport ? {viewport, ...more} : more);
    const chat = new ChatPage(await context.newPage(), server, userId);
    const about = `${role ? `&role=${role}` : ''}${threadId ? `&thread=${threadId}` : ''}`;
    await chat.page.goto(`${server.http}/?user=${userId}${about}`);
    await chat.connected();
    return chat;
  }

  id(testId) {
    return this.page.getByTestId(testId);
  }

  banner(state) {
    return this.page.locator(`[data-testid=connection-banner][data-state=${state}]`).waitFor({state: 'attached'});
  }

  connected() {
    return this.banner('connected');
  }

  entry(threadId) {
    return this.page.locator(`[data-testid=inbox-entry][data-thread-id="${threadId}"]`);
  }

  /** Starts a conversation through the dialog; → its thread id. `kind`: message, inquiry or project. */
  async startThread(others, subject, kind = 'inquiry') {
    await this.id('new-thread').click();
    await this.id(`new-thread-kind-${kind}`).check();
    await this.id('new-thread-user').fill(`${others},`);
    if (subject !== undefined) await this.id('new-thread-subject').fill(subject);
    await this.id('new-thread-submit').click();
    const view = this.page.locator('[data-testid=thread-view][data-loaded=true]');
    await view.waitFor();
    return view.getAttribute('data-thread-id');
  }

  async openThread(threadId) {
    await this.entry(threadId).locator('button').first().click();
    await this.page.locator(`[data-testid=thread-view][data-thread-id="${threadId}"][data-loaded=true]`).waitFor();
  }

  /** Chooses an item of an entry's menu. */
  async menu(threadId, item) {
    await this.entry(threadId).hover();
    await this.entry(threadId).getByTestId('entry-more').click();
    await this.id(item).click();
  }

  async send(text) {
    await this.id('send-box').fill(text);
    await this.id('send-button').click();
  }

  message(text) {
    return this.page.locator('[data-testid=message]').filter({has: this.page.getByTestId('message-body').getByText(text, {exact: true})});
  }

  /** Waits until the message is shown exactly once, in one of these states. */
  async shows(text) {
    await this.message(text).first().waitFor();
    const count = await this.message(text).count();
    if (count !== 1) throw new Error(`${this.userId} sees "${text}" ${count} times`);
  }

  /** Waits until the entry's unread badge shows `count` (0: no badge). */
  async unread(threadId, count) {
    const badge = this.entry(threadId).getByTestId('unread');
    if (count === 0) await badge.waitFor({state: 'detached'});
    else await badge.filter({hasText: new RegExp(`^${count}\\b`)}).waitFor();
  }

  bodies() {
    return this.id('message-body').allInnerTexts();
  }

  /** The numbers of the messages shown, in the order shown. */
  async numbers() {
    const all = await this.id('message').evaluateAll((items) => items.map((item) => Number(item.dataset.msgNo)));
    return all.filter((no) => no > 0);
  }
}
