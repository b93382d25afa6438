import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Drafts } from './drafts.js';

const DraftsContext = createContext<Drafts | null>(null);

export const DraftsProvider = DraftsContext.Provider;

/** A user's drafts in this browser, in step with its other tabs. */
export function useStoredDrafts(userId: string): Drafts {
  const drafts = useMemo(() => new Drafts(userId, localStorage), [userId]);
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent): void => drafts.changed(key, newValue);
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [drafts]);
  return drafts;
}

export function useDrafts(): Drafts {
  const drafts = useContext(DraftsContext);
  if (drafts === null) throw new Error('useDrafts outside of DraftsProvider');
  return drafts;
}

export function useDraft(threadId: string): string {
  const drafts = useDrafts();
  const subscribe = useMemo(() => (listener: () => void) => drafts.subscribe(listener), [drafts]);
  return useSyncExternalStore(subscribe, () => drafts.get(threadId));
}
