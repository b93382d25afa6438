import { useEffect, useState, type RefObject } from 'react';

/** How long a message must be on screen to count as seen. */
export const kMomentMs = 500;

/** Returns true once the condition has held for a moment, until it ends. */
export function useForAMoment(holds: boolean): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!holds) return setHeld(false);
    const timer = setTimeout(() => setHeld(true), kMomentMs);
    return () => clearTimeout(timer);
  }, [holds]);
  return holds && held;
}

/** The last message that is completely on screen, or null. */
function lowest(box: HTMLElement): { messageId: string; msgNo: number } | null {
  const edge = box.getBoundingClientRect().bottom;
  const top = box.getBoundingClientRect().top;
  for (const row of [...box.querySelectorAll<HTMLElement>('[data-msg-no]:not([data-msg-no=""])')].reverse()) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom <= top) return null;
    if (bottom <= edge + 1) return { messageId: row.dataset['messageId']!, msgNo: Number(row.dataset['msgNo']) };
  }
  return null;
}

/**
 * Reports the last message that was on screen for a moment while `looking`, ignoring messages that only scrolled
 * past.
 */
export function useSeen(box: RefObject<HTMLElement | null>, looking: boolean, onSeen: (messageId: string) => void): void {
  useEffect(() => {
    const element = box.current;
    if (element === null || !looking) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let before = lowest(element);
    const look = (): void => {
      timer = null;
      const now = lowest(element);
      const seen = before === null || now === null ? null : now.msgNo < before.msgNo ? now : before;
      before = now;
      if (seen !== null) onSeen(seen.messageId);
      if (now !== null && now.msgNo !== seen?.msgNo) wait();
    };
    const wait = (): void => {
      timer ??= setTimeout(look, kMomentMs);
    };
    const onScroll = (): void => {
      if (timer === null) before = lowest(element);
      wait();
    };
    wait();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      if (timer !== null) clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
    };
  }, [box, looking, onSeen]);
}
