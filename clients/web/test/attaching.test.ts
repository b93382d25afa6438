import { ParleyError, type Attachment } from '@parley/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { Attaching, kPickedMax, refusalWords } from '../src/attaching.js';
import { attachmentView, isPictured, thumbSize } from '../src/attachment_view.js';
import { StoredUploads } from '../src/upload_storage.js';

interface Running {
  name: string;
  progress: (sent: number) => void;
  done: (attachmentId: string) => void;
  fail: (error: ParleyError) => void;
  signal: AbortSignal;
}

let running: Running[];
let attaching: Attaching;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const file = (name: string, size = 10, type = 'image/png'): File => Object.assign(new Blob(['x'.repeat(size)], { type }), { name }) as unknown as File;
const states = (threadId = 'thrd_1'): string[] => attaching.get(threadId).map(({ name, state }) => `${name} ${state}`);
const error = (code: string, fields: Record<string, string> = {}): ParleyError => new ParleyError(code, code, 'The hint.', { fields });

beforeEach(() => {
  running = [];
  attaching = new Attaching({
    upload: (_, content, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        const { name, size } = content as File;
        signal!.addEventListener('abort', () => reject(error('CANCELLED')));
        running.push({ name, signal: signal!, fail: reject, progress: (sent) => onProgress!({ sent, size }), done: (attachmentId) => resolve({ attachmentId } as Attachment) });
      }),
  });
});

describe('chosen files', () => {
  it('upload three at a time and are taken for the message in the order chosen', async () => {
    attaching.add('thrd_1', ['a', 'b', 'c', 'd'].map((name) => file(name)));
    expect(states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd waiting']);
    running[0]!.progress(4);
    expect(attaching.get('thrd_1')[0]).toMatchObject({ sent: 4 });
    running[2]!.done('att_c');
    await settle();
    expect(states()).toEqual(['a uploading', 'b uploading', 'c ready', 'd uploading']);
    [0, 1, 3].forEach((at) => running[at]!.done(`att_${'abcd'[at]}`));
    await settle();
    expect(attaching.take('thrd_1').map(({ attachmentId }) => attachmentId)).toEqual(['att_a', 'att_b', 'att_c', 'att_d']);
    expect(attaching.busy).toBe(false);
  });

  it('are at most ten, and those of another thread do not count', () => {
    expect(attaching.add('thrd_1', Array.from({ length: 12 }, (_, at) => file(`${at}`)))).toBe(2);
    expect(attaching.get('thrd_1')).toHaveLength(kPickedMax);
    expect(attaching.add('thrd_2', [file('other')])).toBe(0);
  });

  it('are cancelled when they are removed, and make room for the next', async () => {
    attaching.add('thrd_1', ['a', 'b', 'c', 'd'].map((name) => file(name)));
    attaching.remove('thrd_1', attaching.get('thrd_1')[0]!.key);
    await settle();
    expect(running[0]!.signal.aborted).toBe(true);
    expect(states()).toEqual(['b uploading', 'c uploading', 'd uploading']);
  });

  it('that failed are tried again if it may help', async () => {
    attaching.add('thrd_1', [file('a'), file('b')]);
    running[0]!.fail(error('DISCONNECTED'));
    running[1]!.fail(error('UNSUPPORTED_TYPE'));
    await settle();
    expect(attaching.get('thrd_1').map(({ state, retryable }) => [state, retryable])).toEqual([['failed', true], ['failed', false]]);
    attaching.retry('thrd_1', attaching.get('thrd_1')[0]!.key);
    running[2]!.done('att_a');
    await settle();
    expect(states()).toEqual(['a ready', 'b failed']);
  });

  it('beyond a limit that the server named are refused before anything is sent', async () => {
    attaching.add('thrd_1', [file('large', 100), file('odd', 5, 'application/x-odd')]);
    running[0]!.fail(error('ATTACHMENT_TOO_LARGE', { limit: 'maxBytes', left: '50' }));
    running[1]!.fail(error('UNSUPPORTED_TYPE', { limit: 'types', mime: 'application/x-odd' }));
    await settle();
    attaching.add('thrd_2', [file('larger', 51), file('odd again', 5, 'application/x-odd'), file('fits', 50)]);
    expect(states('thrd_2')).toEqual(['larger failed', 'odd again failed', 'fits uploading']);
    expect(attaching.get('thrd_2')[0]!.hint).toBe('Too large: a file may have 50 B at most.');
  });

  it('come back when their message was rejected', async () => {
    attaching.add('thrd_1', [file('a')]);
    running[0]!.done('att_a');
    await settle();
    attaching.take('thrd_1');
    attaching.giveBack('thrd_1', ['att_a', 'att_unknown']);
    attaching.giveBack('thrd_1', ['att_a']);
    expect(states()).toEqual(['a ready']);
  });
});

describe('a refusal', () => {
  it('is explained with its limit', () => {
    expect(refusalWords(error('ATTACHMENT_TOO_LARGE', { limit: 'perThreadBytes', left: '2000' }))).toBe('This conversation has no room for it. There is room for 2.0 KB.');
    expect(refusalWords(error('RATE_LIMITED', { limit: 'perUserPerDayCount', left: '0' }))).toBe('You have sent as many files as a day allows.');
    expect(refusalWords(error('FORBIDDEN'))).toBe('The hint.');
  });
});

describe('a file of a message', () => {
  const viewer = { userId: 'usr_me', bandMax: 1 };
  const view = (change: Partial<Attachment>, bandMax = 1): string => attachmentView({ kind: 'file', state: 'ready', nsfwBand: 0, by: 'usr_other', ...change } as Attachment, { ...viewer, bandMax });

  it('is shown as its state and Safe-Mode allow', () => {
    expect([0, 1, 2].map((nsfwBand) => view({ nsfwBand }))).toEqual(['clear', 'clear', 'blurred']);
    expect([0, 1, 2].map((nsfwBand) => view({ nsfwBand }, 0))).toEqual(['clear', 'blurred', 'blocked']);
    expect(view({ nsfwBand: 2 }, 2)).toBe('clear');
    expect(view({ nsfwBand: 2, by: 'usr_me' })).toBe('clear');
    const { nsfwBand: _, ...unjudged } = { kind: 'file', state: 'ready', by: 'usr_other', nsfwBand: 0 };
    expect(attachmentView(unjudged as Attachment, viewer)).toBe('unjudged');
    expect((['scanning', 'uploading', 'quarantined', 'failed', 'removed'] as const).map((state) => view({ state, by: 'usr_me' }))).toEqual(['pending', 'pending', 'quarantined', 'failed', 'gone']);
  });

  it('is a picture if the server made a small copy', () => {
    const variants = [{ name: 'thumb' as const, mime: 'image/webp', w: 320, h: 160, size: 9 }];
    const picture = { kind: 'file', attachmentId: 'att_1', mime: 'image/png', w: 4000, h: 2000, variants } as unknown as Attachment;
    expect(isPictured(picture)).toBe(true);
    expect(thumbSize(picture)).toEqual({ w: 320, h: 160 });
    expect(isPictured({ ...picture, variants: [] })).toBe(false);
    expect(isPictured({ ...picture, mime: 'application/pdf' })).toBe(false);
  });
});

describe('a stored upload', () => {
  it('survives a reload for a week', () => {
    const held = new Map<string, string>();
    const storage = {
      get length() { return held.size; },
      key: (at: number) => [...held.keys()][at] ?? null,
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, value: string) => void held.set(key, value),
      removeItem: (key: string) => void held.delete(key),
    };
    const upload = { attachmentId: 'att_1', uploadUrl: 'http://host/v1/uploads/att_1/x' };
    new StoredUploads('usr_me', storage, () => 0).save('key', upload);
    held.set('parley.upload.usr_other key', 'junk');
    expect(new StoredUploads('usr_me', storage, () => 1_000).load('key')).toMatchObject(upload);
    expect(new StoredUploads('usr_other', storage, () => 1_000).load('key')).toBeNull();
    new StoredUploads('usr_me', storage, () => 8 * 86_400_000);
    expect(held.size).toBe(0);
  });
});
