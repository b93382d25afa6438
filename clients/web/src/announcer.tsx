import type { ThreadState } from '@parley/sdk';
import { useNames } from '@parley/shared';
import { useEffect, useState } from 'react';
import { messageLine } from './message_line.js';

/** Announces new messages to screen readers, but not pages of old ones. */
export function Announcer({ thread, userId }: { thread: ThreadState; userId: string }) {
  const nameOf = useNames();
  const newest = thread.timeline.messages.at(-1);
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (thread.loaded && since === null) setSince(newest?.msgNo ?? 0);
  }, [thread.loaded, since, newest]);
  const fresh =
    since !== null && newest !== undefined && newest.msgNo > since && newest.authorUserId !== userId && newest.deletedAt === null;
  return (
    <div className="visually-hidden" aria-live="polite" data-testid="announcer">
      {fresh ? `${nameOf(newest.authorUserId)}: ${messageLine(newest)}` : ''}
    </div>
  );
}
