import type { ParleyClient } from '@parley/sdk';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Attaching, type Picked } from './attaching.js';

const AttachingContext = createContext<Attaching | null>(null);

export const AttachingProvider = AttachingContext.Provider;

/** The files that the user chose, for as long as the page shows this user. */
export function useNewAttaching(client: ParleyClient): Attaching {
  return useMemo(() => new Attaching(client), [client]);
}

export function useAttaching(): Attaching {
  const attaching = useContext(AttachingContext);
  if (attaching === null) throw new Error('useAttaching outside of AttachingProvider');
  return attaching;
}

export function usePicked(threadId: string): readonly Picked[] {
  const attaching = useAttaching();
  const subscribe = useMemo(() => (listener: () => void) => attaching.subscribe(listener), [attaching]);
  return useSyncExternalStore(subscribe, () => attaching.get(threadId));
}

/** Asks before the page closes while chosen files are not sent. */
export function useKeepPicked(attaching: Attaching): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (!attaching.busy) return;
      event.preventDefault();
      event.returnValue = true; // older browsers require it
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [attaching]);
}
