// Files in the web client that the tenant's back end checks: pending, in quarantine, and hidden by Safe-Mode.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {choose, drawn, pair, row, send, shown} from './lib/files_page.mjs';
import {bearer, call} from './lib/http.mjs';
import {withPages} from './lib/pages.mjs';
import {sunset} from './lib/picture.mjs';

// Each has its own bytes: equal ones would share the quarantine of the first.
const picture = (name, tint = 0) => ({name, mimeType: 'image/png', buffer: sunset(640, 400, tint)});

describe('files that the back end judges', () => {
  const on = withPages('--files-scan', 'service');

  async function judge(chat, body) {
    const attachmentId = await chat.page.locator('[data-attachment-id]').last().getAttribute('data-attachment-id');
    const headers = bearer(await on.token('svc_backend', {role: 'service'}));
    const {status, text} = await call(on.server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body, headers});
    assert.equal(status, 200, text);
  }

  it('are pending until then, and become a picture on every page', async () => {
    const {anns, bobs} = await pair(on);
    await choose(anns, picture('pier.png'));
    await send(anns, 1);
    for (const chat of [anns, bobs]) assert.match(await row(chat, 'pending').innerText(), /pier\.png[^]*being checked/);
    await isAccessible(bobs.page, 'a pending file');
    await judge(bobs, {state: 'ready', nsfwBand: 0});
    for (const chat of [anns, bobs]) await drawn(chat.id('picture-image'));
    await judge(bobs, {state: 'quarantined', reason: 'a stolen picture'});
    for (const chat of [anns, bobs]) assert.match(await row(chat, 'quarantined').innerText(), /Held back/);
    await isAccessible(bobs.page, 'a file in quarantine');
  });

  it('are blurred for others if they are mature, until an adult asks to see them', async () => {
    const {anns, bobs} = await pair(on);
    await choose(anns, picture('beach.png', 40));
    await send(anns, 1);
    await row(bobs, 'pending').waitFor();
    await judge(bobs, {state: 'ready', nsfwBand: 2});
    await drawn(anns.id('picture-image'));
    await drawn(bobs.id('picture-blurred'));
    await shown(bobs, 'blurred').getByText('hidden by Safe-Mode').waitFor();
    await isAccessible(bobs.page, 'a blurred picture');
    await bobs.id('picture-lift').click();
    await drawn(bobs.id('picture-image'));
  });

  it('are blurred without a way to see them where the conversation requires Safe-Mode', async () => {
    const {anns, bobs} = await pair(on, {safeModeRequired: true});
    await choose(anns, picture('one.png', 80));
    await send(anns, 1);
    await row(bobs, 'pending').waitFor();
    await judge(bobs, {state: 'ready', nsfwBand: 2});
    await shown(bobs, 'blocked').getByText('requires Safe-Mode').waitFor();
    assert.equal(await bobs.page.getByTestId('picture-lift').count(), 0);
    assert.equal(await shown(bobs, 'blocked').locator('img').count(), 0);
  });
});
