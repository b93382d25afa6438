/**
 * The position up to which a thread is known without a hole, as a pure value.
 *
 * `held` is the seq up to which every shared change has been seen: a resume claims it. Live events must arrive as
 * held + 1. While `catchingUp` (from a resume until `thread.synced`) seqs may jump, because catch-up is by state: an
 * item that changed twice arrives once, at its last change. A jump at any other time is a loss.
 */
export interface SeqTracker {
  held: number;
  catchingUp: boolean;
}

export type Arrival = 'next' | 'stale' | 'hole';

export function classify(tracker: SeqTracker, seq: number): Arrival {
  if (seq <= tracker.held) return 'stale';
  return tracker.catchingUp || seq === tracker.held + 1 ? 'next' : 'hole';
}

/**
 * Call after an event that `classify` called `next`. Catch-up is ordered by last change, so each step is a safe
 * claim.
 */
export function advance(tracker: SeqTracker, seq: number): SeqTracker {
  return seq <= tracker.held ? tracker : { ...tracker, held: seq };
}

export function startCatchUp(tracker: SeqTracker): SeqTracker {
  return { ...tracker, catchingUp: true };
}

/** After `thread.synced`, or the last page of a repair: everything up to `seq` is known, and later holes mean loss. */
export function synced(tracker: SeqTracker, seq: number): SeqTracker {
  return { held: Math.max(tracker.held, seq), catchingUp: false };
}
