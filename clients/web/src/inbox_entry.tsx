import { snoozed, type Entry } from '@parley/sdk';
import { Avatar, fullTime, Icon, Isolated, type NameOf, shortWhen, Toolbar, useNames, useToday } from '@parley/shared';
import { memo } from 'react';
import { useDraftText } from './drafts_context.js';
import { EntryActions } from './entry_actions.js';
import { snoozeWords } from './snooze.js';
import { expiryWords, requestChip } from './requests.js';
import { entryFace, entryTitle } from './titles.js';

interface InboxEntryProps {
  entry: Entry;
  userId: string;
  /** The participants of the thread, if known. */
  people: readonly string[] | undefined;
  selected: boolean;
  /** The entry's index, the number of entries (-1: unknown), and its distance from the top of the list. */
  place: number;
  count: number;
  top: number;
  measure: (element: HTMLElement | null) => void;
  /** The entry is the list's stop of the Tab key. */
  stop: boolean;
  /** How many own messages failed and wait for the viewer. */
  failed: number;
  onSelect: (threadId: string) => void;
}

function lastWords(entry: Entry, userId: string, nameOf: NameOf): string {
  const last = entry.lastMessage;
  if (last === null) return entry.gated === true ? 'Message request' : 'No messages yet';
  const words = last.preview || (last.type === 'text' ? 'Message deleted' : `(${last.type})`);
  const own = last.authorUserId === userId;
  if (last.type === 'system' || (entry.kind === 'direct' && !own)) return words; // the title names the author
  return `${own ? 'You' : nameOf(last.authorUserId)}: ${words}`;
}

export const InboxEntry = memo(function InboxEntry({ entry, place, count, top, measure, userId, people, selected, stop, failed, onSelect }: InboxEntryProps) {
  useToday();
  const title = entryTitle(entry, userId, people, useNames());
  const at = entry.lastMessageAt === null ? null : Date.parse(entry.lastMessageAt);
  return (
    <li
      ref={measure}
      data-index={place}
      style={{ transform: `translateY(${top}px)` }}
      aria-posinset={place + 1}
      aria-setsize={count}
      className="entry"
      data-testid="inbox-entry"
      data-thread-id={entry.threadId}
      data-unread={entry.unread > 0}
      data-selected={selected}
      data-pinned={entry.pinned}
      data-request={entry.request?.state}
    >
      <button type="button" className="entry-open" tabIndex={stop ? 0 : -1} aria-current={selected} onClick={() => onSelect(entry.threadId)}>
        <Avatar id={entryFace(entry, userId, people)} name={title} group={entry.kind === 'group'} />
        <span className="entry-text">
          <span className="entry-line">
            <span className="entry-title" dir="auto">
              {title}
            </span>
            {at === null ? null : (
              <time className="entry-time" dateTime={entry.lastMessageAt!} title={fullTime(at)}>
                {shortWhen(at, Date.now())}
              </time>
            )}
          </span>
          <span className="entry-line">
            <Preview entry={entry} userId={userId} selected={selected} />
            <Marks entry={entry} />
          </span>
          <Chips entry={entry} userId={userId} failed={failed} />
        </span>
      </button>
      {entry.gated === true ? null : (
        <Toolbar label={`Actions for ${title}`} className="entry-actions" stop={stop}>
          <EntryActions entry={entry} title={title} />
        </Toolbar>
      )}
    </li>
  );
});

/** The last message, or the draft unless the send box shows it already. */
function Preview({ entry, userId, selected }: { entry: Entry; userId: string; selected: boolean }) {
  const draft = useDraftText(entry.threadId);
  const nameOf = useNames();
  if (draft === '' || selected) {
    return (
      <span className="entry-preview" dir="auto">
        {lastWords(entry, userId, nameOf)}
      </span>
    );
  }
  return (
    <span className="entry-preview" data-testid="entry-draft" dir="auto">
      <span className="draft-mark">Draft:</span> {draft}
    </span>
  );
}

function Mark({ name, icon }: { name: string; icon: 'pin' | 'bellOff' }) {
  return (
    <span title={name}>
      <Icon name={icon} size={14} />
      <span className="visually-hidden">{name}</span>
    </span>
  );
}

function Marks({ entry }: { entry: Entry }) {
  return (
    <span className="entry-marks">
      {entry.pinned ? <Mark name="Pinned" icon="pin" /> : null}
      {entry.muted ? <Mark name="Muted" icon="bellOff" /> : null}
      {entry.unread > 0 ? (
        <span className="unread" data-testid="unread" data-muted={entry.muted}>
          {entry.unread}
          <span className="visually-hidden"> unread</span>
        </span>
      ) : null}
    </span>
  );
}

const kKinds: Partial<Record<Entry['kind'], string>> = { project: 'Project', group: 'Group' };

function Chips({ entry, userId, failed }: { entry: Entry; userId: string; failed: number }) {
  const kind = kKinds[entry.kind];
  const request = requestChip(entry, userId);
  if (kind === undefined && entry.label === null && !snoozed(entry) && request === null && failed === 0) return null;
  return (
    <span className="entry-chips">
      {failed === 0 ? null : (
        <span className="chip unsent-chip" data-testid="entry-unsent" data-count={failed}>
          {failed === 1 ? 'Not sent' : `${failed} not sent`}
        </span>
      )}
      {kind === undefined ? null : <span className="chip">{kind}</span>}
      {entry.label === null ? null : (
        <span className="chip label-chip" data-testid="entry-label" dir="auto">
          <Isolated text={entry.label} />
        </span>
      )}
      {request === null ? null : (
        <span className="chip request-chip" data-testid="entry-request">
          {request}
        </span>
      )}
      {entry.request?.state === 'pending' ? (
        <span className="chip">
          <Icon name="clock" size={12} /> {expiryWords(entry.request, Date.now())}
        </span>
      ) : null}
      {snoozed(entry) ? (
        <span className="chip" data-testid="entry-snoozed">
          <Icon name="clock" size={12} /> {snoozeWords(entry, Date.now())}
        </span>
      ) : null}
    </span>
  );
}
