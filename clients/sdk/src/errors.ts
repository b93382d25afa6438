/** What a request may end with. `message` is for developers, `hint` is for people and never empty. */
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

  /** The same request may be repeated unchanged: the server said "not now", or nothing was heard of it. */
  get transient(): boolean {
    return ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'DISCONNECTED', 'TIMEOUT'].includes(this.code);
  }
}

/** The request may or may not have been carried out: its connection ended before the answer. */
export function disconnected(): ParleyError {
  return new ParleyError('DISCONNECTED', 'connection ended before the reply', 'You are offline. Try again once reconnected.');
}

export function timedOut(op: string): ParleyError {
  return new ParleyError('TIMEOUT', `no reply to ${op} in time`, 'The server did not answer in time. Please try again.');
}

/** REQUIRES: `error` is the `error` map of a reply, from the server, hence checked field by field. */
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

/** The sentence to show a person, whatever was thrown. */
export function hintOf(error: unknown): string {
  if (error instanceof ParleyError) return error.hint;
  return 'Something went wrong. Please try again.';
}
