// Pictures as cameras and phones make them: what others fetch has neither place nor owner in it, and is upright. Behaviours 83, 87 and 91.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, it} from 'node:test';
import {call} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {awaitUpload, fetchUpload, putUpload, sendFiles} from './lib/file_calls.mjs';
import {createThread, fresh} from './lib/world.mjs';

const image = (name) => fs.readFileSync(fileURLToPath(new URL(`../features/files/images/${name}`, import.meta.url)));
/** What the metadata of the pictures says; see camera.jpg. */
const kSecrets = ['SecretCamera', 'SecretArtist', 'SecretCity', 'SecretComment', 'http://ns.adobe.com/xap', 'photoshop:', '2025:11:05'];
const kGpsTag = Buffer.from([0x25, 0x88, 4, 0]);  // the pointer to a place, little-endian

const secretsIn = (bytes) => [...kSecrets.filter((one) => bytes.includes(one)), ...(bytes.includes(kGpsTag) ? ['a place'] : [])];

/** The segments of a JPEG before its pixels: [{marker, body}]. */
function segmentsOf(jpeg) {
  const out = [];
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    out.push({marker: jpeg[at + 1], body: jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2))});
  }
  return out;
}

/** The orientation in the EXIF segment; undefined: the picture has no such segment. */
function orientationOf(jpeg) {
  const exif = segmentsOf(jpeg).find(({marker, body}) => marker === 0xe1 && body.subarray(0, 4).toString('latin1') === 'Exif');
  if (!exif) return undefined;
  const tiff = exif.body.subarray(6);
  const little = tiff.subarray(0, 2).toString('latin1') === 'II';
  const u16 = (at) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let i = 0; i < u16(first); i += 1) {
    const at = first + 2 + 12 * i;
    if (u16(at) === 0x112) return u16(at + 8);
  }
  return undefined;
}

/** The first frame of an animated GIF as a GIF of its own. */
function firstFrameOf(gif) {
  const table = (flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const blocks = (at) => {
    while (gif[at] !== 0) at += 1 + gif[at];
    return at + 1;
  };
  let at = 13 + table(gif[10]);
  while (gif[at] === 0x21) at = blocks(at + 2);
  assert.equal(gif[at], 0x2c);
  at = blocks(at + 10 + table(gif[at + 9]) + 1);
  return Buffer.concat([gif.subarray(0, at), Buffer.from([0x3b])]);
}

describe('Pictures of cameras', () => {
  const on = withServer();

  /** A picture that Ann sent, as Bob fetches it. → {attachment, original, preview, thumb, blurred} */
  async function sent(bytes, mime, more = {}) {
    const ann = await on.as(fresh('ann')), bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    const token = await on.token(ann.userId), bobs = await on.token(bob.userId);
    const attachmentId = await putUpload(on.server, token, thread.threadId, bytes, {name: 'a', mime, ...more});
    await awaitUpload(on.server, token, attachmentId, ({state}) => state === 'ready');
    await sendFiles(ann, thread.threadId, attachmentId);
    const [attachment] = (await bob.request('message.list', {threadId: thread.threadId, limit: 1})).messages[0].attachments;
    const out = {attachment};
    for (const variant of ['original', 'preview', 'thumb', 'blurred']) {
      const {bytes: got, error, headers} = await fetchUpload(on.server, bobs, attachmentId, {variant});
      assert.equal(error, undefined, `${variant} of ${mime}`);
      out[variant] = {bytes: got, type: headers.get('content-type')};
    }
    return out;
  }
  const shownSize = ({attachment}, name) => {
    const {w, h} = attachment.variants.find((one) => one.name === name);
    return [w, h];
  };

  it('lose place, camera, owner and comments, and keep colours and the way they are up (91)', async () => {
    const camera = image('camera.jpg');
    assert.equal(secretsIn(camera).length, kSecrets.length + 1, 'the picture has all of them');
    assert.equal(orientationOf(camera), 6);
    const got = await sent(camera, 'image/jpeg');
    for (const variant of ['original', 'preview', 'thumb']) assert.deepEqual(secretsIn(got[variant].bytes), [], variant);
    const original = got.original.bytes;
    assert.equal(orientationOf(original), 6);
    const profile = (jpeg) => segmentsOf(jpeg).filter(({marker}) => marker === 0xe2).map(({body}) => body.toString('hex'));
    assert.deepEqual(profile(original), profile(camera));
    const pixels = (jpeg) => jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])));
    assert.ok(pixels(original).equals(pixels(camera)), 'no pixel changed');
    for (const name of ['preview', 'thumb', 'blurred']) assert.deepEqual(shownSize(got, name), [32, 64], 'upright without a tag');
    assert.equal(orientationOf(got.preview.bytes), undefined);
  });

  it('keep them in the original only if the uploader asks for it (91)', async () => {
    const camera = image('camera.jpg');
    const got = await sent(camera, 'image/jpeg', {keepMetadata: true});
    assert.ok(got.original.bytes.equals(camera));
    for (const variant of ['preview', 'thumb']) assert.deepEqual(secretsIn(got[variant].bytes), [], variant);
  });

  for (const [name, mime] of [['turned.webp', 'image/webp'], ['small.heic', 'image/heic'], ['small.avif', 'image/avif'],
    ['animated.gif', 'image/gif'], ['animated.webp', 'image/webp'], ['alpha.png', 'image/png']]) {
    it(`have a still preview without metadata: ${name} (91)`, async () => {
      const got = await sent(image(name), mime);
      for (const variant of ['original', 'preview', 'thumb']) assert.deepEqual(secretsIn(got[variant].bytes), [], variant);
      for (const variant of ['preview', 'thumb']) {
        assert.match(got[variant].type, /^image\/(jpeg|webp)$/);
        assert.ok(!got[variant].bytes.includes('ANIM'), 'one frame');
      }
      if (name === 'turned.webp') assert.deepEqual(shownSize(got, 'thumb'), [32, 64]);
    });
  }

  it('show the first frame of an animation', async () => {
    const whole = await sent(image('animated.gif'), 'image/gif');
    const first = await sent(firstFrameOf(image('animated.gif')), 'image/gif');
    assert.notEqual(whole.attachment.sha256, first.attachment.sha256);
    // Only the whole has transparent parts, which the blurred variant has not.
    assert.ok(whole.blurred.bytes.equals(first.blurred.bytes));
  });

  it('have no URL that leads from a preview to the original, and none that works without its membership (83, 87)', async () => {
    const ann = await on.as(fresh('ann')), bob = await on.as(fresh('bob'));
    const {thread} = await createThread(ann, bob.userId);
    const token = await on.token(ann.userId);
    const attachmentId = await putUpload(on.server, token, thread.threadId, image('wide.png'));
    await awaitUpload(on.server, token, attachmentId, ({variants}) => variants?.length === 3);
    await sendFiles(ann, thread.threadId, attachmentId);
    const {url, bytes} = await fetchUpload(on.server, await on.token(bob.userId), attachmentId, {variant: 'thumb'});
    for (const changed of [url.slice(0, -2), `${url}x`, url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), url.replace(/\/[^/]*$/, '/original')])
      assert.equal((await call(on.server, 'GET', changed)).status, 404, changed);
    const same = await fetch(`${on.server.http}${url}?variant=original`);
    assert.ok(same.status !== 200 || Buffer.from(await same.arrayBuffer()).equals(bytes), 'a query changes nothing');
    assert.equal((await call(on.server, 'GET', url.replace(attachmentId, attachmentId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))))).status, 404);
    assert.deepEqual(await fetchUpload(on.server, await on.token(fresh('eve')), attachmentId, {variant: 'thumb'}), {error: 'NOT_FOUND'});
  });
});
