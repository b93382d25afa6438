// Files to upload, and tus-js-client, which uploads them over restarts of the server.
import crypto from 'node:crypto';
import zlib from 'node:zlib';
import * as tus from 'tus-js-client';
import {bearer} from './http.mjs';

export const kPdf = 'application/pdf';
export const kPng = 'image/png';

/** Bytes that begin like a PDF and are otherwise random. */
export const pdf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), crypto.randomBytes(size - 9)]);
export const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');

const kCrcs = Array.from({length: 256}, (_, n) => {
  for (let bit = 0; bit < 8; ++bit) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

function chunk(kind, bytes) {
  const out = Buffer.alloc(12 + bytes.length);
  out.writeUInt32BE(bytes.length);
  out.write(kind, 4, 'latin1');
  bytes.copy(out, 8);
  let crc = 0xffffffff;
  for (const byte of out.subarray(4, -4)) crc = kCrcs[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, out.length - 4);
  return out;
}

/** A PNG of random pixels. */
export function png(width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);  // eight bits each of red, green and blue
  const rows = Array.from({length: height}, () => Buffer.concat([Buffer.alloc(1), crypto.randomBytes(3 * width)]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(Buffer.concat(rows), {level: 1})),
    chunk('IEND', Buffer.alloc(0))]);
}

/** One file on its way; tus-js-client retries for as long as the server is away. `onBytes`, `onAnswer`: called with this object. */
export class TusUpload {
  constructor(server, token, threadId, bytes, {mime = kPdf, chunkSize = Infinity, onBytes = () => {}, onAnswer = () => {}} = {}) {
    Object.assign(this, {bytes, onBytes, onAnswer});
    this.sent = 0;       // bytes on the wire or known to the server
    this.known = 0;      // bytes that the server acknowledged
    this.resumed = [];   // the offsets from which it went on
    this.faults = [];    // broken promises of the server
    this.options = {
      endpoint: `${server.http}/v1/uploads`, chunkSize, headers: bearer(token), metadata: {threadId, filename: 'a', filetype: mime},
      retryDelays: Array(10_000).fill(20),
      onProgress: (sent) => {
        this.sent = sent;
        this.onBytes(this);
      },
      onBeforeRequest: (request) => this.#onRequest(request),
      onAfterResponse: (request, response) => this.#onResponse(request, response),
    };
  }

  /** → the attachment's id, once the server has all bytes */
  run() {
    return new Promise((resolve, reject) => {
      const onSuccess = () => resolve(this.upload.url.split('/').at(-2));
      this.upload = new tus.Upload(this.bytes, {...this.options, onError: reject, onSuccess});
      this.upload.start();
    });
  }

  #onRequest(request) {
    if (request.getMethod() === 'POST' && this.known > 0) this.faults.push(`begins again after ${this.known} bytes`);
    const offset = Number(request.getHeader('Upload-Offset') ?? NaN);
    if (request.getMethod() === 'PATCH' && this.expected !== undefined && offset !== this.expected)
      this.faults.push(`goes on from ${offset} instead of ${this.expected}`);
  }

  #onResponse(request, response) {
    const status = response.getStatus();
    if (status >= 200 && status < 300 && request.getMethod() !== 'POST') this.#onOffset(request.getMethod(), response);
    this.onAnswer(this);
  }

  #onOffset(method, response) {
    const offset = Number(response.getHeader('Upload-Offset'));
    if (offset < this.known) this.faults.push(`${this.known} bytes were acknowledged, and ${offset} are there`);
    if (method === 'HEAD') this.resumed.push(offset);
    this.known = this.expected = offset;
  }
}
