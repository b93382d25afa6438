import { unsentOf, type ClientState } from '@parley/sdk';
import { AccountMenu, Avatar, Icon, Name } from '@parley/shared';
import { useState } from 'react';
import { BlockedDialog } from './blocked_dialog.js';
import { EntryList } from './entry_list.js';
import { FolderBar, LabelFilter } from './folder_bar.js';
import { knownPeople } from './known_people.js';
import { NewThreadDialog } from './new_thread_dialog.js';
import { creditsText } from './requests.js';

interface InboxPaneProps {
  state: ClientState;
  selected: string | null;
  onSelect: (threadId: string) => void;
  /** In a demo leaving switches the user; otherwise it signs out. */
  demo: boolean;
  onLeave: () => void;
}

export function InboxPane({ state, selected, onSelect, demo, onLeave }: InboxPaneProps) {
  const [open, setOpen] = useState<'new' | 'blocked' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <aside className="inbox" aria-label="Conversations">
      <header className="inbox-header">
        <AccountMenu
          className="who"
          userId={state.userId}
          demo={demo}
          unsent={unsentOf(state.outbox).length}
          onLeave={onLeave}
          button={
            <>
              <Avatar id={state.userId} online={state.connection === 'connected'} />
              <span className="who-name"><Name id={state.userId} /></span>
            </>
          }
        />
        <button type="button" className="icon-button inbox-blocked" data-testid="blocked-open" aria-label="Blocked people" title="Blocked people" onClick={() => setOpen('blocked')}>
          <Icon name="shield" />
        </button>
        <button type="button" className="button primary" data-testid="new-thread" onClick={() => setOpen('new')}>
          <Icon name="plus" size={16} />
          New
          <span className="visually-hidden"> conversation</span>
        </button>
      </header>
      <FolderBar state={state} />
      <LabelFilter state={state} />
      <EntryList state={state} selected={selected} onSelect={onSelect} />
      {open === 'blocked' ? <BlockedDialog blocked={state.blocked} onClose={close} /> : null}
      {open === 'new' ? (
        <NewThreadDialog
          userId={state.userId}
          known={knownPeople(state, demo)}
          credits={creditsText(state.counts)}
          onClose={close}
          onCreated={(threadId) => {
            close();
            onSelect(threadId);
          }}
        />
      ) : null}
    </aside>
  );
}
