import { Component, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

const kBottomSlackPx = 60;

interface Anchor {
  key: string;
  /**
   * Distance of the anchored row's bottom edge from the top of the visible part. The bottom, because a first row
   * loses its author's name when older ones are added above it.
   */
  offset: number;
}

interface KeptPosition {
  atBottom: boolean;
  toBottom: () => void;
  /** Must be rendered next to the rows. */
  beforeChange: ReactNode;
}

/** Calls `look` before React changes the page. */
class BeforeChange extends Component<{ look: () => void }> {
  override getSnapshotBeforeUpdate(): null {
    this.props.look();
    return null;
  }

  override componentDidUpdate(): void {} // React requires it together with getSnapshotBeforeUpdate

  override render(): ReactNode {
    return null;
  }
}

/**
 * Distance of the line “New” from the top edge when a thread is opened, as a part of the height, so that the last
 * read messages stay visible.
 */
const kLineAt = 0.2;

/**
 * Opens at the line “New”, if there is one and the part below it does not fit. Keeps the reader's place while rows
 * change around it: at the newest message the list follows new ones; elsewhere the content below the topmost visible
 * row does not move when a page is added at the front, an end is dropped, or a row above changes its height. Rows are
 * elements with `data-key`.
 */
export function useKeptPosition(box: RefObject<HTMLDivElement | null>, rows: readonly unknown[], loaded: boolean, hasNewer: boolean): KeptPosition {
  const [atBottom, setAtBottom] = useState(true);
  const follow = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  const opened = useRef(false);
  const scrolledTo = useRef(0);
  const newer = useRef(hasNewer); // in the last rendered state: the end of the drawn rows need not be the newest message

  const toBottom = useCallback(() => {
    follow.current = true;
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    scrolledTo.current = element.scrollTop;
  }, [box]);

  // Looks again before a page is added at the front, because a scroll event arrives up to a frame late, and the
  // position would be restored to before the scroll.
  const look = useCallback(() => {
    const element = box.current;
    if (element === null || element.scrollTop === scrolledTo.current) return;
    scrolledTo.current = element.scrollTop;
    follow.current = !newer.current && element.scrollHeight - element.scrollTop - element.clientHeight < kBottomSlackPx;
    anchor.current = topmostRow(element);
  }, [box]);

  const note = useCallback(() => {
    scrolledTo.current = -1;
    look();
    setAtBottom(follow.current);
  }, [look]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // A keyboard or a growing send box shrinks the list; a reader at the end stays at the end.
    const observer = new ResizeObserver(() => (follow.current ? toBottom() : undefined));
    element.addEventListener('scroll', note, { passive: true });
    observer.observe(element);
    // A card at the end also grows when its buttons appear.
    for (const child of element.children) observer.observe(child);
    return () => {
      element.removeEventListener('scroll', note);
      observer.disconnect();
    };
  }, [box, note, toBottom]);

  useLayoutEffect(() => {
    const element = box.current;
    const hadNewer = newer.current;
    newer.current = hasNewer;
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
    if (kept && row) element.scrollTop = topOf(row, element) + row.getBoundingClientRect().height - kept.offset;
    scrolledTo.current = element.scrollTop;
    if (hadNewer && !hasNewer) note(); // the end of the drawn rows is now the newest message, and no scroll event reports it
  }, [box, rows, loaded, hasNewer, note, toBottom]);

  return { atBottom: atBottom && !hasNewer, toBottom, beforeChange: <BeforeChange look={look} /> };
}

/** Relative to the scrolled content's origin, independent of the offset parent. */
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
  return row === undefined ? null : { key: row.dataset['key']!, offset: row.getBoundingClientRect().bottom - edge };
}
