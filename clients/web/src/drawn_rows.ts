import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import type { Row } from './rows.js';

/** The page contains at most this many rows; also the step by which the drawn range moves. */
export const kDrawnMax = 120;
const kStep = 40;

export interface DrawnRows {
  rows: readonly Row[];
  /** Held rows exist above, or below, the drawn ones. */
  above: boolean;
  below: boolean;
  up: () => void;
  down: () => void;
  /** Draws the newest rows, and follows new ones. */
  toEnd: () => void;
  /** Draws rows around this message. */
  around: (messageId: string) => void;
  /** Stops following new rows. */
  stay: () => void;
}

/** Returns the index of the first drawn row among `count`. */
export function firstDrawn(keys: readonly string[], first: string | null): number {
  const last = Math.max(0, keys.length - kDrawnMax);
  const at = first === null ? -1 : keys.indexOf(first);
  return at < 0 ? last : at;
}

/**
 * Draws a range of the held rows that moves with the reader, so that the page never contains more than `kDrawnMax`.
 * The list keeps its own position (`useKeptPosition`) when rows are added or removed at either end.
 */
export function useDrawnRows(all: readonly Row[], start: string | null): DrawnRows {
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const startAt = all.findIndex((row) => row.message?.messageId === start);
  const first = chosen !== undefined ? chosen : startAt < 0 ? null : all[Math.max(0, startAt - kStep)]!.key;
  const keys = useMemo(() => all.map(({ key }) => key), [all]);
  const from = firstDrawn(keys, first);
  const to = Math.min(all.length, from + kDrawnMax);
  // The first rows determine the start; a separator that appears later moves nothing.
  const settled = chosen !== undefined || all.length === 0;
  useLayoutEffect(() => {
    if (!settled) setChosen(first);
  }, [settled, first]);
  const begin = useCallback((at: number): void => setChosen(all[Math.max(0, Math.min(at, all.length - kDrawnMax))]?.key ?? null), [all]);
  return {
    rows: useMemo(() => all.slice(from, to), [all, from, to]),
    above: from > 0,
    below: to < all.length,
    up: () => begin(from - kStep),
    down: () => begin(from + kStep),
    toEnd: useCallback(() => setChosen(null), []),
    stay: () => (first === null ? setChosen(all[from]?.key ?? null) : undefined),
    around: useCallback(
      (messageId) => {
        const at = all.findIndex((row) => row.message?.messageId === messageId);
        if (at >= 0) begin(at - kDrawnMax / 2);
      },
      [all, begin],
    ),
  };
}
