import type { ThreadFilter } from '@parley/sdk';
import { useCallback, useRef } from 'react';
import { IdField } from './id_field.js';
import { usePlaces } from './place_context.js';
import { kThreadStatuses } from './route.js';
import { useShortcuts } from './shortcuts_context.js';
import { useStaff } from './staff_context.js';
import { ThreadList } from './thread_list.js';
import { plain } from './words.js';

/** Lists conversations, to find one without knowing its id. Reading their messages is a separate, recorded step. */
export function ThreadsPage({ filter, ready }: { filter: ThreadFilter; ready: boolean }) {
  const { moderation } = useStaff();
  const { go } = usePlaces();
  const first = useRef<HTMLInputElement>(null);
  const { userId, status, flagged } = filter;
  const read = useCallback(
    (cursor: string | null) =>
      moderation.threads({ ...(userId === undefined ? {} : { userId }), ...(status === undefined ? {} : { status }), ...(flagged === true ? { flagged } : {}) }, cursor),
    [moderation, userId, status, flagged],
  );
  const narrow = (change: { [Name in keyof ThreadFilter]?: ThreadFilter[Name] | undefined }): void => {
    const next = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '' && value !== false));
    go({ view: 'threads', filter: next as ThreadFilter }, true);
  };
  useShortcuts([
    { keys: 'f', words: 'Filters', act: () => first.current?.focus() },
    { keys: 'x', words: 'Without filters', act: () => go({ view: 'threads', filter: {} }, true) },
  ]);
  return (
    <>
      <h1 id="page-title">Conversations</h1>
      <div className="filters" role="group" aria-label="Filters">
        <IdField input={first} words="Member" hint="usr_…" testId="threads-user" value={userId} narrow={(id) => narrow({ userId: id })} />
        <label className="filter-field">
          Status
          <select data-testid="threads-status" value={status ?? ''} onChange={(event) => narrow({ status: kThreadStatuses.find((known) => known === event.target.value) })}>
            <option value="">Any</option>
            {kThreadStatuses.map((known) => (
              <option key={known} value={known}>
                {plain(known)}
              </option>
            ))}
          </select>
        </label>
        <label className="filter-check">
          <input type="checkbox" data-testid="threads-flagged" checked={flagged === true} onChange={(event) => narrow({ flagged: event.target.checked })} />
          With an open case
        </label>
      </div>
      <ThreadList read={read} ready={ready} keys />
    </>
  );
}
