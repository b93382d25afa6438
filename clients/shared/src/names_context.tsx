import type { ClientState, UserName } from '@parley/sdk';
import { createContext, useContext, useMemo } from 'react';
import { bare, isolate, nameFromId, shownName } from './format.js';

/** Returns a user's name, safe in a sentence of any direction; null: the server itself. In elements use `Name`. */
export type NameOf = (userId: string | null) => string;

const NamesContext = createContext<NameOf>(nameFromId);

export const NamesProvider = NamesContext.Provider;

/** Returns a new function whenever a name becomes known, so that users of the hook render again. */
export function useNames(): NameOf {
  return useContext(NamesContext);
}

/** Looks names up in the client's state, and makes the client load missing ones. */
export function useNamesOf(client: { wantName: (userId: string) => void }, { names }: Pick<ClientState, 'names'>): NameOf {
  return useMemo(() => {
    const heldOf = (userId: string): UserName | undefined => {
      client.wantName(userId);
      return names.get(userId);
    };
    return (userId) => isolate(shownName(userId, userId === null ? undefined : heldOf(userId)));
  }, [client, names]);
}

/** A user's name, isolated from the direction of its neighbours. */
export function Name({ id }: { id: string | null }) {
  return <bdi>{bare(useNames()(id))}</bdi>;
}

/** A subject, a label or a city, isolated likewise. */
export function Isolated({ text }: { text: string }) {
  return <bdi>{bare(text)}</bdi>;
}
