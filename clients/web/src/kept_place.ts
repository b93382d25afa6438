import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';

type Rows = Virtualizer<HTMLDivElement, Element>;

/**
 * Keeps the visible rows in place while rows are added or removed above them. At the top, new rows push the others
 * down. `items` are the rows' own items, in order; `list` names the list: a change of it scrolls to the top.
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

/** Returns the start of each row on screen. */
function onScreen(rows: Rows, { scrollTop, clientHeight }: HTMLElement): Map<unknown, number> {
  const seen = rows.getVirtualItems().filter(({ start, end }) => end > scrollTop && start < scrollTop + clientHeight);
  return new Map(seen.map(({ key, start }) => [key, start]));
}

/** Returns the distance that most of these rows have moved, since a single row may have changed its place. */
export function movedBy(starts: ReadonlyMap<unknown, number>, { measurementsCache }: Pick<Rows, 'measurementsCache'>): number {
  const moves = measurementsCache.flatMap(({ key, start }) => (starts.has(key) ? [start - starts.get(key)!] : []));
  return moves.sort((a, b) => a - b)[moves.length >> 1] ?? 0;
}
