/**
 * How far one thread is known without a hole, as a pure value.
 *
 * `held` is the seq up to which every shared change has been seen: what a resume claims. Live events must come as
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

/** After an event that `classify` called `next`. Catch-up is ordered by last change, so each step is a safe claim. */
export function advance(tracker: SeqTracker, seq: number): SeqTracker {
  return seq <= tracker.held ? tracker : { ...tracker, held: seq };
}

export function startCatchUp(tracker: SeqTracker): SeqTracker {
  return { ...tracker, catchingUp: true };
}

/** `thread.synced`, or a repair's last page: everything up to `seq` is known and holes mean loss from here on. */
export function synced(tracker: SeqTracker, seq: number): SeqTracker {
  return { held: Math.max(tracker.held, seq), catchingUp: false };
}
