import { hintOf } from '@parley/sdk';
import { useEffect, useState } from 'react';

interface Page<Item> {
  items: readonly Item[];
  cursor: string | null;
}

export interface Pages<Item> {
  /** null: nothing was read yet. */
  items: readonly Item[] | null;
  failure: string | null;
  /** There is more. */
  more: boolean;
  readMore: () => void;
  /** From the start. */
  reload: () => void;
}

/** A list that is read page by page, from the start whenever `read` becomes another function. */
export function usePages<Item>(read: (cursor: string | null) => Promise<Page<Item>>, ready: boolean): Pages<Item> {
  const [held, setHeld] = useState<Page<Item> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [turn, setTurn] = useState<{ cursor: string | null }>({ cursor: null });
  useEffect(() => {
    setHeld(null);
    setTurn({ cursor: null });
  }, [read]);
  useEffect(() => {
    if (!ready) return;
    let over = false;
    const { cursor } = turn;
    read(cursor).then(
      (page) => {
        if (over) return;
        setFailure(null);
        setHeld((before) => (cursor === null || before === null ? page : { items: [...before.items, ...page.items], cursor: page.cursor }));
      },
      (error: unknown) => {
        if (!over) setFailure(hintOf(error));
      },
    );
    return () => {
      over = true;
    };
    // Another connection reads nothing again: each reading of staff is on record.
  }, [read, ready, turn]);
  return {
    items: held?.items ?? null,
    failure,
    more: held !== null && held.cursor !== null,
    readMore: () => setTurn({ cursor: held?.cursor ?? null }),
    reload: () => setTurn({ cursor: null }),
  };
}
