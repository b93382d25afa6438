import { newClientId } from '@parley/sdk';
import { Dialog, useNames } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { useClient } from './client_context.js';
import { isBlocked } from './closing.js';
import { askedFor, complaintAbout, kChoices, kindOfChoice, startRefusal, unknownPeople, type Choice } from './new_thread.js';
import { PeopleField } from './people_field.js';

interface NewThreadDialogProps {
  userId: string;
  /** Suggested people, the most recent first. */
  known: readonly string[];
  /** The price of contacting a stranger, in words; null: free. */
  credits: string | null;
  onClose: () => void;
  onCreated: (threadId: string) => void;
}

export function NewThreadDialog({ userId, known, credits, onClose, onCreated }: NewThreadDialogProps) {
  const client = useClient();
  const nameOf = useNames();
  // One id for this form: pressing the button again after a lost reply opens the same thread, not a second one.
  const [clientId, setClientId] = useState(newClientId);
  const [choice, setChoice] = useState<Choice>('message');
  const [people, setPeople] = useState<readonly string[]>([]);
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  // Answers that the recipient requires from strangers, by name, after the server has asked for them.
  const [contact, setContact] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<string | null>(null);
  const kind = kindOfChoice(choice, people.length);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = complaintAbout(people, userId, kind);
    setComplaint(wrong);
    if (wrong !== null) return;
    setBusy(true);
    const said = Object.entries(contact).map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== '');
    try {
      const optional = {
        ...(subject.trim() === '' || kind === 'direct' ? {} : { subject: subject.trim() }),
        ...(message.trim() === '' ? {} : { firstMessage: message.trim() }),
        ...(said.length === 0 ? {} : { contact: Object.fromEntries(said) }),
      };
      onCreated(await client.createThread({ kind, otherUserIds: people, clientId, ...optional }));
    } catch (error) {
      setComplaint(unknownPeople(error, people, kind) ?? startRefusal(error, people.filter((id) => isBlocked(client.state, id)).map(nameOf)));
      setContact((held) => ({ ...Object.fromEntries(askedFor(error).map((name) => [name, ''])), ...held }));
      setBusy(false);
    }
  };

  /** Different content means a different thread. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setClientId(newClientId());
    };

  return (
    <Dialog title="New conversation" testId="new-thread-dialog" onClose={onClose}>
      <form data-testid="new-thread-form" data-kind={kind} onSubmit={(event) => void submit(event)} noValidate>
        <fieldset className="segmented">
          <legend className="visually-hidden">Kind</legend>
          {kChoices.map((offered) => (
            <label key={offered.choice}>
              <input
                type="radio"
                name="kind"
                data-testid={`new-thread-kind-${offered.choice}`}
                checked={choice === offered.choice}
                onChange={() => changing(setChoice)(offered.choice)}
              />
              <span>{offered.label}</span>
            </label>
          ))}
        </fieldset>
        <p className="muted">{kChoices.find((offered) => offered.choice === choice)!.hint}</p>
        <PeopleField
          people={people}
          known={known}
          onChange={changing(setPeople)}
          invalid={complaint !== null}
          describedBy={complaint === null ? undefined : 'new-thread-complaint'}
        />
        {kind === 'direct' ? null : (
          <label className="field">
            {kind === 'group' ? 'Name of the group' : 'Subject'}
            <input
              data-testid="new-thread-subject"
              dir="auto"
              maxLength={200}
              value={subject}
              onChange={(event) => changing(setSubject)(event.target.value)}
            />
          </label>
        )}
        <label className="field">
          First message
          <textarea
            data-testid="new-thread-message"
            dir="auto"
            rows={3}
            value={message}
            onChange={(event) => changing(setMessage)(event.target.value)}
          />
        </label>
        {Object.entries(contact).map(([name, value]) => (
          <label key={name} className="field">
            <span dir="auto">They ask for: {name}</span>
            <input
              data-testid="new-thread-contact"
              data-field={name}
              dir="auto"
              maxLength={200}
              value={value}
              onChange={(event) => changing(setContact)({ ...contact, [name]: event.target.value })}
            />
          </label>
        ))}
        {credits === null ? null : (
          <p className="muted" data-testid="new-thread-credits">
            {kind === 'group' ? 'People who do not know you receive a request, and join after they accept it.' : credits}
          </p>
        )}
        {complaint === null ? null : (
          <p id="new-thread-complaint" className="form-error" role="alert">
            {complaint}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" data-testid="new-thread-submit" disabled={busy}>
            {busy ? 'Starting…' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
