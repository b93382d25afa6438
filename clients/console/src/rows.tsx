import { nextItem } from '@parley/shared';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';

interface Roving {
  /** Props for the link of row `at`: only one row of the list is a stop of the Tab key. */
  link: (at: number) => { tabIndex: number; anchor: Ref<HTMLAnchorElement>; onFocus: () => void };
  /** For the element around the rows. */
  onKeyDown: (event: KeyboardEvent) => void;
  /** Moves the focus by this many rows, from the last focused row. */
  step: (by: number) => void;
}

/**
 * A list whose rows the arrow keys walk. Rows are identified by their keys, so that new rows do not move the stop.
 * `left`: the row that the viewer returns to.
 */
export function useRoving(keys: readonly string[], left: string | null = null): Roving {
  const [stop, setStop] = useState<string | null>(left);
  const links = useRef(new Map<string, HTMLAnchorElement>());
  const at = Math.max(0, stop === null ? 0 : keys.indexOf(stop));

  const focus = useCallback(
    (to: number): void => {
      const key = keys[to];
      if (key === undefined) return;
      setStop(key);
      links.current.get(key)?.focus();
    },
    [keys],
  );

  const returning = useRef(left);
  useEffect(() => {
    const key = returning.current;
    if (key === null || keys.length === 0) return;
    returning.current = null;
    // Keeps the focus if the viewer has moved it already.
    if (document.activeElement?.id === 'page' || document.activeElement === document.body) links.current.get(key)?.focus();
  }, [keys]);

  return {
    link: (row) => {
      const key = keys[row]!;
      return {
        tabIndex: row === at ? 0 : -1,
        anchor: (element) => {
          if (element === null) links.current.delete(key);
          else links.current.set(key, element);
        },
        onFocus: () => setStop(key),
      };
    },
    onKeyDown: (event) => {
      const on = keys.findIndex((key) => links.current.get(key) === document.activeElement);
      const to = on < 0 || event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? null : nextItem(event.key, on, keys.length);
      if (to === null) return;
      event.preventDefault();
      focus(to);
    },
    step: (by) => {
      const within = keys.some((key) => links.current.get(key) === document.activeElement);
      focus(within ? Math.min(keys.length - 1, Math.max(0, at + by)) : at);
    },
  };
}
