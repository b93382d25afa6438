import { hintOf, type Message, type MessageVersion } from '@parley/sdk';
import { CloseActions, Dialog, fullTime, Name } from '@parley/shared';
import { useEffect, useState } from 'react';
import { useClient } from './client_context.js';
import { Markdown } from './markdown_view.js';

type Read = { versions: MessageVersion[] } | { failure: string } | null;

/** The earlier versions of a message, for staff. The server records the request, so it is sent once for each opening. */
export function HistoryDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const client = useClient();
  const [read, setRead] = useState<Read>(null);
  const { threadId, messageId } = message;
  useEffect(() => {
    let closed = false;
    client.messages.history(threadId, messageId).then(
      (versions) => (closed ? undefined : setRead({ versions })),
      (error: unknown) => (closed ? undefined : setRead({ failure: hintOf(error) })),
    );
    return () => {
      closed = true;
    };
  }, [client, threadId, messageId]);
  return (
    <Dialog title="Earlier versions of this message" testId="history" onClose={onClose}>
      <HistoryContent read={read} />
      <CloseActions words="Close" testId="history-close" onClose={onClose} />
    </Dialog>
  );
}

function HistoryContent({ read }: { read: Read }) {
  if (read === null) return <p role="status">Loading…</p>;
  if ('failure' in read) {
    return (
      <p className="form-error" role="alert">
        {read.failure}
      </p>
    );
  }
  if (read.versions.length === 0) return <p className="muted">It has not been changed.</p>;
  return (
    <ol className="history">
      {read.versions.map(({ seq, at, by, reason, before }) => (
        <li key={seq} data-testid="history-version">
          <p className="muted">
            {at === null ? 'At an unknown time' : fullTime(Date.parse(at))}
            {', '}
            {by === null ? 'a service' : <Name id={by} />} changed this:
          </p>
          <div className="message-body" dir="auto">
            <Markdown source={before.body} />
          </div>
          {reason === null ? null : (
            <p className="muted" dir="auto">
              Reason: <bdi>{reason}</bdi>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
