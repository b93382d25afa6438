import { decodeFrame, encodeFrame, kSubprotocol, type Frame } from './codec.js';
import { fillEvent, fillReply } from './compact.js';
import { disconnected, fromReply, ParleyError, timedOut } from './errors.js';
import type { HelloReply, Resume } from './wire.js';

/** The part of the browser's WebSocket that a session uses, so that tests and other runtimes can bring their own. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

export type SocketFactory = (url: string, subprotocol: string) => Socket;

export function browserSocket(url: string, subprotocol: string): Socket {
  return new WebSocket(url, subprotocol) as unknown as Socket;
}

export interface SessionHandlers {
  onEvent: (event: Frame & { ev: string }) => void;
  /** Once, when the session is over, for whatever reason; every open request has been rejected by then. */
  onClose: (code: number, reason: string) => void;
}

interface Waiting {
  op: string;
  resolve: (ok: Frame) => void;
  reject: (error: ParleyError) => void;
  timer: ReturnType<typeof setTimeout>;
}

/** What a hello says besides who comes and what is held. */
export interface HelloWishes {
  /** False: an adult wishes to see what is mature. */
  safeMode?: boolean | undefined;
  /** Items are to come without what can be filled in. The session fills it in: nobody else notices. */
  compact?: boolean;
}

const kOpenTimeoutMs = 10_000;
const kRequestTimeoutMs = 20_000;
const kGaveUp = 4000; // a private code: this client ended the connection for a reason of its own
const kOpen = 1;
// A browser gives no sign of the server's pings, so silence is found out by asking.
const kAnswerGraceMs = 10_000;

/**
 * One authenticated WebSocket: hello, requests matched to replies by id, events, heartbeat. It lives once; coming
 * back is the business of Connection.
 */
export class Session {
  private readonly socket: Socket;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private lastHeard = 0;
  private heartbeat: ReturnType<typeof setInterval> | null = null;
  private closed = false;
  private compact = false;
  private readonly opened: Promise<void>;
  private refuseOpen: (error: ParleyError) => void = () => undefined;
  private readonly openTimer: ReturnType<typeof setTimeout>;

  constructor(
    url: string,
    factory: SocketFactory,
    private readonly handlers: SessionHandlers,
  ) {
    this.socket = factory(url, kSubprotocol);
    this.socket.binaryType = 'arraybuffer';
    this.opened = new Promise((resolve, reject) => {
      this.socket.onopen = () => resolve();
      this.refuseOpen = reject;
    });
    this.opened.catch(() => undefined);
    this.openTimer = setTimeout(() => this.close(kGaveUp, 'no connection in time'), kOpenTimeoutMs);
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = (event) => this.end(event.code, event.reason);
    this.socket.onerror = () => undefined; // a close follows, and says more
  }

  /** Rejects with the server's refusal, or DISCONNECTED when the socket ends first. */
  async hello(token: string, resume: Resume | null, { safeMode, compact = false }: HelloWishes = {}): Promise<HelloReply> {
    await this.opened;
    clearTimeout(this.openTimer);
    const args: Frame = { token, deliver: 'open', device: 'browser' };
    if (resume !== null) args['resume'] = resume;
    if (safeMode !== undefined) args['safeMode'] = safeMode;
    if (compact) args['compact'] = true;
    this.compact = compact;
    const reply = (await this.request('session.hello', args)) as unknown as HelloReply;
    this.startHeartbeat(Math.min(reply.heartbeatMs || 25_000, (reply.presenceTtlMs || 60_000) / 2));
    return reply;
  }

  request(op: string, args: Frame): Promise<Frame> {
    if (this.closed || this.socket.readyState !== kOpen) return Promise.reject(disconnected());
    const id = this.nextId();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(timedOut(op));
      }, kRequestTimeoutMs);
      this.waiting.set(id, { op, resolve, reject, timer });
      this.socket.send(encodeFrame({ id, op, args }));
    });
  }

  /** Without id: nothing is answered, nothing is waited for. */
  notify(op: string, args: Frame): void {
    if (!this.closed && this.socket.readyState === kOpen) this.socket.send(encodeFrame({ op, args }));
  }

  close(code = 1000, reason = ''): void {
    this.socket.close(code, reason);
    this.end(code, reason);
  }

  /** Ids are unsigned 32-bit and unique among the unanswered, so a long session wraps and skips. */
  private nextId(): number {
    do {
      this.lastId = this.lastId >= 0xffffffff ? 1 : this.lastId + 1;
    } while (this.waiting.has(this.lastId));
    return this.lastId;
  }

  private receive(data: unknown): void {
    if (this.closed) return;
    this.lastHeard = performance.now();
    const frame = decodeFrame(data);
    if (frame === null) return this.close(kGaveUp, 'undecodable frame');
    if (typeof frame['ev'] === 'string') return this.hear(frame as Frame & { ev: string });
    const waiting = this.waiting.get(frame['id'] as number);
    if (waiting === undefined) return;
    this.waiting.delete(frame['id'] as number);
    clearTimeout(waiting.timer);
    if (frame['error'] !== undefined) return waiting.reject(fromReply(frame['error']));
    const ok = (frame['ok'] ?? {}) as Frame;
    if (this.compact) fillReply(waiting.op, ok);
    waiting.resolve(ok);
  }

  private hear(event: Frame & { ev: string }): void {
    if (this.compact) fillEvent(event);
    this.handlers.onEvent(event);
  }

  private startHeartbeat(everyMs: number): void {
    if (this.closed) return;
    this.heartbeat = setInterval(() => {
      const asked = performance.now();
      this.request('session.ping', {}).catch(() => undefined);
      setTimeout(() => {
        if (!this.closed && this.lastHeard < asked) this.close(kGaveUp, 'server silent');
      }, kAnswerGraceMs);
    }, everyMs);
  }

  private end(code: number, reason: string): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.openTimer);
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
    this.refuseOpen(disconnected());
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(disconnected());
    }
    this.waiting.clear();
    this.handlers.onClose(code, reason);
  }
}
