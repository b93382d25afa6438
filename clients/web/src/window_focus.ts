import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('focus', listener);
  addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    removeEventListener('focus', listener);
    removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Returns true while the page is visible and its window has the focus. */
export function useWindowFocus(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible' && document.hasFocus());
}
