import type { AuditFilter, CaseStatus, CaseType, QueueFilter, Severity, ThreadFilter } from '@parley/sdk';
import { isId, staffRoleOf, type StaffRole } from '@parley/shared';
import { useCallback, useEffect, useState } from 'react';

export interface QueuePlace {
  view: 'queue';
  filter: QueueFilter;
}

/** The page that the console shows; a reload or a copied link shows the same one. */
export type Place =
  | QueuePlace
  | { view: 'case'; id: string }
  | { view: 'user'; id: string }
  | { view: 'threads'; filter: ThreadFilter }
  | { view: 'thread'; id: string; caseId?: string } // the case that linked to it
  | { view: 'audit'; filter: AuditFilter };

export interface Route {
  /** The viewer, in a demo; otherwise the tokens name them. */
  user: string | null;
  role: StaffRole | null;
  place: Place;
}

export const kStatuses: readonly CaseStatus[] = ['pending', 'awaiting_second_approval', 'escalated', 'resolved', 'rejected'];
export const kSeverities: readonly Severity[] = ['critical', 'high', 'medium', 'low'];
export const kTypes: readonly CaseType[] = ['message', 'thread', 'user'];
export const kThreadStatuses = ['open', 'archived', 'locked'] as const;

export const kQueue: QueuePlace = { view: 'queue', filter: {} };

/** Removes undefined fields, so that filters can be compared and written to the address. */
function given<Filter extends object>(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')) as Filter;
}

function placeOf(params: URLSearchParams): Place {
  const id = (name: string): string | undefined => {
    const value = params.get(name);
    return value !== null && isId(value) ? value : undefined;
  };
  const oneOf = <T extends string>(name: string, known: readonly T[]): T | undefined => known.find((one) => one === params.get(name));
  const time = (name: string): string | undefined => {
    const ms = Date.parse(params.get(name) ?? '');
    return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
  };
  const view = params.get('view');
  const about = id('id');
  if ((view === 'case' || view === 'user') && about !== undefined) return { view, id: about };
  if (view === 'thread' && about !== undefined) {
    const caseId = id('case');
    return caseId === undefined ? { view, id: about } : { view, id: about, caseId };
  }
  if (view === 'threads') {
    const filter = { userId: id('of'), status: oneOf('status', kThreadStatuses), flagged: params.get('flagged') === '1' ? true : undefined };
    return { view, filter: given(filter) as ThreadFilter };
  }
  if (view === 'audit') {
    const filter = { actor: id('actor'), userId: id('of'), caseId: id('case'), threadId: id('thread'), from: time('from'), to: time('to') };
    return { view, filter: given(filter) as AuditFilter };
  }
  const filter = {
    status: oneOf('status', kStatuses),
    type: oneOf('type', kTypes),
    severity: oneOf('severity', kSeverities),
    threadId: id('thread'),
    userId: id('of'),
  };
  return { view: 'queue', filter: given(filter) as QueueFilter };
}

function paramsOf(place: Place): Record<string, string | undefined> {
  switch (place.view) {
    case 'queue': {
      const { status, type, severity, threadId, userId } = place.filter;
      return { status, type, severity, thread: threadId, of: userId };
    }
    case 'threads': {
      const { userId, status, flagged } = place.filter;
      return { view: 'threads', of: userId, status, flagged: flagged === true ? '1' : undefined };
    }
    case 'audit': {
      const { actor, userId, caseId, threadId, from, to } = place.filter;
      return { view: 'audit', actor, of: userId, case: caseId, thread: threadId, from, to };
    }
    case 'thread':
      return { view: place.view, id: place.id, case: place.caseId };
    default:
      return { view: place.view, id: place.id };
  }
}

export function parseRoute(search: string): Route {
  const params = new URLSearchParams(search);
  const user = params.get('user');
  return { user: user !== null && isId(user) ? user : null, role: staffRoleOf(params.get('role')), place: placeOf(params) };
}

export function formatRoute({ user, role, place }: Route): string {
  const params = new URLSearchParams();
  if (user !== null) params.set('user', user);
  if (user !== null && role !== null) params.set('role', role);
  for (const [name, value] of Object.entries(paramsOf(place))) if (value !== undefined) params.set(name, value);
  const search = params.toString();
  return search === '' ? '/console' : `/console?${search}`;
}

/** `replace`: replaces the entry in the browser's history. */
export type Navigate = (route: Route, replace?: boolean) => void;

export function useRoute(): [Route, Navigate] {
  const [route, setRoute] = useState(() => parseRoute(location.search));
  useEffect(() => {
    const onPop = (): void => setRoute(parseRoute(location.search));
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const navigate = useCallback((next: Route, replace = false) => {
    const address = formatRoute(next);
    if (replace) history.replaceState(null, '', address);
    else if (address !== formatRoute(parseRoute(location.search))) history.pushState(null, '', address);
    setRoute(next);
  }, []);
  return [route, navigate];
}
