// Uploads by plain calls, and what fetching one gives a viewer.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {eventually, within} from './deadline.mjs';
import {bearer, call} from './http.mjs';
import {sha256} from './uploads.mjs';
import {fresh} from './world.mjs';

/** POST /v1/uploads. → {attachmentId, uploadUrl} */
export async function beginUpload(server, token, threadId, bytes, {name = 'a.png', mime = 'image/png', ...more} = {}) {
  const {status, json, text} = await call(server, 'POST', '/v1/uploads', {
    body: {threadId, name, mime, size: bytes.length, ...more}, headers: bearer(token)});
  assert.equal(status, 201, text);
  return {attachmentId: json.attachment.attachmentId, uploadUrl: json.uploadUrl};
}

/** A complete upload. → its attachmentId */
export async function putUpload(server, token, threadId, bytes, more) {
  const {attachmentId, uploadUrl} = await beginUpload(server, token, threadId, bytes, more);
  const sent = await call(server, 'PUT', uploadUrl, {body: bytes});
  assert.equal(sent.status, 204, sent.text);
  return attachmentId;
}

export async function showUpload(server, token, attachmentId) {
  const {status, json, text} = await call(server, 'GET', `/v1/uploads/${attachmentId}`, {headers: bearer(token)});
  assert.equal(status, 200, text);
  return json.attachment;
}

/** Waits until `holds(attachment)`. → the attachment */
export function awaitUpload(server, token, attachmentId, holds) {
  return eventually(async () => {
    const attachment = await showUpload(server, token, attachmentId);
    assert.ok(holds(attachment), JSON.stringify(attachment));
    return attachment;
  });
}

/** Uploads the bytes of a thread or of a `purpose`, and waits until they are in the state. → attachmentId */
export async function upload(server, token, {threadId, ...args}, bytes, state = 'ready') {
  const attachmentId = await putUpload(server, token, threadId, bytes, args);
  await awaitUpload(server, token, attachmentId, (attachment) => attachment.state === state);
  return attachmentId;
}

export async function judgeUpload(server, token, attachmentId, verdict) {
  const {status, json, text} = await call(server, 'POST', `/v1/uploads/${attachmentId}/verdict`, {body: verdict, headers: bearer(token)});
  assert.equal(status, 200, text);
  return json.attachment;
}

/** A message of `session` with the files, and no text. → the ok of message.send */
export function sendFiles(session, threadId, ...attachmentIds) {
  return session.request('message.send', {
    threadId, clientId: fresh('c', 'cl'), type: 'asset', body: '', attachments: attachmentIds.map((attachmentId) => ({attachmentId}))});
}

/** Fetches by a link. → {bytes, headers, url}, or {error} with the code of the refusal */
export async function fetchUpload(server, token, attachmentId, {variant = 'original', query = ''} = {}) {
  const link = await call(server, 'GET', `/v1/files/${attachmentId}?link=1&variant=${variant}${query}`, {headers: bearer(token)});
  if (link.status !== 200) return {error: link.json?.error?.code ?? String(link.status)};
  return {url: link.json.url, ...await fetchLink(server, link.json.url)};
}

export async function fetchLink(server, url) {
  const answer = await within(fetch(server.http + url), `GET ${url}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.status === 200 ? {bytes, headers: answer.headers} : {error: JSON.parse(bytes).error.code};
}

/** Fetches by a link. → {status, bytes}, or {status, code} of the refusal */
export async function fetchFile(server, token, attachmentId, query = '') {
  const link = await call(server, 'GET', `/v1/files/${attachmentId}?link=1${query}`, {headers: bearer(token)});
  if (link.status !== 200) return {status: link.status, code: link.json?.error?.code};
  return {status: 200, ...await fetchLink(server, link.json.url)};
}

/** The bytes in the store's directory, by the digest of each. → Map digest → original, preview, thumb or blurred */
export function storedVariants(server) {
  const out = new Map();
  for (const entry of fs.readdirSync(path.join(server.dir, 'files'), {recursive: true, withFileTypes: true})) {
    const found = /^[0-9a-f]{64}(?:-(preview|thumb|blurred))?$/.exec(entry.name);
    if (entry.isFile() && found) out.set(sha256(fs.readFileSync(path.join(entry.parentPath ?? entry.path, entry.name))), found[1] ?? 'original');
  }
  return out;
}
