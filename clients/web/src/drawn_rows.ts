import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import type { Row } from './rows.js';

/** So many rows are in the page at most, and by so many the stretch moves on. */
export const kDrawnMax = 120;
const kStep = 40;

export interface DrawnRows {
  rows: readonly Row[];
  /** There are others above, or below, which are held. */
  above: boolean;
  below: boolean;
  up: () => void;
  down: () => void;
  /** To the newest, and on with it. */
  toEnd: () => void;
  /** With this message among them. */
  around: (messageId: string) => void;
  /** No more along with the newest, but as it stands. */
  stay: () => void;
}

/** Which of `count` rows are drawn: from here on. */
export function firstDrawn(keys: readonly string[], first: string | null): number {
  const last = Math.max(0, keys.length - kDrawnMax);
  const at = first === null ? -1 : keys.indexOf(first);
  return at < 0 ? last : at;
}

/**
 * Of the rows that are held, a stretch that moves along with the reader, so that the page never has more than `kDrawnMax`. The list keeps
 * its own position (`useKeptPosition`), whichever end a row comes or goes at.
 */
export function useDrawnRows(all: readonly Row[], start: string | null): DrawnRows {
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const startAt = all.findIndex((row) => row.message?.messageId === start);
  const first = chosen !== undefined ? chosen : startAt < 0 ? null : all[Math.max(0, startAt - kStep)]!.key;
  const keys = useMemo(() => all.map(({ key }) => key), [all]);
  const from = firstDrawn(keys, first);
  const to = Math.min(all.length, from + kDrawnMax);
  // Where it begins is settled by the first rows; a line that comes later moves nothing.
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
