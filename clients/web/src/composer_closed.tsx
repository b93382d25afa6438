import { Name, useAttempt } from '@parley/shared';
import { useClient } from './client_context.js';
import type { Closing } from './closing.js';

/** Replaces the send box if the viewer cannot write: shows the reason, its end and the remedies. */
export function ComposerClosed({ threadId, closing }: { threadId: string; closing: Closing }) {
  const client = useClient();
  const attempt = useAttempt();
  const { unblock, again } = closing;
  return (
    <div className="composer-closed" data-testid="composer-closed" data-code={closing.code}>
      <p role="status" dir="auto">
        {closing.text}
      </p>
      {unblock === null ? null : (
        <button type="button" className="button" data-testid="composer-unblock" onClick={() => void attempt(() => client.safety.unblock(unblock))}>
          Unblock <Name id={unblock} />
        </button>
      )}
      {again ? (
        <button type="button" className="button" data-testid="composer-again" onClick={() => client.safety.forgetRefusal(threadId)}>
          Write again
        </button>
      ) : null}
    </div>
  );
}
