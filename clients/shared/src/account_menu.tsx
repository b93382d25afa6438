import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Menu, MenuGroup, MenuItem } from './menu.js';
import { useNames } from './names_context.js';

interface AccountMenuProps {
  /** The user's name and picture. */
  button: ReactNode;
  className: string;
  userId: string;
  /** The address names the user, so the menu switches users instead of signing out. */
  demo: boolean;
  /** Number of unsent messages. */
  unsent?: number;
  onLeave: () => void;
}

/**
 * The viewer's own name as a menu. Signing out asks first, because it ends the session in every tab; in a demo it
 * asks only if messages are unsent.
 */
export function AccountMenu({ button, className, userId, demo, unsent = 0, onLeave }: AccountMenuProps) {
  const nameOf = useNames();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu label="Your account" named={false} testId="account" className={className} button={button}>
        <MenuGroup label={nameOf(userId)}>
          <MenuItem testId="leave" icon="people" onSelect={demo && unsent === 0 ? onLeave : () => setAsking(true)}>
            {demo ? 'Switch user' : 'Sign out…'}
          </MenuItem>
        </MenuGroup>
      </Menu>
      {asking ? (
        <Dialog title={demo ? 'Switch user?' : 'Sign out?'} testId="leave-dialog" onClose={() => setAsking(false)}>
          {unsent > 0 ? (
            <p data-testid="leave-unsent">
              <strong>{unsent === 1 ? 'One message has not been sent.' : `${unsent} messages have not been sent.`}</strong> This browser keeps {unsent === 1 ? 'it' : 'them'} for when you come back.
            </p>
          ) : null}
          {demo ? null : <p>This ends your session in every tab of this browser.</p>}
          <div className="dialog-actions">
            <button type="button" className="button" autoFocus onClick={() => setAsking(false)}>
              Stay
            </button>
            <button type="button" className="button primary" data-testid="leave-confirm" onClick={onLeave}>
              {demo ? 'Switch user' : 'Sign out'}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
