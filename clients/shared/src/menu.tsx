import { createContext, useCallback, useContext, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';
import { nextItem } from './keys.js';

const kGapPx = 4;
const kMarginPx = 8;

/** Closes the menu that contains an item. */
const CloseContext = createContext<() => void>(() => undefined);

interface MenuProps {
  /** The menu's accessible name, and the button's if `named`. */
  label: string;
  button: ReactNode;
  /** The button shows only an icon, so it needs the name. */
  named?: boolean;
  className?: string;
  testId: string;
  disabled?: boolean | undefined;
  /** Items side by side, as in a picker. */
  grid?: boolean;
  children: ReactNode;
}

/**
 * A button and the menu it opens. The menu is in the top layer, so that no scrolling box cuts it off. Arrow keys walk
 * the items.
 */
export function Menu({ label, button, named = true, className = 'icon-button', testId, disabled, grid, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = useCallback(() => {
    setOpen(false);
    opener.current?.focus();
  }, []);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        data-testid={testId}
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={named ? label : undefined}
        title={named ? label : undefined}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <CloseContext value={close}>
          <MenuBox id={id} label={label} grid={grid === true} opener={opener} onEnd={() => setOpen(false)}>
            {children}
          </MenuBox>
        </CloseContext>
      ) : null}
    </>
  );
}

interface MenuBoxProps {
  id: string;
  label: string;
  grid: boolean;
  opener: { current: HTMLElement | null };
  onEnd: () => void;
  children: ReactNode;
}

function MenuBox({ id, label, grid, opener, onEnd, children }: MenuBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useContext(CloseContext);

  useLayoutEffect(() => {
    const element = box.current!;
    element.showPopover();
    place(element, opener.current!);
    itemsOf(element)[0]?.focus();
  }, [opener]);

  useEffect(() => {
    const elsewhere = (event: Event): void => {
      const target = event.target as Node;
      if (!box.current?.contains(target) && !opener.current?.contains(target)) onEnd();
    };
    addEventListener('pointerdown', elsewhere);
    addEventListener('focusin', elsewhere);
    addEventListener('resize', onEnd);
    addEventListener('wheel', elsewhere, { passive: true });
    return () => {
      removeEventListener('pointerdown', elsewhere);
      removeEventListener('focusin', elsewhere);
      removeEventListener('resize', onEnd);
      removeEventListener('wheel', elsewhere);
    };
  }, [opener, onEnd]);

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation(); // the list around the menu must not react to arrow keys
    const items = itemsOf(box.current!);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = nextItem(event.key, at, items.length);
    if (event.key === 'Escape' || event.key === 'Tab') close();
    if (event.key === 'Escape' || to !== null) event.preventDefault();
    if (to !== null) items[to]?.focus();
  };

  return (
    <div id={id} ref={box} popover="manual" role="menu" aria-label={label} className="menu" data-grid={grid} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

function itemsOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
}

/** Places the menu below the button with a common right edge, or above it or shifted if there is no room. */
function place(box: HTMLElement, opener: HTMLElement): void {
  const at = opener.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = at.bottom + kGapPx;
  const top = below + height + kMarginPx <= innerHeight ? below : Math.max(kMarginPx, at.top - kGapPx - height);
  const left = Math.min(Math.max(kMarginPx, at.right - width), innerWidth - width - kMarginPx);
  box.style.top = `${top}px`;
  box.style.left = `${left}px`;
}

interface MenuItemProps {
  testId?: string;
  icon?: IconName;
  /** For an item that is on or off. */
  checked?: boolean;
  danger?: boolean;
  label?: string;
  data?: Readonly<Record<`data-${string}`, string>>;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ testId, icon, checked, danger, label, data, onSelect, children }: MenuItemProps) {
  const close = useContext(CloseContext);
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-label={label}
      title={label}
      tabIndex={-1}
      className={danger === true ? 'menu-item danger' : 'menu-item'}
      data-testid={testId}
      {...data}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="menu-group">
      <span id={id} className="menu-label">
        {label}
      </span>
      {children}
    </div>
  );
}
