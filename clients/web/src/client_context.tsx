import { ParleyClient, type ClientState, type OutboxStorage } from '@parley/sdk';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { fetchDemoToken, socketUrl } from './demo_token.js';
import type { StaffRole } from './route.js';

const ClientContext = createContext<ParleyClient | null>(null);

export const ClientProvider = ClientContext.Provider;

export function useClient(): ParleyClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('useClient outside of ClientProvider');
  return client;
}

export function useClientState(client: ParleyClient): ClientState {
  const subscribe = useMemo(() => (listener: () => void) => client.subscribe(listener), [client]);
  return useSyncExternalStore(subscribe, () => client.state);
}

/** Per tab, so that two tabs of one user never replay each other's unsent messages. */
function tabStorage(userId: string): OutboxStorage {
  const key = `parley.outbox.${userId}`;
  return {
    load: () => JSON.parse(sessionStorage.getItem(key) ?? '[]') as unknown,
    save: (items) => sessionStorage.setItem(key, JSON.stringify(items)),
  };
}

/** A running client for `userId`, stopped when the user changes; it reconnects at once when the network returns. */
export function useParleyClient(userId: string, role: StaffRole | null, adult: boolean): ParleyClient {
  const client = useMemo(
    () =>
      new ParleyClient({
        url: socketUrl(location),
        userId,
        getToken: () => fetchDemoToken({ user: userId, role, adult }),
        outboxStorage: tabStorage(userId),
        ...(adult ? { safeMode: false } : {}),
      }),
    [userId, role, adult],
  );
  useEffect(() => {
    const wake = (): void => {
      if (document.visibilityState === 'visible') client.reconnectNow();
    };
    client.start();
    addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
      client.stop();
    };
  }, [client]);
  return client;
}
