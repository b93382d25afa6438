import type { ClosedBy } from '@parley/sdk';

const kWords: Record<ClosedBy, [title: string, text: string]> = {
  'signed-out': ['You are signed out', 'Go back to the page that you came from, and open your conversations from there.'],
  expired: ['Your session has expired', 'Go back to the page that you came from, and sign in again.'],
  refused: ['You have no access', 'If you think that this is a mistake, ask the operator of this service.'],
};

interface SignedOutProps {
  reason: ClosedBy;
  /** The server's reason, in words for people. */
  hint?: string | null;
}

/** Replaces the whole page, so that no conversation stays on screen. */
export function SignedOut({ reason, hint }: SignedOutProps) {
  const [title, text] = kWords[reason];
  return (
    <main className="picker" data-testid="signed-out" data-reason={reason}>
      <img className="picker-logo" src="/favicon.svg" alt="" width="48" height="48" />
      <div className="picker-words" role="status">
        <h1>{title}</h1>
        {reason === 'refused' && hint ? <p data-testid="refused-hint">{hint}</p> : null}
        <p className="muted">{text}</p>
      </div>
      <button type="button" className="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
