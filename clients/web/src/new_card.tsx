import { newClientId, type Fields, type ThreadState } from '@parley/sdk';
import { useRef, useState } from 'react';
import { ProofsForm, ScheduleForm } from './card_forms.js';
import { useClient } from './client_context.js';
import { useAttempt } from './notices.js';

export type OpenableKind = 'RESCHEDULE' | 'DELIVERABLE_PROOF';

/** What the viewer may open here: either party proposes another time, the seller submits proofs. */
export function openableKinds({ thread, me }: ThreadState, userId: string): OpenableKind[] {
  if (thread?.kind !== 'project' || thread.status !== 'open' || me?.permission === 'read' || me?.permission === 'files') return [];
  if (userId === thread.sellerUserId) return ['RESCHEDULE', 'DELIVERABLE_PROOF'];
  return userId === thread.buyerUserId ? ['RESCHEDULE'] : [];
}

const kLabels: Record<OpenableKind, string> = { RESCHEDULE: 'Propose a time', DELIVERABLE_PROOF: 'Submit proofs' };

export function NewCard({ thread, userId }: { thread: ThreadState; userId: string }) {
  const client = useClient();
  const attempt = useAttempt();
  const [open, setOpen] = useState<OpenableKind | null>(null);
  // The same form submitted again after a lost answer opens the same card, not a second one; another content is another card.
  const last = useRef({ content: '', clientId: '' });
  const kinds = openableKinds(thread, userId);
  if (kinds.length === 0) return null;

  const submit = async (type: OpenableKind, payload: Fields): Promise<boolean> => {
    const content = JSON.stringify([type, payload]);
    if (last.current.content !== content) last.current = { content, clientId: newClientId() };
    const { clientId } = last.current;
    const done = await attempt(() => client.project.createCard(thread.threadId, { type, payload, clientId }));
    if (done) {
      last.current = { content: '', clientId: '' };
      setOpen(null);
    }
    return done;
  };

  if (open !== null) {
    const form = { submitLabel: kLabels[open], onSubmit: (payload: Fields) => submit(open, payload), onCancel: () => setOpen(null) };
    return <div className="new-card">{open === 'RESCHEDULE' ? <ScheduleForm {...form} /> : <ProofsForm {...form} />}</div>;
  }
  return (
    <div className="new-card" data-testid="new-card">
      {kinds.map((kind) => (
        <button key={kind} type="button" className="button" data-testid={`new-card-${kind}`} onClick={() => setOpen(kind)}>
          {kLabels[kind]}
        </button>
      ))}
    </div>
  );
}
