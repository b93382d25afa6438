// A session over npm `ws` in either encoding. Keeps every frame in order of arrival, gives replies to their requests, and lets a
// test await events by their content.
import WebSocket from 'ws';
import {deferred, within} from './deadline.mjs';
import {checkPlain, kEncodings} from './encodings.mjs';
import {OpError} from './errors.mjs';
import {demoToken} from './http.mjs';

/** The server refused the upgrade with an HTTP status. */
export class UpgradeRefused extends Error {
  constructor(status) {
    super(`upgrade refused with ${status}`);
    this.status = status;
  }
}

export class Disconnected extends Error {}

export class Session {
  constructor(socket, encoding) {
    this.socket = socket;
    this.encoding = encoding;
    this.frames = [];   // everything received, in order
    this.unread = [];   // events not taken yet
    this.pending = new Map();
    this.waiters = [];
    this.lastId = 0;
    this.hello = null;  // the ok map of session.hello
    this.onEvent = null;
    this.lenient = false;  // set by tests that misuse ids
    const closed = deferred();
    this.closed = closed.promise;
    this.closeCode = null;
    this.broken = null;  // the first frame that a server must not send; Sessions.closeAll() fails the test with it
    socket.on('message', (data, isBinary) => {
      // An exception in the socket's own code would keep it from closing.
      try {
        this.#receive(data, isBinary);
      } catch (error) {
        this.broken ??= error;
        this.#giveUp(error);
      }
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      this.closeCode = code;
      this.#giveUp(new Disconnected(`the connection closed with ${code} ${reason}`));
      closed.resolve({code, reason: String(reason)});
    });
  }

  /** Opens only the socket. options: encoding, protocols (to offer instead), headers, path. */
  static async open(server, {encoding = 'json', protocols, headers, path} = {}) {
    const form = kEncodings[encoding];
    const address = path ? `ws://127.0.0.1:${server.port}${path}` : server.ws;
    const socket = new WebSocket(address, protocols ?? [form.protocol],
                                 {headers, perMessageDeflate: false, autoPong: true, maxPayload: 64 << 20});
    const opened = deferred();
    socket.once('open', () => opened.resolve());
    socket.once('error', (error) => opened.reject(error));
    socket.once('unexpected-response', (request, response) => {
      opened.reject(new UpgradeRefused(response.statusCode));
      response.resume();
      request.destroy();
    });
    const session = new Session(socket, form);
    await within(opened.promise, 'the socket to open');
    return session;
  }

  /**
   * Opens and sends hello as `userId`. options: those of open, and role, token, ttlSeconds, resume, deliver, more
   * hello args.
   */
  static async as(server, userId, options = {}) {
    const {encoding, protocols, headers, role, ttlSeconds, ...hello} = options;
    const token = hello.token ?? await demoToken(server, userId, {role, ttlSeconds});
    const session = await Session.open(server, {encoding, protocols, headers});
    session.userId = userId;
    if (hello.onEvent) session.onEvent = hello.onEvent;
    delete hello.onEvent;
    session.hello = await session.request('session.hello', {...hello, token});
    return session;
  }

  /** Sends a request; resolves with its `ok`, rejects with OpError, or with Disconnected if the reply cannot arrive. */
  request(op, args = {}) {
    const id = ++this.lastId;
    return within(this.reply(id, {id, op, args}), `the reply to ${op}`, {context: () => this.tail()});
  }

  /** Sends `frame` unchanged and resolves with the reply to `id`. */
  reply(id, frame) {
    return this.replyToRaw(id, this.encoding.encode(frame), frame.op);
  }

  /** The same for an encoded frame. */
  replyToRaw(id, data, op) {
    if (this.closeCode !== null) return Promise.reject(new Disconnected(`closed with ${this.closeCode}`));
    const answer = deferred();
    this.pending.set(id, {...answer, op});
    this.sendRaw(data);
    return answer.promise;
  }

  sendFrame(frame) {
    this.sendRaw(this.encoding.encode(frame), this.encoding.binary);
  }

  sendRaw(data, binary = this.encoding.binary) {
    this.socket.send(data, {binary});
  }

  /** Several frames in one TCP segment, as far as the kernel lets us. */
  sendTogether(frames) {
    this.socket._socket.cork();
    for (const frame of frames) this.sendFrame(frame);
    this.socket._socket.uncork();
  }

  /** Takes the first untaken event that matches, now or later. `match` is a name, a map of fields, or a function. */
  nextEvent(match, what = typeof match === 'function' ? 'an event' : JSON.stringify(match)) {
    const fits = matcher(match);
    const at = this.unread.findIndex(fits);
    if (at >= 0) return Promise.resolve(this.unread.splice(at, 1)[0]);
    if (this.closeCode !== null) return Promise.reject(new Disconnected(`closed with ${this.closeCode}`));
    const waiter = {...deferred(), fits};
    this.waiters.push(waiter);
    return within(waiter.promise, what, {context: () => this.tail()}).finally(() => {
      this.waiters = this.waiters.filter((other) => other !== waiter);
    });
  }

  /** All matching events received so far, taken or not. */
  seen(match) {
    return this.frames.filter((frame) => frame.ev !== undefined).filter(matcher(match));
  }

  async close() {
    if (this.closeCode === null) this.socket.close(1000);
    return within(this.closed, 'the close handshake').catch(() => this.socket.terminate());
  }

  /** Cuts the connection without a close. */
  async drop() {
    this.socket.terminate();
    await within(this.closed, 'the end of a dropped connection');
    if (this.broken) throw this.broken;
  }

  tail() {
    const last = this.frames.slice(-8).map((frame) => JSON.stringify(frame).slice(0, 300));
    return `(${this.userId ?? 'nobody'}, close code ${this.closeCode}, last frames:\n  ${last.join('\n  ')})`;
  }

  #giveUp(error) {
    for (const {reject} of this.pending.values()) reject(error);
    this.pending.clear();
    for (const {reject} of this.waiters.splice(0)) reject(error);
  }

  #receive(data, isBinary) {
    if (isBinary !== this.encoding.binary) throw new Error('a frame of the wrong kind came from the server');
    const frame = this.encoding.decode(data);
    checkPlain(frame);
    this.frames.push(frame);
    if (frame.ev !== undefined) this.#event(frame);
    else this.#answer(frame);
  }

  #answer(frame) {
    const waiting = this.pending.get(frame.id);
    if (!waiting && this.lenient) return;
    if (!waiting) throw new Error(`a reply nobody waits for: ${JSON.stringify(frame)}`);
    if (('ok' in frame) === ('error' in frame)) throw new Error(`neither ok nor error: ${JSON.stringify(frame)}`);
    this.pending.delete(frame.id);
    if ('ok' in frame) waiting.resolve(frame.ok);
    else waiting.reject(new OpError(frame.error, waiting.op));
  }

  #event(frame) {
    this.onEvent?.(frame);
    const at = this.waiters.findIndex((waiter) => waiter.fits(frame));
    if (at >= 0) this.waiters.splice(at, 1)[0].resolve(frame);
    else this.unread.push(frame);
  }
}

function matcher(match) {
  if (typeof match === 'function') return match;
  const fields = typeof match === 'string' ? {ev: match} : match;
  return (event) => Object.entries(fields).every(([name, value]) => event[name] === value);
}

/** Keeps a test's sessions and closes them all at its end, after a failure too. */
export class Sessions {
  constructor(server, defaults = {}) {
    this.server = server;
    this.defaults = defaults;
    this.all = [];
  }

  async as(userId, options = {}) {
    const session = await Session.as(this.server, userId, {...this.defaults, ...options});
    this.all.push(session);
    return session;
  }

  async open(options = {}) {
    const session = await Session.open(this.server, {...this.defaults, ...options});
    this.all.push(session);
    return session;
  }

  async closeAll() {
    await Promise.all(this.all.splice(0).map((session) => session.drop()));
  }
}
