import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Menu, MenuGroup, MenuItem } from './menu.js';
import { useNames } from './names_context.js';

interface AccountMenuProps {
  /** The user's name and picture. */
  button: ReactNode;
  className: string;
  userId: string;
  /** The address names the user, who may be switched; nothing is signed out of. */
  demo: boolean;
  onLeave: () => void;
}

/** The own name as a menu. Signing out asks first, because it ends the session in every tab. */
export function AccountMenu({ button, className, userId, demo, onLeave }: AccountMenuProps) {
  const nameOf = useNames();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu label="Your account" named={false} testId="account" className={className} button={button}>
        <MenuGroup label={nameOf(userId)}>
          <MenuItem testId="leave" icon="people" onSelect={demo ? onLeave : () => setAsking(true)}>
            {demo ? 'Switch user' : 'Sign out…'}
          </MenuItem>
        </MenuGroup>
      </Menu>
      {asking ? (
        <Dialog title="Sign out?" testId="leave-dialog" onClose={() => setAsking(false)}>
          <p>This ends your session in every tab of this browser.</p>
          <div className="dialog-actions">
            <button type="button" className="button" autoFocus onClick={() => setAsking(false)}>
              Stay
            </button>
            <button type="button" className="button primary" data-testid="leave-confirm" onClick={onLeave}>
              Sign out
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
