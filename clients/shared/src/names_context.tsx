import type { ClientState, UserName } from '@parley/sdk';
import { createContext, useContext, useMemo } from 'react';
import { bare, isolate, nameFromId, shownName } from './format.js';

/** What somebody is called, fit for any sentence whatever its direction; null: the server itself. In elements: `Name`. */
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
    return (userId) => isolate(shownName(userId, userId === null ? undefined : heldOf(userId)));
  }, [client, names]);
}

/** Somebody's name, held together whatever stands beside it. */
export function Name({ id }: { id: string | null }) {
  return <bdi>{bare(useNames()(id))}</bdi>;
}

/** The same for a subject, a label or a city. */
export function Isolated({ text }: { text: string }) {
  return <bdi>{bare(text)}</bdi>;
}
