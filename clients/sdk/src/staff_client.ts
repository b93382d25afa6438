import { kDefaultBackoff, type BackoffOptions } from './backoff.js';
import { bindMethods } from './bound.js';
import { limitsOf } from './bounds.js';
import type { Frame } from './codec.js';
import { Connection } from './connection.js';
import { Files, type FileUrlOptions } from './files.js';
import { Http } from './http.js';
import { Moderation } from './moderation.js';
import { Names } from './names.js';
import { browserSocket, type SocketFactory } from './session.js';
import { initialState, Store, type ClientState } from './store.js';
import type { TokenWish } from './tokens.js';
import type { HelloReply } from './wire.js';

export interface StaffClientOptions {
  /** ws(s)://host/v1/ws */
  url: string;
  userId: string;
  getToken: (wish: TokenWish) => Promise<string>;
  socketFactory?: SocketFactory;
  backoff?: BackoffOptions;
  random?: () => number;
}

type StaffState = Pick<ClientState, 'connection' | 'connectionHint' | 'closedBy' | 'connectionError' | 'userId' | 'role' | 'names' | 'clockSkewMs'>;
type Listener = (event: Frame & { ev: string }) => void;

/**
 * A moderator's connection: it has no inbox and loads only requested data. `state` is an immutable value; `subscribe`
 * reports each change of it, `onEvent` the events of subscribed threads.
 */
export class StaffClient {
  readonly moderation: Moderation;
  private readonly store: Store;
  private readonly connection: Connection;
  private readonly names: Names;
  private readonly files: Files;
  private readonly listeners = new Set<Listener>();

  constructor(options: StaffClientOptions) {
    this.store = new Store(initialState(options.userId, []));
    this.moderation = new Moderation((op, args) => this.request(op, args));
    this.names = new Names(this.store, (op, args) => this.request(op, args));
    this.files = new Files({
      http: new Http(options.url, options.getToken),
      backoff: options.backoff ?? kDefaultBackoff,
      random: options.random ?? Math.random,
      skewMs: () => this.store.get().clockSkewMs,
    });
    this.connection = new Connection(
      {
        url: options.url,
        getToken: options.getToken,
        socketFactory: options.socketFactory ?? browserSocket,
        backoff: options.backoff ?? kDefaultBackoff,
        random: options.random ?? Math.random,
      },
      {
        onState: (connection, connectionHint, closedBy, connectionError) => this.store.update({ connection, connectionHint, closedBy, connectionError }),
        onEvent: (event) => {
          for (const listener of [...this.listeners]) listener(event);
        },
        resume: () => null,
        onHello: (reply) => this.onHello(reply),
      },
    );
    bindMethods(this);
  }

  get state(): StaffState {
    return this.store.get();
  }

  subscribe(listener: () => void): () => void {
    return this.store.subscribe(listener);
  }

  onEvent(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  start(): void {
    this.files.begin();
    this.connection.start();
  }

  stop(): void {
    this.files.stop();
    this.names.stop();
    this.connection.stop();
  }

  reconnectNow(): void {
    this.connection.reconnectNow();
  }

  request(op: string, args: Frame): Promise<Frame> {
    return this.connection.request(op, args);
  }

  /** Returns an address of a file's bytes that is valid for some minutes. The request is recorded in the audit. */
  fileUrl(attachmentId: string, options: FileUrlOptions = {}): Promise<string> {
    return this.files.url(attachmentId, options);
  }

  wantName(userId: string): void {
    this.names.want(userId);
  }

  private onHello(reply: HelloReply): Promise<void> {
    this.store.update({ role: reply.role, limits: limitsOf(reply.limits, this.store.get().limits), clockSkewMs: Date.parse(reply.serverTime) - Date.now() || 0 });
    this.names.markOld();
    return Promise.resolve();
  }
}
