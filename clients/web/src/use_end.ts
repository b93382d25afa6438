import { useEffect, useState } from 'react';

const kTimerMaxMs = 2 ** 31 - 1; // the maximum of setTimeout

/** Renders again at `until`, in ms of the local clock; null: never. */
export function useEnd(until: number | null): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(() => draw((times) => times + 1), Math.min(kTimerMaxMs, Math.max(0, until - Date.now()) + 1));
    return () => clearTimeout(timer);
  }, [until]);
}
