import { useEffect, useMemo, useSyncExternalStore } from 'react';

/** The interface that every client of a page implements. */
export interface LiveClient<State> {
  readonly state: State;
  subscribe(listener: () => void): () => void;
  start(): void;
  stop(): void;
  reconnectNow(): void;
}

export function useClientState<State>(client: Pick<LiveClient<State>, 'state' | 'subscribe'>): State {
  const subscribe = useMemo(() => (listener: () => void) => client.subscribe(listener), [client]);
  return useSyncExternalStore(subscribe, () => client.state);
}

/** Runs the client while the page shows it; reconnects at once when the network returns. */
export function useRunning(client: LiveClient<unknown>): void {
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
}

export function socketUrl(page: Location): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/v1/ws`;
}
