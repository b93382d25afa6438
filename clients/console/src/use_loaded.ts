import { hintOf } from '@parley/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** What was read last; null: nothing yet. */
  value: T | null;
  /** Why the last reading failed, in words for people. */
  failure: string | null;
  loading: boolean;
  reload: () => void;
  /** Known better, by an answer. */
  set: (change: (value: T | null) => T | null) => void;
}

/**
 * Reads something when it is first shown, when `load` becomes another function, and when asked to. An answer that comes
 * after a newer question is dropped. `ready`: there is a connection; another one repeats only what was not answered, as each reading of
 * staff is on record.
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
    asked.current += 1; // what is on its way is older than this
    setState(({ value }) => ({ value: change(value), failure: null, loading: false }));
  }, []);
  return { ...state, reload, set };
}
