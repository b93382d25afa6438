import { createContext, useContext, type MouseEvent, type ReactNode, type Ref } from 'react';
import { formatRoute, type Place, type Route } from './route.js';

interface Places {
  /** Shows another page. */
  go: (place: Place, replace?: boolean) => void;
  hrefOf: (place: Place) => string;
}

const PlaceContext = createContext<Places>({ go: () => undefined, hrefOf: (place) => formatRoute({ user: null, role: null, place }) });

export function placesOf(route: Pick<Route, 'user' | 'role'>, navigate: (route: Route, replace?: boolean) => void): Places {
  const { user, role } = route;
  return {
    go: (place, replace) => navigate({ user, role, place }, replace),
    hrefOf: (place) => formatRoute({ user, role, place }),
  };
}

export const PlaceProvider = PlaceContext.Provider;

export function usePlaces(): Places {
  return useContext(PlaceContext);
}

interface PlaceLinkProps {
  to: Place;
  children: ReactNode;
  className?: string;
  testId?: string;
  current?: boolean;
  tabIndex?: number;
  anchor?: Ref<HTMLAnchorElement>;
  onFocus?: () => void;
}

/** A link within the console: a plain click navigates within the page, any other keeps the browser's behavior. */
export function PlaceLink({ to, children, className, testId, current, tabIndex, anchor, onFocus }: PlaceLinkProps) {
  const { go, hrefOf } = usePlaces();
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      ref={anchor}
      href={hrefOf(to)}
      className={className}
      data-testid={testId}
      aria-current={current === true ? 'page' : undefined}
      tabIndex={tabIndex}
      onClick={onClick}
      onFocus={onFocus}
    >
      {children}
    </a>
  );
}
