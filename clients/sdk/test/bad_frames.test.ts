import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import type { ParleyError } from '../src/errors.js';
import { FakeServer } from './fake_server.js';
import { helloReply, message, openReply, range } from './items.js';
import { clientOf, later, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;

const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'ok', (error: ParleyError) => error.code);
const sent = (): unknown[] => server.asked('message.send').map(({ body }) => body);
const failures = () => client.state.outbox.map(({ body, state, code }) => ({ body, state, code }));

/** Answers sends, and ends the session with `code` if the body is "poison". */
function poisoned(code: number): void {
  let msgNo = 3;
  server.answers['message.send'] = ({ body }) => {
    if (!(body as string).startsWith('poison')) return { ...message(++msgNo), duplicate: false };
    const { line } = server;
    queueMicrotask(() => line.cut(code));
    return 'silence';
  };
}

/** A reply or event whose last value cannot be decoded. */
function broken(frame: Record<string, unknown>, name: string): ArrayBuffer {
  const bytes = encode({ ...frame, [name]: null }).slice();
  bytes[bytes.length - 1] = 0xc1;
  return bytes.buffer as ArrayBuffer;
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  client = clientOf(server, { backoff: { baseMs: 100, capMs: 8_000 }, random: () => 1 });
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

describe('a frame that ends the session', () => {
  it.each([1003, 1007, 1009, 4400])('is abandoned after %i, and the others are sent', async (code) => {
    poisoned(code);
    client.start();
    client.send('thrd_a', { body: 'good a' });
    client.send('thrd_b', { body: 'poison' });
    client.send('thrd_c', { body: 'good c' });
    await settle();
    client.send('thrd_b', { body: 'good b' });
    await later(120_000);
    expect(failures()).toEqual([{ body: 'poison', state: 'failed', code: 'FRAME_REFUSED' }]);
    for (const body of ['good a', 'good b', 'good c']) expect(sent()).toContain(body);
    expect(sent().filter((body) => body === 'poison').length).toBeLessThanOrEqual(2);
    expect(server.sockets.length).toBeLessThanOrEqual(3);
    expect(client.state.connection).toBe('connected');
  });

  it('is found among several frames', async () => {
    poisoned(1007);
    client.start();
    await settle();
    for (const n of [1, 2, 3]) client.send(`thrd_${n}`, { body: `poison ${n}` });
    client.send('thrd_4', { body: 'good' });
    await later(300_000);
    expect(failures().map(({ body, state }) => [body, state])).toEqual([1, 2, 3].map((n) => [`poison ${n}`, 'failed']));
    expect(sent()).toContain('good');
  });

  it('fails its request', async () => {
    client.start();
    await settle();
    server.answers['tab.put'] = () => {
      queueMicrotask(() => server.line.cut(1007));
      return 'silence';
    };
    const [code] = await Promise.all([codeOf(client.project.putTab('thrd_a', 'brief', 1, { x: 1 })), later(500)]);
    expect(code).toBe('FRAME_REFUSED');
    expect(client.state.connection).toBe('connected');
  });

  it('is retried if it is the hello', async () => {
    server.answers['session.hello'] = () => {
      queueMicrotask(() => server.line.cut(1009));
      return 'silence';
    };
    client.start();
    await settle();
    server.answers['session.hello'] = () => helloReply() as unknown as Record<string, unknown>;
    await later(10_000);
    expect(client.state.connection).toBe('connected');
  });

  it('is not sent if it cannot be encoded', async () => {
    client.start();
    await settle();
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const content of [deep(60), circle]) expect(await codeOf(client.request('tab.put', { content }))).toBe('BAD_REQUEST');
    expect(await codeOf(client.request('tab.put', { content: 'x'.repeat(300_000) }))).toBe('TOO_LARGE');
    expect(server.asked('tab.put')).toEqual([]);
    expect(server.sockets).toHaveLength(1);
  });

  it('has no lone surrogates, and so does not end the session', async () => {
    poisoned(1007);
    client.start();
    client.send('thrd_a', { body: `so ${'👍'.slice(0, 1)}` });
    await settle();
    expect(client.state.outbox[0]?.body ?? 'so \ufffd').toBe('so \ufffd');
    expect(sent()).toEqual(['so \ufffd']);
  });
});

describe('a frame that cannot be read', () => {
  it('fails the request that it answers, and nothing else', async () => {
    client.start();
    await settle();
    server.answers['thread.open'] = ({ threadId }) => {
      if (threadId === 'thrd_b') return openReply('thrd_b', range(1, 2)) as unknown as Record<string, unknown>;
      const { id } = server.requests.at(-1)!;
      queueMicrotask(() => server.line.onmessage?.({ data: broken({ id }, 'ok') }));
      return 'silence';
    };
    client.showThread('thrd_a');
    await settle();
    client.showThread('thrd_b');
    await later(60_000);
    expect(client.state.threads['thrd_a']).toMatchObject({ loaded: false, failureCode: 'UNREADABLE' });
    expect(client.state.threads['thrd_b']).toMatchObject({ loaded: true, failure: null });
    expect(server.asked('thread.open')).toHaveLength(2);
    expect(server.sockets).toHaveLength(1);
  });

  it('leaves no hole if it is an event', async () => {
    client.start();
    client.showThread('thrd_a');
    await settle();
    const held = client.state.threads['thrd_a']!.tracker.held;
    server.line.onmessage?.({ data: broken({ ev: 'message.created', threadId: 'thrd_a', seq: held + 1 }, 'item') });
    server.line.onmessage?.({ data: broken({ ev: 'inbox.updated' }, 'entry') });
    server.line.push({ ev: 'message.created', threadId: 'thrd_a', seq: held + 2, item: message(5, { seq: held + 2 }) });
    await later(1_000);
    expect(client.state.threads['thrd_a']!.tracker.held).toBe(held + 2);
    expect(server.asked('thread.changes')).toEqual([]);
    expect(server.sockets).toHaveLength(1);
  });

  it('ends a few sessions if nothing of it can be read, and then is skipped', async () => {
    const hello = server.answers['session.hello']!;
    server.answers['session.hello'] = (args) => {
      const { line } = server;
      setTimeout(() => line.onmessage?.({ data: new Uint8Array([0xc1]).buffer }), 10);
      return hello(args);
    };
    client.start();
    await later(120_000);
    expect(server.sockets).toHaveLength(4);
    expect(client.state.connection).toBe('connected');
  });

  it('does not arise from the keys of its maps: a thread with such a card opens', async () => {
    const payload = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}') as Record<string, unknown>;
    const card = message(1, { type: 'action', action: { type: 'CUSTOM', payload, state: 'OPEN', version: 1 } });
    server.answers['thread.open'] = () => openReply('thrd_a', [card]) as unknown as Record<string, unknown>;
    client.start();
    client.showThread('thrd_a');
    await later(10_000);
    const shown = client.state.threads['thrd_a']!;
    expect(Object.keys(shown.timeline.messages[0]!.action!.payload)).toEqual(['__proto__', 'constructor']);
    expect(server.sockets).toHaveLength(1);
  });

  it('does not arise from a user named like a member of every object', async () => {
    const presence = [{ userId: '__proto__', online: true }, { userId: 'constructor', online: true }];
    server.answers['thread.open'] = () => openReply('constructor', range(1, 1), { presence }) as unknown as Record<string, unknown>;
    client.start();
    client.showThread('constructor');
    await later(100);
    expect(server.asked('thread.open')).toHaveLength(1);
    expect(Object.keys(client.state.threads['constructor']!.presence)).toEqual(['__proto__', 'constructor']);
    expect(client.state.threads['constructor']!.presence['toString']).toBeUndefined();
  });
});

describe('a session that ends soon after its hello', () => {
  it('does not cause immediate reconnects', async () => {
    const hello = server.answers['session.hello']!;
    server.answers['session.hello'] = (args) => {
      const { line } = server;
      setTimeout(() => line.cut(1006), 50);
      return hello(args);
    };
    client.start();
    await later(60_000);
    expect(server.sockets.length).toBeLessThan(15);
    server.answers['session.hello'] = hello;
    await later(60_000); // settled: the next loss is an ordinary one
    const before = server.sockets.length;
    server.line.cut(1006);
    await later(200);
    expect(server.sockets).toHaveLength(before + 1);
  });

  it('does not cause them while the server drains either', async () => {
    const hello = server.answers['session.hello']!;
    server.answers['session.hello'] = (args) => {
      const { line } = server;
      setTimeout(() => {
        line.push({ ev: 'session.draining', reconnectWithinMs: 0 });
        line.cut(1001);
      }, 50);
      return hello(args);
    };
    client.start();
    await later(60_000);
    expect(server.sockets.length).toBeLessThan(15);
  });
});

describe('the bounds of a session', () => {
  const withLimits = (limits: unknown): void => {
    server.answers['session.hello'] = () => ({ ...helloReply(), limits }) as unknown as Record<string, unknown>;
  };

  it('come from the hello: requests in flight, bytes of a frame and of a body', async () => {
    withLimits({ maxInFlight: 2, maxFrameBytes: 1_000, maxBodyBytes: 100 });
    client.start();
    await settle();
    server.answers['thread.get'] = () => 'silence';
    const asked = [1, 2, 3, 4].map((n) => codeOf(client.request('thread.get', { threadId: `thrd_${n}` })));
    await settle();
    expect(server.asked('thread.get')).toHaveLength(2);
    const { id } = server.requests.find(({ op }) => op === 'thread.get')!;
    server.line.push({ id, ok: {} });
    await settle();
    expect(server.asked('thread.get')).toHaveLength(3);
    expect(await codeOf(client.request('thread.get', { threadId: 'x'.repeat(1_000) }))).toBe('TOO_LARGE');
    expect(client.state.limits.maxBodyBytes).toBe(100);
    server.line.cut(1006);
    await Promise.all([...asked, settle()]);
  });

  it('stay at their defaults if a hello has invalid ones', async () => {
    withLimits({ maxInFlight: 0, maxFrameBytes: 'many', maxBodyBytes: -1 });
    client.start();
    await settle();
    expect(client.state.limits).toMatchObject({ maxInFlight: 256, maxFrameBytes: 262_144, maxBodyBytes: 8_192 });
    expect(await codeOf(client.request('inbox.counts', {}))).toBe('ok');
  });
});

describe('a tab with a field name that servers reject today', () => {
  it('is saved without it', async () => {
    client.start();
    await settle();
    server.answers['tab.put'] = () => ({ tab: { tab: 'brief', version: 2, content: {} } });
    const content = JSON.parse('{"title":"t","__proto__":{"a":1},"list":[{"constructor":1,"b":2}]}') as Record<string, unknown>;
    await Promise.all([client.project.putTab('thrd_a', 'brief', 1, content), settle()]);
    expect(server.asked('tab.put')[0]!['content']).toEqual({ title: 't', list: [{ b: 2 }] });
  });
});
