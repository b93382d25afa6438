// Files in the console, by keyboard alone: a reported picture is hidden until the moderator asks, put into quarantine and
// released, and the members' pages follow.
import assert from 'node:assert/strict';
import {before, describe, it} from 'node:test';
import {isAccessible} from './lib/axe.mjs';
import {report, withConsole} from './lib/console_suite.mjs';
import {eventually} from './lib/deadline.mjs';
import {choose, drawn, row, send, shown} from './lib/files_page.mjs';
import {sunset} from './lib/picture.mjs';
import {operatorOf} from './lib/tenants.mjs';
import {allMessages, createThread, fresh, users} from './lib/world.mjs';

describe('files in the console', () => {
  const on = withConsole();
  // Only staff who are bound to a case fetch files in quarantine.
  before(async () => {
    const operator = operatorOf(on.server);
    const {tenant: {version}} = await operator.ok('GET', '/v1/tenants/demo');
    await operator.ok('PATCH', '/v1/tenants/demo', {version, settings: {staffAccess: 'cases'}});
  });

  it('are seen within their case only when asked for, and decided about', async () => {
    const {ann, bob} = users('ann', 'bob');
    const [anns, bobs] = [await on.as(ann), await on.as(bob)];
    const {thread: {threadId}} = await createThread(anns, bob, {subject: 'Harbour wedding'});
    const [his, hers] = [await on.chat(bob, {threadId}), await on.chat(ann, {threadId})];
    await choose(his, {name: 'beach.png', mimeType: 'image/png', buffer: sunset(640, 400)});
    await send(his, 1, 'Look');
    await drawn(hers.id('picture-image'));
    const message = (await allMessages(bobs, threadId)).at(-1);
    const {caseId} = await report(anns, {threadId, messageId: message.messageId});

    const mona = fresh('mona');
    const staff = await on.console(mona);
    const asked = [];
    staff.page.on('request', (request) => (request.url().includes('/v1/files/') ? asked.push(request.url()) : undefined));
    await staff.openCase(caseId);
    const file = (state) => staff.page.locator(`[data-testid=case-file][data-state=${state}]`);
    await file('ready').locator('bdi').getByText('beach.png').waitFor();
    await isAccessible(staff.page, 'a case with a file');
    assert.deepEqual(asked, [], 'nothing is fetched before it is asked for');
    assert.equal(await staff.id('case-image').count(), 0);
    await staff.keyTo('file-show');
    await staff.press('Enter');
    await drawn(staff.id('case-image'));
    assert.ok(asked.some((url) => url.includes('variant=blurred')) && !asked.some((url) => url.includes('variant=preview')), 'blurred at first');
    await staff.press('Enter');
    await staff.page.locator('[data-testid=case-picture][data-shown=clear]').waitFor();
    await drawn(staff.id('case-image'));

    await staff.keyTo('file-decide');
    await staff.press('Enter');
    await staff.id('file-dialog').waitFor();
    await isAccessible(staff.page, 'a decision about a file');
    await staff.keyTo('file-state');
    await staff.choose('quarantined', 'Put');
    await staff.giveReason('file-form', 'A stolen picture');
    await file('quarantined').waitFor();
    await row(hers, 'quarantined').waitFor();
    await row(his, 'quarantined').waitFor();
    await eventually(() => staff.page.evaluate(() => document.activeElement !== document.body), 'the focus to be somewhere');

    await staff.page.reload();
    await file('quarantined').waitFor();
    await staff.keyTo('file-show');
    await staff.press('Enter', 'Enter');
    await drawn(staff.id('case-image'));
    await staff.keyTo('file-decide');
    await staff.press('Enter');
    await staff.keyTo('file-state');
    await staff.choose('ready', 'Rel');
    await staff.keyTo('file-band');
    await staff.choose('2', 'Mat');
    await staff.giveReason('file-form', 'It is his own, but mature');
    await file('ready').waitFor();
    await drawn(hers.id('picture-blurred'));
    await shown(his).waitFor();
    const {entries} = await (await on.as(mona, {role: 'moderator'})).request('moderation.audit', {threadId});
    const actions = entries.map(({action}) => action);
    for (const action of ['moderation.file', 'look.files.get', 'look.files.getQuarantined']) assert.ok(actions.includes(action), `${action} in ${actions}`);
  });
});
