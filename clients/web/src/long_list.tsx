import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef, useState, type CSSProperties, type FocusEvent, type ReactNode, type Ref } from 'react';

/** A list of up to this many rows is drawn as a whole. */
export const kDrawnWhole = 60;
const kRowPx = 52;
const kOverscan = 10;

/** Props that a row must pass to its element. */
export interface RowPlace {
  ref?: Ref<HTMLLIElement>;
  'data-index'?: number;
  'aria-posinset'?: number;
  'aria-setsize'?: number;
  style?: CSSProperties;
}

interface LongListProps<Item> {
  className: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  row: (item: Item, index: number, place: RowPlace) => ReactNode;
}

/** A scrolling list. If it is long, draws only the rows on screen, a few around them and the focused one. */
export function LongList<Item>({ className, items, keyOf, row }: LongListProps<Item>) {
  const box = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const whole = items.length <= kDrawnWhole;
  const focusedAt = whole || focused === null ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const rows = useVirtualizer({
    count: whole ? 0 : items.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => keyOf(items[index]!), [items, keyOf]),
    estimateSize: () => kRowPx,
    overscan: kOverscan,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), focusedAt])].filter((index) => index >= 0 && index < range.count).sort((a, b) => a - b),
  });
  if (whole) {
    return (
      <ul className={className}>
        {items.map((item, index) => row(item, index, {}))}
      </ul>
    );
  }
  const onFocus = (event: FocusEvent): void => {
    const at = event.target.closest<HTMLElement>('[data-index]')?.dataset['index'];
    setFocused(at === undefined ? null : keyOf(items[Number(at)]!));
  };
  const drawn = rows.getVirtualItems();
  return (
    <ul className={className} ref={box} onFocus={onFocus} style={{ paddingBottom: rows.getTotalSize() - (drawn.at(-1)?.end ?? 0) }}>
      {drawn.map(({ index, start }, at) => {
        const marginTop = start - (drawn[at - 1]?.end ?? 0);
        const place = { ref: rows.measureElement, 'data-index': index, 'aria-posinset': index + 1, 'aria-setsize': items.length, style: { marginTop } };
        return row(items[index]!, index, place);
      })}
    </ul>
  );
}
