import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SignIn } from './client_context.js';
import { Drafts, writerOf, type Draft, type Edit } from './drafts.js';

const DraftsContext = createContext<Drafts | null>(null);

export const DraftsProvider = DraftsContext.Provider;

/** The user's drafts in this browser, in step with its other tabs. */
export function useStoredDrafts({ tenantId, userId }: Pick<SignIn, 'tenantId' | 'userId'>): Drafts {
  const drafts = useMemo(() => new Drafts(writerOf(tenantId, userId), localStorage, sessionStorage), [tenantId, userId]);
  useEffect(() => {
    const onStorage = ({ key, newValue, storageArea }: StorageEvent): void => (storageArea === localStorage ? drafts.changed(key, newValue) : undefined);
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

function useOf<Value>(pick: (drafts: Drafts) => Value): Value {
  const drafts = useDrafts();
  const subscribe = useMemo(() => (listener: () => void) => drafts.subscribe(listener), [drafts]);
  return useSyncExternalStore(subscribe, () => pick(drafts));
}

export function useDraft(threadId: string): Draft | undefined {
  return useOf((drafts) => drafts.draft(threadId));
}

export function useEdit(threadId: string): Edit | undefined {
  return useOf((drafts) => drafts.edit(threadId));
}

/** The text in a thread's send box; empty if it is only white space. */
export function useDraftText(threadId: string): string {
  return useOf((drafts) => drafts.get(threadId).trim());
}
