import { ParleyClient, type TokenWish } from '@parley/sdk';
import { socketUrl, useRunning } from '@parley/shared';
import { createContext, useContext, useEffect, useMemo } from 'react';
import { TabOutbox, type TabLocks } from './tab_outbox.js';

const ClientContext = createContext<ParleyClient | null>(null);

export const ClientProvider = ClientContext.Provider;

export function useClient(): ParleyClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('useClient outside of ClientProvider');
  return client;
}

/** As whom a client speaks, and with what. */
export interface SignIn {
  userId: string;
  /** null: a demo's. */
  tenantId: string | null;
  getToken: (wish: TokenWish) => Promise<string>;
  /** False: they wish to see what is mature. */
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
    const options = { url: socketUrl(location), userId, getToken, outboxStorage, ...(safeMode ? {} : { safeMode }) };
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
