import type { ClientState, Participant, ThreadState } from '@parley/sdk';
import { Avatar, Icon, isId, lastSeenLabel, Name, Skeleton, useAttempt, useNames, useNote, useToday } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { useClient } from './client_context.js';
import { isBlocked } from './closing.js';
import { knownPeople } from './known_people.js';
import { LongList, type RowPlace } from './long_list.js';
import { unknownPerson } from './new_thread.js';
import { SafetyMenu } from './safety_menu.js';
import { mayLeave, mayManage } from './viewer.js';

const kSuggested = 4;

interface ParticipantsPanelProps {
  state: ClientState;
  thread: ThreadState;
  onClose: () => void;
  onLeft: () => void;
}

export function ParticipantsPanel({ state, thread, onClose, onLeft }: ParticipantsPanelProps) {
  const client = useClient();
  const attempt = useAttempt();
  const note = useNote();
  const nameOf = useNames();
  const { threadId, participants } = thread;
  const manage = mayManage(state, thread);

  const here = new Set(participants.map((participant) => participant.userId));
  const others = manage ? knownPeople(state, false).filter((id) => !here.has(id)) : [];

  const remove = async (userId: string): Promise<void> => {
    const removed = await attempt(() => client.removeParticipant(threadId, userId));
    if (removed && userId === state.userId) onLeft();
  };

  const add = (userId: string): Promise<boolean> =>
    attempt(async () => {
      const request = await client.addParticipant(threadId, userId).catch((error: unknown) => {
        throw unknownPerson(error, userId) ?? error;
      });
      if (request !== null) note(`${nameOf(userId)} has received a request, and joins after accepting it.`);
    });

  return (
    <aside className="people" data-testid="participants" aria-label="Participants">
      <header className="people-header">
        <h2>Participants</h2>
        {thread.loaded ? <span className="chip">{Math.max(participants.length, thread.thread?.participantCount ?? 0)}</span> : null}
        <button type="button" className="icon-button" aria-label="Close participants" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {thread.loaded ? null : <Skeleton of="panel" rows={4} />}
      <LongList
        className="people-list"
        items={participants}
        keyOf={userIdOf}
        row={(participant, _, place) => (
          <Person
            key={participant.userId}
            place={place}
            state={state}
            thread={thread}
            participant={participant}
            removable={participant.userId === state.userId ? mayLeave(thread) : manage}
            onRemove={() => void remove(participant.userId)}
          />
        )}
      />
      {manage ? <AddPerson known={others.slice(0, kSuggested)} onAdd={add} /> : null}
    </aside>
  );
}

const userIdOf = ({ userId }: Participant): string => userId;

interface PersonProps {
  place: RowPlace;
  state: ClientState;
  thread: ThreadState;
  participant: Participant;
  removable: boolean;
  onRemove: () => void;
}

function Person({ place, state, thread, participant, removable, onRemove }: PersonProps) {
  useToday();
  const nameOf = useNames();
  const [asking, setAsking] = useState(false);
  const { userId } = participant;
  const me = userId === state.userId;
  const presence = thread.presence[userId];
  const online = me ? state.connection === 'connected' : presence?.online;
  const known = me || presence !== undefined; // unknown while disconnected
  const away = known ? lastSeenLabel(presence?.lastSeen, Date.now() + state.clockSkewMs) : null;
  const status = online === true ? 'Active now' : away;
  const verb = me ? 'Leave' : 'Remove';
  return (
    <li {...place} className="person" data-testid="participant" data-user-id={userId} data-online={online === true}>
      <Avatar id={userId} online={online ?? false} />
      <span className="person-text">
        <span className="person-name" dir="auto">
          <Name id={userId} />
          {me ? <span className="muted"> (you)</span> : null}
        </span>
        <span className="muted">{[isBlocked(state, userId) ? 'blocked' : null, roleWord(thread, participant), status].filter(Boolean).join(' · ')}</span>
      </span>
      {removable && !asking ? (
        <button
          type="button"
          className="link-button person-remove"
          data-testid="participant-remove"
          aria-label={me ? 'Leave the conversation' : `Remove ${nameOf(userId)}`}
          onClick={() => setAsking(true)}
        >
          {verb}
        </button>
      ) : null}
      {me || asking ? null : (
        <SafetyMenu
          label={`Report or block ${nameOf(userId)}`}
          testId="person-more"
          icon="dots"
          about={{ userId, ...(thread.me === null ? {} : { threadId: thread.threadId }) }}
          what={nameOf(userId)}
          userId={userId}
          blocked={isBlocked(state, userId)}
        />
      )}
      {asking ? (
        <span className="person-ask" role="group" aria-label={`${verb} ${nameOf(userId)}?`}>
          <button
            type="button"
            className="link-button danger"
            data-testid="participant-remove-confirm"
            autoFocus
            onClick={() => {
              setAsking(false);
              onRemove();
            }}
          >
            {verb}
          </button>
          <button type="button" className="link-button" onClick={() => setAsking(false)}>
            Keep
          </button>
        </span>
      ) : null}
    </li>
  );
}

/** The user's side in inquiries and projects, or the owner of a group. */
function roleWord({ thread }: ThreadState, { roleContext, permission }: Participant): string | null {
  if (thread?.kind === 'direct') return null;
  if (thread?.kind === 'group') return permission === 'owner' ? 'owner' : null;
  return roleContext;
}

interface AddPersonProps {
  /** Suggested people. */
  known: readonly string[];
  onAdd: (userId: string) => Promise<boolean>;
}

function AddPerson({ known, onAdd }: AddPersonProps) {
  const [userId, setUserId] = useState('');
  const valid = isId(userId.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (valid) void onAdd(userId.trim()).then((added) => (added ? setUserId('') : undefined));
  };
  return (
    <form className="people-add" onSubmit={submit}>
      <label htmlFor="add-person">Add someone</label>
      <div className="field-row">
        <input
          id="add-person"
          data-testid="participant-input"
          placeholder="usr_…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <button type="submit" className="button" data-testid="participant-add" disabled={!valid}>
          Add
        </button>
      </div>
      {known.length === 0 ? null : (
        <div className="people-known" role="group" aria-label="People you know">
          {known.map((id) => (
            <button key={id} type="button" className="chip" data-testid="known-person" data-user-id={id} onClick={() => void onAdd(id)}>
              <Name id={id} />
            </button>
          ))}
        </div>
      )}
    </form>
  );
}
