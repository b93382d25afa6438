import type { Thread, ThreadPage } from '@parley/sdk';
import { isolate, useNames } from '@parley/shared';
import { useCallback, useMemo } from 'react';
import { Failure } from './failure.js';
import { PlaceLink } from './place_context.js';
import { useRoving } from './rows.js';
import { useShortcuts } from './shortcuts_context.js';
import { usePages } from './use_pages.js';
import { When } from './when.js';
import { plain } from './words.js';

interface ThreadListProps {
  read: (cursor: string | null) => Promise<ThreadPage>;
  ready: boolean;
  /** j and k also walk the list, because it is the page's main one. */
  keys: boolean;
}

const kNamed = 3;

export function threadWords({ subject, participants, participantCount }: Thread, nameOf: (userId: string) => string): string {
  if (subject !== null && subject.trim() !== '') return isolate(subject);
  const names = participants.slice(0, kNamed).map(nameOf).join(', ');
  const more = participantCount - Math.min(kNamed, participants.length);
  return more > 0 ? `${names} and ${more} more` : names;
}

/** Conversations, each a link to its page. */
export function ThreadList({ read, ready, keys }: ThreadListProps) {
  const nameOf = useNames();
  const readPage = useCallback(async (cursor: string | null) => {
    const page = await read(cursor);
    return { items: page.threads, cursor: page.cursor };
  }, [read]);
  const { items, failure, more, readMore, reload } = usePages(readPage, ready);
  const ids = useMemo(() => (items ?? []).map(({ threadId }) => threadId), [items]);
  const roving = useRoving(ids);
  useShortcuts(
    keys
      ? [
          { keys: 'j', words: 'Next conversation', act: () => roving.step(1) },
          { keys: 'k', words: 'Previous conversation', act: () => roving.step(-1) },
        ]
      : [],
  );
  if (items === null) return failure === null ? <p className="muted">Loading…</p> : <Failure failure={failure} onRetry={reload} />;
  if (items.length === 0 && !more) return <p className="muted">No conversations.</p>;
  return (
    <>
      <Failure failure={failure} onRetry={reload} />
      <table className="list" data-testid="threads" onKeyDown={roving.onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Conversation</th>
            <th scope="col">Kind</th>
            <th scope="col">Status</th>
            <th scope="col">Last message</th>
          </tr>
        </thead>
        <tbody>
          {items.map((thread, row) => (
            <tr key={thread.threadId} data-testid="thread-row" data-thread-id={thread.threadId} data-status={thread.status}>
              <th scope="row" dir="auto">
                <PlaceLink to={{ view: 'thread', id: thread.threadId }} testId="thread-row-link" {...roving.link(row)}>
                  {threadWords(thread, nameOf)}
                </PlaceLink>
              </th>
              <td>{plain(thread.kind)}</td>
              <td>{plain(thread.status)}</td>
              <td>
                <When at={thread.lastMessageAt ?? thread.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more ? (
        <button type="button" className="button" data-testid="threads-more" onClick={readMore}>
          Show more conversations
        </button>
      ) : null}
    </>
  );
}
