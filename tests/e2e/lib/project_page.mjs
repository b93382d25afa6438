// A page of the web client that shows a project: its action cards and the tabs of its panel.
import {ChatPage} from './browser.mjs';

export class ProjectPage extends ChatPage {
  static async open(browser, server, userId, threadId) {
    const context = await browser.newContext({timezoneId: 'UTC', locale: 'en-GB'});
    const project = new ProjectPage(await context.newPage(), server, userId);
    await project.stepIn();
    await project.page.goto(`${server.http}/?user=${userId}`);
    await project.connected();
    await project.openThread(threadId);
    return project;
  }

  /** Sits between page and server, to delay the server's frames. */
  async stepIn() {
    this.held = null;
    await this.page.routeWebSocket(/\/v1\/ws/, (socket) => {
      socket.connectToServer().onMessage((frame) => {
        if (this.held) this.held.push(() => socket.send(frame));
        else socket.send(frame);
      });
    });
  }

  /** From now on the page receives nothing, while the server still receives its frames. */
  holdEvents() {
    this.held = [];
  }

  releaseEvents() {
    const held = this.held;
    this.held = null;
    for (const pass of held) pass();
  }

  /** Waits for the card of this type in this state. */
  async card(type, state) {
    const card = this.page.locator(`[data-testid=card][data-type=${type}][data-state=${state}]`);
    await card.waitFor();
    return card;
  }

  /** Opens the menu of the intents, which exists if there are more than two. */
  async openIntents(card) {
    const menu = card.getByTestId('card-menu');
    await card.getByTestId('card-intent').or(menu).first().waitFor();
    if (await menu.count() === 1 && await menu.getAttribute('aria-expanded') === 'false') await menu.click();
  }

  /** The intents offered on the card, once `expected` is among them. */
  async intents(card, expected) {
    await this.openIntents(card);
    await card.locator(`[data-intent=${expected}]`).waitFor();
    return card.getByTestId('card-intent').evaluateAll((buttons) => buttons.map((button) => button.dataset.intent));
  }

  async press(card, intent) {
    await this.openIntents(card);
    await card.locator(`[data-intent=${intent}]`).click();
  }

  /** Fills the open form (in the card, or the one above the composer) and sends it. */
  async submitForm(within, values) {
    const form = within.getByTestId('card-form');
    for (const [name, value] of Object.entries(values)) {
      const field = form.getByTestId(name);
      if (value === true) await field.check();
      else if (await field.evaluate(({tagName}) => tagName) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    await form.getByTestId('card-form-submit').click();
  }

  /** Opens the form of a new card; less common kinds are under "More". */
  async startCard(type) {
    const button = this.id(`new-card-${type}`);
    if (await button.count() === 0) await this.id('new-card-more').click();
    await button.click();
  }

  async propose(type, values) {
    await this.startCard(type);
    await this.submitForm(this.page.locator('.new-card'), values);
  }

  /** Reloads the page and waits until its thread is shown again. */
  async reload() {
    await this.page.reload();
    await this.connected();
    await this.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
  }

  async openTab(tab, version) {
    if (await this.id('panel').count() === 0) await this.id('panel-toggle').click();
    await this.id(`tab-${tab}`).click();
    await this.tabAt(tab, version);
  }

  tabAt(tab, version) {
    return this.page.locator(`[data-testid=tab-content][data-tab=${tab}][data-version="${version}"]`).waitFor();
  }

  async editBrief(values) {
    await this.id('brief-edit').click();
    for (const [field, text] of Object.entries(values)) await this.id(`brief-${field}`).fill(text);
  }

  /** The conflict's view of a field: both versions and the user who changed it. */
  async conflictOf(field) {
    const box = this.page.locator(`[data-testid=conflict-field][data-field=${field}]`);
    await box.waitFor();
    const value = (side) => box.getByTestId(`conflict-${side}`).locator('.conflict-value').innerText();
    return {mine: await value('mine'), theirs: await value('theirs'), changed: await box.getAttribute('data-changed')};
  }
}
