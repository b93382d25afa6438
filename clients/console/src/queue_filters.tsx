import type { QueueFilter, QueueStats } from '@parley/sdk';
import { useRef } from 'react';
import { IdField } from './id_field.js';
import { usePlaces } from './place_context.js';
import { kStatsNames } from './queue.js';
import { kSeverities, kStatuses, kTypes } from './route.js';
import { useShortcuts } from './shortcuts_context.js';
import { kSeverityWords, kStatusWords, plain } from './words.js';

/** The filters of the queue. The counts cover the whole queue, whatever the filters. */
export function QueueFilters({ filter, stats }: { filter: QueueFilter; stats: QueueStats | null }) {
  const { go } = usePlaces();
  const first = useRef<HTMLButtonElement>(null);
  const narrow = (change: { [Name in keyof QueueFilter]?: QueueFilter[Name] | undefined }): void => {
    const next = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== ''));
    go({ view: 'queue', filter: next as QueueFilter }, true);
  };
  useShortcuts([
    { keys: 'f', words: 'Filters', act: () => first.current?.focus() },
    { keys: 'x', words: 'Without filters', act: () => go({ view: 'queue', filter: {} }, true) },
  ]);
  const count = (number: number | null, words: string) =>
    number === null ? null : (
      <span className="count" data-testid="count" data-of={words}>
        {number}
      </span>
    );
  return (
    <div className="filters" role="group" aria-label="Filters">
      <div className="filter-row" role="group" aria-label="Status">
        <button ref={first} type="button" className="filter" aria-pressed={filter.status === undefined} data-testid="filter-all" onClick={() => narrow({ status: undefined })}>
          All
        </button>
        {kStatuses.map((status) => (
          <button
            key={status}
            type="button"
            className="filter"
            aria-pressed={filter.status === status}
            data-testid={`filter-${status}`}
            onClick={() => narrow({ status })}
          >
            {kStatusWords[status]} {count(stats === null ? null : stats[kStatsNames[status]], status)}
          </button>
        ))}
      </div>
      <label className="filter-field">
        Type
        <select data-testid="filter-type" value={filter.type ?? ''} onChange={(event) => narrow({ type: kTypes.find((known) => known === event.target.value) })}>
          <option value="">Any</option>
          {kTypes.map((type) => (
            <option key={type} value={type}>
              {plain(type)}
            </option>
          ))}
        </select>
      </label>
      <label className="filter-field">
        Severity
        <select
          data-testid="filter-severity"
          value={filter.severity ?? ''}
          onChange={(event) => narrow({ severity: kSeverities.find((known) => known === event.target.value) })}
        >
          <option value="">Any</option>
          {kSeverities.map((severity) => (
            <option key={severity} value={severity}>
              {kSeverityWords[severity]}
            </option>
          ))}
        </select>
      </label>
      <IdField words="Conversation" hint="thrd_…" testId="filter-thread" value={filter.threadId} narrow={(threadId) => narrow({ threadId })} />
      <IdField words="About the user" hint="usr_…" testId="filter-user" value={filter.userId} narrow={(userId) => narrow({ userId })} />
    </div>
  );
}
