import type { BlockedUser } from '@parley/sdk';
import { Avatar, Dialog, fullTime, Name, shortWhen, useAttempt, useNames, useToday } from '@parley/shared';
import { useEffect, useRef, useState } from 'react';
import { useClient } from './client_context.js';

const kPage = 20;
/** The page contains at most this many rows. */
const kRowsMax = 100;

interface BlockedDialogProps {
  /** null: not loaded yet. */
  blocked: readonly BlockedUser[] | null;
  onClose: () => void;
}

/** The users that the viewer has blocked, each with an unblock button. */
export function BlockedDialog({ blocked, onClose }: BlockedDialogProps) {
  const client = useClient();
  const attempt = useAttempt();
  const [failed, setFailed] = useState(false);
  const [shown, setShown] = useState(kPage);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    client.safety.readBlocks().catch(() => setFailed(true));
  }, [client]);

  /** The focused row is removed, so moves the focus to the next one or to the end of the dialog. */
  const unblock = async (userId: string, at: number): Promise<void> => {
    if (!(await attempt(() => client.safety.unblock(userId)))) return;
    setTimeout(() => {
      const rest = list.current?.querySelectorAll('button') ?? [];
      (rest[Math.min(at, rest.length - 1)] ?? document.querySelector<HTMLElement>('[data-testid=blocked-close]'))?.focus();
    }, 0);
  };
  const people = blocked ?? [];
  const first = Math.max(0, Math.min(shown, people.length) - kRowsMax);
  return (
    <Dialog title="Blocked people" testId="blocked-dialog" onClose={onClose}>
      <div role="status">
        {blocked === null ? <p>{failed ? 'The list could not be read.' : 'Loading…'}</p> : null}
        {blocked !== null && people.length === 0 ? <p className="muted">You have not blocked anyone.</p> : null}
      </div>
      <ul className="blocked-list" ref={list}>
        {people.slice(first, shown).map((one, at) => (
          <BlockedPerson key={one.userId} one={one} onUnblock={() => void unblock(one.userId, at)} />
        ))}
      </ul>
      <div className="dialog-actions">
        {first > 0 ? (
          <button type="button" className="button" data-testid="blocked-earlier" onClick={() => setShown(Math.max(shown - kPage, kRowsMax))}>
            Show earlier
          </button>
        ) : null}
        {people.length > shown ? (
          <button type="button" className="button" data-testid="blocked-more" onClick={() => setShown(shown + kPage)}>
            Show more
          </button>
        ) : null}
        <button type="button" className="button primary" data-testid="blocked-close" autoFocus onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function BlockedPerson({ one, onUnblock }: { one: BlockedUser; onUnblock: () => void }) {
  useToday();
  const name = useNames()(one.userId);
  const at = Date.parse(one.at);
  return (
    <li className="person" data-testid="blocked-person" data-user-id={one.userId}>
      <Avatar id={one.userId} />
      <span className="person-text">
        <span className="person-name" dir="auto">
          <Name id={one.userId} />
        </span>
        <span className="muted" title={fullTime(at)}>
          Blocked {shortWhen(at, Date.now())}
        </span>
      </span>
      <button type="button" className="button" data-testid="unblock" aria-label={`Unblock ${name}`} onClick={onUnblock}>
        Unblock
      </button>
    </li>
  );
}
