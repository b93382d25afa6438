import { ParleyClient, type OutboxStorage, type TokenWish } from '@parley/sdk';
import { socketUrl, useRunning } from '@parley/shared';
import { createContext, useContext, useMemo } from 'react';

const ClientContext = createContext<ParleyClient | null>(null);

export const ClientProvider = ClientContext.Provider;

export function useClient(): ParleyClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('useClient outside of ClientProvider');
  return client;
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

/** A running client, stopped when the user changes. */
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
  useRunning(client);
  return client;
}
