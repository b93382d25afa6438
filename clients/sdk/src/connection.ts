import { backoffMs, kDefaultBackoff, type BackoffOptions } from './backoff.js';
import { afterClose, blamesFrame } from './close_codes.js';
import type { Frame } from './codec.js';
import { disconnected, forbidden, hintOf, ParleyError, stopped, tokenRefused } from './errors.js';
import { askOrigin } from './origin.js';
import { kUnreadable, Session, type SocketFactory } from './session.js';
import type { TokenWish } from './tokens.js';
import type { HelloReply, Resume } from './wire.js';

/**
 * connecting → connected, then on each loss: reconnecting → catching-up → connected. `closed` is final: stopped by
 * the owner, or rejected for a reason that a retry cannot change.
 */
export type ConnectionState = 'connecting' | 'connected' | 'reconnecting' | 'catching-up' | 'closed';

/** `signed-out` and `expired` require a new sign-in; after `refused` a sign-in would not help. */
export type ClosedBy = 'signed-out' | 'expired' | 'refused';

export interface ConnectionOptions {
  url: string;
  /**
   * Returns a token for the next hello or refresh. Throws ParleyError; transient errors are retried, others are
   * final.
   */
  getToken: (wish: TokenWish) => Promise<string>;
  socketFactory: SocketFactory;
  /** False: an adult wants to see mature content. */
  safeMode?: boolean | undefined;
  backoff?: BackoffOptions;
  random?: () => number;
  /** Called if a WebSocket did not open; returns an error if it never will. */
  askWhy?: (url: string) => Promise<ParleyError | null>;
}

export interface ConnectionHandlers {
  /** `error`: why the connection is closed, or why the last attempt failed. */
  onState: (state: ConnectionState, hint: string | null, closedBy: ClosedBy | null, error: ParleyError | null) => void;
  onEvent: (event: Frame & { ev: string }) => void;
  /** Returns the resume position for each hello; null before the first. */
  resume: () => Resume | null;
  /**
   * Called once authenticated, before any event of the session; the connection has caught up when the promise
   * resolves.
   */
  onHello: (reply: HelloReply) => Promise<void>;
}

const kRefusalsMax = 3;
const kSettledMs = 30_000; // a session that ends sooner does not reset the backoff
const kUnreadableMax = 3; // sessions in a row to give up because of an unreadable frame
const kForbiddenHint = 'This account has no access here: it may be suspended.';

/** Replaces the server's general text for FORBIDDEN with one about connecting. */
function reasonOf(error: unknown): ParleyError {
  if (!(error instanceof ParleyError)) return new ParleyError('UNKNOWN', String(error), hintOf(error));
  if (error.code !== 'FORBIDDEN') return error;
  if (/\borigin\b/.test(error.message)) return new ParleyError('ORIGIN_REFUSED', error.message, error.hint, error.details);
  return new ParleyError(error.code, error.message, kForbiddenHint, error.details);
}

function closedBy(error: unknown): ClosedBy {
  const code = error instanceof ParleyError ? error.code : '';
  if (code === 'SESSION_EXPIRED' || code === 'AUTH_EXPIRED') return 'expired';
  return code === 'SIGNED_OUT' || code === 'UNAUTHENTICATED' ? 'signed-out' : 'refused';
}

/** Keeps one session alive: connects, resumes with backoff, refreshes the token. At most one session at a time. */
export class Connection {
  private session: Session | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempt = 0;
  private refusals = 0;
  private everConnected = false;
  private running = false;
  private authenticated = false;
  private drainWithinMs: number | null = null;
  private closeCode = 0;
  /** Whether a frame ended the last session, and how many sessions in a row ended over unreadable frames. */
  private blamed = false;
  private unreadable = 0;
  private helloAt = 0;
  private opened = false; // the server accepted the last WebSocket
  private wish: TokenWish = 'hello';
  private compact = true;
  private closing: ParleyError | null = null;
  private readonly random: () => number;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly handlers: ConnectionHandlers,
  ) {
    this.random = options.random ?? Math.random;
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.refusals = 0;
    this.closing = null;
    void this.connect();
  }

  stop(error: ParleyError = stopped(), by: ClosedBy | null = null): void {
    this.running = false;
    this.closing = error;
    this.clearTimer();
    const session = this.session;
    this.session = null;
    this.authenticated = false;
    session?.close(1000);
    this.handlers.onState('closed', by === null ? null : error.hint, by, by === null ? null : error);
  }

  /** Skips the rest of a backoff, after the network came back or a person pressed the button. */
  reconnectNow(): void {
    if (!this.running || this.timer === null) return;
    this.clearTimer();
    void this.connect();
  }

  /** Rejects with DISCONNECTED unless the session is authenticated. */
  request(op: string, args: Frame): Promise<Frame> {
    return this.session !== null && this.authenticated ? this.session.request(op, args) : Promise.reject(disconnected(this.closing ?? undefined));
  }

  notify(op: string, args: Frame): void {
    if (this.authenticated) this.session?.notify(op, args);
  }

  private async connect(): Promise<void> {
    this.report(this.everConnected ? 'reconnecting' : 'connecting');
    try {
      const token = await this.options.getToken(this.wish);
      if (!this.running) return;
      await this.establish(token);
    } catch (error) {
      if (this.running && this.session === null) this.refused(error);
    }
  }

  private async establish(token: string): Promise<void> {
    this.drainWithinMs = null;
    this.closeCode = 0;
    const handlers = { onEvent: (event: Frame & { ev: string }) => this.receive(event), onClose: (code: number) => this.lost(session, code) };
    const manner = { careful: this.blamed, patient: this.unreadable >= kUnreadableMax };
    const session: Session = new Session(this.options.url, this.options.socketFactory, handlers, manner);
    this.session = session;
    this.opened = false;
    let reply: HelloReply;
    try {
      reply = await session.hello(token, this.handlers.resume(), { safeMode: this.options.safeMode, compact: this.compact });
    } catch (error) {
      this.session = null;
      this.opened = session.wasOpen;
      session.close(1000);
      throw error;
    }
    this.helloAt = performance.now();
    this.wish = 'hello';
    this.authenticated = true;
    if (this.everConnected) this.report('catching-up');
    await this.handlers.onHello(reply).catch(() => undefined); // anything that failed to load is read again on next use
    if (this.session !== session) return;
    this.everConnected = true;
    this.report('connected');
  }

  private report(state: ConnectionState, error: ParleyError | null = null): void {
    this.handlers.onState(state, null, null, error);
  }

  private receive(event: Frame & { ev: string }): void {
    if (event.ev === 'session.draining') {
      this.drainWithinMs = typeof event['reconnectWithinMs'] === 'number' ? event['reconnectWithinMs'] : 1_000;
    } else if (event.ev === 'session.expiring') {
      void this.refresh();
    } else {
      this.handlers.onEvent(event);
    }
  }

  /**
   * A failed refresh does not end the session yet: the server closes it at expiry, and the next hello brings a new
   * token.
   */
  private async refresh(): Promise<void> {
    try {
      await this.request('session.refresh', { token: await this.options.getToken('expiring') });
    } catch {
      return;
    }
  }

  private lost(session: Session, code: number): void {
    if (this.session !== session || !this.running) return;
    const wasAuthenticated = this.authenticated;
    this.authenticated = false;
    this.closeCode = code;
    this.blamed = blamesFrame(code);
    this.unreadable = code === kUnreadable ? this.unreadable + 1 : 0;
    if (!wasAuthenticated) return; // establish() waits for the hello and handles the close
    this.session = null;
    const next = afterClose(code);
    if (next === 'stop') return this.stop(forbidden(kForbiddenHint), 'refused');
    const settled = performance.now() - this.helloAt >= kSettledMs;
    if (settled) this.attempt = this.refusals = 0;
    if (next === 'token') {
      this.wish = 'refused';
      this.refusals += 1;
      if (this.refusals >= kRefusalsMax) return this.stop(tokenRefused(), 'signed-out');
    }
    if (next === 'backoff') this.attempt = Math.max(this.attempt, 3);
    this.report('reconnecting');
    if (this.drainWithinMs === null) return this.schedule(this.nextDelay());
    this.schedule(Math.max(this.random() * this.drainWithinMs, settled ? 0 : this.nextDelay()));
  }

  /** Handles a failed hello. Retries a rejected token a few times, since it may have expired on the way. */
  private refused(error: unknown): void {
    const definite = error instanceof ParleyError && !error.transient;
    if (this.compact && definite && error.details.fields?.['compact'] !== undefined) {
      this.compact = false; // an older server: it sends items in full
      void this.connect();
      return;
    }
    // A close can arrive without the error reply that has the same meaning.
    const why = !definite && this.opened && afterClose(this.closeCode) === 'token' ? tokenRefused() : error;
    const credential = why instanceof ParleyError && (why.code === 'UNAUTHENTICATED' || why.code === 'AUTH_EXPIRED');
    if (credential) {
      this.refusals += 1;
      this.wish = 'refused';
    }
    if ((definite && !credential) || this.refusals >= kRefusalsMax) return this.stop(reasonOf(why), closedBy(why));
    if (afterClose(this.closeCode) === 'stop') return this.stop(forbidden(kForbiddenHint), 'refused');
    this.report(this.everConnected ? 'reconnecting' : 'connecting', reasonOf(why));
    this.schedule(this.nextDelay());
    if (!this.opened && this.closeCode !== 0) void this.findOutWhy();
  }

  /** Finds out why the WebSocket did not open, while the client keeps retrying. */
  private async findOutWhy(): Promise<void> {
    const why = await (this.options.askWhy ?? askOrigin)(this.options.url).catch(() => null);
    if (why !== null && this.running && !this.authenticated) this.stop(why, 'refused');
  }

  private nextDelay(): number {
    return backoffMs(this.attempt++, this.random, this.options.backoff ?? kDefaultBackoff);
  }

  private schedule(delayMs: number): void {
    this.clearTimer();
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.connect();
    }, delayMs);
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
