import type { ClientState } from '@parley/sdk';
import { Avatar, Icon, useNames } from '@parley/shared';
import { useState } from 'react';
import { EntryList } from './entry_list.js';
import { FolderBar, LabelFilter } from './folder_bar.js';
import { NewThreadDialog } from './new_thread_dialog.js';

interface InboxPaneProps {
  state: ClientState;
  selected: string | null;
  onSelect: (threadId: string) => void;
  /** Leaving means to become somebody else; otherwise it is signing out. */
  demo: boolean;
  onLeave: () => void;
}

export function InboxPane({ state, selected, onSelect, demo, onLeave }: InboxPaneProps) {
  const nameOf = useNames();
  const [creating, setCreating] = useState(false);
  return (
    <aside className="inbox" aria-label="Conversations">
      <header className="inbox-header">
        <button type="button" className="who" onClick={onLeave} data-testid="leave" title={demo ? 'Switch user' : 'Sign out'}>
          <Avatar id={state.userId} online={state.connection === 'connected'} />
          <span className="who-name">{nameOf(state.userId)}</span>
        </button>
        <button type="button" className="button primary" data-testid="new-thread" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} />
          New
          <span className="visually-hidden"> conversation</span>
        </button>
      </header>
      <FolderBar state={state} />
      <LabelFilter state={state} />
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
