import { heldThread, unreadTotal } from '@parley/sdk';
import { ConnectionBanner, NamesProvider, Notices, SignedOut, useClientState, useNamesOf } from '@parley/shared';
import { useCallback, useEffect, useRef } from 'react';
import { AttachingProvider, useKeepPicked, useNewAttaching } from './attaching_context.js';
import { ClientProvider, useParleyClient, type SignIn } from './client_context.js';
import { DraftsProvider, useStoredDrafts } from './drafts_context.js';
import { InboxPane } from './inbox_pane.js';
import { Keyboard } from './keyboard.js';
import { gatedEntry } from './requests.js';
import { RequestView } from './request_view.js';
import type { Route } from './route.js';
import { LiftProvider } from './safe_mode_context.js';
import { ThreadView } from './thread_view.js';
import { threadTitle } from './titles.js';
import { UnsentBanner, useAskBeforeLeaving } from './unsent.js';

interface ChatProps {
  signIn: SignIn;
  /** The address names the user, so the visitor may switch users. */
  demo: boolean;
  route: Route;
  navigate: (route: Route) => void;
  onLeave: () => void;
}

/** After a thread is closed, moves the focus to its entry. */
function useReturn(threadId: string | null): void {
  const before = useRef(threadId);
  useEffect(() => {
    const left = before.current;
    before.current = threadId;
    if (threadId !== null || left === null) return;
    const entry = document.querySelector<HTMLElement>(`[data-testid=inbox-entry][data-thread-id="${CSS.escape(left)}"] .entry-open`);
    (entry ?? document.querySelector<HTMLElement>('.entry-open, [data-testid=new-thread]'))?.focus();
  }, [threadId]);
}

export function Chat({ signIn, demo, route, navigate, onLeave }: ChatProps) {
  const { userId } = signIn;
  const { user, role, adult, thread: threadId } = route;
  const client = useParleyClient(signIn);
  const drafts = useStoredDrafts(signIn);
  const attaching = useNewAttaching(client);
  useKeepPicked(attaching);
  const state = useClientState(client);
  const nameOf = useNamesOf(client, state);
  const select = useCallback((thread: string | null) => navigate({ user, role, adult, thread }), [navigate, user, role, adult]);

  useEffect(() => {
    if (threadId !== null) client.showThread(threadId);
  }, [client, threadId]);

  useReturn(threadId);
  const leave = useAskBeforeLeaving(state, onLeave);

  // A visitor of a demo becomes an adult by saying so.
  const mayLift = !adult && (demo || state.safeMode.mayLift);
  const lift = useCallback(() => navigate({ user, role, thread: threadId, adult: true }), [navigate, user, role, threadId]);

  const unread = unreadTotal(state.inbox, state.counts);
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Parley` : 'Parley';
  }, [unread]);

  const thread = threadId === null ? undefined : heldThread(state, threadId);
  const asked = thread === undefined ? null : gatedEntry(state, thread.threadId);
  const gated = asked !== null || thread?.failureCode === 'MSG_GATE_REQUIRED';
  if (state.closedBy !== null) return <SignedOut reason={state.closedBy} hint={state.connectionHint} />;
  return (
    <ClientProvider value={client}>
      <NamesProvider value={nameOf}>
      <DraftsProvider value={drafts}>
      <AttachingProvider value={attaching}>
      <LiftProvider value={mayLift ? lift : null}>
      <Notices>
        <div className="app" data-pane={threadId === null ? 'inbox' : 'thread'}>
          <div className="banners">
            <ConnectionBanner state={state.connection} hint={state.connectionHint} onRetry={() => client.reconnectNow()} />
            <UnsentBanner state={state} shown={threadId} onSelect={select} />
          </div>
          <Keyboard />
          <InboxPane state={state} selected={threadId} onSelect={select} demo={demo} onLeave={leave} />
          {thread === undefined ? (
            <main className="thread-empty">
              <h1 className="visually-hidden">Your conversations</h1>
              <p>Choose a conversation, or start a new one.</p>
            </main>
          ) : gated ? (
            <RequestView key={thread.threadId} state={state} threadId={thread.threadId} entry={asked} onClose={() => select(null)} />
          ) : (
            <ThreadView key={thread.threadId} state={state} thread={thread} onClose={() => select(null)} />
          )}
          <div className="visually-hidden" role="status" data-testid="page-announcer">
            {thread?.loaded === true ? `Conversation: ${threadTitle(thread, userId, nameOf)}` : ''}
          </div>
        </div>
      </Notices>
      </LiftProvider>
      </AttachingProvider>
      </DraftsProvider>
      </NamesProvider>
    </ClientProvider>
  );
}
