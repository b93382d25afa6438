import type { BackoffOptions } from './backoff.js';
import { bindMethods } from './bound.js';
import { badArgument, cancelled, ParleyError, stopped } from './errors.js';
import { factsOf, sourceOf, type FileContent, type FileFacts, type FileSource } from './file_source.js';
import type { Attachment, VariantName } from './file_types.js';
import { transport, type Http, type Transport } from './http.js';
import { hexOf, sha256Of, Upload, type KeptUpload, type UploadParts, type UploadProgress } from './upload.js';

/**
 * Keeps the addresses of incomplete uploads, so that the same file continues after a reload of the page. Values are
 * credentials for one upload. Both methods may throw; then an upload starts from the beginning.
 */
export interface UploadStorage {
  load: (key: string) => unknown;
  /** null: removes it. */
  save: (key: string, upload: KeptUpload | null) => void;
}

export interface UploadOptions {
  /** File name; that of a File if left out. */
  name?: string;
  /** Media type; that of a Blob, or by the name's ending, if left out. */
  mime?: string;
  /** Number of bytes; required for streams, ignored otherwise. */
  size?: number;
  /** Keeps EXIF, GPS and XMP data in the original. */
  keepMetadata?: boolean;
  onProgress?: (progress: UploadProgress) => void;
  /** Cancels the upload, also on the server. */
  signal?: AbortSignal;
}

export interface FileUrlOptions {
  /** The bytes to fetch; `original` if left out. */
  variant?: VariantName;
  /** Requests a new address, after a cached one did not work. */
  fresh?: boolean;
}

export interface FilesOptions {
  http: Http;
  /** False: the user, an adult, wants to see mature content. */
  safeMode?: boolean | undefined;
  storage?: UploadStorage | null | undefined;
  backoff: BackoffOptions;
  random: () => number;
  /** Server clock minus local clock, in ms. */
  skewMs: () => number;
  send?: Transport;
  pieceBytes?: number;
}

const kPieceBytes = 1 << 20; // what a lost connection costs at most, because a piece with a checksum counts as a whole
const kDigestMax = 32 << 20; // larger files are not read twice
const kLinksMax = 500;
const kSpareMs = 20_000; // a link that ends sooner is not handed out

interface Link {
  url: string;
  expiresAt: number;
}

/** Uploads files, and finds the addresses of files. All methods reject with ParleyError. */
export class Files {
  private readonly kept = new Map<string, KeptUpload>();
  private readonly active = new Set<string>();
  private readonly links = new Map<string, Promise<Link>>();
  private readonly sleepers = new Set<() => void>();
  private ended = new AbortController();

  constructor(private readonly options: FilesOptions) {
    bindMethods(this);
  }

  begin(): void {
    if (this.ended.signal.aborted) this.ended = new AbortController();
  }

  /** Ends all uploads with STOPPED; the same files continue where they were. */
  stop(): void {
    this.ended.abort();
    this.wake();
  }

  /** The connection is back: uploads that wait go on at once. */
  wake(): void {
    for (const sleeper of [...this.sleepers]) sleeper();
  }

  async upload(threadId: string, content: FileContent, options: UploadOptions = {}): Promise<Attachment> {
    const source = sourceOf(content, options.size);
    const facts = factsOf(content, options);
    if (source.size < 1) throw new ParleyError('BAD_REQUEST', 'the file is empty', 'This file is empty.');
    const { signal, end, release } = this.endsWith(options.signal);
    const sha256 = await digestOf(source);
    const key = keyOf(threadId, facts, source, sha256);
    const own = key !== null && !this.active.has(key) ? key : null; // the same file twice makes two uploads
    if (own !== null) this.active.add(own);
    const upload = new Upload(this.partsOf(threadId, source, facts, sha256, options, signal, own), own === null ? null : this.load(own));
    try {
      signal.throwIfAborted();
      return await upload.run();
    } catch (error) {
      if (!signal.aborted) throw error;
      if (end() === 'stopped') throw stopped();
      if (own !== null) this.save(own, null);
      await upload.terminate();
      throw cancelled();
    } finally {
      release();
      if (own !== null) this.active.delete(own);
    }
  }

  /** Returns an address of the file's bytes that needs no other credential and is valid for some minutes. */
  async url(attachmentId: string, { variant = 'original', fresh = false }: FileUrlOptions = {}): Promise<string> {
    const key = `${attachmentId} ${variant}`;
    const held = fresh ? undefined : this.links.get(key);
    if (held !== undefined) {
      const link = await held;
      if (link.expiresAt - kSpareMs > Date.now()) return link.url;
    }
    if (this.links.get(key) === held || fresh) this.ask(key, attachmentId, variant);
    return (await this.links.get(key)!).url;
  }

  private ask(key: string, attachmentId: string, variant: VariantName): void {
    const { http, safeMode, skewMs } = this.options;
    const path = `/v1/files/${encodeURIComponent(attachmentId)}?link=1&variant=${variant}${safeMode === false ? '&safeMode=off' : ''}`;
    const asked = http.call('GET', path, this.ended.signal).then(({ url, expiresAt }): Link => {
      if (typeof url !== 'string' || typeof expiresAt !== 'string') throw badArgument('the answer has no link');
      return { url: new URL(url, http.origin).href, expiresAt: Date.parse(expiresAt) - skewMs() };
    });
    this.links.delete(key);
    this.links.set(key, asked);
    asked.catch(() => (this.links.get(key) === asked ? this.links.delete(key) : undefined));
    const [oldest] = this.links.keys();
    if (this.links.size > kLinksMax && oldest !== undefined) this.links.delete(oldest);
  }

  private partsOf(threadId: string, source: FileSource, facts: FileFacts, sha256: string | null, options: UploadOptions, signal: AbortSignal, key: string | null): UploadParts {
    const { http, backoff, random, send = transport, pieceBytes = kPieceBytes } = this.options;
    return {
      http, backoff, random, threadId, source, facts, sha256, signal, pieceBytes,
      transport: send,
      keepMetadata: options.keepMetadata ?? false,
      onProgress: options.onProgress ?? (() => undefined),
      keep: (upload) => (key === null ? undefined : this.save(key, upload)),
      wait: (ms, until) => this.sleep(ms, until),
    };
  }

  /** A signal that follows the caller's and the client's; `end` names the one that ended it. */
  private endsWith(given: AbortSignal | undefined): { signal: AbortSignal; end: () => 'cancelled' | 'stopped'; release: () => void } {
    const { signal: ended } = this.ended;
    const both = new AbortController();
    const abort = (): void => both.abort();
    for (const one of [given, ended]) {
      if (one?.aborted === true) abort();
      one?.addEventListener('abort', abort);
    }
    const release = (): void => [given, ended].forEach((one) => one?.removeEventListener('abort', abort));
    return { signal: both.signal, release, end: () => (given?.aborted === true ? 'cancelled' : 'stopped') };
  }

  private sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.sleepers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  private load(key: string): KeptUpload | null {
    const held = this.kept.get(key);
    if (held !== undefined) return held;
    try {
      const stored = this.options.storage?.load(key) as Partial<KeptUpload> | null | undefined;
      if (typeof stored?.attachmentId !== 'string' || typeof stored.uploadUrl !== 'string') return null;
      if (new URL(stored.uploadUrl).origin !== this.options.http.origin) return null;
      return { attachmentId: stored.attachmentId, uploadUrl: stored.uploadUrl };
    } catch {
      return null;
    }
  }

  private save(key: string, upload: KeptUpload | null): void {
    if (upload === null) this.kept.delete(key);
    else this.kept.set(key, upload);
    try {
      this.options.storage?.save(key, upload);
    } catch {
      return; // it lasts as long as this client
    }
  }
}

async function digestOf(source: FileSource): Promise<string | null> {
  if (!source.repeatable || source.size > kDigestMax) return null;
  const digest = await sha256Of(await source.read(0, source.size));
  return digest === null ? null : hexOf(digest);
}

/** Recognises a file that was chosen before; null: it cannot be recognised. */
function keyOf(threadId: string, { name, mime, lastModified }: FileFacts, { size, repeatable }: FileSource, sha256: string | null): string | null {
  const mark = sha256 ?? lastModified;
  return !repeatable || mark === null ? null : [threadId, mime, size, mark, name].join(' ');
}
