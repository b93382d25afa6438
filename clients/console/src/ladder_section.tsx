import { isId, useNote } from '@parley/shared';
import { useState } from 'react';
import { ReasonForm } from './reason_form.js';
import { useStaff } from './staff_context.js';

/** The text policy counts what it found in somebody's messages; staff may let them begin anew. */
export function LadderSection({ userId, onReset }: { userId: string; onReset: () => void }) {
  const { moderation } = useStaff();
  const note = useNote();
  const [threadId, setThreadId] = useState('');
  const act = async (reason: string): Promise<void> => {
    await moderation.resetLadder(userId, reason, threadId.trim() === '' ? undefined : threadId.trim());
    note('The ladder of the text policy begins anew.');
    onReset();
  };
  return (
    <section className="card" aria-labelledby="ladder-title">
      <h2 id="ladder-title">Text policy</h2>
      <ReasonForm
        testId="ladder"
        verb="Reset the ladder"
        problem={threadId.trim() === '' || isId(threadId.trim()) ? null : 'That is not the id of a conversation.'}
        act={act}
      >
        <label className="field">
          Only in this conversation
          <input data-testid="ladder-thread" placeholder="thrd_…, or empty for all" autoComplete="off" spellCheck={false} value={threadId} onChange={(event) => setThreadId(event.target.value)} />
        </label>
      </ReasonForm>
    </section>
  );
}
