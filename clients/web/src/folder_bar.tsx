import { pendingRequests, unreadThreads, unreadTotal, type ClientState, type EntryFolder } from '@parley/sdk';
import { Isolated } from '@parley/shared';
import { useClient } from './client_context.js';
import { knownLabels } from './labels.js';

export const kFolders: readonly { folder: EntryFolder; label: string; empty: string }[] = [
  { folder: 'all', label: 'Inbox', empty: 'No conversations yet.' },
  { folder: 'unread', label: 'Unread', empty: 'Nothing unread.' },
  { folder: 'requests', label: 'Requests', empty: 'No new requests.' },
  { folder: 'pinned', label: 'Pinned', empty: 'Nothing pinned.' },
  { folder: 'snoozed', label: 'Snoozed', empty: 'Nothing is snoozed.' },
  { folder: 'archived', label: 'Archived', empty: 'Nothing archived.' },
];

export function FolderBar({ state }: { state: ClientState }) {
  const client = useClient();
  const messages = unreadTotal(state.inbox, state.counts);
  const threads = unreadThreads(state.counts);
  const asked = pendingRequests(state.inbox);
  const requests = `${asked.more ? 'more than ' : ''}${asked.count} open ${asked.count === 1 ? 'request' : 'requests'}`;
  const totals: Partial<Record<EntryFolder, [number, string]>> = {
    requests: [asked.count, requests],
    all: [messages, `${messages} unread messages`],
    unread: [threads, `${threads} unread conversations`],
  };
  return (
    <div className="folders" role="group" aria-label="Folders">
      {kFolders.map(({ folder, label }) => {
        const [total, words] = totals[folder] ?? [0, ''];
        return (
          <button
            key={folder}
            type="button"
            className="folder"
            data-testid={`folder-${folder}`}
            aria-pressed={state.folder === folder}
            onClick={() => client.showFolder(folder)}
          >
            {label}
            {total === 0 ? null : (
              <>
                <span className="folder-total" data-testid={`total-${folder}`} title={words} aria-hidden="true">
                  {total > 999 ? '999+' : total}
                </span>
                <span className="visually-hidden">, {words}</span>
              </>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** The viewer's labels; choosing one filters all folders. */
export function LabelFilter({ state }: { state: ClientState }) {
  const client = useClient();
  const labels = knownLabels(state.inbox);
  const chosen = state.inbox.filter.label;
  if (labels.length === 0) return null;
  return (
    <div className="labels" role="group" aria-label="Labels">
      {labels.map((label) => (
        <button
          key={label}
          type="button"
          className="chip label-chip"
          data-testid="label-filter"
          data-label={label}
          aria-pressed={label === chosen}
          dir="auto"
          onClick={() => client.filterInbox(label === chosen ? {} : { label })}
        >
          <Isolated text={label} />
        </button>
      ))}
    </div>
  );
}
