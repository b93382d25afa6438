import { outboxOfThread, type ClientState, type Message, type ThreadState } from '@parley/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useClient } from './client_context.js';
import { cardTitle } from './card_text.js';
import { Composer, type ComposerMode } from './composer.js';
import { displayName, listNames } from './format.js';
import { MessageList } from './message_list.js';
import { NewCard } from './new_card.js';
import { plainText } from './markdown.js';
import { Panel } from './panel.js';
import { ParticipantsPanel } from './participants_panel.js';
import { ThreadHeader, type Side } from './thread_header.js';
import { useWindowFocus } from './window_focus.js';

interface ThreadViewProps {
  state: ClientState;
  thread: ThreadState;
  onClose: () => void;
}

const kWidePx = 1_100;

/** Why nothing can be written here, in words for people; null when it can. */
function refusal(thread: ThreadState): string | null {
  if (thread.thread?.status === 'locked') return 'This conversation is locked.';
  if (thread.thread?.status === 'archived') return 'This conversation has been archived.';
  const permission = thread.me?.permission;
  if (permission === 'read' || permission === 'files') return 'You can read this conversation, but not write in it.';
  return null;
}

export function ThreadView({ state, thread, onClose }: ThreadViewProps) {
  const client = useClient();
  const { threadId, timeline, loaded } = thread;
  const [atBottom, setAtBottom] = useState(true);
  const [side, setSide] = useState<Side>(() => (innerWidth >= kWidePx ? 'people' : null));
  const [mode, setMode] = useState<ComposerMode>({ kind: 'new' });
  const focused = useWindowFocus();
  const outbox = useMemo(() => outboxOfThread(state.outbox, threadId), [state.outbox, threadId]);

  const attending = loaded && atBottom && focused && !timeline.hasNewer;
  useEffect(() => {
    client.attend(attending ? threadId : null);
    return () => client.attend(null);
  }, [client, attending, threadId]);
  useEffect(() => () => client.typingStopped(threadId), [client, threadId]);

  const editLast = useCallback(() => {
    const now = Date.now() + state.clockSkewMs;
    const last = [...timeline.messages].reverse().find(
      (message) =>
        message.authorUserId === state.userId &&
        message.deletedAt === null &&
        now - Date.parse(message.createdAt) < state.limits.editWindowMs,
    );
    if (last !== undefined) setMode({ kind: 'edit', message: last });
  }, [timeline.messages, state.userId, state.clockSkewMs, state.limits.editWindowMs]);

  const onReply = useCallback((message: Message) => setMode({ kind: 'reply', message }), []);
  const onEdit = useCallback((message: Message) => setMode({ kind: 'edit', message }), []);
  const onDone = useCallback(() => setMode({ kind: 'new' }), []);

  return (
    <>
      <main className="thread" data-testid="thread-view" data-thread-id={threadId} data-loaded={loaded}>
        <ThreadHeader
          state={state}
          thread={thread}
          side={side}
          onSide={(wanted) => setSide((shown) => (shown === wanted ? null : wanted))}
          onClose={onClose}
        />
        {thread.failure !== null ? (
          <div className="thread-failure" role="alert">
            <p>{thread.failure}</p>
            <button type="button" className="button" onClick={() => client.showThread(threadId)}>
              Try again
            </button>
          </div>
        ) : (
          <MessageList
            state={state}
            thread={thread}
            outbox={outbox}
            onAtBottom={setAtBottom}
            onReply={onReply}
            onEdit={onEdit}
          />
        )}
        <div className="typing-line">
          {thread.typing.length > 0 ? (
            <span data-testid="typing" className="typing">
              <span className="typing-dots" aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              {listNames(thread.typing)} {thread.typing.length === 1 ? 'is' : 'are'} typing…
            </span>
          ) : null}
        </div>
        {thread.failure === null ? (
          <>
            {loaded ? <NewCard thread={thread} userId={state.userId} /> : null}
            <Composer
              thread={thread}
              limits={state.limits}
              mode={mode}
              refusal={refusal(thread)}
              onDone={onDone}
              onEditLast={editLast}
            />
          </>
        ) : null}
        <Announcer thread={thread} userId={state.userId} />
      </main>
      {side === 'panel' && loaded ? <Panel thread={thread} writable={refusal(thread) === null} onClose={() => setSide(null)} /> : null}
      {side === 'people' && loaded ? (
        <ParticipantsPanel
          state={state}
          thread={thread}
          onClose={() => setSide(null)}
          onLeft={onClose}
        />
      ) : null}
    </>
  );
}

/** Says newly arrived messages to screen readers, and only those: pages of old ones stay silent. */
function Announcer({ thread, userId }: { thread: ThreadState; userId: string }) {
  const newest = thread.timeline.messages.at(-1);
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (thread.loaded && since === null) setSince(newest?.msgNo ?? 0);
  }, [thread.loaded, since, newest]);
  const fresh =
    since !== null && newest !== undefined && newest.msgNo > since && newest.authorUserId !== userId && newest.deletedAt === null;
  return (
    <div className="visually-hidden" aria-live="polite" data-testid="announcer">
      {fresh ? `${displayName(newest.authorUserId)}: ${newest.action === null ? plainText(newest.body) : cardTitle(newest.action.type)}` : ''}
    </div>
  );
}
