import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';

type Rows = Virtualizer<HTMLDivElement, Element>;

/**
 * Keeps what a reader looks at in place while rows come and go above it. At the top, new rows push the others down. `items` are the
 * rows' own, in order; `list` names the list that is shown: another one begins at its top.
 */
export function useKeptPlace(box: RefObject<HTMLElement | null>, rows: Rows, items: readonly unknown[], list: string): void {
  const before = useRef({ items, list, onScreen: new Map<unknown, number>() });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const held = before.current;
    if (held.list !== list) element.scrollTop = 0;
    else if (held.items !== items && element.scrollTop > 0) element.scrollTop += movedBy(held.onScreen, rows);
    before.current = { items, list, onScreen: onScreen(rows, element) };
  });
}

/** Where the rows on screen begin. */
function onScreen(rows: Rows, { scrollTop, clientHeight }: HTMLElement): Map<unknown, number> {
  const seen = rows.getVirtualItems().filter(({ start, end }) => end > scrollTop && start < scrollTop + clientHeight);
  return new Map(seen.map(({ key, start }) => [key, start]));
}

/** How far most of these rows have moved: one of them may have gone to another place by itself. */
export function movedBy(starts: ReadonlyMap<unknown, number>, { measurementsCache }: Pick<Rows, 'measurementsCache'>): number {
  const moves = measurementsCache.flatMap(({ key, start }) => (starts.has(key) ? [start - starts.get(key)!] : []));
  return moves.sort((a, b) => a - b)[moves.length >> 1] ?? 0;
}
