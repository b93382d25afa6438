import type { LadderPlace } from '@parley/sdk';
import { isId, useNote } from '@parley/shared';
import { useState } from 'react';
import { ReasonForm } from './reason_form.js';
import { PlaceLink } from './place_context.js';
import { useStaff } from './staff_context.js';
import { When } from './when.js';

/** The text policy's strikes of a user, which staff may reset. */
export function LadderSection({ userId, places, onReset }: { userId: string; places: readonly LadderPlace[]; onReset: () => void }) {
  const { moderation } = useStaff();
  const note = useNote();
  const [threadId, setThreadId] = useState('');
  const act = async (reason: string): Promise<void> => {
    await moderation.resetLadder(userId, reason, threadId.trim() === '' ? undefined : threadId.trim());
    note('The text policy’s strikes were reset.');
    onReset();
  };
  return (
    <section className="card" aria-labelledby="ladder-title">
      <h2 id="ladder-title">Text policy</h2>
      {places.length === 0 ? (
        <p className="muted" data-testid="ladder-none">They have no strikes now.</p>
      ) : (
        <ul className="plain" data-testid="ladder-places">
          {places.map((place) => (
            <LadderLine key={place.threadId ?? ''} place={place} />
          ))}
        </ul>
      )}
      <ReasonForm
        testId="ladder"
        verb="Reset the strikes"
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

function LadderLine({ place }: { place: LadderPlace }) {
  return (
    <li data-points={place.points}>
      {place.threadId === null ? 'Conversations that they tried to start' : <PlaceLink to={{ view: 'thread', id: place.threadId }}>{place.threadId}</PlaceLink>}
      {': '}
      {place.points} {place.points === 1 ? 'point' : 'points'}, last <When at={place.at} long />
      {place.stoppedUntil ? (
        <>
          , stopped until <When at={place.stoppedUntil} long />
        </>
      ) : null}
    </li>
  );
}
