import { ParleyError } from '../src/errors.js';
import type { HttpCall, HttpReply, Transport } from '../src/http.js';

interface Held {
  size: number;
  sha256: string | undefined;
  bytes: number[];
}

export const reply = (status: number, headers: Record<string, string> = {}, body: unknown = ''): HttpReply => ({
  status,
  header: (name) => headers[name.toLowerCase()] ?? null,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The routes of uploads and links in memory, with faults on demand. `calls` lists methods with their offset. */
export class FakeUploads {
  readonly held = new Map<string, Held>();
  readonly calls: string[] = [];
  readonly begun: Record<string, unknown>[] = [];
  /** Answers the next calls in place of the server; `lost`: the connection ends after the bytes were stored. */
  readonly faults: ((call: HttpCall) => HttpReply | 'lost' | 'offline' | null)[] = [];
  links = 0;

  readonly send: Transport = (call) => {
    const from = call.headers?.['upload-offset'];
    this.calls.push(from === undefined ? call.method : `${call.method} ${from}`);
    if (call.signal.aborted) return Promise.reject(new Error('aborted'));
    const fault = this.faults.shift()?.(call) ?? null;
    if (fault === 'offline') return Promise.reject(offline());
    if (fault !== null && fault !== 'lost') return Promise.resolve(fault);
    const answer = this.answer(call);
    return fault === 'lost' ? Promise.reject(offline()) : Promise.resolve(answer);
  };

  bytesOf(id: string): Uint8Array {
    return Uint8Array.from(this.held.get(id)!.bytes);
  }

  private answer(call: HttpCall): HttpReply {
    const path = new URL(call.url).pathname;
    if (call.method === 'POST') return this.create(JSON.parse(call.body as string) as Record<string, unknown>);
    if (path.startsWith('/v1/files/')) {
      this.links += 1;
      return reply(200, {}, { url: `${path}/link${this.links}`, expiresAt: new Date(Date.now() + 300_000).toISOString() });
    }
    const id = path.split('/')[3]!;
    const held = this.held.get(id);
    if (held === undefined) return reply(404);
    if (call.method === 'GET') return reply(200, {}, { attachment: { attachmentId: id, state: held.bytes.length < held.size ? 'uploading' : 'ready' } });
    if (call.method === 'HEAD') return reply(200, { 'upload-offset': String(held.bytes.length) });
    if (call.method === 'DELETE') {
      this.held.delete(id);
      return reply(204);
    }
    if (Number(call.headers!['upload-offset']) !== held.bytes.length) return reply(409, {}, { error: { code: 'VERSION_CONFLICT' } });
    held.bytes.push(...(call.body as Uint8Array));
    call.onSent?.((call.body as Uint8Array).byteLength);
    return reply(204, { 'upload-offset': String(held.bytes.length) });
  }

  private create(args: Record<string, unknown>): HttpReply {
    const id = `att_${this.begun.length + 1}`;
    this.begun.push(args);
    this.held.set(id, { size: args['size'] as number, sha256: args['sha256'] as string | undefined, bytes: [] });
    return reply(201, {}, { attachment: { attachmentId: id }, uploadUrl: `/v1/uploads/${id}/secret` });
  }
}

function offline(): ParleyError {
  return new ParleyError('DISCONNECTED', 'offline', 'Offline.');
}
