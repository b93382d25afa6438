import { failedSends, kInboxMax, listedEntries, type ClientState } from '@parley/sdk';
import { isolate, nextInList, Skeleton } from '@parley/shared';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useClient } from './client_context.js';
import { kFolders } from './folder_bar.js';
import { InboxEntry } from './inbox_entry.js';
import { useKeptPlace } from './kept_place.js';

interface EntryListProps {
  state: ClientState;
  selected: string | null;
  onSelect: (threadId: string) => void;
}

/** Loads the next page this many entries before the end. */
const kLoadMargin = 15;
const kEntryPx = 66;
const kOverscan = 8;

const kEntryOpen = '.entry-open';

/** Draws only the entries on screen, a few around them, and the one that is the stop of the Tab key. */
export function EntryList({ state, selected, onSelect }: EntryListProps) {
  const client = useClient();
  const { inbox, folder } = state;
  const box = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => listedEntries(inbox, folder), [inbox, folder]);
  const failed = new Map<string, number>();
  for (const { threadId } of failedSends(state.outbox)) failed.set(threadId, (failed.get(threadId) ?? 0) + 1);
  const { loaded, cursor } = inbox.folders[folder];
  const more = cursor !== null && Object.keys(inbox.entries).length < kInboxMax;

  // The list is one stop of the Tab key: the last focused entry, else the open one, else the first.
  const [focused, setFocused] = useState<string | null>(null);
  const indexOf = (threadId: string | null): number => (threadId === null ? -1 : entries.findIndex((entry) => entry.threadId === threadId));
  const stopAt = Math.max(0, indexOf(focused) >= 0 ? indexOf(focused) : indexOf(selected));

  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => entries[index]!.threadId, [entries]),
    estimateSize: () => kEntryPx,
    overscan: kOverscan,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), stopAt])].filter((index) => index < range.count).sort((a, b) => a - b),
  });

  useKeptPlace(box, rows, entries, `${folder} ${inbox.filter.label ?? ''}`);

  /** Arrow keys walk the list; an entry that is not drawn yet receives the focus once it is. */
  const wanted = useRef<string | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(kEntryOpen)) return;
    const at = indexOf(event.target.closest<HTMLElement>('.entry')?.dataset['threadId'] ?? null);
    const to = at < 0 ? null : nextInList(event.key, at, entries.length);
    if (to === null) return;
    event.preventDefault();
    wanted.current = entries[to]!.threadId;
    setFocused(wanted.current);
    rows.scrollToIndex(to, { align: 'auto' });
  };
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const entry = box.current?.querySelector<HTMLElement>(`[data-thread-id="${CSS.escape(wanted.current)}"] ${kEntryOpen}`);
    if (entry == null) return;
    wanted.current = null;
    entry.focus({ preventScroll: true });
  });
  const onFocus = (event: FocusEvent): void => setFocused(event.target.closest<HTMLElement>('.entry')?.dataset['threadId'] ?? null);

  const drawn = rows.getVirtualItems();
  const lastDrawn = rows.range?.endIndex ?? 0;
  useEffect(() => {
    if (more && !state.inboxLoading && loaded && entries.length > 0 && lastDrawn >= entries.length - kLoadMargin && (box.current?.scrollTop ?? 0) > 0) void client.moreInbox();
  }, [client, more, loaded, state.inboxLoading, lastDrawn, entries.length]);

  return (
    <div className="entries" data-testid="inbox" ref={box} onFocus={onFocus} onKeyDown={onKeyDown} aria-busy={state.inboxLoading}>
      <ul className="entry-rows" role="list" style={{ height: rows.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const entry = entries[index]!;
          return (
            <InboxEntry
              key={entry.threadId}
              entry={entry}
              place={index}
              count={more ? -1 : entries.length}
              top={start}
              measure={rows.measureElement}
              userId={state.userId}
              people={peopleOf(state, entry.threadId)}
              selected={entry.threadId === selected}
              stop={index === stopAt}
              failed={failed.get(entry.threadId) ?? 0}
              onSelect={onSelect}
            />
          );
        })}
      </ul>
      {!loaded && state.inboxFailure === null ? <Skeleton of="entries" rows={5} /> : null}
      {loaded && entries.length === 0 ? <p className="entries-note">{emptyWords(state)}</p> : null}
      {state.inboxFailure !== null ? (
        <div className="entries-note">
          <span role="alert">{state.inboxFailure}</span>
          <button type="button" className="button" onClick={() => client.showFolder(folder)}>
            Try again
          </button>
        </div>
      ) : null}
      {more ? (
        <div className="entries-note">
          <button type="button" className="button" onClick={() => void client.moreInbox()}>
            {state.inboxLoading ? 'Loading…' : 'Show more'}
          </button>
        </div>
      ) : null}
    </div>
  );
}

function emptyWords({ folder, inbox }: ClientState): string {
  if (inbox.filter.label !== undefined) return `Nothing labelled “${isolate(inbox.filter.label)}” here.`;
  return kFolders.find((known) => known.folder === folder)?.empty ?? 'Nothing here.';
}

// One list per thread state, so that an event does not render all entries again.
const idsOf = new WeakMap<object, readonly string[]>();

function peopleOf({ threads, people }: ClientState, threadId: string): readonly string[] | undefined {
  const participants = threads[threadId]?.participants;
  if (participants === undefined || participants.length === 0) return people[threadId];
  const known = idsOf.get(participants) ?? participants.map(({ userId }) => userId);
  idsOf.set(participants, known);
  return known;
}
