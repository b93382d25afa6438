import { createContext, useContext } from 'react';

/** Switches Safe-Mode off for the viewer; null: they may not, or it is off. */
const LiftContext = createContext<(() => void) | null>(null);

export const LiftProvider = LiftContext.Provider;

export function useLift(): (() => void) | null {
  return useContext(LiftContext);
}
