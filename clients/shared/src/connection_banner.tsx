import type { ConnectionState } from '@parley/sdk';
import { useEffect, useRef, useState } from 'react';

const kWords: Record<ConnectionState, string> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  reconnecting: 'Connection lost — reconnecting…',
  'catching-up': 'Catching up…',
  closed: 'Disconnected.',
};
const kDwellMs = 600;

/** Delays only the end of a bad state, and not after the first load, so that the banner can be read. */
function useDwelling(state: ConnectionState): ConnectionState {
  const [shown, setShown] = useState(state);
  const since = useRef(0);
  useEffect(() => {
    if (state === shown) return;
    const show = (): void => {
      since.current = performance.now();
      setShown(state);
    };
    const rest = state === 'connected' && shown !== 'connecting' ? since.current + kDwellMs - performance.now() : 0;
    if (rest <= 0) return show();
    const timer = setTimeout(show, rest);
    return () => clearTimeout(timer);
  }, [state, shown]);
  return shown;
}

interface ConnectionBannerProps {
  state: ConnectionState;
  /** The reason for the closing. */
  hint: string | null;
  /** Reconnects at once. */
  onRetry: () => void;
}

export function ConnectionBanner({ state, hint, onRetry }: ConnectionBannerProps) {
  const shown = useDwelling(state);
  return (
    <div className="banner" data-testid="connection-banner" data-state={shown} hidden={shown === 'connected'} role="status">
      {shown === 'closed' ? null : <span className="spinner" aria-hidden="true" />}
      <span>
        {kWords[shown]}
        {shown === 'closed' && hint !== null ? ` ${hint}` : ''}
      </span>
      {shown === 'reconnecting' ? (
        <button type="button" className="banner-action" onClick={onRetry}>
          Try now
        </button>
      ) : null}
    </div>
  );
}
