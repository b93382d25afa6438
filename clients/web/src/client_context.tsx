import { ParleyClient, type ClientState, type OutboxStorage, type TokenWish } from '@parley/sdk';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { socketUrl } from './demo_token.js';

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

/** As whom a client speaks, and with what. */
export interface SignIn {
  userId: string;
  getToken: (wish: TokenWish) => Promise<string>;
  /** False: they wish to see what is mature. */
  safeMode: boolean;
}

/** A running client, stopped when the user changes; it reconnects at once when the network returns. */
export function useParleyClient(signIn: SignIn): ParleyClient {
  const { userId, getToken, safeMode } = signIn;
  const client = useMemo(
    () =>
      new ParleyClient({
        url: socketUrl(location),
        userId,
        getToken,
        outboxStorage: tabStorage(userId),
        ...(safeMode ? {} : { safeMode }),
      }),
    [userId, getToken, safeMode],
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
