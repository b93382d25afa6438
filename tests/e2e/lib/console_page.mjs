// A moderator's window of the console, used only by keyboard: nothing here clicks.
import assert from 'node:assert/strict';
import {ChatPage} from './browser.mjs';
import {eventually} from './deadline.mjs';

export class ConsolePage extends ChatPage {
  /**
   * Opens a window in a new context. `role` null: as a member; `token`: signs in with it; `place`: the rest of the
   * address, such as `view=audit`; `viewport`: the size of the window.
   */
  static async open(browser, server, userId, {role = 'moderator', token, place = '', viewport} = {}) {
    const context = await browser.newContext(viewport ? {viewport} : {});
    const page = new ConsolePage(await context.newPage(), server, userId);
    const who = token ? '' : `user=${userId}${role === null ? '' : `&role=${role}`}&`;
    await page.page.goto(`${server.http}/console?${who}${place}${token ? `#token=${token}` : ''}`);
    await page.connected();
    return page;
  }

  /** Presses these keys one after the other, such as `g q`. */
  async press(...keys) {
    for (const key of keys.flatMap((one) => one.split(' '))) await this.page.keyboard.press(key);
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** The testid, or otherwise the id, of the element with the focus. */
  focused() {
    return this.page.evaluate(() => document.activeElement?.getAttribute('data-testid') || document.activeElement?.id || document.activeElement?.tagName);
  }

  focusedIs(testId, why) {
    return eventually(async () => (await this.focused()) === testId, `the focus on ${testId}${why ? `: ${why}` : ''}`);
  }

  /** Presses `key` until the focus is on `testId`. */
  async keyTo(testId, key = 'Tab', most = 60) {
    for (let pressed = 0; pressed < most; ++pressed) {
      if ((await this.focused()) === testId) return;
      await this.page.keyboard.press(key);
    }
    assert.fail(`${key} does not lead to ${testId}, but to ${await this.focused()}`);
  }

  /** On a closed list of choices with the focus: types the first letters of one until it is chosen. */
  async choose(value, letters) {
    const chosen = () => this.page.evaluate(() => document.activeElement?.value);
    await this.type(letters);
    await eventually(async () => (await chosen()) === value, `"${value}" chosen by typing ${letters}`);
  }

  /** Goes to a case, a user or a conversation by its id. */
  async goTo(id) {
    await this.press('g i');
    await this.id('go-to-id').waitFor();
    await this.focusedIs('go-to-id');
    await this.type(`${id}\n`);
  }

  /** Submits a form that asks for a reason. */
  async giveReason(form, reason) {
    await this.keyTo(`${form}-reason`);
    await this.type(`${reason}\n`);
  }

  row(caseId) {
    return this.page.locator(`[data-testid=case-row][data-case-id=${caseId}]`);
  }

  /** Moves through the queue to a case and opens it. */
  async openCase(caseId) {
    const on = () => this.page.evaluate(() => document.activeElement?.closest('[data-case-id]')?.getAttribute('data-case-id'));
    await this.row(caseId).waitFor();
    const rows = await this.id('case-row').count();
    for (let pressed = 0; (await on()) !== caseId; ++pressed) {
      assert.ok(pressed <= rows, `j walks to ${caseId}`);
      await this.press('j');
    }
    await this.press('Enter');
    await this.case(caseId).waitFor();
  }

  /** The title of a case, in the given state. */
  case(caseId, status) {
    return this.page.locator(`[data-testid=case][data-case-id=${caseId}]${status ? `[data-status=${status}]` : '[data-status]'}`);
  }

  async decide(key, notes) {
    await this.press(key);
    await this.focusedIs('decide-notes');
    await this.type(notes);
    await this.press('Control+Enter');
  }

  /** The number of cases of a status, as the filters show it. */
  counts(status, number) {
    return this.page.locator(`[data-testid=count][data-of=${status}]`).filter({hasText: new RegExp(`^${number}$`)}).waitFor();
  }
}
