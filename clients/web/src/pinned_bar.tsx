import { pinnedMessages, type ThreadState } from '@parley/sdk';
import { Icon, Name, useAttempt } from '@parley/shared';
import { useEffect, useState } from 'react';
import { useClient } from './client_context.js';
import { messageLine } from './message_line.js';

interface PinnedBarProps {
  thread: ThreadState;
  writable: boolean;
  onJump: (messageId: string) => void;
}

/** The pinned messages above the list: the last pinned one, and all of them on demand. */
export function PinnedBar({ thread, writable, onJump }: PinnedBarProps) {
  const client = useClient();
  const attempt = useAttempt();
  const [open, setOpen] = useState(false);
  const { threadId, loaded, farPins, timeline } = thread;
  const pins = pinnedMessages(thread.thread, timeline, farPins);
  const most = open ? pins.length : 1;
  const wanted = pins.slice(0, most);
  const missing = wanted.some(({ message }) => message === undefined);
  useEffect(() => {
    if (loaded && missing) void client.messages.loadPins(threadId, most).catch(() => undefined); // on an error their name is "An earlier message"
  }, [client, threadId, loaded, missing, most]);
  if (!loaded || pins.length === 0) return null;
  return (
    <section className="pins" data-testid="pins" data-count={pins.length} aria-label="Pinned messages">
      <ul>
        {wanted.map(({ messageId, message }) => (
          <li key={messageId} data-testid="pinned" data-message-id={messageId}>
            <Icon name="pin" size={14} />
            <button type="button" className="pin-jump" data-testid="pin-jump" onClick={() => onJump(messageId)}>
              {message === undefined ? (
                <span className="muted">An earlier message</span>
              ) : (
                <>
                  <strong dir="auto"><Name id={message.authorUserId} /></strong> <span dir="auto">{messageLine(message)}</span>
                </>
              )}
            </button>
            {(open || pins.length === 1) && writable ? (
              <button
                type="button"
                className="icon-button"
                data-testid="pin-remove"
                aria-label={`Unpin ${message === undefined ? 'an earlier message' : messageLine(message)}`}
                title="Unpin"
                onClick={() => void attempt(() => client.messages.pin(threadId, messageId, false))}
              >
                <Icon name="close" size={14} />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {pins.length > 1 ? (
        <button type="button" className="link-button" data-testid="pins-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Less' : `All ${pins.length}`}
        </button>
      ) : null}
    </section>
  );
}
