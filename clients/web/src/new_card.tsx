import { newClientId, type Fields, type ThreadState } from '@parley/sdk';
import { useRef, useState } from 'react';
import { PayloadForm } from './card_forms.js';
import { openableKinds, type CardKind } from './card_kinds.js';
import { useClient } from './client_context.js';

/** Opens cards of the kinds that are the viewer's to open. What is refused is said in the form, which stays. */
export function NewCard({ thread, userId }: { thread: ThreadState; userId: string }) {
  const client = useClient();
  const [open, setOpen] = useState<CardKind | null>(null);
  const [more, setMore] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  // The same form submitted again after a lost answer opens the same card, not a second one; another content is another card.
  const last = useRef({ content: '', clientId: '' });
  const kinds = openableKinds(thread, userId);
  if (kinds.length === 0) return null;

  const show = (kind: CardKind | null): void => {
    setRefusal(null);
    setMore(false);
    setOpen(kind);
  };
  const submit = async ({ type }: CardKind, payload: Fields): Promise<boolean> => {
    const content = JSON.stringify([type, payload]);
    if (last.current.content !== content) last.current = { content, clientId: newClientId() };
    const { clientId } = last.current;
    try {
      await client.project.createCard(thread.threadId, { type, payload, clientId });
    } catch (error) {
      setRefusal(error);
      return false;
    }
    last.current = { content: '', clientId: '' };
    show(null);
    return true;
  };

  if (open !== null) {
    return (
      <div className="new-card">
        <PayloadForm
          kind={open}
          submitLabel={open.label}
          refusal={refusal}
          onSubmit={(payload) => submit(open, payload)}
          onCancel={() => show(null)}
        />
      </div>
    );
  }
  return (
    <div className="new-card" data-testid="new-card" role="group" aria-label="New card">
      {kinds
        .filter(({ leading }) => leading || more)
        .map((kind) => (
          <button key={kind.type} type="button" className="button" data-testid={`new-card-${kind.type}`} onClick={() => show(kind)}>
            {kind.label}
          </button>
        ))}
      <button type="button" className="button" data-testid="new-card-more" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? 'Less' : 'More…'}
      </button>
    </div>
  );
}
