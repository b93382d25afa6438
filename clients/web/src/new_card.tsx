import { newClientId, type Fields, type Message, type ThreadState } from '@parley/sdk';
import { Icon, Menu, MenuItem, useFocusBack } from '@parley/shared';
import { useRef, useState } from 'react';
import { PayloadForm } from './card_forms.js';
import { openableKinds, type CardKind } from './card_kinds.js';
import { useClient } from './client_context.js';

const kMore = (
  <>
    More <Icon name="chevron" size={14} />
  </>
);

interface NewCardProps {
  thread: ThreadState;
  userId: string;
  /** The message that the card answers. */
  replyTo: Pick<Message, 'messageId'> | null;
  onOpened: () => void;
}

/** Opens cards of the kinds that the viewer may open. The form shows the error of a rejected one and stays open. */
export function NewCard({ thread, userId, replyTo, onOpened }: NewCardProps) {
  const client = useClient();
  const [open, setOpen] = useState<CardKind | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useFocusBack(open !== null, box);
  const [refusal, setRefusal] = useState<unknown>(null);
  // Submitting the same form again after a lost reply opens the same card; other content opens another one.
  const last = useRef({ content: '', clientId: '' });
  const kinds = openableKinds(thread, userId);
  if (kinds.length === 0) return null;

  const show = (kind: CardKind | null): void => {
    setRefusal(null);
    setOpen(kind);
  };
  const submit = async ({ type }: CardKind, payload: Fields, dueAt: string | null): Promise<boolean> => {
    const optional = { ...(dueAt === null ? {} : { dueAt }), ...(replyTo === null ? {} : { replyTo: replyTo.messageId }) };
    const content = JSON.stringify([type, payload, optional]);
    if (last.current.content !== content) last.current = { content, clientId: newClientId() };
    const { clientId } = last.current;
    try {
      await client.project.createCard(thread.threadId, { type, payload, clientId, ...optional });
    } catch (error) {
      setRefusal(error);
      return false;
    }
    last.current = { content: '', clientId: '' };
    show(null);
    onOpened();
    return true;
  };

  if (open !== null) {
    return (
      <div className="new-card">
        <PayloadForm
          kind={open}
          submitLabel={open.label}
          refusal={refusal}
          deadline
          onSubmit={(payload, dueAt) => submit(open, payload, dueAt)}
          onCancel={() => show(null)}
        />
      </div>
    );
  }
  const leading = kinds.filter((kind) => kind.leading);
  const others = kinds.filter((kind) => !kind.leading);
  return (
    <div ref={box} className="new-card" data-testid="new-card" role="group" aria-label="New card">
      {leading.map((kind) => (
        <button key={kind.type} type="button" className="button" data-testid={`new-card-${kind.type}`} onClick={() => show(kind)}>
          {kind.label}
        </button>
      ))}
      {others.length === 0 ? null : (
        <Menu label="More cards" named={false} className="button" testId="new-card-more" button={kMore}>
          {others.map((kind) => (
            <MenuItem key={kind.type} testId={`new-card-${kind.type}`} onSelect={() => show(kind)}>
              {kind.label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}
