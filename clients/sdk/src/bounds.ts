import { kMaxFrameBytes } from './codec.js';
import type { Limits } from './wire.js';

export const kDefaultLimits: Limits = {
  maxFrameBytes: 256 * 1024,
  maxBodyBytes: 8 * 1024,
  maxInFlight: 256,
  editWindowMs: 15 * 60_000,
};

/** Reads the limits from a hello; a limit that is missing or invalid keeps its value in `before`. */
export function limitsOf(limits: unknown, before: Limits = kDefaultLimits): Limits {
  const stated = Object.entries((limits ?? {}) as object).filter(([, value]) => typeof value === 'number' && value > 0);
  return { ...before, ...Object.fromEntries(stated) };
}

/** The limits that a session enforces. */
export interface Bounds {
  /** The largest frame that may be sent. */
  maxFrameBytes: number;
  maxInFlight: number;
  /** The largest reply that is accepted. */
  maxReplyBytes: number;
}

/** Bounds before the first hello: only the hello may be sent. */
export const kFirstBounds: Bounds = { maxFrameBytes: kDefaultLimits.maxFrameBytes, maxInFlight: 1, maxReplyBytes: kMaxFrameBytes };

/** A reply has two pages at most (`thread.open`), each of `maxPageBytes`; the rest is room for the envelopes. */
export function boundsOf(limits: unknown): Bounds {
  const { maxFrameBytes, maxInFlight, maxPageBytes = 0 } = limitsOf(limits);
  return { maxFrameBytes, maxInFlight, maxReplyBytes: Math.max(kMaxFrameBytes, 4 * maxPageBytes) };
}
