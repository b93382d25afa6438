import type { Case, QueueFilter } from '@parley/sdk';
import { useAttempt, useNames } from '@parley/shared';
import { useMemo } from 'react';
import { SeverityChip, StatusChip } from './case_chips.js';
import { PlaceLink } from './place_context.js';
import { waiting, type Queue } from './queue.js';
import { QueueFilters } from './queue_filters.js';
import { useRoving } from './rows.js';
import { useShortcuts } from './shortcuts_context.js';
import { Subject } from './subject.js';
import { useQueue } from './use_queue.js';
import { When } from './when.js';
import { originWords, plain } from './words.js';

interface QueuePageProps {
  filter: QueueFilter;
  ready: boolean;
  /** The case that the viewer returns from. */
  left: string | null;
}

export function QueuePage({ filter, ready, left }: QueuePageProps) {
  const attempt = useAttempt();
  const nameOf = useNames();
  const { queue, stats, failure, came, more, renew } = useQueue(filter, ready);
  const cases = useMemo(() => queue?.cases ?? [], [queue]);
  const ids = useMemo(() => cases.map(({ caseId }) => caseId), [cases]);
  const roving = useRoving(ids, left);
  const waits = stats === null ? null : waiting(stats);
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
      <QueueFilters filter={filter} stats={stats} />
      <p className="visually-hidden" role="status" data-testid="queue-news">
        {newsOf(queue, came, Object.keys(filter).length > 0)}
      </p>
      {failure === null ? null : (
        <p className="form-error" role="alert" data-testid="failure">
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

/** An announcement for screen readers: the number of new cases, or of those that match a filter. */
function newsOf(queue: Queue | null, came: number, narrowed: boolean): string {
  if (came > 0) return `${came} new ${came === 1 ? 'case' : 'cases'}`;
  if (queue === null || !narrowed) return '';
  const { length } = queue.cases;
  return `${length}${queue.cursor === null ? '' : ' or more'} ${length === 1 ? 'case' : 'cases'} listed`;
}

function reporters({ reportedBy, reportCount, origin }: Case, nameOf: (userId: string) => string): string {
  const [first] = reportedBy;
  if (first === undefined) return originWords(origin);
  const more = (reportCount ?? reportedBy.length) - 1;
  return more > 0 ? `${nameOf(first)} and ${more} more` : nameOf(first);
}
