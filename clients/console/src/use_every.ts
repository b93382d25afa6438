import { useEffect, useRef } from 'react';

/** Calls `act` every `everyMs` while the page is visible, and at once when it becomes visible again. */
export function useEvery(everyMs: number, on: boolean, act: () => void): void {
  const held = useRef(act);
  useEffect(() => {
    held.current = act;
  });
  useEffect(() => {
    if (!on) return;
    const visible = (): boolean => document.visibilityState === 'visible';
    const timer = setInterval(() => {
      if (visible()) held.current();
    }, everyMs);
    const onVisible = (): void => {
      if (visible()) held.current();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [everyMs, on]);
}
