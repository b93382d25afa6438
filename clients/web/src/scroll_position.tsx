import { Component, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

const kBottomSlackPx = 60;

interface Anchor {
  key: string;
  /** Distance of the anchored row's bottom edge from the top of the visible part. A row that was the first loses its author's name when older ones come: its text stays. */
  offset: number;
}

interface KeptPosition {
  atBottom: boolean;
  toBottom: () => void;
  /** Must be drawn beside the rows. */
  beforeChange: ReactNode;
}

/** Calls `look` before React changes the page. */
class BeforeChange extends Component<{ look: () => void }> {
  override getSnapshotBeforeUpdate(): null {
    this.props.look();
    return null;
  }

  override componentDidUpdate(): void {} // React requires it beside getSnapshotBeforeUpdate

  override render(): ReactNode {
    return null;
  }
}

/** How far below the top edge the line “New” stands when a thread is opened, so that what was read last is still to be seen. */
const kLineAt = 0.2;

/**
 * Opens at the line “New”, where there is one and what is below does not fit. Keeps what a reader looks at in place while rows come and go around it: at the newest message the list follows
 * new ones; anywhere else what is below the topmost visible row stays where it is, whether a page is put in front, an end is
 * dropped, or a row above changes its height. Rows are elements with `data-key`.
 */
export function useKeptPosition(box: RefObject<HTMLDivElement | null>, rows: readonly unknown[], loaded: boolean, hasNewer: boolean): KeptPosition {
  const [atBottom, setAtBottom] = useState(true);
  const follow = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  const opened = useRef(false);
  const scrolledTo = useRef(0);
  const newer = useRef(hasNewer); // as the page was drawn last: the end of what is drawn need not be the newest message

  const toBottom = useCallback(() => {
    follow.current = true;
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    scrolledTo.current = element.scrollTop;
  }, [box]);

  // A scroll event comes up to a frame after the scrolling. A page that is put in front in between would undo it without a look before.
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
    if (hadNewer && !hasNewer) note(); // the end of what is drawn has become the newest message, and no scroll event says so
  }, [box, rows, loaded, hasNewer, note, toBottom]);

  return { atBottom: atBottom && !hasNewer, toBottom, beforeChange: <BeforeChange look={look} /> };
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
  return row === undefined ? null : { key: row.dataset['key']!, offset: row.getBoundingClientRect().bottom - edge };
}
