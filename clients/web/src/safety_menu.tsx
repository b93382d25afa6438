import { Icon, type IconName, Menu, MenuItem, Name, useAttempt, useNames, useNote } from '@parley/shared';
import { useState } from 'react';
import { BlockDialog } from './block_dialog.js';
import { useClient } from './client_context.js';
import { ReportDialog, type ReportSubject } from './report_dialog.js';

interface SafetyMenuProps {
  label: string;
  testId: string;
  icon: IconName;
  about: ReportSubject;
  /** The object of “Report …”. */
  what: string;
  /** The user to block, or null. */
  userId: string | null;
  blocked: boolean;
}

/** Menu items to report, block and unblock. */
export function SafetyMenu({ label, testId, icon, about, what, userId, blocked }: SafetyMenuProps) {
  const client = useClient();
  const attempt = useAttempt();
  const note = useNote();
  const nameOf = useNames();
  const [open, setOpen] = useState<'report' | 'block' | null>(null);
  const close = (): void => setOpen(null);
  const unblock = async (id: string): Promise<void> => {
    if (await attempt(() => client.safety.unblock(id))) note(`${nameOf(id)} is no longer blocked.`);
  };
  return (
    <>
      <Menu label={label} testId={testId} button={<Icon name={icon} />}>
        <MenuItem icon="flag" testId="menu-report" onSelect={() => setOpen('report')}>
          Report {what}…
        </MenuItem>
        {userId === null ? null : blocked ? (
          <MenuItem icon="shield" testId="menu-unblock" onSelect={() => void unblock(userId)}>
            Unblock <Name id={userId} />
          </MenuItem>
        ) : (
          <MenuItem icon="shield" testId="menu-block" danger onSelect={() => setOpen('block')}>
            Block <Name id={userId} />…
          </MenuItem>
        )}
      </Menu>
      {open === 'report' ? <ReportDialog about={about} what={what} onClose={close} /> : null}
      {open === 'block' && userId !== null ? <BlockDialog userId={userId} onClose={close} /> : null}
    </>
  );
}
