import { snoozed, type ClientState, type ThreadState } from '@parley/sdk';
import { Avatar, Icon, Isolated, lastSeenLabel, useNames, useToday } from '@parley/shared';
import { isBlocked, otherOf } from './closing.js';
import { EntryActions } from './entry_actions.js';
import { SafetyMenu } from './safety_menu.js';
import { snoozeWords } from './snooze.js';
import { peopleLine, threadFace, threadTitle } from './titles.js';

/** The column next to the messages. */
export type Side = 'people' | 'panel' | null;

interface ThreadHeaderProps {
  state: ClientState;
  thread: ThreadState;
  side: Side;
  onSide: (wanted: 'people' | 'panel') => void;
  onClose: () => void;
}

/** Shows whether the other user of a direct thread is online, or how many users of a larger one are. */
function presenceLine(state: ClientState, thread: ThreadState): { online: boolean; text: string } | null {
  const others = thread.participants.filter((participant) => participant.userId !== state.userId);
  const online = others.filter((participant) => thread.presence[participant.userId]?.online === true).length;
  const only = others.length === 1 ? others[0] : undefined;
  if (only !== undefined) {
    const presence = thread.presence[only.userId];
    if (presence === undefined) return null;
    const text = presence.online ? 'Active now' : lastSeenLabel(presence.lastSeen, Date.now() + state.clockSkewMs);
    return { online: presence.online, text };
  }
  const known = others.some(({ userId }) => thread.presence[userId] !== undefined); // unknown while disconnected
  return known ? { online: online > 0, text: `${online} of ${others.length} active` } : null;
}

export function ThreadHeader({ state, thread, side, onSide, onClose }: ThreadHeaderProps) {
  const nameOf = useNames();
  useToday();
  const title = threadTitle(thread, state.userId, nameOf);
  const presence = thread.loaded ? presenceLine(state, thread) : null;
  const entry = state.inbox.entries[thread.threadId];
  const other = otherOf(thread, state.userId);
  return (
    <header className="thread-header">
      <button type="button" className="icon-button thread-back" aria-label="Back to conversations" onClick={onClose}>
        <Icon name="back" />
      </button>
      <Avatar id={threadFace(thread, state.userId)} name={title} online={presence?.online} group={thread.thread?.kind === 'group'} />
      <div className="thread-heading">
        <h1 data-testid="thread-title" tabIndex={-1} dir="auto">
          {title}
        </h1>
        <p className="muted">
          <span dir="auto">{thread.loaded ? peopleLine(thread, state.userId, nameOf) : 'Loading…'}</span>
          {presence === null ? null : (
            <span data-testid="presence" data-online={presence.online}>
              {' · '}
              {presence.text}
            </span>
          )}
        </p>
      </div>
      {entry?.label ? (
        <span className="chip label-chip" dir="auto">
          <Isolated text={entry.label} />
        </span>
      ) : null}
      {entry !== undefined && snoozed(entry) ? (
        <span className="chip" data-testid="thread-snoozed">
          Snoozed {snoozeWords(entry, Date.now())}
        </span>
      ) : null}
      {entry === undefined ? null : (
        <span className="entry-actions">
          <EntryActions entry={entry} title={title} />
        </span>
      )}
      {thread.me === null ? null : (
        <SafetyMenu
          label={other === null ? 'Report the conversation' : 'Report or block'}
          testId="thread-safety"
          icon="shield"
          about={{ threadId: thread.threadId }}
          what="the conversation"
          userId={other}
          blocked={other !== null && isBlocked(state, other)}
        />
      )}
      {thread.thread?.kind === 'project' ? (
        <button
          type="button"
          className="icon-button"
          data-testid="panel-toggle"
          aria-label="Project panel"
          title="Project panel"
          aria-expanded={side === 'panel'}
          onClick={() => onSide('panel')}
        >
          <Icon name="board" />
        </button>
      ) : null}
      <button
        type="button"
        className="icon-button"
        data-testid="participants-toggle"
        aria-label="Participants"
        title="Participants"
        aria-expanded={side === 'people'}
        onClick={() => onSide('people')}
      >
        <Icon name="people" />
      </button>
    </header>
  );
}
