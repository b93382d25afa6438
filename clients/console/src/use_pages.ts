import { hintOf } from '@parley/sdk';
import { useEffect, useRef, useState } from 'react';

interface Page<Item> {
  items: readonly Item[];
  cursor: string | null;
}

type Read<Item> = (cursor: string | null) => Promise<Page<Item>>;

export interface Pages<Item> {
  /** null until the first answer. */
  items: readonly Item[] | null;
  failure: string | null;
  /** The server has more. */
  more: boolean;
  readMore: () => void;
  /** Loads the list again from the start. */
  reload: () => void;
}

interface Turn<Item> {
  read: Read<Item>;
  cursor: string | null;
}

/**
 * A list that is read page by page, from the start whenever `read` becomes another function. Each read by staff is
 * recorded, so a reconnect repeats only unanswered requests.
 */
export function usePages<Item>(read: Read<Item>, ready: boolean): Pages<Item> {
  const [held, setHeld] = useState<Page<Item> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [turn, setTurn] = useState<Turn<Item>>({ read, cursor: null });
  const answered = useRef<Turn<Item> | null>(null);
  if (turn.read !== read) {
    setTurn({ read, cursor: null });
    setHeld(null);
    setFailure(null);
  }
  useEffect(() => {
    if (!ready || answered.current === turn) return;
    let over = false;
    turn.read(turn.cursor).then(
      (page) => {
        if (over) return;
        answered.current = turn;
        setFailure(null);
        setHeld((before) => (turn.cursor === null || before === null ? page : { items: [...before.items, ...page.items], cursor: page.cursor }));
      },
      (error: unknown) => {
        if (!over) setFailure(hintOf(error));
      },
    );
    return () => {
      over = true;
    };
  }, [ready, turn]);
  return {
    items: held?.items ?? null,
    failure,
    more: held !== null && held.cursor !== null,
    readMore: () => setTurn({ read, cursor: held?.cursor ?? null }),
    reload: () => setTurn({ read, cursor: null }),
  };
}
