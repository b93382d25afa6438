import { kMaxFrameBytes } from './codec.js';
import type { Limits } from './wire.js';

export const kDefaultLimits: Limits = {
  maxFrameBytes: 256 * 1024,
  maxBodyBytes: 8 * 1024,
  maxInFlight: 256,
  editWindowMs: 15 * 60_000,
};

/** The limits that a hello states; those that it does not state sensibly stay as they are in `before`. */
export function limitsOf(told: unknown, before: Limits = kDefaultLimits): Limits {
  const stated = Object.entries((told ?? {}) as object).filter(([, value]) => typeof value === 'number' && value > 0);
  return { ...before, ...Object.fromEntries(stated) };
}

/** What a session keeps to. */
export interface Bounds {
  /** Of what is sent. */
  maxFrameBytes: number;
  maxInFlight: number;
  /** Of what is read. */
  maxReplyBytes: number;
}

/** Until a hello says more: nothing but the hello goes out. */
export const kFirstBounds: Bounds = { maxFrameBytes: kDefaultLimits.maxFrameBytes, maxInFlight: 1, maxReplyBytes: kMaxFrameBytes };

/** A reply has two pages at most (`thread.open`), each of `maxPageBytes`; with room for what those do not count. */
export function boundsOf(told: unknown): Bounds {
  const { maxFrameBytes, maxInFlight, maxPageBytes = 0 } = limitsOf(told);
  return { maxFrameBytes, maxInFlight, maxReplyBytes: Math.max(kMaxFrameBytes, 4 * maxPageBytes) };
}
