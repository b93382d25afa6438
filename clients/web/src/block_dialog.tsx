import { hintOf } from '@parley/sdk';
import { Dialog, Name, useNames, useNote } from '@parley/shared';
import { useState } from 'react';
import { useClient } from './client_context.js';

interface BlockDialogProps {
  userId: string;
  /** Blocks the user another way than by id, for example by answering their request. */
  block?: () => Promise<void>;
  onClose: () => void;
}

/** Explains the effects and exceptions of a block before it is set. */
export function BlockDialog({ userId, block, onClose }: BlockDialogProps) {
  const client = useClient();
  const name = useNames()(userId);
  const note = useNote();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await (block ?? (() => client.safety.block(userId)))();
      note(`${name} is blocked.`, { label: 'Unblock', action: () => client.safety.unblock(userId).catch(() => undefined) });
      onClose();
    } catch (error) {
      setFailure(hintOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Block ${name}?`} testId="block-dialog" onClose={onClose}>
      <ul className="dialog-points">
        <li>Neither of you can write to the other, or start a conversation with the other.</li>
        <li>Neither of you sees whether the other is online or typing.</li>
        <li>It has no effect in groups that both of you are in, or in a project whose booking is live.</li>
        <li><Name id={userId} /> receives no notice. You can unblock them at any time.</li>
      </ul>
      {failure === null ? null : (
        <p className="form-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" autoFocus onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button danger" data-testid="block-confirm" disabled={busy} onClick={() => void confirm()}>
          Block
        </button>
      </div>
    </Dialog>
  );
}
