import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const kBottomSlackPx = 60;

interface Anchor {
  key: string;
  /** Distance of the anchored row's top edge from the top of the visible part. */
  offset: number;
}

interface KeptPosition {
  atBottom: boolean;
  toBottom: () => void;
}

/** How far below the top edge the line “New” stands when a thread is opened, so that what was read last is still to be seen. */
const kLineAt = 0.2;

/**
 * Opens at the line “New”, where there is one and what is below does not fit. Keeps what a reader looks at in place while rows come and go around it: at the newest message the list follows
 * new ones; anywhere else the topmost visible row stays where it is, whether a page is put in front, an end is
 * dropped, or a row above changes its height. Rows are elements with `data-key`.
 */
export function useKeptPosition(box: RefObject<HTMLDivElement | null>, rows: readonly unknown[], loaded: boolean, hasNewer: boolean): KeptPosition {
  const [atBottom, setAtBottom] = useState(true);
  const follow = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  const opened = useRef(false);

  const toBottom = useCallback(() => {
    follow.current = true;
    const element = box.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [box]);

  const note = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    follow.current = below < kBottomSlackPx;
    anchor.current = topmostRow(element);
    setAtBottom(follow.current);
  }, [box]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // A keyboard or a growing send box makes the list smaller; who was at the end stays there.
    const observer = new ResizeObserver(() => (follow.current ? toBottom() : undefined));
    element.addEventListener('scroll', note, { passive: true });
    observer.observe(element);
    // So does a card at the end that grows by its buttons.
    for (const child of element.children) observer.observe(child);
    return () => {
      element.removeEventListener('scroll', note);
      observer.disconnect();
    };
  }, [box, note, toBottom]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (loaded && !opened.current) {
      opened.current = true;
      const line = element.querySelector<HTMLElement>('.divider-unread');
      if (line !== null) {
        element.scrollTop = topOf(line, element) - element.clientHeight * kLineAt;
        return note();
      }
    }
    if (follow.current && !hasNewer) return toBottom();
    const kept = anchor.current;
    const row = kept && element.querySelector<HTMLElement>(`[data-key="${CSS.escape(kept.key)}"]`);
    if (kept && row) element.scrollTop = topOf(row, element) - kept.offset;
  }, [box, rows, loaded, hasNewer, note, toBottom]);

  return { atBottom: atBottom && !hasNewer, toBottom };
}

/** Relative to the scrolled content's origin, whatever the offset parent is. */
function topOf(row: HTMLElement, box: HTMLElement): number {
  return row.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

function topmostRow(box: HTMLElement): Anchor | null {
  const rows = box.querySelectorAll<HTMLElement>('[data-key]');
  const edge = box.getBoundingClientRect().top;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom <= edge) low = middle + 1;
    else high = middle;
  }
  const row = rows[low];
  return row === undefined ? null : { key: row.dataset['key']!, offset: row.getBoundingClientRect().top - edge };
}
