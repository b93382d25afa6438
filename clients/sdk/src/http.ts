// Calls of the server's HTTP routes: a reply, its error, and the user's token.
import { fromReply, ParleyError } from './errors.js';
import { readToken, type TokenWish } from './tokens.js';

export interface HttpCall {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  /** How many bytes of the body have been sent. Called only where the environment reports it. */
  onSent?: (bytes: number) => void;
}

export interface HttpReply {
  status: number;
  header: (name: string) => string | null;
  text: string;
}

export type Transport = (call: HttpCall) => Promise<HttpReply>;

const kStallMs = 30_000; // without a byte
const kAnswerMs = 180_000; // from the last byte to the answer, in which the server examines a large file
const kSpareMs = 30_000; // a token that ends sooner is not used

function unreachable(url: string): ParleyError {
  return new ParleyError('DISCONNECTED', `${url} cannot be reached`, 'The server cannot be reached.');
}

async function byFetch({ method, url, headers = {}, body, signal }: HttpCall): Promise<HttpReply> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  const timer = setTimeout(end, kAnswerMs);
  try {
    const response = await fetch(url, { method, headers, signal: ended.signal, cache: 'no-store', ...(body === undefined ? {} : { body }) });
    return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() };
  } catch {
    throw unreachable(url);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Reports the bytes that have been sent, which fetch does not. */
function byXhr({ method, url, headers = {}, body, signal, onSent }: HttpCall): Promise<HttpReply> {
  const xhr = new XMLHttpRequest();
  const end = (): void => xhr.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(end, ms);
  };
  return new Promise<HttpReply>((resolve, reject) => {
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => {
      patience(kStallMs);
      onSent?.(loaded);
    };
    xhr.upload.onload = () => patience(kAnswerMs);
    xhr.onload = () => resolve({ status: xhr.status, header: (name) => xhr.getResponseHeader(name), text: xhr.responseText });
    xhr.onerror = xhr.onabort = () => reject(unreachable(url));
    signal.addEventListener('abort', end);
    patience(kStallMs);
    xhr.send(body ?? null);
    if (signal.aborted) end();
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}

/** Rejects with DISCONNECTED if no reply arrives. */
export function transport(call: HttpCall): Promise<HttpReply> {
  return call.onSent !== undefined && typeof XMLHttpRequest !== 'undefined' ? byXhr(call) : byFetch(call);
}

export function isOk({ status }: HttpReply): boolean {
  return status >= 200 && status < 300;
}

export function jsonOf({ text }: HttpReply): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The server's error, or one by the status if the answer has none, as with HEAD or from a proxy. */
export function errorOf(reply: HttpReply): ParleyError {
  const { error } = jsonOf(reply);
  if (typeof error === 'object' && error !== null) return fromReply(error);
  const { status } = reply;
  const code = status === 404 || status === 410 ? 'NOT_FOUND' : status === 401 ? 'UNAUTHENTICATED' : status === 403 ? 'FORBIDDEN' : status === 413 ? 'TOO_LARGE' : status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE';
  return new ParleyError(code, `HTTP ${status}`, 'The server did not accept this. Please try again.');
}

/** Calls with the user's token, which is kept until shortly before it expires. */
export class Http {
  /** The origin that serves the HTTP routes. */
  readonly origin: string;
  private token: string | null = null;

  constructor(
    socketUrl: string,
    private readonly getToken: (wish: TokenWish) => Promise<string>,
    private readonly send: Transport = transport,
  ) {
    this.origin = new URL(socketUrl.replace(/^ws/, 'http')).origin;
  }

  /** Returns the JSON of the reply. Rejects with the server's error or DISCONNECTED. */
  async call(method: string, path: string, signal: AbortSignal, args?: unknown): Promise<Record<string, unknown>> {
    let reply = await this.once(method, path, signal, args, 'hello');
    if (reply.status === 401) reply = await this.once(method, path, signal, args, 'refused');
    if (!isOk(reply)) throw errorOf(reply);
    return jsonOf(reply);
  }

  private async once(method: string, path: string, signal: AbortSignal, args: unknown, wish: TokenWish): Promise<HttpReply> {
    const spare = this.token === null ? 0 : (readToken(this.token)?.expiresAt ?? 0) - Date.now();
    if (this.token === null || wish === 'refused' || spare < kSpareMs) this.token = await this.getToken(wish);
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (args !== undefined) headers['content-type'] = 'application/json';
    return this.send({ method, url: this.origin + path, headers, signal, ...(args === undefined ? {} : { body: JSON.stringify(args) }) });
  }
}
