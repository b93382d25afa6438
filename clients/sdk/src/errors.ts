/** The error of a failed request. `message` is for developers, `hint` is for people and never empty. */
export class ParleyError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly details: {
      corrId?: string;
      retryAfterMs?: number;
      current?: unknown;
      fields?: Record<string, string>;
    } = {},
  ) {
    super(message);
    this.name = 'ParleyError';
  }

  /** The same request may be repeated unchanged: the server answered "not now", or did not answer. */
  get transient(): boolean {
    return ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'DISCONNECTED', 'TIMEOUT'].includes(this.code);
  }
}

/** The request may or may not have been carried out: its connection ended before the answer. */
export function disconnected(closing?: ParleyError): ParleyError {
  if (closing !== undefined) return new ParleyError('DISCONNECTED', `the connection is closed: ${closing.message}`, closing.hint);
  return new ParleyError('DISCONNECTED', 'connection ended before the reply', 'You are offline. Try again once reconnected.');
}

export function timedOut(op: string): ParleyError {
  return new ParleyError('TIMEOUT', `no reply to ${op} in time`, 'The server did not answer in time. Please try again.');
}

/** The server ended the session because of this frame (1003, 1007, 1009 or 4400), and would do so again. */
export function frameRefused(op: string, closeCode: number): ParleyError {
  return new ParleyError('FRAME_REFUSED', `the server closed the session with ${closeCode} over ${op}`, 'The server could not read this request, so nothing was done.');
}

/** The reply arrived, but is not a valid message of the protocol. */
export function unreadable(op: string): ParleyError {
  return new ParleyError('UNREADABLE', `the reply to ${op} cannot be read`, 'The server sent an answer that cannot be shown here.');
}

/** This environment can never connect, so do not retry. */
export function noWebSocket(): ParleyError {
  return new ParleyError(
    'NO_WEBSOCKET',
    'there is no WebSocket here (Node.js has one from version 22 on): pass a socketFactory',
    'This program cannot connect: it has no WebSocket.',
  );
}

export function originRefused(origin: string): ParleyError {
  return new ParleyError(
    'ORIGIN_REFUSED',
    `the server does not let pages of ${origin} connect: no tenant lists it in allowedOrigins`,
    'This page may not connect to the server. The operator has to allow its address.',
  );
}

/** The server accepted the session, then ended it over its token, several times in a row. */
export function tokenRefused(): ParleyError {
  return new ParleyError('UNAUTHENTICATED', 'the server ended the session over its token (4401)', 'You are signed out. Please sign in again.');
}

/** The server ended the session for good (4403). */
export function forbidden(hint: string): ParleyError {
  return new ParleyError('FORBIDDEN', 'the server ended the session for good (4403)', hint);
}

export function stopped(): ParleyError {
  return new ParleyError('STOPPED', 'the client was stopped', 'The connection was closed.');
}

export function outboxFull(): ParleyError {
  return new ParleyError('OUTBOX_FULL', 'too many unsent messages', 'Too many messages are waiting to be sent.');
}

/** The author discarded the message before the server had it. */
export function discarded(): ParleyError {
  return new ParleyError('DISCARDED', 'the message was discarded before it was sent', 'The message was discarded.');
}

/** The caller cancelled the upload. */
export function cancelled(): ParleyError {
  return new ParleyError('CANCELLED', 'the upload was cancelled', 'The upload was cancelled.');
}

/** An option or an argument has an invalid value. */
export function badArgument(message: string): ParleyError {
  return new ParleyError('BAD_REQUEST', message, 'This cannot be done in this form.');
}

/** The frame cannot be encoded: it is nested too deeply or contains something other than data. */
export function unsendable(op: string): ParleyError {
  return new ParleyError('BAD_REQUEST', `the arguments of ${op} cannot be encoded`, 'This cannot be sent in this form.');
}

export function tooLarge(op: string, maxFrameBytes: number): ParleyError {
  return new ParleyError('TOO_LARGE', `${op} is larger than the server's ${maxFrameBytes} bytes a frame`, 'This is too long to be sent.');
}

/** REQUIRES: `error` is the `error` map of a reply. It comes from the server, so each field is checked. */
export function fromReply(error: unknown): ParleyError {
  const e = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const text = (name: string, otherwise: string): string => {
    const value = e[name];
    return typeof value === 'string' && value !== '' ? value : otherwise;
  };
  const details: ConstructorParameters<typeof ParleyError>[3] = {};
  if (typeof e['corrId'] === 'string') details.corrId = e['corrId'];
  if (typeof e['retryAfterMs'] === 'number') details.retryAfterMs = e['retryAfterMs'];
  if (e['current'] !== undefined) details.current = e['current'];
  if (typeof e['fields'] === 'object' && e['fields'] !== null) {
    details.fields = e['fields'] as Record<string, string>;
  }
  const code = text('code', 'INTERNAL');
  return new ParleyError(code, text('message', code), text('hint', 'Something went wrong. Please try again.'), details);
}

/** Returns the sentence to show a person for any thrown value. */
export function hintOf(error: unknown): string {
  if (error instanceof ParleyError) return error.hint;
  return 'Something went wrong. Please try again.';
}
