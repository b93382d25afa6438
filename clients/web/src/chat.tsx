import { visibleEntries } from '@parley/sdk';
import { useCallback, useEffect } from 'react';
import { ClientProvider, useClientState, useParleyClient } from './client_context.js';
import { ConnectionBanner } from './connection_banner.js';
import { InboxPane } from './inbox_pane.js';
import { Notices } from './notices.js';
import type { Route } from './route.js';
import { ThreadView } from './thread_view.js';

interface ChatProps {
  userId: string;
  threadId: string | null;
  navigate: (route: Route) => void;
}

export function Chat({ userId, threadId, navigate }: ChatProps) {
  const client = useParleyClient(userId);
  const state = useClientState(client);
  const select = useCallback((thread: string | null) => navigate({ user: userId, thread }), [navigate, userId]);

  useEffect(() => {
    if (threadId !== null) client.showThread(threadId);
  }, [client, threadId]);

  const unread = visibleEntries(state.inbox, 'all').reduce((sum, entry) => sum + entry.unread, 0);
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Parley` : 'Parley';
  }, [unread]);

  const thread = threadId === null ? undefined : state.threads[threadId];
  return (
    <ClientProvider value={client}>
      <Notices>
        <div className="app" data-pane={threadId === null ? 'inbox' : 'thread'}>
          <ConnectionBanner state={state.connection} hint={state.connectionHint} />
          <InboxPane state={state} selected={threadId} onSelect={select} onLeave={() => navigate({ user: null, thread: null })} />
          {thread === undefined ? (
            <main className="thread-empty">
              <p>Choose a conversation, or start a new one.</p>
            </main>
          ) : (
            <ThreadView key={thread.threadId} state={state} thread={thread} onClose={() => select(null)} />
          )}
        </div>
      </Notices>
    </ClientProvider>
  );
}
