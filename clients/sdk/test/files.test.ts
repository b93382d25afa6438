import { beforeEach, describe, expect, it } from 'vitest';
import { Files, type FilesOptions, type UploadStorage } from '../src/files.js';
import { Http } from '../src/http.js';
import { mimeOfName } from '../src/file_source.js';
import type { UploadProgress } from '../src/upload.js';
import { FakeUploads, reply } from './fake_uploads.js';

const kPiece = 1000;
let server: FakeUploads;
let tokens: string[];

function filesOf(more: Partial<FilesOptions> = {}): Files {
  const http = new Http('ws://host:1/v1/ws', (wish) => Promise.resolve(tokens.push(wish)).then(String), server.send);
  return new Files({ http, send: server.send, backoff: { baseMs: 1, capMs: 1 }, random: () => 0, skewMs: () => 0, pieceBytes: kPiece, ...more });
}

class Kept implements UploadStorage {
  readonly values = new Map<string, string>();
  load = (key: string): unknown => JSON.parse(this.values.get(key) ?? 'null') as unknown;
  save = (key: string, value: unknown): void => void (value === null ? this.values.delete(key) : this.values.set(key, JSON.stringify(value)));
}

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: size }, (_, at) => (at * 7) % 251);
const blob = (size: number): Blob => new Blob([bytesOf(size)], { type: 'image/png' });

beforeEach(() => {
  server = new FakeUploads();
  tokens = [];
});

describe('an upload', () => {
  it('sends a file in pieces, with a checksum of each and of the whole, and reports its progress', async () => {
    const seen: UploadProgress[] = [];
    const checksums: (string | undefined)[] = [];
    for (let i = 0; i < 5; ++i) server.faults.push((call) => (checksums.push(call.headers?.['upload-checksum']), null));
    const attachment = await filesOf().upload('thrd_1', blob(2 * kPiece + 5), { name: 'a.png', onProgress: (one) => seen.push(one) });
    expect(attachment).toEqual({ attachmentId: 'att_1', state: 'ready' });
    expect(server.bytesOf('att_1')).toEqual(bytesOf(2 * kPiece + 5));
    expect(server.begun[0]).toMatchObject({ threadId: 'thrd_1', name: 'a.png', mime: 'image/png', size: 2 * kPiece + 5 });
    expect(server.begun[0]!['sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(server.calls).toEqual(['POST', 'PATCH 0', `PATCH ${kPiece}`, `PATCH ${2 * kPiece}`, 'GET']);
    expect(checksums.filter((one) => one?.startsWith('sha256 '))).toHaveLength(3);
    expect(seen.at(-1)).toEqual({ sent: 2 * kPiece + 5, size: 2 * kPiece + 5 });
    expect(seen.map(({ sent }) => sent)).toEqual([...seen.map(({ sent }) => sent)].sort((a, b) => a - b));
  });

  it.each([
    ['bytes', () => bytesOf(kPiece + 9), {}],
    ['a buffer', () => bytesOf(kPiece + 9).buffer, {}],
    ['a stream', () => new Blob([bytesOf(kPiece + 9)]).stream(), { size: kPiece + 9 }],
    ['an iterable', () => (async function* () { for (let at = 0; at < kPiece + 9; at += 300) yield bytesOf(kPiece + 9).slice(at, at + 300); })(), { size: kPiece + 9 }],
  ])('takes %s, and sends a piece again whose connection was lost', async (_, content, more) => {
    server.faults.push(() => null, () => 'offline', () => null, () => 'lost');
    await filesOf().upload('thrd_1', content(), { name: 'a.png', ...more });
    expect(server.bytesOf('att_1')).toEqual(bytesOf(kPiece + 9));
    expect(server.calls).toEqual(['POST', 'PATCH 0', 'HEAD', 'PATCH 0', 'HEAD', `PATCH ${kPiece}`, 'GET']);
  });

  it('asks for the state if only the last answer was lost', async () => {
    server.faults.push(() => null, () => 'lost');
    expect(await filesOf().upload('thrd_1', blob(100))).toMatchObject({ state: 'ready' });
    expect(server.calls).toEqual(['POST', 'PATCH 0', 'HEAD', 'GET']);
  });

  it('repeats a damaged piece and goes on from another offset if the server says so', async () => {
    server.faults.push(() => null, () => reply(460, {}, { error: { code: 'BAD_REQUEST' } }), () => null, () => reply(409, {}, { error: { code: 'VERSION_CONFLICT' } }));
    await filesOf().upload('thrd_1', blob(100));
    expect(server.bytesOf('att_1')).toEqual(bytesOf(100));
  });

  it('is refused with the code and the limit of the server, without a repetition', async () => {
    const error = { code: 'ATTACHMENT_TOO_LARGE', hint: 'Too large.', fields: { limit: 'maxBytes', left: '10' } };
    server.faults.push(() => reply(422, {}, { error }));
    await expect(filesOf().upload('thrd_1', blob(100))).rejects.toMatchObject({ code: 'ATTACHMENT_TOO_LARGE', hint: 'Too large.', details: { fields: error.fields } });
    expect(server.calls).toEqual(['POST']);
  });

  it('is repeated soon if the server is busy, and not if it names a time far away', async () => {
    server.faults.push(() => reply(429, {}, { error: { code: 'RATE_LIMITED', retryAfterMs: 2 } }));
    await filesOf().upload('thrd_1', blob(100));
    server.faults.push(() => reply(429, {}, { error: { code: 'RATE_LIMITED', retryAfterMs: 3_600_000 } }));
    await expect(filesOf().upload('thrd_1', blob(100))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('gives up after many attempts, and continues when the same file is uploaded again', async () => {
    const files = filesOf();
    server.faults.push(() => null, () => null, ...Array.from({ length: 10 }, () => () => 'offline' as const));
    const content = blob(2 * kPiece);
    await expect(files.upload('thrd_1', content)).rejects.toMatchObject({ code: 'DISCONNECTED', transient: true });
    server.calls.length = 0;
    await files.upload('thrd_1', content);
    expect(server.calls).toEqual(['HEAD', `PATCH ${kPiece}`, 'GET']);
    expect(server.begun).toHaveLength(1);
  });

  it('uses a newer token after the first was refused', async () => {
    server.faults.push(() => reply(401, {}, { error: { code: 'UNAUTHENTICATED' } }));
    await filesOf().upload('thrd_1', blob(100));
    expect(tokens.slice(0, 2)).toEqual(['hello', 'refused']);
  });

  it('that is empty is refused at once', async () => {
    await expect(filesOf().upload('thrd_1', new Blob([]))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(filesOf().upload('thrd_1', new Blob(['a']).stream())).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(server.calls).toEqual([]);
  });
});

describe('an upload that a page left', () => {
  it('goes on in the next page with the same file, and not with another', async () => {
    const storage = new Kept();
    const first = filesOf({ storage });
    server.faults.push(() => null, () => null, () => (first.stop(), 'offline'));
    await expect(first.upload('thrd_1', blob(2 * kPiece))).rejects.toMatchObject({ code: 'STOPPED' });
    expect(storage.values.size).toBe(1);
    const next = filesOf({ storage });
    await next.upload('thrd_1', blob(2 * kPiece + 1));
    expect(server.begun).toHaveLength(2);
    server.calls.length = 0;
    expect(await next.upload('thrd_1', blob(2 * kPiece))).toMatchObject({ attachmentId: 'att_1' });
    expect(server.calls).toEqual(['HEAD', `PATCH ${kPiece}`, 'GET']);
    expect(storage.values.size).toBe(0);
  });

  it('starts again if the server has forgotten it, or if the kept address is of another server', async () => {
    const storage = new Kept();
    for (const uploadUrl of ['http://host:1/v1/uploads/att_9/x', 'https://elsewhere.example/v1/uploads/att_9/x', 'no url']) {
      storage.load = () => ({ attachmentId: 'att_9', uploadUrl });
      const { attachmentId } = await filesOf({ storage }).upload('thrd_1', blob(100));
      expect(server.bytesOf(attachmentId!)).toEqual(bytesOf(100));
    }
  });

  it('works without its storage', async () => {
    const storage = { load: () => { throw new Error('forbidden'); }, save: () => { throw new Error('full'); } };
    await filesOf({ storage }).upload('thrd_1', blob(100));
  });
});

describe('a cancelled upload', () => {
  it('ends on the server, too', async () => {
    const cancel = new AbortController();
    const storage = new Kept();
    server.faults.push(() => null, () => null, () => (cancel.abort(), 'offline'));
    await expect(filesOf({ storage }).upload('thrd_1', blob(2 * kPiece), { signal: cancel.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.held.size).toBe(0);
    expect(storage.values.size).toBe(0);
  });

  it('ends on the server if it was cancelled while it began', async () => {
    const cancel = new AbortController();
    server.faults.push(() => (cancel.abort(), null));
    await expect(filesOf().upload('thrd_1', blob(100), { signal: cancel.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.calls).toEqual(['POST', 'DELETE']);
    expect(server.held.size).toBe(0);
  });

  it('that was cancelled before it began sends nothing', async () => {
    await expect(filesOf().upload('thrd_1', blob(100), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.calls).toEqual([]);
  });
});

describe('the same file twice at a time', () => {
  it('makes two uploads', async () => {
    const files = filesOf();
    const both = await Promise.all([files.upload('thrd_1', blob(100)), files.upload('thrd_1', blob(100))]);
    expect(both.map(({ attachmentId }) => attachmentId).sort()).toEqual(['att_1', 'att_2']);
  });
});

describe('the address of a file', () => {
  it('is asked for once, and again for another variant or if it did not work', async () => {
    const files = filesOf();
    const [one, same] = await Promise.all([files.url('att_1', { variant: 'thumb' }), files.url('att_1', { variant: 'thumb' })]);
    expect(one).toBe('http://host:1/v1/files/att_1/link1');
    expect([same, await files.url('att_1', { variant: 'thumb' })]).toEqual([one, one]);
    expect(await files.url('att_1')).not.toBe(one);
    expect(await files.url('att_1', { variant: 'thumb', fresh: true })).not.toBe(one);
    expect(server.links).toBe(3);
  });

  it('is asked for again shortly before it expires, by the clock of the server', async () => {
    const files = filesOf({ skewMs: () => 290_000 });
    await files.url('att_1');
    await files.url('att_1');
    expect(server.links).toBe(2);
  });

  it('is not cached if it was refused', async () => {
    const files = filesOf({ safeMode: false });
    server.faults.push(() => reply(422, {}, { error: { code: 'UPLOAD_QUARANTINED' } }));
    await expect(files.url('att_1')).rejects.toMatchObject({ code: 'UPLOAD_QUARANTINED' });
    const seen: string[] = [];
    server.faults.push((call) => (seen.push(call.url), null));
    await files.url('att_1');
    expect(seen[0]).toContain('safeMode=off');
  });
});

describe('a media type', () => {
  it('is found by the ending of a name if the system does not know it', () => {
    expect(['a.HEIC', 'b.docx', 'c.jpg', 'constructor', 'x.toString'].map(mimeOfName)).toEqual([
      'image/heic', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'image/jpeg', '', '',
    ]);
  });
});
