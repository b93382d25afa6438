import { useEffect, useRef } from 'react';
import { AuditPage } from './audit_page.js';
import { CasePage } from './case_page.js';
import { QueuePage } from './queue_page.js';
import { kQueue, type Place, type QueuePlace } from './route.js';
import { ThreadPage } from './thread_page.js';
import { ThreadsPage } from './threads_page.js';
import { UserPage } from './user_page.js';

const kTitles: Readonly<Record<Place['view'], string>> = {
  queue: 'Queue',
  case: 'Case',
  user: 'User',
  threads: 'Conversations',
  thread: 'Conversation',
  audit: 'Audit',
};

interface PageProps {
  place: Place;
  ready: boolean;
}

/**
 * Moves the focus to the page's title on each change of page, so that screen readers announce it and the Tab key
 * starts there.
 */
export function Page({ place, ready }: PageProps) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const queue = useRef<QueuePlace>(kQueue); // with the filters in force when it was left
  if (place.view === 'queue') queue.current = place;
  const left = useRef<string | null>(null); // the case that was shown last
  if (place.view === 'case') left.current = place.id;
  const key = 'id' in place ? `${place.view} ${place.id}` : place.view;
  useEffect(() => {
    document.title = `${kTitles[place.view]} · Parley console`;
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [key, place.view]);
  return (
    <main ref={main} id="page" className="page" tabIndex={-1} data-testid="page" data-view={place.view} aria-labelledby="page-title">
      <Shown key={key} place={place} ready={ready} back={queue.current} left={left.current} />
    </main>
  );
}

function Shown({ place, ready, back, left }: PageProps & { back: QueuePlace; left: string | null }) {
  switch (place.view) {
    case 'queue':
      return <QueuePage filter={place.filter} ready={ready} left={left} />;
    case 'case':
      return <CasePage caseId={place.id} ready={ready} back={back} />;
    case 'user':
      return <UserPage userId={place.id} ready={ready} />;
    case 'threads':
      return <ThreadsPage filter={place.filter} ready={ready} />;
    case 'thread':
      return <ThreadPage threadId={place.id} caseId={place.caseId ?? null} ready={ready} />;
    case 'audit':
      return <AuditPage filter={place.filter} ready={ready} />;
  }
}
