import type { AuditFilter } from '@parley/sdk';
import { isId } from '@parley/shared';
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { AuditList } from './audit_list.js';
import { localTime, timeOfLocal } from './local_time.js';
import { usePlaces } from './place_context.js';
import { useShortcuts } from './shortcuts_context.js';
import { useStaff } from './staff_context.js';

const kIds = [
  { name: 'actor', words: 'Done by', hint: 'usr_…' },
  { name: 'userId', words: 'About the user', hint: 'usr_…' },
  { name: 'caseId', words: 'Case', hint: 'case_…' },
  { name: 'threadId', words: 'Conversation', hint: 'thrd_…' },
] as const;
const kTimes = [
  { name: 'from', words: 'From' },
  { name: 'to', words: 'To' },
] as const;

/** All recorded actions and reads of the tenant's staff. */
export function AuditPage({ filter, ready }: { filter: AuditFilter; ready: boolean }) {
  const { moderation } = useStaff();
  const key = JSON.stringify(filter);
  const read = useCallback((cursor: string | null) => moderation.audit(JSON.parse(key) as AuditFilter, cursor), [moderation, key]);
  return (
    <>
      <h1 id="page-title">Audit</h1>
      <p className="muted">Every action of staff and everything they read, newest first. Searches are recorded, too.</p>
      <AuditFilters filter={filter} />
      <AuditList read={read} ready={ready} keys />
    </>
  );
}

/** Sends all fields at once, on submit: each search is recorded, so typing must not trigger one. */
function AuditFilters({ filter }: { filter: AuditFilter }) {
  const { go } = usePlaces();
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const key = JSON.stringify(filter);
  useEffect(() => form.current?.reset(), [key]); // resets the fields to the filter in force, wherever it was set; the focus stays
  const [complaint, setComplaint] = useState<string | null>(null);
  useShortcuts([
    { keys: 'f', words: 'Filters', act: () => first.current?.focus() },
    { keys: 'x', words: 'Without filters', act: () => go({ view: 'audit', filter: {} }, true) },
  ]);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const ids = kIds.map(({ name }) => [name, text(name)] as const).filter(([, id]) => id !== '');
    const bad = ids.find(([, id]) => !isId(id));
    if (bad !== undefined) return setComplaint(`“${bad[1]}” is not an id: an id has 1 to 64 letters, digits or _ . : -`);
    const times = kTimes.map(({ name }) => [name, timeOfLocal(text(name))] as const).filter(([, time]) => time !== null);
    setComplaint(null);
    go({ view: 'audit', filter: Object.fromEntries([...ids, ...times]) as AuditFilter });
  };
  return (
    <form ref={form} className="filters" role="search" aria-label="Audit" data-testid="audit-filters" onSubmit={onSubmit} noValidate>
      {kIds.map(({ name, words, hint }, at) => (
        <label key={name} className="filter-field">
          {words}
          <input ref={at === 0 ? first : undefined} name={name} data-testid={`audit-${name}`} placeholder={hint} autoComplete="off" spellCheck={false} defaultValue={filter[name] ?? ''} />
        </label>
      ))}
      {kTimes.map(({ name, words }) => (
        <label key={name} className="filter-field">
          {words}
          <input type="datetime-local" step="1" name={name} data-testid={`audit-${name}`} defaultValue={localTime(filter[name])} />
        </label>
      ))}
      <button type="submit" className="button primary" data-testid="audit-search">
        Search
      </button>
      {complaint === null ? null : (
        <p className="form-error" role="alert">
          {complaint}
        </p>
      )}
    </form>
  );
}
