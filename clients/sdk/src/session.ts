import { blamesFrame } from './close_codes.js';
import { decodeFrame, encodeFrame, kSubprotocol, type Frame } from './codec.js';
import { fillEvent, fillReply } from './compact.js';
import { disconnected, frameRefused, fromReply, noWebSocket, ParleyError, timedOut, tooLarge, unreadable, unsendable } from './errors.js';
import { boundsOf, kFirstBounds, type Bounds } from './bounds.js';
import type { HelloReply, Resume } from './wire.js';

/** The part of the browser's WebSocket that a session uses, so that tests and other runtimes can provide their own. */
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
  if (typeof WebSocket === 'undefined') throw noWebSocket();
  return new WebSocket(url, subprotocol) as unknown as Socket;
}

export interface SessionHandlers {
  onEvent: (event: Frame & { ev: string }) => void;
  /** Called once, when the session ends for any reason, after all open requests have been rejected. */
  onClose: (code: number, reason: string) => void;
}

export interface SessionManner {
  /** Sends one request at a time, so that a frame that ends the session can be identified. */
  careful?: boolean;
  /** Skips unreadable frames, because a reconnect did not help. */
  patient?: boolean;
}

interface Waiting {
  op: string;
  resolve: (ok: Frame) => void;
  reject: (error: ParleyError) => void;
  /** The encoded frame until it is sent, then null. */
  bytes: Uint8Array<ArrayBuffer> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Options of a hello besides the token and the resume position. */
export interface HelloWishes {
  /** False: an adult wants to see mature content. */
  safeMode?: boolean | undefined;
  /** Requests the compact form of items. The session restores the omitted fields, so callers see full items. */
  compact?: boolean;
}

const kOpenTimeoutMs = 10_000;
const kRequestTimeoutMs = 20_000;
const kGaveUp = 4000; // a private code: this client ended the connection
export const kUnreadable = 4001; // also private: an incoming frame was unreadable
const kHello = 'session.hello';
const kOpen = 1;
// A browser does not report the server's pings, so the session detects silence with a ping of its own.
const kAnswerGraceMs = 10_000;

/**
 * One authenticated WebSocket: hello, requests matched to replies by id, events, heartbeat. It never reconnects;
 * Connection does.
 */
export class Session {
  private readonly socket: Socket;
  private readonly waiting = new Map<number, Waiting>();
  private inFlight = 0;
  private bounds: Bounds = kFirstBounds;
  private lastId = 0;
  private lastHeard = 0;
  private heartbeat: ReturnType<typeof setInterval> | null = null;
  private closed = false;
  /** The server accepted the WebSocket, however the session ended. */
  wasOpen = false;
  private compact = false;
  private readonly opened: Promise<void>;
  private refuseOpen: (error: ParleyError) => void = () => undefined;
  private readonly openTimer: ReturnType<typeof setTimeout>;

  constructor(
    url: string,
    factory: SocketFactory,
    private readonly handlers: SessionHandlers,
    private readonly manner: SessionManner = {},
  ) {
    this.socket = factory(url, kSubprotocol);
    this.socket.binaryType = 'arraybuffer';
    this.opened = new Promise((resolve, reject) => {
      this.socket.onopen = () => {
        this.wasOpen = true;
        resolve();
      };
      this.refuseOpen = reject;
    });
    this.opened.catch(() => undefined);
    this.openTimer = setTimeout(() => this.close(kGaveUp, 'no connection in time'), kOpenTimeoutMs);
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = (event) => this.end(event.code, event.reason);
    this.socket.onerror = () => undefined; // a close event follows, with the reason
  }

  /** Rejects with the server's error, or DISCONNECTED if the socket ends first. */
  async hello(token: string, resume: Resume | null, { safeMode, compact = false }: HelloWishes = {}): Promise<HelloReply> {
    await this.opened;
    clearTimeout(this.openTimer);
    const args: Frame = { token, deliver: 'open', device: 'browser' };
    if (resume !== null) args['resume'] = resume;
    if (safeMode !== undefined) args['safeMode'] = safeMode;
    if (compact) args['compact'] = true;
    this.compact = compact;
    const reply = (await this.request(kHello, args)) as unknown as HelloReply;
    this.bounds = boundsOf(reply.limits);
    if (this.manner.careful === true) this.bounds = { ...this.bounds, maxInFlight: 1 };
    this.startHeartbeat(Math.min(reply.heartbeatMs || 25_000, (reply.presenceTtlMs || 60_000) / 2));
    return reply;
  }

  /** Waits while `maxInFlight` requests are unanswered. Rejects at once if the server could not accept the frame. */
  request(op: string, args: Frame): Promise<Frame> {
    if (this.closed || this.socket.readyState !== kOpen) return Promise.reject(disconnected());
    const id = this.nextId();
    const bytes = this.encoded(op, { id, op, args });
    if (bytes instanceof ParleyError) return Promise.reject(bytes);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { op, resolve, reject, bytes, timer: undefined });
      this.sendWaiting();
    });
  }

  /** Sends without an id, so the server does not reply. */
  notify(op: string, args: Frame): void {
    if (this.closed || this.manner.careful === true || this.socket.readyState !== kOpen) return;
    const bytes = this.encoded(op, { op, args });
    if (!(bytes instanceof ParleyError)) this.socket.send(bytes);
  }

  private encoded(op: string, frame: Frame): Uint8Array<ArrayBuffer> | ParleyError {
    try {
      const bytes = encodeFrame(frame);
      return bytes.byteLength <= this.bounds.maxFrameBytes ? bytes : tooLarge(op, this.bounds.maxFrameBytes);
    } catch {
      return unsendable(op);
    }
  }

  private sendWaiting(): void {
    for (const [id, waiting] of this.waiting) {
      if (this.inFlight >= this.bounds.maxInFlight) return;
      if (waiting.bytes === null) continue;
      waiting.timer = setTimeout(() => this.take(id)?.reject(timedOut(waiting.op)), kRequestTimeoutMs);
      this.inFlight += 1;
      this.socket.send(waiting.bytes);
      waiting.bytes = null;
    }
  }

  /** Removes a request that was sent, and returns it. */
  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    if (waiting === undefined || waiting.bytes !== null) return undefined;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    this.inFlight -= 1;
    this.sendWaiting();
    return waiting;
  }

  close(code = 1000, reason = ''): void {
    this.socket.close(code, reason);
    this.end(code, reason);
  }

  /** Ids are unsigned 32-bit and unique among the unanswered requests, so a long session wraps and skips. */
  private nextId(): number {
    do {
      this.lastId = this.lastId >= 0xffffffff ? 1 : this.lastId + 1;
    } while (this.waiting.has(this.lastId));
    return this.lastId;
  }

  private receive(data: unknown): void {
    if (this.closed) return;
    this.lastHeard = performance.now();
    const read = decodeFrame(data, this.bounds.maxReplyBytes);
    if (read === null) return this.manner.patient === true ? undefined : this.close(kUnreadable, 'undecodable frame');
    const { map: frame, whole } = read;
    if (typeof frame['ev'] === 'string') return whole ? this.hear(frame as Frame & { ev: string }) : this.passOver(frame);
    const waiting = this.take(frame['id'] as number);
    if (waiting === undefined) return;
    if (!whole) return waiting.reject(unreadable(waiting.op));
    if (frame['error'] !== undefined) return waiting.reject(fromReply(frame['error']));
    const ok = (frame['ok'] ?? {}) as Frame;
    if (this.compact) fillReply(waiting.op, ok);
    waiting.resolve(ok);
  }

  /** Replaces an unreadable event by one without an item, so that later events do not look like a hole. */
  private passOver({ threadId, seq }: Frame): void {
    if (typeof threadId === 'string' && typeof seq === 'number') this.handlers.onEvent({ ev: 'skip', threadId, seq });
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
    const blamed = blamesFrame(code) ? this.onlyInFlight() : null;
    for (const waiting of this.waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(waiting !== blamed ? disconnected() : code === kUnreadable ? unreadable(waiting.op) : frameRefused(waiting.op, code));
    }
    this.waiting.clear();
    this.handlers.onClose(code, reason);
  }

  /** A hello does not count, since it names the user and is always retried. */
  private onlyInFlight(): Waiting | null {
    const sent = [...this.waiting.values()].filter(({ bytes }) => bytes === null);
    return sent.length === 1 && sent[0]!.op !== kHello ? sent[0]! : null;
  }
}
