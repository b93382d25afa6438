import { hintOf, type QueueFilter, type QueueStats } from '@parley/sdk';
import { useEffect, useRef, useState } from 'react';
import { arrivals, firstPage, renewed, withMore, type Queue } from './queue.js';
import { useStaff } from './staff_context.js';
import { useEvery } from './use_every.js';

const kRenewMs = 5_000;

export interface QueueState {
  queue: Queue | null;
  /** Stats of all cases, also while a filtered page is loading; null until the first answer. */
  stats: QueueStats | null;
  failure: string | null;
  /** Cases that arrived while the page was visible. */
  came: number;
  more: () => Promise<void>;
  renew: () => void;
}

/** The queue. Reads it again every few seconds while the page is visible, because cases have no events. */
export function useQueue(filter: QueueFilter, ready: boolean): QueueState {
  const { moderation } = useStaff();
  const [queue, setQueue] = useState<Queue | null>(null);
  const [stats, setStats] = useState<QueueStats | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [came, setCame] = useState(0);
  const [turn, setTurn] = useState(0);
  const asking = useRef(false);
  const key = JSON.stringify(filter);
  useEffect(() => {
    setQueue(null);
    setFailure(null);
  }, [key]);
  useEffect(() => {
    if (!ready) return;
    let over = false;
    asking.current = true;
    moderation.queue(JSON.parse(key) as QueueFilter).then(
      (page) => {
        if (over) return;
        asking.current = false;
        setFailure(null);
        setStats(page.stats);
        setQueue((held) => (held === null ? firstPage(page) : renewed(held, page)));
      },
      (error: unknown) => {
        if (over) return;
        asking.current = false;
        setFailure(hintOf(error));
      },
    );
    return () => {
      over = true;
    };
  }, [moderation, key, ready, turn]);
  const renew = (): void => setTurn((now) => now + 1);
  useEvery(kRenewMs, ready, () => {
    if (!asking.current) renew(); // skips a turn while an answer is outstanding
  });
  const [before, setBefore] = useState<Queue | null>(null);
  if (queue !== before) {
    setBefore(queue);
    setCame(queue === null ? 0 : came + arrivals(before, queue));
  }
  const more = async (): Promise<void> => {
    if (queue === null || queue.cursor === null) return;
    const page = await moderation.queue(filter, queue.cursor);
    setStats(page.stats);
    setQueue((held) => (held === null || held.cursor !== queue.cursor ? held : withMore(held, page)));
  };
  return { queue, stats, failure, came, more, renew };
}
