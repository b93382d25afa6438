// Files in the web client: chosen, pasted and dropped, through a network that breaks, and seen by the other member.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import {describe, it} from 'node:test';
import {isAccessible, fits} from './lib/axe.mjs';
import {ChatPage} from './lib/browser.mjs';
import {withCutProxy} from './lib/cut_proxy.mjs';
import {eventually} from './lib/deadline.mjs';
import {bring, choose, drawn, pair, picked, row, send, shown} from './lib/files_page.mjs';
import {withPages} from './lib/pages.mjs';
import {sunset} from './lib/picture.mjs';

const kMiB = 1 << 20;
const picture = (name, tint = 0) => ({name, mimeType: 'image/png', buffer: sunset(640, 400, tint)});
const pdf = (name, size) => ({name, mimeType: 'application/pdf', buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)])});

describe('files in the web client', () => {
  const on = withPages();
  const proxy = withCutProxy(() => new URL(on.server.http).port);

  it('are chosen, sent, seen as pictures by the other member, and opened in a gallery', async () => {
    const {anns, bobs} = await pair(on);
    await choose(anns, picture('pier.png'), picture('boats.png', 60), pdf('call sheet.pdf', 30_000));
    await isAccessible(anns.page, 'chosen files');
    await send(anns, 3, 'From this morning');
    await bobs.shows('From this morning');
    await eventually(async () => (await shown(bobs).count()) === 2, 'both pictures at the other member');
    for (const image of await bobs.id('picture-image').all()) await drawn(image);
    assert.deepEqual(await bobs.id('picture-image').evaluateAll((images) => images.map(({alt}) => alt)), ['pier.png', 'boats.png']);
    assert.match(await row(bobs).innerText(), /call sheet\.pdf[^]*PDF · 30 KB/);
    await isAccessible(bobs.page, 'a message with pictures');
    await fits(bobs.page, 'a message with pictures');

    await shown(bobs).first().focus();
    await bobs.page.keyboard.press('Enter');
    await drawn(bobs.id('gallery-image'));
    await isAccessible(bobs.page, 'the gallery');
    const first = await bobs.id('gallery-picture').getAttribute('data-attachment-id');
    await bobs.page.keyboard.press('ArrowRight');
    await bobs.id('gallery-status').getByText('2 of 2').waitFor();
    assert.notEqual(await bobs.id('gallery-picture').getAttribute('data-attachment-id'), first);
    await drawn(bobs.id('gallery-image'));
    await bobs.page.keyboard.press('Escape');
    await bobs.id('gallery').waitFor({state: 'detached'});
    assert.equal(await bobs.page.evaluate(() => document.activeElement.dataset.testid), 'picture', 'the focus is back');
    const saving = bobs.page.waitForEvent('download');
    await row(bobs).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'call sheet.pdf');
    assert.equal(fs.statSync(await saved.path()).size, 30_000);
  });

  it('are dropped and pasted', async () => {
    const {anns, bobs} = await pair(on);
    assert.equal(await bring(anns, 'dragover', [picture('dropped.png')]), true);
    await anns.id('drop-area').waitFor();
    await bring(anns, 'drop', [picture('dropped.png')]);
    await anns.id('drop-area').waitFor({state: 'detached'});
    assert.equal(await bring(anns, 'paste', [picture('pasted.png')]), true);
    await send(anns, 2);
    await eventually(async () => (await shown(bobs).count()) === 2, 'both pictures at the other member');
    for (const image of await bobs.id('picture-image').all()) await drawn(image);
  });

  it('are refused with the limit, before they are sent, and can be removed', async () => {
    const {anns, bobs} = await pair(on);
    await choose(anns, pdf('film.pdf', 27_000_000), {name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>')}, pdf('good.pdf', 3_000));
    await picked(anns, 'failed').nth(1).waitFor();
    const words = await picked(anns, 'failed').allInnerTexts();
    assert.match(words[0], /Too large: a file may have 26 MB at most/);
    assert.match(words[1], /Files of this type are not accepted here/);
    assert.equal(await anns.id('send-button').isDisabled(), true);
    await isAccessible(anns.page, 'refused files');
    const asked = [];
    anns.page.on('request', (request) => (request.method() === 'POST' ? asked.push(request.url()) : undefined));
    await choose(anns, pdf('again.pdf', 27_000_000));
    await picked(anns, 'failed').nth(2).waitFor();
    assert.deepEqual(asked.filter((url) => url.endsWith('/v1/uploads')), [], 'a known limit needs no request');
    for (let left = 3; left > 0; --left) await picked(anns, 'failed').first().getByTestId('picked-remove').click();
    await send(anns, 1);
    await row(bobs).waitFor();
  });

  it('go on after the connection was cut', async () => {
    const {ann, bob, threadId, bobs} = await pair(on);
    const chat = await ChatPage.open(on.windows.browser, {http: proxy.http}, ann, {threadId});
    on.windows.pages.push(chat);
    await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    assert.ok(bob);
    const cuts = proxy.cuts;
    proxy.cutAfter(1_700_000);
    const file = pdf('album.pdf', 4 * kMiB);
    await choose(chat, file);
    await send(chat, 1, 'The album');
    assert.equal(proxy.cuts, cuts + 1);
    await bobs.shows('The album');
    const saving = bobs.page.waitForEvent('download');
    await row(bobs).click();
    assert.ok(fs.readFileSync(await (await saving).path()).equals(file.buffer));
  });

  it('go on after a reload, if the same file is chosen', async () => {
    const {ann, threadId} = await pair(on);
    const chat = await ChatPage.open(on.windows.browser, {http: proxy.http}, ann, {threadId});
    on.windows.pages.push(chat);
    await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    proxy.cutAfter(2_500_000);
    const cuts = proxy.cuts;
    const file = pdf('album.pdf', 4 * kMiB);
    await chat.page.route('**/v1/uploads/**', (route) => (proxy.cuts > cuts ? route.abort() : route.continue()));
    await choose(chat, file);
    await eventually(() => proxy.cuts > cuts, 'the cut');
    chat.page.once('dialog', (dialog) => dialog.accept());
    await chat.page.reload();
    await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
    await chat.page.unroute('**/v1/uploads/**');
    const asked = [];
    chat.page.on('request', (request) => asked.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`.trim()));
    await choose(chat, file);
    await send(chat, 1);
    assert.ok(asked.includes('HEAD') && !asked.includes('PATCH 0'), `goes on: ${asked}`);
  });

  it('are cancelled', async () => {
    const {anns} = await pair(on);
    await anns.page.route('**/v1/uploads/**', (route) => (route.request().method() === 'PATCH' ? undefined : route.continue()));
    await choose(anns, pdf('large.pdf', kMiB));
    await picked(anns, 'uploading').waitFor();
    const ended = anns.page.waitForRequest((request) => request.method() === 'DELETE');
    await anns.id('picked-remove').click();
    assert.equal((await (await ended).response()).status(), 204);
    await anns.id('picked-files').waitFor({state: 'detached'});
  });
});
