import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { nextItem } from './keys.js';

interface ToolbarProps {
  label: string;
  className: string;
  /** Whether the Tab key reaches it: in a list, only the toolbar of the list's current item. */
  stop?: boolean;
  children: ReactNode;
}

/** Buttons that together are at most one stop of the Tab key; arrow keys walk them. */
export function Toolbar({ label, className, stop: isStop = true, children }: ToolbarProps) {
  const box = useRef<HTMLSpanElement>(null);
  const buttons = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('button:not([role^="menuitem"])') ?? [])];

  useLayoutEffect(() => {
    const all = buttons();
    const stop = all.find((button) => button === document.activeElement) ?? all[0];
    for (const button of all) button.tabIndex = isStop && button === stop ? 0 : -1;
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = at < 0 || event.key === 'ArrowUp' || event.key === 'ArrowDown' ? null : nextItem(event.key, at, all.length);
    if (to === null) return;
    event.preventDefault();
    all[at]!.tabIndex = -1;
    all[to]!.tabIndex = 0;
    all[to]!.focus();
  };

  return (
    <span ref={box} role="toolbar" aria-label={label} className={className} onKeyDown={onKeyDown}>
      {children}
    </span>
  );
}
