import type { ClientState, Message, OutboxItem, Participant, ThreadState } from '@parley/sdk';
import { dayLabel, Icon, nextInList, Skeleton, useAttempt, useToday } from '@parley/shared';
import { findMessage } from '@parley/sdk';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import { useClient } from './client_context.js';
import { useDrawnRows, type DrawnRows } from './drawn_rows.js';
import { MessageItem } from './message_item.js';
import { PinnedBar } from './pinned_bar.js';
import { buildRows, newLine, receipts, type NewLine, type Row } from './rows.js';
import { useKeptPosition } from './scroll_position.js';
import { useSeen } from './seen.js';
import type { Viewer } from './viewer.js';

interface MessageListProps {
  state: ClientState;
  thread: ThreadState;
  viewer: Viewer;
  /** The newest messages are on screen, and the user is present. */
  looking: boolean;
  /** The user is looking at the conversation, at any position. */
  present: boolean;
  outbox: readonly OutboxItem[];
  onAtBottom: (atBottom: boolean) => void;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
}

const kLoadMarginPx = 400;

function useNewLine({ timeline, me }: ThreadState, loaded: boolean, looking: boolean): string | null {
  const line = useRef<NewLine | null>(null);
  if (loaded) line.current = newLine(line.current, timeline.messages, me, looking);
  return line.current?.messageId ?? null;
}

/** Scrolls to a message, loading it if necessary, and highlights it. */
function useJump(box: RefObject<HTMLDivElement | null>, threadId: string, { rows, around }: DrawnRows): (messageId: string) => void {
  const client = useClient();
  const attempt = useAttempt();
  const [target, setTarget] = useState<string | null>(null);
  useLayoutEffect(() => {
    const row = target === null ? null : box.current?.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(target)}"]`);
    if (target !== null && row === null) around(target);
    if (row == null) return;
    setTarget(null);
    row.scrollIntoView({ block: 'center' });
    row.focus({ preventScroll: true });
    row.animate([{ background: 'var(--highlight)' }, { background: 'transparent' }], { duration: 1_600 });
  }, [box, rows, around, target]);
  return useCallback(
    (messageId: string) =>
      void attempt(async () => {
        if (await client.showMessage(threadId, messageId)) setTarget(messageId);
      }),
    [client, attempt, threadId],
  );
}

export function MessageList({ state, thread, viewer, looking, present, outbox, onAtBottom, onReply, onEdit }: MessageListProps) {
  const client = useClient();
  const box = useRef<HTMLDivElement>(null);
  const { threadId, timeline } = thread;
  const loaded = thread.loaded && !thread.placing;
  const firstUnreadId = useNewLine(thread, loaded, looking);
  useToday(); // the separators between days show “Today”
  const all = useMemo(
    () => buildRows(loaded ? timeline.messages : [], outbox, state.userId, firstUnreadId),
    [loaded, timeline.messages, outbox, state.userId, firstUnreadId],
  );
  const read = useMemo(() => receipts(thread, state.userId), [thread, state.userId]);
  const drawn = useDrawnRows(all, firstUnreadId);
  const { rows, toEnd } = drawn;
  const position = useKeptPosition(box, rows, loaded, timeline.hasNewer || drawn.below);
  const { atBottom } = position;
  const toBottom = useCallback(() => {
    toEnd();
    position.toBottom();
  }, [toEnd, position.toBottom]);
  const show = useJump(box, threadId, drawn);
  useSeen(box, present && rows.length > 0, useCallback((messageId: string) => client.readTo(threadId, messageId), [client, threadId]));
  const missed = useMissed(timeline.messages, atBottom, state.userId);
  const below = state.inbox.entries[threadId]?.unread ?? missed; // only the server knows the number of messages far below

  useEffect(() => onAtBottom(atBottom), [atBottom, onAtBottom]);
  // Sending a message scrolls to it from any position.
  const lastSend = outbox.at(-1)?.clientId;
  const sentBefore = useRef(lastSend);
  useLayoutEffect(() => {
    if (lastSend !== undefined && lastSend !== sentBefore.current) toBottom();
    sentBefore.current = lastSend;
  }, [lastSend, toBottom]);

  const loadAtEnds = (): void => {
    const element = box.current;
    if (element === null || !loaded) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (below < kLoadMarginPx) {
      if (drawn.below) return drawn.down();
      void client.loadNewer(threadId);
    }
    if (element.scrollTop < kLoadMarginPx) {
      if (drawn.above) return drawn.up();
      void client.loadOlder(threadId);
    }
  };
  const onScroll = (): void => {
    const element = box.current!;
    // At the end, follows new messages; elsewhere keeps the top rows in place although new ones arrive below.
    if (!drawn.below && element.scrollHeight - element.scrollTop - element.clientHeight < 1) drawn.toEnd();
    else drawn.stay();
    loadAtEnds();
  };
  // Loads more if the first page does not fill the box or is shorter than the margin, since no scroll event will
  // occur. Runs before the page is painted, because the heading above the first row disappears as soon as there are
  // others to draw.
  useLayoutEffect(loadAtEnds, [rows, loaded]);

  // The list is one stop of the Tab key: the last focused message, else the newest.
  const [focused, setFocused] = useState<string | null>(null);
  const stop = rows.some((row) => row.key === focused) ? focused : (rows.at(-1)?.key ?? null);
  const onFocus = (event: FocusEvent): void => setFocused(event.target.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['key'] === undefined) return;
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])];
    const at = all.indexOf(event.target);
    const to = nextInList(event.key, at, all.length);
    if (to === null) return;
    event.preventDefault();
    all[to]!.focus({ preventScroll: true });
    all[to]!.scrollIntoView({ block: 'nearest' });
  };

  const jump = (): void => {
    void client.jumpToNewest(threadId).then(toBottom);
  };

  return (
    <>
      <PinnedBar thread={thread} writable={viewer.writable} onJump={show} />
      <div className="messages-frame">
        {thread.loadingOlder ? (
          <div className="older-loading" data-testid="older-loading" role="status">
            <span className="spinner" aria-hidden="true" /> Loading older messages…
          </div>
        ) : null}
        <div
          className="messages"
          data-testid="messages"
          ref={box}
          onScroll={onScroll}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          role="region"
          aria-label="Messages"
          aria-busy={!loaded}
          tabIndex={rows.length === 0 ? 0 : -1}
        >
          {position.beforeChange}
          {drawn.above ? null : <Beginning thread={thread} onOlder={() => void client.loadOlder(threadId)} />}
          <ol className="message-rows" role="list">
            {rows.map((row) => (
              <RowView
                key={row.key}
                row={row}
                stop={row.key === stop}
                state={state}
                thread={thread}
                readers={row.message === null ? undefined : read.get(row.message.messageId)}
                viewer={viewer}
                onQuoted={show}
                onReply={onReply}
                onEdit={onEdit}
              />
            ))}
          </ol>
        </div>
        {atBottom ? null : (
          <button type="button" className="jump" data-testid="jump-newest" onClick={jump}>
            <Icon name="down" size={16} />
            {below > 0 ? `${below} new` : 'Newest'}
          </button>
        )}
      </div>
    </>
  );
}

/** Counts other users' messages since the newest one was last in view. */
function useMissed(messages: readonly Message[], atBottom: boolean, userId: string): number {
  const newestNo = messages.at(-1)?.msgNo ?? 0;
  const [seenNo, setSeenNo] = useState(newestNo);
  useEffect(() => {
    if (atBottom) setSeenNo(newestNo);
  }, [atBottom, newestNo]);
  if (atBottom) return 0;
  return messages.filter((message) => message.msgNo > seenNo && message.authorUserId !== userId).length;
}

function Beginning({ thread, onOlder }: { thread: ThreadState; onOlder: () => void }) {
  if (!thread.loaded || thread.placing) return <Skeleton of="messages" rows={6} />;
  if (thread.timeline.hasOlder) {
    return (
      <button type="button" className="button messages-older" onClick={onOlder} disabled={thread.loadingOlder}>
        Older messages
      </button>
    );
  }
  return (
    <p className="messages-note">
      {thread.timeline.messages.length === 0 ? 'No messages yet. Say hello.' : 'This is the beginning of the conversation.'}
    </p>
  );
}

interface RowViewProps {
  row: Row;
  /** The row is the list's stop of the Tab key. */
  stop: boolean;
  state: ClientState;
  thread: ThreadState;
  viewer: Viewer;
  readers: readonly Participant[] | undefined;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
  onQuoted: (messageId: string) => void;
}

function RowView({ row, stop, state, thread, viewer, readers, onReply, onEdit, onQuoted }: RowViewProps) {
  const others = thread.participants.length - 1;
  const editable =
    row.message !== null &&
    row.message.type !== 'action' &&
    row.authorUserId === state.userId &&
    row.message.deletedAt === null &&
    Date.now() + state.clockSkewMs - row.at < state.limits.editWindowMs;
  return (
    <>
      {row.newDay ? (
        <li className="divider">
          <span>{dayLabel(row.at, Date.now())}</span>
        </li>
      ) : null}
      {row.firstUnread ? (
        <li className="divider divider-unread">
          <span>New</span>
        </li>
      ) : null}
      <MessageItem
        row={row}
        stop={stop}
        viewer={viewer}
        quoted={row.replyTo === null ? undefined : findMessage(thread.timeline, row.replyTo)}
        readers={readers}
        everyone={readers !== undefined && readers.length >= others}
        editable={editable}
        card={row.message === null ? null : (thread.cards[row.message.messageId] ?? null)}
        onReply={onReply}
        onEdit={onEdit}
        onQuoted={onQuoted}
      />
    </>
  );
}
