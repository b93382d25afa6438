import type { ActArgs, Card, Fields } from '@parley/sdk';
import { Dialog, Icon, Menu, MenuItem, useAttempt, useFocusBack } from '@parley/shared';
import { useRef, useState } from 'react';
import { NoteForm, PayloadForm } from './card_forms.js';
import { kindOf } from './card_kinds.js';
import { CardLines } from './card_lines.js';
import { cardTitle, costQuestion, inputOf, words } from './card_text.js';
import { useClient } from './client_context.js';
import { cardInTheWay, isClash, refusalText } from './refusals.js';

/** An attempt that failed because the card had changed or does not allow it; shown until the card changes again. */
export interface Clash {
  text: string;
  version: number;
}

interface CardIntentsProps {
  threadId: string;
  card: Card;
  /** The viewer acts as staff, so every act needs a reason. */
  asStaff: boolean;
  onClash: (clash: Clash | null) => void;
}

const kLeading = new Set(['accept', 'approve', 'acknowledge', 'confirm', 'resubmit']);
// More buttons than these move into a menu.
const kButtonsMax = 2;

/** Buttons for the viewer's intents on a card; an intent that needs a note or a payload opens a form first. */
export function CardIntents({ threadId, card, asStaff, onClash }: CardIntentsProps) {
  const client = useClient();
  const attempt = useAttempt();
  const [intent, setIntent] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // An act that moves money and waits for confirmation.
  const [costly, setCostly] = useState<ActArgs | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useFocusBack(intent !== null, box);

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
  /** Asks for confirmation if the act costs money; the form that led here stays open. */
  const actOnce = (args: ActArgs): Promise<boolean> => {
    if (costQuestion(card, args.intent) === null) return act(args);
    setCostly(args);
    return Promise.resolve(false);
  };
  const press = (name: string): void => {
    if (inputOf(card, name) === 'nothing' && !asStaff) void actOnce({ intent: name });
    else setIntent(name);
  };
  const confirmation =
    costly === null ? null : (
      <CostDialog
        card={card}
        intent={costly.intent}
        onClose={() => setCostly(null)}
        onConfirm={() => {
          setCostly(null);
          void act(costly);
        }}
      />
    );

  if (intent !== null) {
    const form = { submitLabel: words(intent), onCancel: () => setIntent(null) };
    const withData = (data: Fields): Promise<boolean> => act({ intent, data });
    const kind = inputOf(card, intent) === 'payload' ? kindOf(card.type) : undefined;
    if (kind !== undefined) return <PayloadForm {...form} kind={kind} before={card.payload} onSubmit={withData} />;
    const withText = (text: string): Promise<boolean> => {
      if (asStaff) return actOnce({ intent, reason: text });
      return actOnce(text === '' ? { intent } : { intent, data: { note: text } });
    };
    return (
      <>
        <NoteForm {...form} label={asStaff ? 'Reason' : 'Note'} required={asStaff} onSubmit={withText} />
        {confirmation}
      </>
    );
  }
  return (
    <div ref={box} className="card-buttons">
      <Choices intents={card.allowed ?? []} busy={busy} onPress={press} />
      {confirmation}
    </div>
  );
}

interface CostDialogProps {
  card: Card;
  intent: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Shows everything that the viewer agrees to before money moves. */
function CostDialog({ card, intent, onClose, onConfirm }: CostDialogProps) {
  return (
    <Dialog title={costQuestion(card, intent) ?? words(intent)} testId="cost-dialog" onClose={onClose}>
      <p>{cardTitle(card.type)}</p>
      <CardLines payload={card.payload} />
      <div className="dialog-actions">
        <button type="button" className="button" autoFocus onClick={onClose}>
          Not now
        </button>
        <button type="button" className="button primary" data-testid="cost-confirm" onClick={onConfirm}>
          {words(intent)}
        </button>
      </div>
    </Dialog>
  );
}

function Choices({ intents, busy, onPress }: { intents: readonly string[]; busy: boolean; onPress: (intent: string) => void }) {
  if (intents.length > kButtonsMax) {
    const label = (
      <>
        Respond <Icon name="chevron" size={14} />
      </>
    );
    return (
      <Menu label="Respond" named={false} className="button primary" testId="card-menu" button={label} disabled={busy}>
        {intents.map((name) => (
          <MenuItem key={name} testId="card-intent" data={{ 'data-intent': name }} onSelect={() => onPress(name)}>
            {words(name)}
          </MenuItem>
        ))}
      </Menu>
    );
  }
  return (
    <>
      {intents.map((name) => (
        <button
          key={name}
          type="button"
          className={kLeading.has(name) ? 'button primary' : 'button'}
          data-testid="card-intent"
          data-intent={name}
          disabled={busy}
          onClick={() => onPress(name)}
        >
          {words(name)}
        </button>
      ))}
    </>
  );
}
