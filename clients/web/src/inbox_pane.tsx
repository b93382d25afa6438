import { kInboxMax, visibleEntries, type ClientState, type EntryFolder } from '@parley/sdk';
import { useRef, useState, type KeyboardEvent } from 'react';
import { Avatar } from './avatar.js';
import { useClient } from './client_context.js';
import { displayName } from './format.js';
import { Icon } from './icons.js';
import { InboxEntry } from './inbox_entry.js';
import { NewThreadDialog } from './new_thread_dialog.js';

interface InboxPaneProps {
  state: ClientState;
  selected: string | null;
  onSelect: (threadId: string) => void;
  onLeave: () => void;
}

const kFolders: { folder: EntryFolder; label: string; empty: string }[] = [
  { folder: 'all', label: 'Inbox', empty: 'No conversations yet.' },
  { folder: 'unread', label: 'Unread', empty: 'Nothing unread.' },
  { folder: 'pinned', label: 'Pinned', empty: 'Nothing pinned.' },
  { folder: 'archived', label: 'Archived', empty: 'Nothing archived.' },
];

export function InboxPane({ state, selected, onSelect, onLeave }: InboxPaneProps) {
  const client = useClient();
  const [creating, setCreating] = useState(false);

  return (
    <aside className="inbox" aria-label="Conversations">
      <header className="inbox-header">
        <button type="button" className="who" onClick={onLeave} title="Switch user">
          <Avatar id={state.userId} online={state.connection === 'connected'} />
          <span className="who-name">{displayName(state.userId)}</span>
        </button>
        <button type="button" className="button primary" data-testid="new-thread" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New
          <span className="visually-hidden"> conversation</span>
        </button>
      </header>
      <div className="folders" role="group" aria-label="Folders">
        {kFolders.map(({ folder, label }) => (
          <button
            key={folder}
            type="button"
            className="folder"
            data-testid={`folder-${folder}`}
            aria-pressed={state.folder === folder}
            onClick={() => client.showFolder(folder)}
          >
            {label}
          </button>
        ))}
      </div>
      <EntryList state={state} selected={selected} onSelect={onSelect} />
      {creating ? (
        <NewThreadDialog
          userId={state.userId}
          onClose={() => setCreating(false)}
          onCreated={(threadId) => {
            setCreating(false);
            onSelect(threadId);
          }}
        />
      ) : null}
    </aside>
  );
}

function EntryList({ state, selected, onSelect }: Omit<InboxPaneProps, 'onLeave'>) {
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const entries = visibleEntries(state.inbox, state.folder);
  const { loaded, cursor } = state.inbox.folders[state.folder];
  const more = cursor !== null && Object.keys(state.inbox.entries).length < kInboxMax;

  /** Arrow keys walk the list, as in any mailbox. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('.entry-open') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (step === 0 || at < 0) return;
    event.preventDefault();
    buttons[at + step]?.focus();
  };

  const onScroll = (): void => {
    const box = list.current;
    if (box !== null && more && box.scrollHeight - box.scrollTop - box.clientHeight < 300) void client.moreInbox();
  };

  return (
    <ul className="entries" data-testid="inbox" ref={list} onKeyDown={onKeyDown} onScroll={onScroll} aria-busy={state.inboxLoading}>
      {entries.map((entry) => (
        <InboxEntry
          key={entry.threadId}
          entry={entry}
          userId={state.userId}
          people={state.threads[entry.threadId]?.participants}
          selected={entry.threadId === selected}
          onSelect={onSelect}
        />
      ))}
      {loaded && entries.length === 0 ? (
        <li className="entries-note">{kFolders.find(({ folder }) => folder === state.folder)?.empty}</li>
      ) : null}
      {state.inboxFailure !== null ? (
        <li className="entries-note" role="alert">
          {state.inboxFailure}
          <button type="button" className="button" onClick={() => client.showFolder(state.folder)}>
            Try again
          </button>
        </li>
      ) : null}
      {more ? (
        <li className="entries-note">
          <button type="button" className="button" onClick={() => void client.moreInbox()}>
            {state.inboxLoading ? 'Loading…' : 'Show more'}
          </button>
        </li>
      ) : null}
    </ul>
  );
}
