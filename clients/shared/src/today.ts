import { useSyncExternalStore } from 'react';

const kTimerMaxMs = 60 * 60_000; // look once an hour at least: clocks are set, and a timer pauses while its machine sleeps

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** Local midnight after `ms`: not always 24 hours after the last one. */
function nextMidnight(ms: number): number {
  const day = new Date(ms);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
}

/** Calls its listeners when another day begins, by the local clock. */
class Days {
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  subscribe = (listener: () => void): (() => void) => {
    if (this.listeners.size === 0) this.start();
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    };
  };

  private start(): void {
    document.addEventListener('visibilitychange', this.look);
    this.wait();
  }

  private stop(): void {
    document.removeEventListener('visibilitychange', this.look);
    clearTimeout(this.timer);
  }

  private readonly look = (): void => {
    clearTimeout(this.timer);
    this.wait();
    for (const listener of [...this.listeners]) listener(); // React renders again only if the day changed
  };

  private wait(): void {
    const now = Date.now();
    this.timer = setTimeout(this.look, Math.min(kTimerMaxMs, nextMidnight(now) - now));
  }
}

const days = new Days();

/** Returns the beginning of today in ms, and renders again at midnight. */
export function useToday(): number {
  return useSyncExternalStore(days.subscribe, () => startOfDay(Date.now()));
}
