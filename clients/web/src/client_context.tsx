import { ParleyClient, type TokenWish } from '@parley/sdk';
import { socketUrl, useRunning } from '@parley/shared';
import { createContext, useContext, useEffect, useMemo } from 'react';
import { writerOf } from './drafts.js';
import { TabOutbox, type TabLocks } from './tab_outbox.js';
import { StoredUploads } from './upload_storage.js';

const ClientContext = createContext<ParleyClient | null>(null);

export const ClientProvider = ClientContext.Provider;

export function useClient(): ParleyClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('useClient outside of ClientProvider');
  return client;
}

/** The user of a client, with their tokens. */
export interface SignIn {
  userId: string;
  /** null in a demo. */
  tenantId: string | null;
  getToken: (wish: TokenWish) => Promise<string>;
  /** False: they want to see mature content. */
  safeMode: boolean;
}

function outboxOf(userId: string, tenantId: string | null): TabOutbox {
  return new TabOutbox({ userId, tenantId, shared: localStorage, ownTab: sessionStorage, locks: navigator.locks as TabLocks | undefined });
}

/** A running client, stopped when the user changes. */
export function useParleyClient(signIn: SignIn): ParleyClient {
  const { userId, tenantId, getToken, safeMode } = signIn;
  const [client, outbox] = useMemo(() => {
    const outboxStorage = outboxOf(userId, tenantId);
    const uploadStorage = new StoredUploads(writerOf(tenantId, userId), localStorage);
    const options = { url: socketUrl(location), userId, getToken, outboxStorage, uploadStorage, ...(safeMode ? {} : { safeMode }) };
    return [new ParleyClient(options), outboxStorage] as const;
  }, [userId, tenantId, getToken, safeMode]);
  useRunning(client);
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => outbox.changed(key);
    const stop = outbox.start((items) => client.adoptSends(items));
    addEventListener('storage', onStorage);
    return () => {
      removeEventListener('storage', onStorage);
      stop();
    };
  }, [client, outbox]);
  return client;
}
