import { hintOf } from '@parley/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** The last value; null until the first answer. */
  value: T | null;
  /** Why the last request failed, in words for people. */
  failure: string | null;
  loading: boolean;
  reload: () => void;
  /** Changes the value after another request returned a newer one. */
  set: (change: (value: T | null) => T | null) => void;
}

/**
 * Loads a value when first shown, when `load` becomes another function, and on request. Drops an answer if a newer
 * request has started. `ready`: the client is connected; a reconnect repeats only unanswered requests, because each
 * read by staff is recorded.
 */
export function useLoaded<T>(load: () => Promise<T>, ready: boolean): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; failure: string | null; loading: boolean }>({ value: null, failure: null, loading: true });
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  const answered = useRef<{ load: unknown; turn: number } | null>(null);
  useEffect(() => {
    if (!ready || (answered.current?.load === load && answered.current.turn === turn)) return;
    const mine = ++asked.current;
    const again = answered.current?.load === load;
    setState(({ value }) => ({ value: again ? value : null, failure: null, loading: true }));
    load().then(
      (value) => {
        if (asked.current !== mine) return;
        answered.current = { load, turn };
        setState({ value, failure: null, loading: false });
      },
      (error: unknown) => {
        if (asked.current === mine) setState(({ value }) => ({ value, failure: hintOf(error), loading: false }));
      },
    );
    return () => {
      asked.current += 1;
    };
  }, [load, ready, turn]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const set = useCallback((change: (value: T | null) => T | null) => {
    asked.current += 1; // answers to earlier requests are older than this value
    setState(({ value }) => ({ value: change(value), failure: null, loading: false }));
  }, []);
  return { ...state, reload, set };
}
