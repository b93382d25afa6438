// One upload by tus 1.0: begins it, sends its bytes in pieces, and continues after a lost connection where the server
// says. Written here because tus-js-client would add more than half to the SDK's size, can be loaded only through a
// bundler, and sends no checksums.
import { backoffMs, type BackoffOptions } from './backoff.js';
import { ParleyError } from './errors.js';
import type { FileFacts, FileSource } from './file_source.js';
import { errorOf, isOk, type Http, type HttpReply, type Transport } from './http.js';
import type { Attachment } from './file_types.js';

export interface UploadProgress {
  /** Bytes sent so far. It goes back if a connection is lost before the server has stored them. */
  sent: number;
  size: number;
}

/** An upload that has begun. */
export interface KeptUpload {
  attachmentId: string;
  uploadUrl: string;
}

export interface UploadParts {
  http: Http;
  transport: Transport;
  threadId: string;
  source: FileSource;
  facts: FileFacts;
  sha256: string | null;
  keepMetadata: boolean;
  pieceBytes: number;
  backoff: BackoffOptions;
  random: () => number;
  signal: AbortSignal;
  onProgress: (progress: UploadProgress) => void;
  /** null: the upload can no longer be continued. */
  keep: (upload: KeptUpload | null) => void;
  /** Waits before a repetition; ends early when the connection may be back. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const kAttemptsMax = 10; // in a row, without a byte stored
const kWaitMaxMs = 60_000; // a refusal for longer is for the user to repeat
const kIncomplete = new Set(['requested', 'uploading']);
const kNever = new AbortController().signal;
const kTus = { 'tus-resumable': '1.0.0' };

/** SHA-256 where WebCrypto exists: not on pages over plain HTTP. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  const { subtle } = (globalThis as { crypto?: Partial<Crypto> }).crypto ?? {};
  return subtle === undefined ? null : new Uint8Array(await subtle.digest('SHA-256', bytes));
}

export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The request may succeed if it is repeated from the offset that the server reports. */
class Again extends Error {
  constructor(readonly reason: ParleyError) {
    super(reason.message);
  }
}

export class Upload {
  private attempt = 0;
  /** The furthest offset that the server reported. */
  private best = 0;

  constructor(private readonly parts: UploadParts, private begun: KeptUpload | null) {}

  /** Resolves with the attachment once the server has every byte; it may still be scanned. */
  async run(): Promise<Attachment> {
    let offset: number | null = this.begun === null ? 0 : null;
    const resumed = this.begun;
    for (;;) {
      try {
        this.begun ??= await this.begin();
        offset ??= await this.askOffset(this.begun);
        const done = await this.sendFrom(this.begun, offset);
        this.parts.keep(null);
        return done;
      } catch (error) {
        offset = null;
        if (await this.startsAnew(error, resumed)) offset = 0;
        else await this.pauseAfter(error);
        if (this.begun === null) offset = 0;
      }
    }
  }

  /** The server forgot an upload of an earlier page, so begin another one. */
  private async startsAnew(error: unknown, resumed: KeptUpload | null): Promise<boolean> {
    const gone = error instanceof ParleyError && error.code === 'NOT_FOUND';
    if (!gone || resumed === null || this.begun !== resumed) return false;
    this.begun = null;
    this.parts.keep(null);
    return Promise.resolve(true);
  }

  /** Waits before a repetition, or throws the error if a repetition would not help. */
  private async pauseAfter(error: unknown): Promise<void> {
    const { signal, backoff, random, wait, keep } = this.parts;
    signal.throwIfAborted();
    const reason = error instanceof Again ? error.reason : error;
    if (!(reason instanceof ParleyError)) throw reason;
    const waitMs = reason.details.retryAfterMs ?? 0;
    const hopeless = !(error instanceof Again) && !reason.transient;
    if (hopeless) keep(null);
    this.attempt += 1;
    if (hopeless || this.attempt >= kAttemptsMax || waitMs > kWaitMaxMs) throw reason;
    await wait(Math.max(waitMs, backoffMs(this.attempt - 1, random, backoff)), signal);
    signal.throwIfAborted();
  }

  /** Is not cut short, because an upload whose address is unknown cannot be cancelled. */
  private async begin(): Promise<KeptUpload> {
    const { http, threadId, source, facts, sha256, keepMetadata, keep } = this.parts;
    const args = { threadId, name: facts.name, mime: facts.mime, size: source.size, ...(sha256 === null ? {} : { sha256 }), ...(keepMetadata ? { keepMetadata } : {}) };
    const { attachment, uploadUrl } = (await http.call('POST', '/v1/uploads', kNever, args)) as { attachment: Attachment; uploadUrl: string };
    const begun = { attachmentId: attachment.attachmentId!, uploadUrl: new URL(uploadUrl, http.origin).href };
    keep(begun);
    return begun;
  }

  private async askOffset({ uploadUrl }: KeptUpload): Promise<number> {
    const reply = await this.parts.transport({ method: 'HEAD', url: uploadUrl, headers: kTus, signal: this.parts.signal });
    return this.offsetOf(reply);
  }

  private offsetOf(reply: HttpReply): number {
    if (!isOk(reply)) throw this.refusalOf(reply);
    const offset = Number(reply.header('Upload-Offset') ?? NaN);
    if (!Number.isSafeInteger(offset) || offset < 0 || offset > this.parts.source.size) {
      throw new ParleyError('UNREADABLE', 'the answer names no offset', 'The server sent an answer that cannot be used.');
    }
    if (offset > this.best) this.attempt = 0;
    this.best = Math.max(this.best, offset);
    return offset;
  }

  /** 409: another request has written there; 460: the bytes were damaged on the way. */
  private refusalOf(reply: HttpReply): Error {
    const error = errorOf(reply);
    return reply.status === 409 || reply.status === 460 ? new Again(error) : error;
  }

  private async sendFrom(begun: KeptUpload, from: number): Promise<Attachment> {
    const { source, pieceBytes } = this.parts;
    let offset = from;
    if (offset === source.size) {
      const attachment = await this.read(begun);
      if (!kIncomplete.has(attachment.state ?? '')) return attachment;
      offset = await this.sendPiece(begun, offset, offset); // has all bytes, but has not examined them
    }
    while (offset < source.size) offset = await this.sendPiece(begun, offset, Math.min(offset + pieceBytes, source.size));
    return this.read(begun);
  }

  private async sendPiece({ uploadUrl }: KeptUpload, start: number, end: number): Promise<number> {
    const { source, transport, signal, onProgress } = this.parts;
    signal.throwIfAborted();
    const body = await source.read(start, end);
    const digest = await sha256Of(body);
    signal.throwIfAborted();
    const headers: Record<string, string> = { ...kTus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(start) };
    if (digest !== null) headers['upload-checksum'] = `sha256 ${btoa(String.fromCharCode(...digest))}`;
    onProgress({ sent: start, size: source.size });
    const onSent = (bytes: number): void => onProgress({ sent: Math.min(start + bytes, end), size: source.size });
    const offset = this.offsetOf(await transport({ method: 'PATCH', url: uploadUrl, headers, body, signal, onSent }));
    onProgress({ sent: offset, size: source.size });
    return offset;
  }

  private async read({ attachmentId }: KeptUpload): Promise<Attachment> {
    const { attachment } = await this.parts.http.call('GET', `/v1/uploads/${attachmentId}`, this.parts.signal);
    return attachment as Attachment;
  }

  /** Tells the server that the bytes are not wanted. It would forget them in a day anyway, so a failure does not matter. */
  async terminate(): Promise<void> {
    if (this.begun === null) return;
    const { transport } = this.parts;
    await transport({ method: 'DELETE', url: this.begun.uploadUrl, headers: kTus, signal: kNever }).catch(() => undefined);
  }
}
