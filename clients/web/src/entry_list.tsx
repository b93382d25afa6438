import { failedSends, kInboxMax, listedEntries, type ClientState } from '@parley/sdk';
import { isolate, nextInList, Skeleton } from '@parley/shared';
import { useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useClient } from './client_context.js';
import { kFolders } from './folder_bar.js';
import { InboxEntry } from './inbox_entry.js';

interface EntryListProps {
  state: ClientState;
  selected: string | null;
  onSelect: (threadId: string) => void;
}

const kLoadMarginPx = 300;

export function EntryList({ state, selected, onSelect }: EntryListProps) {
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const entries = listedEntries(state.inbox, state.folder);
  const failed = new Map<string, number>();
  for (const { threadId } of failedSends(state.outbox)) failed.set(threadId, (failed.get(threadId) ?? 0) + 1);
  const { loaded, cursor } = state.inbox.folders[state.folder];
  const more = cursor !== null && Object.keys(state.inbox.entries).length < kInboxMax;

  // The list is one stop of the Tab key: the entry that had the focus last, else the one that is open, else the first.
  const [focused, setFocused] = useState<string | null>(null);
  const listed = (threadId: string | null): boolean => entries.some((entry) => entry.threadId === threadId);
  const stop = listed(focused) ? focused : listed(selected) ? selected : (entries[0]?.threadId ?? null);

  /** Arrow keys walk the list, as in any mailbox. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('.entry-open') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const to = at < 0 ? null : nextInList(event.key, at, buttons.length);
    if (to === null) return;
    event.preventDefault();
    buttons[to]!.focus();
  };
  const onFocus = (event: FocusEvent): void => setFocused(event.target.closest<HTMLElement>('.entry')?.dataset['threadId'] ?? null);

  const onScroll = (): void => {
    const box = list.current;
    if (box !== null && more && box.scrollHeight - box.scrollTop - box.clientHeight < kLoadMarginPx) void client.moreInbox();
  };

  return (
    <ul className="entries" data-testid="inbox" ref={list} onFocus={onFocus} onKeyDown={onKeyDown} onScroll={onScroll} aria-busy={state.inboxLoading}>
      {entries.map((entry) => (
        <InboxEntry
          key={entry.threadId}
          entry={entry}
          userId={state.userId}
          people={peopleOf(state, entry.threadId)}
          selected={entry.threadId === selected}
          stop={entry.threadId === stop}
          failed={failed.get(entry.threadId) ?? 0}
          onSelect={onSelect}
        />
      ))}
      {!loaded && state.inboxFailure === null ? (
        <li>
          <Skeleton of="entries" rows={5} />
        </li>
      ) : null}
      {loaded && entries.length === 0 ? <li className="entries-note">{emptyWords(state)}</li> : null}
      {state.inboxFailure !== null ? (
        <li className="entries-note">
          <span role="alert">{state.inboxFailure}</span>
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

function emptyWords({ folder, inbox }: ClientState): string {
  if (inbox.filter.label !== undefined) return `Nothing labelled “${isolate(inbox.filter.label)}” here.`;
  return kFolders.find((known) => known.folder === folder)?.empty ?? 'Nothing here.';
}

// One list per thread state, so that entries are not drawn anew with every event.
const idsOf = new WeakMap<object, readonly string[]>();

function peopleOf({ threads, people }: ClientState, threadId: string): readonly string[] | undefined {
  const participants = threads[threadId]?.participants;
  if (participants === undefined || participants.length === 0) return people[threadId];
  const known = idsOf.get(participants) ?? participants.map(({ userId }) => userId);
  idsOf.set(participants, known);
  return known;
}
