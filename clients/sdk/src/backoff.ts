export interface BackoffOptions {
  baseMs: number;
  capMs: number;
}

export const kDefaultBackoff: BackoffOptions = { baseMs: 250, capMs: 8_000 };

/**
 * Delay before reconnect `attempt` (0, 1, 2 …) in ms. Half of it is random, so that the clients of a restarted server
 * do not reconnect in one wave; half is fixed, so that a client never hammers the server.
 */
export function backoffMs(attempt: number, random: () => number, options: BackoffOptions = kDefaultBackoff): number {
  const ceiling = Math.min(options.capMs, options.baseMs * 2 ** Math.min(attempt, 20));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
