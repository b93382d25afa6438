import type { Card, Message } from '@parley/sdk';
import { zonedTime, Name } from '@parley/shared';
import { useState } from 'react';
import { CardIntents, type Clash } from './card_intents.js';
import { CardLines } from './card_lines.js';
import { cardTitle, words } from './card_text.js';

interface ActionCardProps {
  message: Message;
  /** Null while unknown or if the card was evicted: then the view uses the message's own data, without buttons. */
  card: Card | null;
  /** The viewer acts as staff, so every act needs a reason. */
  asStaff: boolean;
}

export function ActionCard({ message, card, asStaff }: ActionCardProps) {
  const [clash, setClash] = useState<Clash | null>(null);
  const shown = card ?? message.action;
  if (shown === null) return <em>Action card</em>;
  const superseded = card?.supersededBy != null;
  return (
    <section className="card" data-testid="card" data-type={shown.type} data-state={shown.state} data-version={shown.version}>
      <header className="card-header">
        <h2 data-testid="card-title">{cardTitle(shown.type)}</h2>
        <span className="chip" data-testid="card-state">
          {words(shown.state)}
        </span>
      </header>
      <CardLines payload={shown.payload} />
      {card?.note ? <p className="card-note" dir="auto">“{card.note}”</p> : null}
      {card?.expiresAt && card.lastIntent === null ? <p className="muted">Open until {zonedTime(Date.parse(card.expiresAt))}</p> : null}
      {card?.dueAt !== undefined && card.open !== false ? (
        <p className="muted" data-testid="card-due">
          To be settled by {zonedTime(Date.parse(card.dueAt))}
        </p>
      ) : null}
      {card?.lastIntent === 'staff.redact' ? (
        <p className="muted" data-testid="card-redacted">
          A moderator removed the content of this card.
        </p>
      ) : null}
      {superseded ? <p className="muted">Another proposal replaced it.</p> : null}
      {card?.awaiting ? (
        <p className="card-awaiting" data-testid="card-awaiting" role="status">
          <span className="spinner" aria-hidden="true" />
          <Name id={card.awaiting.by} />: {words(card.awaiting.intent).toLowerCase()}. Waiting for confirmation…
        </p>
      ) : null}
      {card?.error ? (
        <p className="form-error" data-testid="card-error" role="alert">
          {card.error.code === 'ACTION_CONFLICT' ? 'This conflicts with: ' : ''}
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
