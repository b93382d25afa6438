import type { ActArgs, Card, Fields, Message } from '@parley/sdk';
import { useState } from 'react';
import { NoteForm, PayloadForm } from './card_forms.js';
import { kindOf } from './card_kinds.js';
import { cardLines, cardTitle, inputOf, words } from './card_text.js';
import { useClient } from './client_context.js';
import { displayName } from './format.js';
import { useAttempt } from './notices.js';
import { cardInTheWay, isClash, refusalText } from './refusals.js';

interface ActionCardProps {
  message: Message;
  /** Null while it is not known, or too old to be held: then it is shown as its message tells it, without buttons. */
  card: Card | null;
  /** The viewer acts as staff, hence always with a reason. */
  asStaff: boolean;
}

/** What the viewer tried on a card that had moved on, or cannot; shown until it moves again. */
interface Clash {
  text: string;
  version: number;
}

export function ActionCard({ message, card, asStaff }: ActionCardProps) {
  const [clash, setClash] = useState<Clash | null>(null);
  const shown = card ?? message.action;
  if (shown === null) return <em>Action card</em>;
  const superseded = card?.supersededBy != null;
  return (
    <section className="card" data-testid="card" data-type={shown.type} data-state={shown.state} data-version={shown.version}>
      <header className="card-header">
        <h3 data-testid="card-title">{cardTitle(shown.type)}</h3>
        <span className="chip" data-testid="card-state">
          {words(shown.state)}
        </span>
      </header>
      <dl className="card-lines" data-testid="card-lines">
        {cardLines(shown.payload).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {card?.note ? <p className="card-note">“{card.note}”</p> : null}
      {card?.expiresAt && card.lastIntent === null ? <p className="muted">Open until {card.expiresAt.slice(0, 16).replace('T', ' ')} UTC</p> : null}
      {superseded ? <p className="muted">Another proposal took its place.</p> : null}
      {card?.awaiting ? (
        <p className="card-awaiting" data-testid="card-awaiting" role="status">
          <span className="spinner" aria-hidden="true" />
          {displayName(card.awaiting.by)}: {words(card.awaiting.intent).toLowerCase()}. Waiting for confirmation…
        </p>
      ) : null}
      {card?.error ? (
        <p className="form-error" data-testid="card-error" role="alert">
          {card.error.code === 'ACTION_CONFLICT' ? 'This clashes with something else: ' : ''}
          {card.error.message}
        </p>
      ) : null}
      {clash !== null && clash.version === card?.version ? (
        <p className="form-error" data-testid="card-clash" role="alert">
          {clash.text}
        </p>
      ) : null}
      {card !== null && (card.allowed?.length ?? 0) > 0 ? (
        <CardIntents key={card.version} threadId={message.threadId} card={card} asStaff={asStaff} onClash={setClash} />
      ) : null}
    </section>
  );
}

const kLeading = new Set(['accept', 'approve', 'acknowledge', 'confirm', 'resubmit']);

/** One button per allowed intent; what needs words or a new payload opens a form first. */
function CardIntents({ threadId, card, asStaff, onClash }: {
  threadId: string;
  card: Card;
  asStaff: boolean;
  onClash: (clash: Clash | null) => void;
}) {
  const client = useClient();
  const attempt = useAttempt();
  const [intent, setIntent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const act = async (args: ActArgs): Promise<boolean> => {
    setBusy(true);
    onClash(null);
    const done = await attempt(async () => {
      try {
        await client.project.act(threadId, card, args);
      } catch (error) {
        if (isClash(error)) onClash({ text: refusalText(error), version: cardInTheWay(error)?.version ?? card.version });
        throw error;
      }
    });
    setBusy(false);
    return done;
  };
  const press = (name: string): void => {
    if (inputOf(card, name) === 'nothing' && !asStaff) void act({ intent: name });
    else setIntent(name);
  };

  if (intent !== null) {
    const form = { submitLabel: words(intent), onCancel: () => setIntent(null) };
    const withData = (data: Fields): Promise<boolean> => act({ intent, data });
    const kind = inputOf(card, intent) === 'payload' ? kindOf(card.type) : undefined;
    if (kind !== undefined) return <PayloadForm {...form} kind={kind} before={card.payload} onSubmit={withData} />;
    const withText = (text: string): Promise<boolean> => {
      if (asStaff) return act({ intent, reason: text });
      return act(text === '' ? { intent } : { intent, data: { note: text } });
    };
    return <NoteForm {...form} label={asStaff ? 'Reason' : 'Note'} required={asStaff} onSubmit={withText} />;
  }
  return (
    <div className="card-buttons">
      {(card.allowed ?? []).map((name) => (
        <button
          key={name}
          type="button"
          className={kLeading.has(name) ? 'button primary' : 'button'}
          data-testid="card-intent"
          data-intent={name}
          disabled={busy}
          onClick={() => press(name)}
        >
          {words(name)}
        </button>
      ))}
    </div>
  );
}
