import { isId, staffRoleOf, type StaffRole } from '@parley/shared';
import { useCallback, useEffect, useState } from 'react';

/**
 * The contents of the address: the user (in a demo; otherwise the tokens name them) and the thread. A reload or a
 * copied link shows the same.
 */
export interface Route {
  user: string | null;
  /** The user acts as staff of the demo tenant. */
  role: StaffRole | null;
  thread: string | null;
  /** The user claims to be an adult, so mature pins are shown. */
  adult: boolean;
}

/** The page for choosing a user. */
export const kNobody: Route = { user: null, role: null, thread: null, adult: false };

export function parseRoute(search: string): Route {
  const params = new URLSearchParams(search);
  const id = (name: string): string | null => {
    const value = params.get(name);
    return value !== null && isId(value) ? value : null;
  };
  const role = staffRoleOf(params.get('role'));
  return { user: id('user'), role, thread: id('thread'), adult: params.get('adult') === '1' };
}

export function formatRoute(route: Route): string {
  const params = new URLSearchParams();
  if (route.user !== null) params.set('user', route.user);
  if (route.user !== null && route.role !== null) params.set('role', route.role);
  if (route.adult) params.set('adult', '1');
  if (route.thread !== null) params.set('thread', route.thread);
  const search = params.toString();
  return search === '' ? '/' : `/?${search}`;
}

export function useRoute(): [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.search));
  useEffect(() => {
    const onPop = (): void => setRoute(parseRoute(location.search));
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const navigate = useCallback((next: Route) => {
    if (formatRoute(next) !== formatRoute(parseRoute(location.search))) history.pushState(null, '', formatRoute(next));
    setRoute(next);
  }, []);
  return [route, navigate];
}
