import { hintOf, type Case, type QueueFilter } from '@parley/sdk';
import { useAttempt, useNames } from '@parley/shared';
import { useEffect, useMemo, useState } from 'react';
import { SeverityChip, StatusChip } from './case_chips.js';
import { PlaceLink } from './place_context.js';
import { arrivals, firstPage, renewed, waiting, withMore, type Queue } from './queue.js';
import { QueueFilters } from './queue_filters.js';
import { useRoving } from './rows.js';
import { useShortcuts } from './shortcuts_context.js';
import { useStaff } from './staff_context.js';
import { Subject } from './subject.js';
import { useEvery } from './use_every.js';
import { When } from './when.js';
import { originWords, plain } from './words.js';

const kRenewMs = 5_000;

interface QueueState {
  queue: Queue | null;
  failure: string | null;
  /** Cases that came while the page was looked at. */
  came: number;
  more: () => Promise<void>;
  renew: () => void;
}

/** The queue, read again every few seconds while somebody looks: nobody is told of cases by events. */
function useQueue(filter: QueueFilter, ready: boolean): QueueState {
  const { moderation } = useStaff();
  const [queue, setQueue] = useState<Queue | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [came, setCame] = useState(0);
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify(filter);
  useEffect(() => setQueue(null), [key]);
  useEffect(() => {
    if (!ready) return;
    let over = false;
    moderation.queue(JSON.parse(key) as QueueFilter).then(
      (page) => {
        if (over) return;
        setFailure(null);
        setQueue((held) => (held === null ? firstPage(page) : renewed(held, page)));
      },
      (error: unknown) => {
        if (!over) setFailure(hintOf(error));
      },
    );
    return () => {
      over = true;
    };
  }, [moderation, key, ready, turn]);
  const renew = (): void => setTurn((now) => now + 1);
  useEvery(kRenewMs, ready, renew);
  const [before, setBefore] = useState<Queue | null>(null);
  if (queue !== before) {
    setBefore(queue);
    setCame(queue === null ? 0 : came + arrivals(before, queue));
  }
  const more = async (): Promise<void> => {
    if (queue === null || queue.cursor === null) return;
    const page = await moderation.queue(filter, queue.cursor);
    setQueue((held) => (held === null || held.cursor !== queue.cursor ? held : withMore(held, page)));
  };
  return { queue, failure, came, more, renew };
}

export function QueuePage({ filter, ready }: { filter: QueueFilter; ready: boolean }) {
  const attempt = useAttempt();
  const nameOf = useNames();
  const { queue, failure, came, more, renew } = useQueue(filter, ready);
  const cases = useMemo(() => queue?.cases ?? [], [queue]);
  const ids = useMemo(() => cases.map(({ caseId }) => caseId), [cases]);
  const roving = useRoving(ids);
  const waits = queue === null ? null : waiting(queue.stats);
  useShortcuts([
    { keys: 'j', words: 'Next case', act: () => roving.step(1) },
    { keys: 'k', words: 'Previous case', act: () => roving.step(-1) },
    { keys: 'r', words: 'Read the queue again', act: renew },
  ]);
  return (
    <>
      <h1 id="page-title">Queue</h1>
      {waits === null ? null : (
        <p className="muted" data-testid="waiting" data-count={waits}>
          {waits === 1 ? 'One case waits' : `${waits} cases wait`} for a decision.
        </p>
      )}
      <QueueFilters filter={filter} stats={queue?.stats ?? null} />
      <p className="visually-hidden" role="status" data-testid="queue-news">
        {came === 0 ? '' : `${came} new ${came === 1 ? 'case' : 'cases'}`}
      </p>
      {failure === null ? null : (
        <p className="form-error" role="alert">
          {failure}
        </p>
      )}
      {queue === null ? <p className="muted">{failure === null ? 'Loading…' : ''}</p> : null}
      {queue !== null && cases.length === 0 ? (
        <p className="muted" data-testid="queue-empty">
          No cases here.
        </p>
      ) : null}
      {cases.length === 0 ? null : (
        <table className="list" data-testid="queue" onKeyDown={roving.onKeyDown}>
          <thead>
            <tr>
              <th scope="col">Case</th>
              <th scope="col">Severity</th>
              <th scope="col">Status</th>
              <th scope="col">Reason</th>
              <th scope="col">Reported by</th>
              <th scope="col">Reported</th>
            </tr>
          </thead>
          <tbody>
            {cases.map((one, row) => (
              <tr key={one.caseId} data-testid="case-row" data-case-id={one.caseId} data-status={one.status} data-severity={one.severity}>
                <th scope="row">
                  <PlaceLink to={{ view: 'case', id: one.caseId }} testId="case-link" {...roving.link(row)}>
                    <Subject of={one} />
                  </PlaceLink>
                </th>
                <td>
                  <SeverityChip severity={one.severity} />
                </td>
                <td>
                  <StatusChip status={one.status} />
                  {one.requiresDualApproval ? <span className="muted"> needs two</span> : null}
                </td>
                <td dir="auto">{one.reason === null ? '' : plain(one.reason)}</td>
                <td>{reporters(one, nameOf)}</td>
                <td>
                  <When at={one.reportedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {queue?.cursor ? (
        <button type="button" className="button" data-testid="queue-more" onClick={() => void attempt(more)}>
          Show more
        </button>
      ) : null}
    </>
  );
}

function reporters({ reportedBy, reportCount, origin }: Case, nameOf: (userId: string) => string): string {
  const [first] = reportedBy;
  if (first === undefined) return originWords(origin);
  const more = (reportCount ?? reportedBy.length) - 1;
  return more > 0 ? `${nameOf(first)} and ${more} more` : nameOf(first);
}
