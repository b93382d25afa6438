import { hintOf, ParleyError, type ParleyClient } from '@parley/sdk';
import { sizeText } from '@parley/shared';

/** A file that the user chose for a message that is not sent yet. */
export interface Picked {
  key: string;
  name: string;
  size: number;
  mime: string;
  state: 'waiting' | 'uploading' | 'ready' | 'failed';
  /** Bytes sent. */
  sent: number;
  /** Why it failed, in words for people. */
  hint: string | null;
  /** Trying again may help. */
  retryable: boolean;
  attachmentId: string | null;
  file: File;
}

type Uploads = Pick<ParleyClient, 'upload'>;

export const kPickedMax = 10; // files of one message
const kAtOnce = 3;
const kGivenMax = 50;
const kNone: readonly Picked[] = [];

/** What the server has refused so far, so that the next file is refused before anything is sent. */
interface KnownLimits {
  maxBytes: number;
  types: Set<string>;
}

/** The files chosen in each thread, which upload while the user writes, also in another thread. */
export class Attaching {
  private readonly byThread = new Map<string, readonly Picked[]>();
  private readonly cancels = new Map<string, AbortController>();
  private readonly given = new Map<string, Picked>();
  private readonly listeners = new Set<() => void>();
  private readonly known: KnownLimits = { maxBytes: Infinity, types: new Set() };
  private lastKey = 0;

  constructor(private readonly uploads: Uploads) {}

  get(threadId: string): readonly Picked[] {
    return this.byThread.get(threadId) ?? kNone;
  }

  /** Some file is not sent yet. */
  get busy(): boolean {
    return [...this.byThread.values()].some((picked) => picked.length > 0);
  }

  /** Returns how many files are not taken, because a message has at most ten. */
  add(threadId: string, files: readonly File[]): number {
    const before = this.get(threadId);
    const taken = files.slice(0, kPickedMax - before.length);
    const picked = taken.map((file) => this.pick(file));
    this.put(threadId, [...before, ...picked]);
    this.pump();
    return files.length - taken.length;
  }

  /** Removes a file, and cancels its upload. */
  remove(threadId: string, key: string): void {
    this.cancels.get(key)?.abort();
    this.put(threadId, this.get(threadId).filter((one) => one.key !== key));
    this.pump();
  }

  retry(threadId: string, key: string): void {
    this.change(threadId, key, { state: 'waiting', hint: null });
    this.pump();
  }

  /** Takes the uploaded files for a message. */
  take(threadId: string): { attachmentId: string }[] {
    const ready = this.get(threadId).filter(({ attachmentId }) => attachmentId !== null);
    for (const one of ready) this.given.set(one.attachmentId!, one);
    for (const id of [...this.given.keys()].slice(0, -kGivenMax)) this.given.delete(id);
    this.put(threadId, this.get(threadId).filter(({ attachmentId }) => attachmentId === null));
    return ready.map(({ attachmentId }) => ({ attachmentId: attachmentId! }));
  }

  /** The message was rejected, so its files are there for the next one. */
  giveBack(threadId: string, attachmentIds: readonly string[]): void {
    const back = attachmentIds.flatMap((id) => this.given.get(id) ?? []);
    const held = new Set(this.get(threadId).map(({ key }) => key));
    this.put(threadId, [...back.filter(({ key }) => !held.has(key)), ...this.get(threadId)].slice(0, kPickedMax));
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private pick(file: File): Picked {
    const hint = this.knownRefusal(file);
    const { name, size, type: mime } = file;
    const state = hint === null ? 'waiting' : 'failed';
    return { key: `${++this.lastKey}`, name: name || 'file', size, mime, state, sent: 0, hint, retryable: false, attachmentId: null, file };
  }

  private knownRefusal({ size, type }: File): string | null {
    if (size > this.known.maxBytes) return tooLarge(this.known.maxBytes);
    return type !== '' && this.known.types.has(type) ? kWrongType : null;
  }

  private pump(): void {
    const all = [...this.byThread].flatMap(([threadId, picked]) => picked.map((one) => ({ threadId, one })));
    const running = all.filter(({ one }) => one.state === 'uploading').length;
    for (const { threadId, one } of all.filter(({ one: { state } }) => state === 'waiting').slice(0, Math.max(0, kAtOnce - running))) {
      void this.run(threadId, one);
    }
  }

  private async run(threadId: string, { key, file }: Picked): Promise<void> {
    const cancel = new AbortController();
    this.cancels.set(key, cancel);
    this.change(threadId, key, { state: 'uploading' });
    try {
      const onProgress = ({ sent }: { sent: number }): void => this.change(threadId, key, { sent });
      const { attachmentId = null } = await this.uploads.upload(threadId, file, { signal: cancel.signal, onProgress });
      this.change(threadId, key, { state: 'ready', sent: file.size, attachmentId });
    } catch (error) {
      this.learn(error, file);
      this.change(threadId, key, { state: 'failed', hint: refusalWords(error), retryable: error instanceof ParleyError && (error.transient || error.code === 'STOPPED') });
    }
    if (this.cancels.get(key) === cancel) this.cancels.delete(key);
    this.pump();
  }

  private learn(error: unknown, { type }: File): void {
    const { limit, left } = fieldsOf(error);
    if (limit === 'maxBytes' && Number(left) > 0) this.known.maxBytes = Number(left);
    if (limit === 'types' && type !== '') this.known.types.add(type);
  }

  private change(threadId: string, key: string, change: Partial<Picked>): void {
    const before = this.get(threadId);
    if (before.some((one) => one.key === key)) this.put(threadId, before.map((one) => (one.key === key ? { ...one, ...change } : one)));
  }

  private put(threadId: string, picked: readonly Picked[]): void {
    if (picked.length === 0) this.byThread.delete(threadId);
    else this.byThread.set(threadId, picked);
    for (const listener of [...this.listeners]) listener();
  }
}

const kWrongType = 'Files of this type are not accepted here.';
const tooLarge = (maxBytes: number): string => `Too large: a file may have ${sizeText(maxBytes)} at most.`;

function fieldsOf(error: unknown): Partial<Record<string, string>> {
  return error instanceof ParleyError ? (error.details.fields ?? {}) : {};
}

/** Explains a refusal with its limit. */
export function refusalWords(error: unknown): string {
  const { limit, left } = fieldsOf(error);
  const room = Number(left) > 0 ? ` There is room for ${sizeText(Number(left))}.` : '';
  switch (limit) {
    case 'maxBytes':
      return tooLarge(Number(left));
    case 'types':
      return kWrongType;
    case 'perThreadBytes':
      return `This conversation has no room for it.${room}`;
    case 'tenantBytes':
      return `There is no room for it.${room}`;
    case 'perUserPerDayBytes':
      return `You have sent as much as a day allows.${room}`;
    case 'perUserPerDayCount':
      return 'You have sent as many files as a day allows.';
    default:
      return error instanceof ParleyError && error.code === 'UNSUPPORTED_TYPE' ? 'This file is damaged, or not of the type that its name says.' : hintOf(error);
  }
}
