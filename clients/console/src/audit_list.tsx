import type { AuditEntry, AuditPage } from '@parley/sdk';
import { useCallback, useMemo } from 'react';
import { auditWords, changesOf } from './audit_words.js';
import { UserLink } from './case_facts.js';
import { Failure } from './failure.js';
import { PlaceLink } from './place_context.js';
import { useRoving } from './rows.js';
import { useShortcuts } from './shortcuts_context.js';
import { usePages } from './use_pages.js';
import { When } from './when.js';

interface AuditListProps {
  read: (cursor: string | null) => Promise<AuditPage>;
  ready: boolean;
  /** j and k also walk the list, because it is the page's main one. */
  keys: boolean;
}

/** Entries of the audit, newest first. */
export function AuditList({ read, ready, keys }: AuditListProps) {
  const readPage = useCallback(async (cursor: string | null) => {
    const page = await read(cursor);
    return { items: page.entries, cursor: page.cursor };
  }, [read]);
  const { items, failure, more, readMore, reload } = usePages(readPage, ready);
  const ids = useMemo(() => (items ?? []).map(keyOf), [items]);
  const roving = useRoving(ids);
  useShortcuts(
    keys
      ? [
          { keys: 'j', words: 'Next entry', act: () => roving.step(1) },
          { keys: 'k', words: 'Previous entry', act: () => roving.step(-1) },
          { keys: 'r', words: 'Search again', act: reload },
        ]
      : [],
  );
  if (items === null) return failure === null ? <p className="muted">Loading…</p> : <Failure failure={failure} onRetry={reload} />;
  return (
    <>
      <Failure failure={failure} onRetry={reload} />
      {items.length === 0 && !more ? <p className="muted" data-testid="audit-empty">No entries are recorded.</p> : null}
      {items.length === 0 ? null : (
        <table className="list" data-testid="audit-list" onKeyDown={roving.onKeyDown}>
          <thead>
            <tr>
              <th scope="col">Act</th>
              <th scope="col">By</th>
              <th scope="col">About</th>
              <th scope="col">Reason</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {items.map((entry, row) => (
              <tr key={keyOf(entry, row)} data-testid="audit-entry" data-action={entry.action} data-audit-id={entry.auditId} data-actor={entry.actor ?? ''}>
                <th scope="row">
                  <PlaceLink to={placeOf(entry)} testId="audit-link" {...roving.link(row)}>
                    {auditWords(entry.action)}
                  </PlaceLink>
                </th>
                <td>
                  {entry.actor === null ? (entry.actorRole ?? 'A tenant key') : <UserLink userId={entry.actor} />}
                </td>
                <td>
                  <About entry={entry} />
                </td>
                <td dir="auto">
                  {entry.reason ?? ''}
                  {changesOf(entry).map((change) => (
                    <span key={change} className="change muted">
                      {change}
                    </span>
                  ))}
                </td>
                <td>
                  <When at={entry.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more ? (
        <button type="button" className="button" data-testid="audit-more" onClick={readMore}>
          Show older entries
        </button>
      ) : null}
    </>
  );
}

function keyOf({ auditId, at }: AuditEntry, row: number): string {
  return auditId ?? `${at} ${row}`;
}

/** The page that an entry links to. */
function placeOf({ caseId, threadId, userId, actor }: AuditEntry) {
  if (caseId) return { view: 'case', id: caseId } as const;
  if (threadId) return { view: 'audit', filter: { threadId } } as const;
  const person = userId ?? actor;
  return person ? ({ view: 'user', id: person } as const) : ({ view: 'audit', filter: {} } as const);
}

function About({ entry: { userId, threadId, caseId } }: { entry: AuditEntry }) {
  return (
    <>
      {userId ? <UserLink userId={userId} /> : null}
      {caseId ? <span className="change muted">{caseId}</span> : null}
      {threadId ? <span className="change muted">{threadId}</span> : null}
    </>
  );
}
