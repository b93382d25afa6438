import type { ClientState, UserName } from '@parley/sdk';
import { createContext, useContext, useMemo } from 'react';
import { nameFromId, shownName } from './format.js';

/** What somebody is called; null: the server itself. */
export type NameOf = (userId: string | null) => string;

const NamesContext = createContext<NameOf>(nameFromId);

export const NamesProvider = NamesContext.Provider;

/** Another function whenever somebody's name became known, so that whoever draws names draws them again. */
export function useNames(): NameOf {
  return useContext(NamesContext);
}

/** Looks names up in the client's state, and has the client ask for those that are drawn and not there. */
export function useNamesOf(client: { wantName: (userId: string) => void }, { names }: Pick<ClientState, 'names'>): NameOf {
  return useMemo(() => {
    const heldOf = (userId: string): UserName | undefined => {
      client.wantName(userId);
      return names.get(userId);
    };
    return (userId) => shownName(userId, userId === null ? undefined : heldOf(userId));
  }, [client, names]);
}
