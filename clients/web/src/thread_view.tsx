import { outboxOfThread, type ClientState, type Message, type ThreadState } from '@parley/sdk';
import { listNames, useNames } from '@parley/shared';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Announcer } from './announcer.js';
import { useClient } from './client_context.js';
import { closingOf } from './closing.js';
import { Composer } from './composer.js';
import { useDraft, useDrafts, useEdit } from './drafts_context.js';
import { MessageList } from './message_list.js';
import { NewCard } from './new_card.js';
import { NudgeBanner } from './nudge_banner.js';
import { Panel } from './panel.js';
import { ParticipantsPanel } from './participants_panel.js';
import { ThreadHeader, type Side } from './thread_header.js';
import { named } from './message_line.js';
import { closedBy, viewerOf } from './viewer.js';
import { useForAMoment } from './seen.js';
import { useEnd } from './use_end.js';
import { useWindowFocus } from './window_focus.js';

interface ThreadViewProps {
  state: ClientState;
  thread: ThreadState;
  onClose: () => void;
}

const kWidePx = 1_100;

/** Opening a thread focuses the send box, or the title if an on-screen keyboard would cover half the screen. */
function useEntrance(main: { current: HTMLElement | null }): void {
  useEffect(() => {
    const box = matchMedia('(hover: hover)').matches ? main.current?.querySelector<HTMLElement>('#send-box') : null;
    (box ?? main.current?.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true });
  }, [main]);
}

export function ThreadView({ state, thread, onClose }: ThreadViewProps) {
  const nameOf = useNames();
  const client = useClient();
  const { threadId, timeline } = thread;
  const loaded = thread.loaded && !thread.placing;
  const [atBottom, setAtBottom] = useState(true);
  const [side, setSide] = useState<Side>(() => (innerWidth >= kWidePx ? 'people' : null));
  const drafts = useDrafts();
  const replyTo = useDraft(threadId)?.replyTo ?? null;
  const editing = useEdit(threadId)?.shown === true;
  const main = useRef<HTMLElement>(null);
  useEntrance(main);
  const focused = useWindowFocus();
  const outbox = useMemo(() => outboxOfThread(state.outbox, threadId), [state.outbox, threadId]);

  const closing = closingOf(state, thread, nameOf, Date.now());
  useEnd(closing?.until ?? null);
  useEffect(() => client.safety.wantBlocks(), [client]);
  const { userId, writable, member, staff, bandMax, asStaff } = viewerOf(state, thread, closing !== null);
  const viewer = useMemo(() => ({ userId, writable, member, staff, bandMax, asStaff }), [userId, writable, member, staff, bandMax, asStaff]);
  const closed = staff ? closedBy(thread, nameOf) : null;

  const present = loaded && focused && state.connection === 'connected';
  const attending = useForAMoment(present && atBottom && !timeline.hasNewer);
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
    if (last !== undefined) drafts.beginEdit(threadId, named(last), last.body);
  }, [drafts, threadId, timeline.messages, state.userId, state.clockSkewMs, state.limits.editWindowMs]);

  const onReply = useCallback((message: Message) => drafts.answer(threadId, named(message)), [drafts, threadId]);
  const onEdit = useCallback((message: Message) => drafts.beginEdit(threadId, named(message), message.body), [drafts, threadId]);
  const answered = editing ? null : replyTo; // an edit hides the answer
  const onAnswered = (): void => (answered === null ? undefined : drafts.answer(threadId, null));

  return (
    <>
      <main ref={main} className="thread" data-testid="thread-view" data-thread-id={threadId} data-loaded={loaded}>
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
            viewer={viewer}
            looking={attending}
            present={present}
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
              {listNames(thread.typing, nameOf)} {thread.typing.length === 1 ? 'is' : 'are'} typing…
            </span>
          ) : null}
        </div>
        {thread.failure === null ? (
          <>
            {closed === null ? null : (
              <p className="thread-closed" data-testid="thread-closed" dir="auto">
                {closed}
              </p>
            )}
            <NudgeBanner nudge={state.nudges[threadId]} onDismiss={() => client.safety.dismissNudge(threadId)} />
            {loaded ? <NewCard thread={thread} userId={state.userId} replyTo={answered} onOpened={onAnswered} /> : null}
            <Composer
              thread={thread}
              limits={state.limits}
              closing={closing}
              outbox={outbox}
              onEditLast={editLast}
            />
          </>
        ) : null}
        <Announcer thread={thread} userId={state.userId} />
      </main>
      {side === 'panel' ? <Panel thread={thread} writable={writable} onClose={() => setSide(null)} /> : null}
      {side === 'people' ? <ParticipantsPanel state={state} thread={thread} onClose={() => setSide(null)} onLeft={onClose} /> : null}
    </>
  );
}
