import { isComposing } from '@parley/shared';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { KeyReader, takesKeys, type Shortcut } from './shortcuts.js';

interface Shortcuts {
  /** The shortcuts of the current page. */
  all: () => readonly Shortcut[];
  add: (shortcuts: () => readonly Shortcut[]) => () => void;
  on: boolean;
  /** Turns single-key shortcuts on or off: they disturb people who dictate or hit keys by accident. */
  turn: (on: boolean) => void;
}

const kKept = 'parley.console.shortcuts';

const ShortcutsContext = createContext<Shortcuts>({ all: () => [], add: () => () => undefined, on: true, turn: () => undefined });

function keptOn(): boolean {
  try {
    return localStorage.getItem(kKept) !== 'off';
  } catch {
    return true;
  }
}

function keep(on: boolean): void {
  try {
    localStorage.setItem(kKept, on ? 'on' : 'off');
  } catch {
    return; // storage is unavailable: the setting lasts as long as the page
  }
}

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(keptOn);
  const sources = useRef(new Set<() => readonly Shortcut[]>());
  const all = useCallback(() => [...sources.current].flatMap((source) => source()), []);
  const add = useCallback((source: () => readonly Shortcut[]) => {
    sources.current.add(source);
    return () => void sources.current.delete(source);
  }, []);
  const turn = useCallback((next: boolean) => {
    keep(next);
    setOn(next);
  }, []);

  useEffect(() => {
    const reader = new KeyReader();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
      if (document.querySelector('dialog[open], [role=menu]') !== null) return;
      // Leaves a field, so that keys are shortcuts again.
      if (event.key === 'Escape') return document.getElementById('page')?.focus();
      if (takesKeys(event.target as HTMLElement | null)) return;
      const offered = on ? all() : all().filter(({ keys }) => keys === '?');
      const found = reader.read(event.key, event.timeStamp, offered);
      if (found === null) return;
      event.preventDefault();
      found.act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [on, all]);

  const value = useMemo(() => ({ all, add, on, turn }), [all, add, on, turn]);
  return <ShortcutsContext value={value}>{children}</ShortcutsContext>;
}

export function useShortcutList(): Pick<Shortcuts, 'all' | 'on' | 'turn'> {
  return useContext(ShortcutsContext);
}

/** Registers shortcuts while the component is on screen. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { add } = useContext(ShortcutsContext);
  const held = useRef(shortcuts);
  useEffect(() => {
    held.current = shortcuts;
  });
  useEffect(() => add(() => held.current), [add]);
}
