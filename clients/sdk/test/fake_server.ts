import { decode, encode } from '@msgpack/msgpack';
import type { Socket } from '../src/session.js';
import { helloReply, openReply, range } from './items.js';
import type { HelloReply } from '../src/wire.js';

type Args = Record<string, unknown>;
interface Request {
  id?: number;
  op: string;
  args: Args;
}
/** A reply, an error `{error}`, or `silence` to leave the request unanswered. */
type Answer = Args | 'silence';

/** The server's end of a connection: answers by op, records requests, pushes events, drops the connection. */
export class FakeSocket implements Socket {
  binaryType = 'blob';
  readyState = 0;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;

  constructor(
    private readonly server: FakeServer,
    readonly subprotocol: string,
  ) {
    queueMicrotask(() => {
      if (server.down) return this.cut(1006);
      this.readyState = 1;
      (this.onopen as (() => void) | null)?.();
    });
  }

  send(data: Uint8Array<ArrayBuffer>): void {
    const request = decode(data) as Request;
    this.server.requests.push(request);
    const answer = this.server.answer(request);
    if (answer === 'silence' || request.id === undefined) return;
    queueMicrotask(() => this.push('error' in answer ? { id: request.id, ...answer } : { id: request.id, ok: answer }));
  }

  push(frame: Args): void {
    if (this.readyState === 1) this.onmessage?.({ data: encode(frame).slice().buffer });
  }

  cut(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: '' });
  }

  close(): void {
    this.readyState = 3;
  }
}

export class FakeServer {
  down = false;
  readonly sockets: FakeSocket[] = [];
  readonly requests: Request[] = [];
  readonly answers: Record<string, (args: Args) => Answer> = {
    'session.hello': () => helloReply() as unknown as Args,
    'session.refresh': () => ({ expiresAt: '2030-01-01T00:00:00.000Z' }),
    'inbox.counts': () => ({ folders: [] }),
    'inbox.list': () => ({ entries: [], cursor: null }),
    'thread.open': ({ threadId }) => openReply(threadId as string, range(1, 3)) as unknown as Args,
  };

  readonly connect = (_url: string, subprotocol: string): FakeSocket => {
    const socket = new FakeSocket(this, subprotocol);
    this.sockets.push(socket);
    return socket;
  };

  resumeWith(resumed: HelloReply['resumed']): void {
    this.answers['session.hello'] = () => helloReply(resumed) as unknown as Args;
  }

  answer(request: Request): Answer {
    return this.answers[request.op]?.(request.args) ?? {};
  }

  get line(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  asked(op: string): Args[] {
    return this.requests.filter((request) => request.op === op).map(({ args }) => args);
  }
}
