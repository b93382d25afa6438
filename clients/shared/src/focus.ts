import { useEffect, useRef, type RefObject } from 'react';

/** When something that took the place of buttons closes, the focus goes back to the first of them, instead of nowhere. */
export function useFocusBack(open: boolean, box: RefObject<HTMLElement | null>): void {
  const before = useRef(open);
  useEffect(() => {
    const closed = before.current && !open;
    before.current = open;
    if (closed && document.activeElement === document.body) box.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, [open, box]);
}
