/** The client's reaction to a close: `resume` soon, `backoff` first, fetch a new `token`, or `stop` for good. */
export type AfterClose = 'resume' | 'backoff' | 'token' | 'stop';

interface CloseRule {
  code: number;
  reason: string;
  next: AfterClose;
}

const kRules: readonly CloseRule[] = [
  { code: 1001, reason: 'the server drains', next: 'resume' },
  { code: 1013, reason: 'the server is overloaded', next: 'backoff' },
  { code: 4400, reason: 'protocol misuse', next: 'backoff' },
  { code: 4401, reason: 'unauthenticated or expired', next: 'token' },
  { code: 4403, reason: 'forbidden', next: 'stop' },
  { code: 4408, reason: 'no hello in time', next: 'resume' },
  { code: 4429, reason: 'too many requests', next: 'backoff' },
  { code: 4508, reason: 'this client read too slowly', next: 'resume' },
];

/** Returns the reaction to a close code. An unlisted code (a lost connection is 1006) leads to an ordinary reconnect. */
export function afterClose(code: number): AfterClose {
  return kRules.find((rule) => rule.code === code)?.next ?? 'resume';
}

const kBlamesFrame = new Set([1003, 1007, 1009, 4400, 4001]);

/**
 * Returns true if a frame ended the session: the client's own, or the server's (4001, set by this client). Sending it
 * again would end the next session, too.
 */
export function blamesFrame(code: number): boolean {
  return kBlamesFrame.has(code);
}
