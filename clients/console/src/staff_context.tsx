import { StaffClient, type TokenWish } from '@parley/sdk';
import { socketUrl, useRunning } from '@parley/shared';
import { createContext, useContext, useMemo } from 'react';

const StaffContext = createContext<StaffClient | null>(null);

export const StaffProvider = StaffContext.Provider;

export function useStaff(): StaffClient {
  const client = useContext(StaffContext);
  if (client === null) throw new Error('useStaff outside of StaffProvider');
  return client;
}

/** The user of the console, with their tokens. */
export interface SignIn {
  userId: string;
  getToken: (wish: TokenWish) => Promise<string>;
}

/** A running client, stopped when the user changes. */
export function useStaffClient({ userId, getToken }: SignIn): StaffClient {
  const client = useMemo(() => new StaffClient({ url: socketUrl(location), userId, getToken }), [userId, getToken]);
  useRunning(client);
  return client;
}
