import { useEffect, useRef, type RefObject } from 'react';

/** Moves the focus back to the first button when the content that replaced the buttons closes. */
export function useFocusBack(open: boolean, box: RefObject<HTMLElement | null>): void {
  const before = useRef(open);
  useEffect(() => {
    const closed = before.current && !open;
    before.current = open;
    if (closed && document.activeElement === document.body) box.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, [open, box]);
}
