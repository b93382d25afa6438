import type { Entry, Participant } from '@parley/sdk';
import { memo } from 'react';
import { Avatar } from './avatar.js';
import { useClient } from './client_context.js';
import { displayName, fullTime, shortWhen } from './format.js';
import { Icon } from './icons.js';
import { useAttempt } from './notices.js';
import { entryTitle } from './titles.js';

interface InboxEntryProps {
  entry: Entry;
  userId: string;
  people: readonly Participant[] | undefined;
  selected: boolean;
  onSelect: (threadId: string) => void;
}

function preview(entry: Entry, userId: string): string {
  const last = entry.lastMessage;
  if (last === null) return 'No messages yet';
  const words = last.preview || (last.type === 'text' ? 'Message deleted' : `(${last.type})`);
  if (last.type === 'system') return words;
  return `${last.authorUserId === userId ? 'You' : displayName(last.authorUserId)}: ${words}`;
}

export const InboxEntry = memo(function InboxEntry({ entry, userId, people, selected, onSelect }: InboxEntryProps) {
  const title = entryTitle(entry, userId, people);
  const at = entry.lastMessageAt === null ? null : Date.parse(entry.lastMessageAt);
  return (
    <li
      className="entry"
      data-testid="inbox-entry"
      data-thread-id={entry.threadId}
      data-unread={entry.unread > 0}
      data-selected={selected}
    >
      <button type="button" className="entry-open" aria-current={selected} onClick={() => onSelect(entry.threadId)}>
        <Avatar id={entry.threadId} name={title} />
        <span className="entry-text">
          <span className="entry-line">
            <span className="entry-title">{title}</span>
            {at === null ? null : (
              <time className="entry-time" dateTime={entry.lastMessageAt!} title={fullTime(at)}>
                {shortWhen(at, Date.now())}
              </time>
            )}
          </span>
          <span className="entry-line">
            <span className="entry-preview">{preview(entry, userId)}</span>
            <Marks entry={entry} />
          </span>
        </span>
      </button>
      <EntryActions entry={entry} title={title} />
    </li>
  );
});

function Marks({ entry }: { entry: Entry }) {
  return (
    <span className="entry-marks">
      {entry.kind === 'project' ? <span className="chip">Project</span> : null}
      {entry.pinned ? (
        <span title="Pinned">
          <Icon name="pin" size={14} />
          <span className="visually-hidden">Pinned</span>
        </span>
      ) : null}
      {entry.muted ? (
        <span title="Muted">
          <Icon name="bellOff" size={14} />
          <span className="visually-hidden">Muted</span>
        </span>
      ) : null}
      {entry.unread > 0 ? (
        <span className="unread" data-testid="unread" data-muted={entry.muted}>
          {entry.unread}
          <span className="visually-hidden"> unread</span>
        </span>
      ) : null}
    </span>
  );
}

/** Pin, mute and archive: toggles named by what they are, with their state in aria-pressed. */
export function EntryActions({ entry, title }: { entry: Entry; title: string }) {
  const client = useClient();
  const attempt = useAttempt();
  const { threadId, pinned, muted, archived } = entry;
  const toggle = (
    testId: string,
    name: 'pin' | 'bellOff' | 'archive',
    pressed: boolean,
    label: string,
    action: () => Promise<void>,
  ) => (
    <button
      type="button"
      className="icon-button"
      data-testid={testId}
      aria-pressed={pressed}
      aria-label={`${label} ${title}`}
      title={pressed ? `Un${label.toLowerCase()}` : label}
      onClick={() => void attempt(action)}
    >
      <Icon name={name} size={16} />
    </button>
  );
  return (
    <span className="entry-actions">
      {toggle('entry-pin', 'pin', pinned, 'Pin', () => client.setEntry(threadId, { pinned: !pinned }))}
      {toggle('entry-mute', 'bellOff', muted, 'Mute', () => client.mute(threadId, !muted))}
      {toggle('entry-archive', 'archive', archived, 'Archive', () => client.setEntry(threadId, { archived: !archived }))}
    </span>
  );
}
