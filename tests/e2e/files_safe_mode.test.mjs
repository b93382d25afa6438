// Which bytes of a file each viewer gets: a table of states, bands, viewers and variants, judged by a table of this test. Behaviours 86 and 88 to 90.
import assert from 'node:assert/strict';
import {before, describe, it} from 'node:test';
import {call} from './lib/http.mjs';
import {eventually} from './lib/deadline.mjs';
import {withServer} from './lib/suite.mjs';
import {awaitUpload, beginUpload, fetchLink, fetchUpload, judgeUpload, putUpload, sendFiles, showUpload, storedVariants} from './lib/file_calls.mjs';
import {png, sha256} from './lib/uploads.mjs';
import {createThread, entryOf, fresh} from './lib/world.mjs';

/** A picture whose preview is as wide as it is, and whose thumb is smaller. */
const picture = () => png(700, 20);
const kBands = [null, 0, 1, 2];
const kVariants = ['original', 'preview', 'thumb'];

/** Viewers: the band up to which they see clearly, and in threads that require Safe-Mode. `query` is part of each request. */
const kViewers = {
  uploader: {all: true, knowsUnsent: true},
  member: {max: 1},
  minor: {max: 1, query: '&safeMode=off'},
  adult: {max: 1},
  adultByRequest: {max: 2, liftable: true, query: '&safeMode=off'},
  adultByPreference: {max: 2, liftable: true},
  adultWhoAsksForIt: {max: 1, query: '&safeMode=on'},
  staffWithoutCase: {outside: true},
  staffWithCase: {all: true, knowsUnsent: true, seesQuarantined: true},
  service: {all: true, knowsUnsent: true, examines: true},
  stranger: {outside: true},
};

/** By the viewer's highest band: original, preview, thumb of files of band null, 0, 1 and 2. c: as asked, b: blurred, x: refused. */
const kReady = {0: ['xbb', 'ccc', 'xbb', 'xxx'], 1: ['xbb', 'ccc', 'ccc', 'xbb'], 2: ['xbb', 'ccc', 'ccc', 'ccc']};

/** What the viewer gets for the variant: original, preview, thumb, blurred, or the code of a refusal. */
function expected({state, band, sent, required}, viewer, variant) {
  const pending = 'ACTION_INVALID_STATE';
  if (viewer.outside || (!sent && !viewer.knowsUnsent)) return 'NOT_FOUND';
  if (state === 'requested' || state === 'uploading') return pending;
  if (state === 'scanning') return viewer.examines ? variant : pending;
  if (state === 'quarantined') return viewer.seesQuarantined ? variant : 'UPLOAD_QUARANTINED';
  if (state !== 'ready') return 'NOT_FOUND';
  if (viewer.all) return variant;
  const max = required ? 0 : viewer.max;
  return {c: variant, b: 'blurred', x: 'MSG_NSFW_BLOCKED'}[kReady[max][kBands.indexOf(band)][kVariants.indexOf(variant)]];
}

const kServices = ['--files-scan', 'service', '--files-band', 'service'];

describe('Files by state, band, viewer and variant', () => {
  const on = withServer({}, {args: [...kServices, '--staff-access', 'cases'], concurrent: true});
  const files = [];
  const tokens = {};
  let ann, key, stored;

  async function makeThread(required) {
    const people = await Promise.all(['bob', 'kid', 'amy', 'ada', 'pam', 'amo'].map((name) => on.as(fresh(name))));
    const {thread} = await createThread(ann, people[0].userId, {safeModeRequired: required});
    for (const one of people.slice(1)) await ann.request('participant.add', {threadId: thread.threadId, userId: one.userId});
    const [bob, kid, amy, ada, pam, amo] = people.map((one) => one.userId);
    const adult = {attrs: {adult: true}};
    await prefer(pam);
    const lead = await on.staff();
    const {caseId} = await people[0].request('thread.report', {threadId: thread.threadId, reason: 'spam'});
    await lead.request('moderation.case', {caseId});
    tokens[required] = {
      uploader: await on.token(ann.userId),
      member: await on.token(bob),
      minor: await on.token(kid),
      adult: await on.token(amy, adult),
      adultByRequest: await on.token(ada, adult),
      adultByPreference: await on.token(pam, adult),
      adultWhoAsksForIt: await on.token(amo, adult),
      staffWithoutCase: await on.token(fresh('mod'), {role: 'moderator'}),
      staffWithCase: await on.token(lead.userId, {role: 'moderator'}),
      service: key,
      stranger: await on.token(fresh('eve')),
    };
    return thread.threadId;
  }

  /** The user's preference, which is kept for all their devices. */
  async function prefer(userId) {
    const made = await call(on.server, 'POST', '/v1/users', {body: {userId}, headers: {authorization: `Bearer ${key}`}});
    assert.ok(made.status === 201 || made.status === 409, made.text);
    const token = await on.token(userId);
    const {json} = await call(on.server, 'GET', `/v1/users/${userId}`, {headers: {authorization: `Bearer ${token}`}});
    const changed = await call(on.server, 'PATCH', `/v1/users/${userId}`, {
      body: {version: json.user.version, preferences: {safeMode: 'off'}}, headers: {authorization: `Bearer ${token}`}});
    assert.equal(changed.status, 200, changed.text);
  }

  async function scanned(threadId) {
    const attachmentId = await putUpload(on.server, tokens.false?.uploader ?? await on.token(ann.userId), threadId, picture());
    await awaitUpload(on.server, key, attachmentId, ({variants}) => variants?.length === 3);
    return attachmentId;
  }

  async function addComplete(threadId, required, state, band, sent) {
    const attachmentId = await scanned(threadId);
    if (sent) await sendFiles(ann, threadId, attachmentId);
    if (band !== null) await judgeUpload(on.server, key, attachmentId, {nsfwBand: band});
    if (state !== 'scanning') await judgeUpload(on.server, key, attachmentId, {state});
    const shown = await showUpload(on.server, key, attachmentId);
    assert.deepEqual([shown.state, shown.nsfwBand ?? null], [state, band]);
    files.push({attachmentId, state, band, sent, required});
  }

  async function addOthers(threadId, token) {
    const add = (attachmentId, state, sent = false) => files.push({attachmentId, state, band: null, sent, required: false});
    add((await beginUpload(on.server, token, threadId, picture())).attachmentId, 'requested');
    const bytes = picture();
    const part = await beginUpload(on.server, token, threadId, bytes);
    const patched = await call(on.server, 'PATCH', part.uploadUrl, {body: bytes.subarray(0, 100), headers: {
      'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0'}});
    assert.equal(patched.status, 204, patched.text);
    add(part.attachmentId, 'uploading');
    const cancelled = await beginUpload(on.server, token, threadId, bytes);
    assert.equal((await call(on.server, 'DELETE', cancelled.uploadUrl, {headers: {'tus-resumable': '1.0.0'}})).status, 204);
    add(cancelled.attachmentId, 'cancelled');
    const failed = await beginUpload(on.server, token, threadId, Buffer.alloc(100, 'x'));
    assert.equal((await call(on.server, 'PUT', failed.uploadUrl, {body: Buffer.alloc(100, 'x')})).status, 422);
    add(failed.attachmentId, 'failed');
    const removed = await scanned(threadId);
    const {messageId} = await sendFiles(ann, threadId, removed);
    await judgeUpload(on.server, key, removed, {state: 'ready', nsfwBand: 0});
    await ann.request('message.delete', {threadId, messageId});
    add(removed, 'removed', true);
  }

  before(async () => {
    ann = await on.as(fresh('ann'));
    key = await on.token('svc_backend', {role: 'service'});
    for (const required of [false, true]) {
      const threadId = await makeThread(required);
      for (const state of ['scanning', 'ready', 'quarantined']) {
        for (const band of kBands) await addComplete(threadId, required, state, band, true);
        await addComplete(threadId, required, state, 1, false);
      }
      if (!required) await addOthers(threadId, tokens[required].uploader);
    }
    stored = storedVariants(on.server);
  });

  const given = ({bytes, error}) => error ?? stored.get(sha256(bytes)) ?? 'unknown bytes';

  for (const [name, viewer] of Object.entries(kViewers)) {
    it(`${name} (88)`, async () => {
      const wrong = [];
      for (const file of files) {
        for (const variant of kVariants) {
          const got = given(await fetchUpload(on.server, tokens[file.required][name], file.attachmentId, {variant, query: viewer.query}));
          const due = expected(file, viewer, variant);
          if (got !== due) wrong.push(`${file.state} band ${file.band}${file.sent ? '' : ' unsent'}${file.required ? ' required' : ''} ${variant}: ${got}, not ${due}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('a link follows its file: quarantine, a higher band and a thread that requires Safe-Mode hold at once (86, 88)', async () => {
    const bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    const attachmentId = await scanned(thread.threadId);
    await sendFiles(ann, thread.threadId, attachmentId);
    await judgeUpload(on.server, key, attachmentId, {state: 'ready', nsfwBand: 1});
    const token = await on.token(bob.userId, {attrs: {adult: true}});
    const {url} = await fetchUpload(on.server, token, attachmentId, {variant: 'thumb', query: '&safeMode=off'});
    stored = storedVariants(on.server);
    assert.equal(given(await fetchLink(on.server, url)), 'thumb');
    await ann.request('thread.update', {threadId: thread.threadId, version: thread.version, safeModeRequired: true});
    assert.equal(given(await fetchLink(on.server, url)), 'blurred');
    await judgeUpload(on.server, key, attachmentId, {nsfwBand: 2});
    assert.equal(given(await fetchLink(on.server, url)), 'MSG_NSFW_BLOCKED');
    await judgeUpload(on.server, key, attachmentId, {state: 'quarantined', reason: 'r'});
    assert.equal(given(await fetchLink(on.server, url)), 'UPLOAD_QUARANTINED');
  });
});

describe('Files in tenants whose staff need no case', () => {
  const on = withServer({}, {args: kServices});

  it('are shown to staff up to the highest band, but neither unjudged nor in quarantine (86, 88)', async () => {
    const ann = await on.as(fresh('ann')), bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId, {safeModeRequired: true});
    const key = await on.token('svc_backend', {role: 'service'}), mod = await on.token(fresh('mod'), {role: 'moderator'});
    const attachmentId = await putUpload(on.server, await on.token(ann.userId), thread.threadId, picture());
    await awaitUpload(on.server, key, attachmentId, ({variants}) => variants?.length === 3);
    await sendFiles(ann, thread.threadId, attachmentId);
    const get = async (variant) => {
      const {error, bytes} = await fetchUpload(on.server, mod, attachmentId, {variant});
      return error ?? storedVariants(on.server).get(sha256(bytes));
    };
    await judgeUpload(on.server, key, attachmentId, {state: 'ready'});
    assert.deepEqual([await get('original'), await get('thumb')], ['MSG_NSFW_BLOCKED', 'blurred']);
    await judgeUpload(on.server, key, attachmentId, {nsfwBand: 2});
    assert.deepEqual([await get('original'), await get('thumb')], ['original', 'thumb']);
    await judgeUpload(on.server, key, attachmentId, {state: 'quarantined'});
    assert.deepEqual([await get('original'), await get('thumb')], ['UPLOAD_QUARANTINED', 'UPLOAD_QUARANTINED']);
  });
});

describe('Files that wait for their band', () => {
  const on = withServer({}, {args: ['--files-band', 'service', '--files-band-patience-s', '1']});

  async function world() {
    const ann = await on.as(fresh('ann')), bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    const key = await on.token('svc_backend', {role: 'service'});
    const send = async (bytes, more) => {
      const attachmentId = await putUpload(on.server, await on.token(ann.userId), thread.threadId, bytes, more);
      await sendFiles(ann, thread.threadId, attachmentId);
      return attachmentId;
    };
    const shown = async () => (await bob.request('message.list', {threadId: thread.threadId, limit: 1})).messages[0].attachments[0];
    return {ann, bob, threadId: thread.threadId, key, send, shown, bobToken: await on.token(bob.userId)};
  }

  it('are pending, then blurred for everybody, and clear once they are judged (90)', async () => {
    const {send, shown, key, bob, bobToken} = await world();
    const attachmentId = await send(picture());
    await eventually(async () => (await shown()).state === 'ready', 'the end of the wait');
    assert.equal((await shown()).nsfwBand, undefined, 'nobody judged it');
    const get = async (token, variant, query) => {
      const {error, bytes} = await fetchUpload(on.server, token, attachmentId, {variant, query});
      return error ?? storedVariants(on.server).get(sha256(bytes));
    };
    const adult = await on.token(bob.userId, {attrs: {adult: true}});
    for (const [token, query] of [[bobToken, ''], [adult, '&safeMode=off']]) {
      assert.equal(await get(token, 'thumb', query), 'blurred');
      assert.equal(await get(token, 'original', query), 'MSG_NSFW_BLOCKED');
    }
    await judgeUpload(on.server, key, attachmentId, {nsfwBand: 0});
    assert.equal((await shown()).nsfwBand, 0);
    assert.equal(await get(bobToken, 'original'), 'original');
  });

  it('are shown at once when they are judged, and the members hear of it (90)', async () => {
    const {send, bob, key, threadId} = await world();
    const attachmentId = await send(picture());
    await awaitUpload(on.server, key, attachmentId, ({variants}) => variants?.length === 3);
    const judged = await judgeUpload(on.server, key, attachmentId, {nsfwBand: 1});
    assert.deepEqual([judged.state, judged.nsfwBand], ['ready', 1]);
    const [message] = (await bob.request('message.list', {threadId, limit: 1})).messages;
    assert.deepEqual([message.nsfwBand, message.attachments[0].state], [1, 'ready']);
  });

  it('are images and videos only', async () => {
    const {send, shown} = await world();
    await send(Buffer.from('words'), {name: 'a.txt', mime: 'text/plain'});
    await eventually(async () => (await shown()).state === 'ready', 'a file without a band to be ready');
    assert.equal((await shown()).nsfwBand, 0);
  });

  it('have a word in the inbox, and never their name (89)', async () => {
    const {send, bob, threadId} = await world();
    await send(picture(), {name: 'secret.png'});
    const entry = await eventually(async () => {
      const found = await entryOf(bob, threadId);
      assert.equal(found.lastMessage.preview, 'Photo');
      return found;
    });
    assert.ok(!JSON.stringify(entry).includes('secret'));
  });
});
