import type { ClientState, Entry, MessageRequest } from '@parley/sdk';
import { Avatar, fullTime, Icon, Isolated, useAttempt, useNames } from '@parley/shared';
import { useEffect, useRef, useState } from 'react';
import { BlockDialog } from './block_dialog.js';
import { useClient } from './client_context.js';
import { ReportDialog } from './report_dialog.js';
import { expiryWords, gateText, saidWith } from './requests.js';

interface RequestViewProps {
  state: ClientState;
  threadId: string;
  /** null: the thread has a request, but its entry is not loaded, or was removed. */
  entry: Entry | null;
  onClose: () => void;
}

/** Replaces a conversation that begins with a stranger's request: shows the sender, the first message and the answers. */
export function RequestView({ state, threadId, entry, onClose }: RequestViewProps) {
  const client = useClient();
  const nameOf = useNames();
  const main = useRef<HTMLElement>(null);
  const request = entry?.request ?? null;
  const name = request === null ? 'Request' : nameOf(request.fromUserId);
  const answered = request?.state;
  // Sets the focus at first, and after the focused buttons disappear.
  useEffect(() => {
    main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [answered]);
  const unknown = entry === null;
  useEffect(() => {
    if (unknown) void client.safety.readRequests();
  }, [client, unknown]);

  return (
    <main ref={main} className="thread" data-testid="request-view" data-thread-id={threadId} data-state={answered ?? ''}>
      <header className="thread-header">
        <button type="button" className="icon-button thread-back" aria-label="Back to conversations" onClick={onClose}>
          <Icon name="back" />
        </button>
        <Avatar id={request?.fromUserId ?? threadId} name={name} />
        <div className="thread-heading">
          <h1 data-testid="thread-title" tabIndex={-1} dir="auto">
            {name}
          </h1>
          <p className="muted">Message request</p>
        </div>
      </header>
      {entry === null || request === null ? (
        <p className="request-card muted" role="status">
          {state.inbox.folders.requests.loaded ? 'This request no longer exists.' : 'Loading…'}
        </p>
      ) : (
        <RequestCard entry={entry} request={request} name={name} />
      )}
    </main>
  );
}

function RequestCard({ entry, request, name }: { entry: Entry; request: MessageRequest; name: string }) {
  const preview = entry.lastMessage?.preview ?? '';
  const said = saidWith(request);
  return (
    <section className="request-card" aria-label="The request">
      <p role="status" data-testid="request-text" dir="auto">
        {gateText(request, entry.kind, name)}
      </p>
      {entry.subject === null || entry.subject === '' ? null : (
        <p dir="auto">
          <strong><Isolated text={entry.subject} /></strong>
        </p>
      )}
      {preview === '' || request.state !== 'pending' ? null : (
        <blockquote className="request-preview" data-testid="request-preview" dir="auto">
          {preview}
        </blockquote>
      )}
      {request.state !== 'pending' || said.length === 0 ? null : (
        <dl className="request-said" data-testid="request-said">
          {said.map(([about, words]) => (
            <div key={about}>
              <dt dir="auto">{about}</dt>
              <dd dir="auto">{words}</dd>
            </div>
          ))}
        </dl>
      )}
      {request.state === 'pending' ? (
        <p className="muted">
          <time dateTime={request.expiresAt} title={fullTime(Date.parse(request.expiresAt))} data-testid="request-expiry">
            {expiryWords(request, Date.now())}
          </time>
        </p>
      ) : null}
      <RequestAnswers entry={entry} request={request} name={name} />
    </section>
  );
}

function RequestAnswers({ entry: { threadId }, request: { state, fromUserId }, name }: { entry: Entry; request: MessageRequest; name: string }) {
  const client = useClient();
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState<'block' | 'report' | null>(null);
  const answer = (act: () => Promise<void>): void => {
    if (busy) return; // not disabled, which would lose the focus
    setBusy(true);
    void attempt(act).finally(() => setBusy(false));
  };
  const close = (): void => setOpen(null);
  // The thread moves to the inbox, so the list switches to it.
  const accept = async (): Promise<void> => {
    await client.safety.accept(threadId);
    client.showFolder('all');
  };
  return (
    <div className="request-answers" role="group" aria-label={`Answer ${name}`}>
      {state === 'pending' ? (
        <>
          <button type="button" className="button primary" data-testid="request-accept" onClick={() => answer(accept)}>
            Accept
          </button>
          <button type="button" className="button" data-testid="request-decline" onClick={() => answer(() => client.safety.decline(threadId))}>
            Decline
          </button>
        </>
      ) : null}
      {state === 'pending' || state === 'declined' ? (
        <button type="button" className="button danger" data-testid="request-block" onClick={() => setOpen('block')}>
          Block…
        </button>
      ) : null}
      {state === 'expired' ? null : (
        <button type="button" className="button" data-testid="request-report" onClick={() => setOpen('report')}>
          Report…
        </button>
      )}
      {open === 'block' ? <BlockDialog userId={fromUserId} block={() => client.safety.blockRequest(threadId)} onClose={close} /> : null}
      {open === 'report' ? <ReportDialog about={{ userId: fromUserId }} what={name} onClose={close} /> : null}
    </div>
  );
}
