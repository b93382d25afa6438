import { failedSends, heldThread, unsentOf, type ClientState, type OutboxItem } from '@parley/sdk';
import { Dialog, type NameOf, useNames } from '@parley/shared';
import { useEffect, useRef, useState } from 'react';
import { useClient } from './client_context.js';
import { refusalTitle } from './refusals.js';
import { entryTitle, threadTitle } from './titles.js';

/**
 * Asks before the page closes while messages are unsent. They are stored, and sent when the page opens again. Returns
 * `leave` without the question, because the menu asks itself.
 */
export function useAskBeforeLeaving({ outbox }: Pick<ClientState, 'outbox'>, leave: () => void): () => void {
  const leaving = useRef(false);
  const some = unsentOf(outbox).length > 0;
  useEffect(() => {
    if (!some) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (leaving.current) return;
      event.preventDefault();
      event.returnValue = true; // older browsers require it
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [some]);
  return () => {
    leaving.current = true;
    leave();
  };
}

/** Returns the failed messages of other threads; the thread on screen shows its own. */
function elsewhere(state: ClientState, shown: string | null): OutboxItem[] {
  const thread = shown === null ? undefined : heldThread(state, shown);
  const seen = thread?.loaded === true && thread.failure === null ? shown : null;
  return failedSends(state.outbox).filter(({ threadId }) => threadId !== seen);
}

interface UnsentProps {
  state: ClientState;
  /** The thread on screen. */
  shown: string | null;
  onSelect: (threadId: string) => void;
}

/** Reports failed messages in any thread, with links to them. */
export function UnsentBanner({ state, shown, onSelect }: UnsentProps) {
  const [open, setOpen] = useState(false);
  const items = elsewhere(state, shown);
  const { length } = items;
  useEffect(() => {
    if (length === 0) setOpen(false);
  }, [length]);
  return (
    <>
      <div className="banner" data-testid="unsent-banner" data-count={length} hidden={length === 0} role="status">
        {length === 0 ? null : (
          <>
            <span>{length === 1 ? 'A message was not sent.' : `${length} messages were not sent.`}</span>
            <button type="button" className="banner-action" data-testid="unsent-open" onClick={() => setOpen(true)}>
              Show
            </button>
          </>
        )}
      </div>
      {open && length > 0 ? (
        <Dialog title="Not sent" testId="unsent-dialog" onClose={() => setOpen(false)}>
          <UnsentList
            state={state}
            items={items}
            onSelect={(threadId) => {
              setOpen(false);
              onSelect(threadId);
            }}
          />
          <div className="dialog-actions">
            <button type="button" className="button primary" data-testid="unsent-close" autoFocus onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

/** null: the viewer has no known conversation of that id. */
function titleOf({ inbox, threads, people, userId }: ClientState, threadId: string, nameOf: NameOf): string | null {
  const entry = inbox.entries[threadId];
  if (entry !== undefined) return entryTitle(entry, userId, people[threadId], nameOf);
  const thread = heldThread({ threads }, threadId);
  return thread?.loaded === true ? threadTitle(thread, userId, nameOf) : null;
}

function UnsentList({ state, items, onSelect }: { state: ClientState; items: readonly OutboxItem[]; onSelect: (threadId: string) => void }) {
  const client = useClient();
  const nameOf = useNames();
  return (
    <ul className="unsent-list">
      {items.map(({ threadId, clientId, body, hint, code }) => {
        const title = titleOf(state, threadId, nameOf);
        return (
          <li key={clientId} data-testid="unsent-item" data-client-id={clientId} data-thread-id={threadId}>
            {title === null ? (
              <strong>A conversation that is not in your inbox</strong>
            ) : (
              <button type="button" className="link-button" data-testid="unsent-thread" dir="auto" onClick={() => onSelect(threadId)}>
                {title}
              </button>
            )}
            <p className="unsent-body" dir="auto">
              {body}
            </p>
            <p className="muted">
              {code === null ? '' : `${refusalTitle(code)} `}
              {hint}
            </p>
            <div className="unsent-buttons">
              <button type="button" className="button" data-testid="unsent-retry" onClick={() => client.retrySend(clientId)}>
                Try again
              </button>
              <button type="button" className="button" data-testid="unsent-discard" onClick={() => client.discardSend(clientId)}>
                Discard
              </button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
