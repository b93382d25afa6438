/** What a client does after a close: `resume` soon, `backoff` first, fetch a new `token`, or `stop` for good. */
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

/** Every code that is not listed (a cut line is 1006) is worth an ordinary reconnect. */
export function afterClose(code: number): AfterClose {
  return kRules.find((rule) => rule.code === code)?.next ?? 'resume';
}

const kBlamesFrame = new Set([1003, 1007, 1009, 4400, 4001]);

/** The session ended over a frame: of this client, or 4001 (its own code) of the server. Sent again, it would end the next one. */
export function blamesFrame(code: number): boolean {
  return kBlamesFrame.has(code);
}
