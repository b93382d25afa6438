// A tool, not a test: makes docs/images/web-client.png, the picture of the web client in the README. It starts a
// server, lets four people prepare a photo shoot, and takes the buyer's view.
//   node screenshot.mjs [FILE]          needs the built server and web client, and a font with emoji (fonts-noto-color-emoji)
//   SHOT_WIDTH, SHOT_HEIGHT             another window than 1280 × 800
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {ChatPage, launchBrowser, webClient} from './lib/browser.mjs';
import {Sessions} from './lib/client.mjs';
import {service} from './lib/http.mjs';
import {Server} from './lib/server.mjs';
import {say} from './lib/world.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const file = path.resolve(process.argv[2] ?? path.join(here, '../../docs/images/web-client.png'));
const viewport = {width: Number(process.env.SHOT_WIDTH ?? 1280), height: Number(process.env.SHOT_HEIGHT ?? 800)};
const [kAlice, kBob, kCarol, kDave] = ['usr_alice', 'usr_bob', 'usr_carol', 'usr_dave'];

const server = await Server.start({args: ['--web', webClient(), '--card-ports', 'booking']});
const sessions = new Sessions(server, {});
const browser = await launchBrowser();
try {
  const [alice, bob, carol, dave] = await Promise.all([kAlice, kBob, kCarol, kDave].map((id) => sessions.as(id)));
  const start = async (session, kind, other, subject, more = {}) => {
    const buyerSeller = {buyerUserId: session.userId, sellerUserId: other};
    const role = kind === 'inquiry' ? subject : undefined;  // otherwise a pair has only one inquiry
    const args = {kind, ...buyerSeller, subject, role, clientId: `shot-${subject}`, ...more};
    return (await session.request('thread.create', args)).thread.threadId;
  };
  const react = (session, threadId, messageId, emoji) =>
    session.request('message.react', {threadId, messageId, emoji, on: true});

  const loft = await start(dave, 'inquiry', kAlice, 'Loft with north light');
  await say(dave, loft, 'Is the loft free on the 12th? We would need it from eight in the morning.');
  for (const [other, subject, words] of [
    [kDave, 'Studio, two hours', 'Booked. The key is at the bakery.'], [kBob, 'Prints for my mother', 'They are on their way.'],
    [kCarol, 'Retouching', 'Which of the three do you like?']]) {
    const threadId = await start(alice, 'inquiry', other, subject);
    const {messageId} = await say(await sessions.as(other), threadId, words);
    await alice.request('read.mark', {threadId, messageId});
  }
  const rings = await start(alice, 'inquiry', kCarol, 'Ring close-ups');
  await say(alice, rings, 'Do you have a macro lens?');
  await say(carol, rings, 'I do. Two, in fact.');
  await alice.request('inbox.set', {threadId: rings, label: 'wedding'});
  const album = await start(alice, 'project', kDave, 'Album, 40 pages');
  await say(dave, album, 'The first spread is ready for you to look at.');
  await say(dave, album, 'Paper samples are in the post.');

  const shoot = await start(alice, 'project', kBob, 'Harbour wedding', {participants: [{userId: kCarol}]});
  await alice.request('inbox.set', {threadId: shoot, pinned: true, label: 'wedding'});
  const plan = await say(alice, shoot, 'We meet at the **old pier**, gate 3, at 09:30.');
  await bob.request('message.pin', {threadId: shoot, messageId: plan.messageId, pinned: true});
  await say(bob, shoot, 'Sunrise is at 6:52. If it stays dry we get:\n\n| Where | When |\n|---|--:|\n| Lighthouse | 10:00 |\n| Fish market | 11:15 |');
  const carols = await say(carol, shoot, 'I bring the drone, and my *good* shoes 👟', {replyTo: plan.messageId});
  for (const [who, emoji] of [[alice, '🎉'], [bob, '🎉'], [alice, '👍']]) await react(who, shoot, carols.messageId, emoji);
  const list = await bob.request('message.send', {
    threadId: shoot, clientId: 'list', type: 'asset', body: 'The call sheet for everybody:',
    attachments: [{kind: 'preview', s3Key: 'threads/harbour/call-sheet.pdf', mime: 'application/pdf'}]});
  await react(carol, shoot, list.messageId, '👀');
  await say(alice, shoot, 'Perfect, thank you! The weather looks better an hour later, though.');
  await bob.request('card.create', {
    threadId: shoot, clientId: 'later', type: 'RESCHEDULE',
    payload: {newStart: '2031-05-17T09:30:00.000Z', newEnd: '2031-05-17T13:30:00.000Z', reason: 'The fog lifts by then'}});
  const shot = (id, name, done) => ({id, name, status: done ? 'done' : 'todo', refs: [], notes: ''});
  await alice.request('tab.put', {threadId: shoot, tab: 'shotlist', version: 0, content: {
    shots: [shot('1', 'Couple at the lighthouse', true), shot('2', 'Rings on the old rope', true), shot('3', 'Fish market, from above', false),
            shot('4', 'The grandparents', false), shot('5', 'Everybody on the pier', false)]}});
  await alice.request('tab.put', {threadId: shoot, tab: 'brief', version: 0, content: {title: 'Harbour wedding', goals: 'Warm, unposed'}});
  const files = {proofs: [{id: 'p1', name: 'scouting-01.jpg', s3Key: 'p/1', mime: 'image/jpeg', bytes: 2_400_000, nsfwBand: 0}], finals: []};
  await (await service(server)).op('tab.put', {threadId: shoot, tab: 'files', version: 0, content: files});

  const context = await browser.newContext({viewport, timezoneId: 'UTC', locale: 'en-GB', colorScheme: process.env.SHOT_DARK ? 'dark' : 'light'});
  const chat = new ChatPage(await context.newPage(), server, kAlice);
  await chat.page.addInitScript((id) => {
    localStorage.setItem(`parley.draft.usr_alice ${id}`, JSON.stringify({text: 'Matt paper, please, and', at: 1}));
  }, album);
  await chat.page.goto(`${server.http}/?user=${kAlice}&thread=${shoot}`);
  await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
  await chat.page.getByTestId('card-menu').waitFor();
  if (viewport.width >= 1_100) {
    await chat.id('panel-toggle').click();
    await chat.id('tab-shotlist').click();
    await chat.id('shot').nth(4).waitFor();
  }
  // The picture shows the font Inter if it is installed; the client itself uses the system's.
  await chat.page.addStyleTag({content: ':root { font-family: Inter, system-ui, sans-serif; }'});
  const typing = chat.id('typing').waitFor();
  await carol.request('thread.open', {threadId: shoot});
  await carol.request('typing.set', {threadId: shoot, typing: true});
  await typing;
  await chat.page.evaluate(() => document.fonts.ready);
  if (process.env.SHOT_DO) await (await import(path.resolve(process.env.SHOT_DO))).default(chat, {loft, rings, album, shoot, plan, carols});
  fs.mkdirSync(path.dirname(file), {recursive: true});
  await chat.page.screenshot({path: file});
  if (chat.complaints.length > 0) console.error(chat.complaints);
  console.log(`${file}: ${Math.ceil(fs.statSync(file).size / 1024)} KiB`);
} finally {
  await sessions.closeAll();
  await browser.close();
  await server.dispose();
}
