import { hintOf, newClientId, type ThreadKind } from '@parley/sdk';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useClient } from './client_context.js';
import { isUserId } from './route.js';

interface NewThreadDialogProps {
  userId: string;
  onClose: () => void;
  onCreated: (threadId: string) => void;
}

const kPeople = ['usr_alice', 'usr_bob', 'usr_carol', 'usr_dave'];

export function NewThreadDialog({ userId, onClose, onCreated }: NewThreadDialogProps) {
  const client = useClient();
  const dialog = useRef<HTMLDialogElement>(null);
  // One id for this form: pressing the button again after a lost answer opens the same thread, not a second one.
  const [clientId, setClientId] = useState(newClientId);
  const [kind, setKind] = useState<ThreadKind>('inquiry');
  const [other, setOther] = useState('');
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<string | null>(null);

  useEffect(() => dialog.current?.showModal(), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const otherUserId = other.trim();
    if (!isUserId(otherUserId)) return setComplaint('Say whom to talk to: 1 to 64 letters, digits or _ . : -');
    if (otherUserId === userId) return setComplaint('A conversation needs someone else.');
    setBusy(true);
    setComplaint(null);
    try {
      const optional = {
        ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
        ...(message.trim() === '' ? {} : { firstMessage: message.trim() }),
      };
      onCreated(await client.createThread({ kind, otherUserId, clientId, ...optional }));
    } catch (error) {
      setComplaint(hintOf(error));
      setBusy(false);
    }
  };

  /** Another content is another thread. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setClientId(newClientId());
    };

  return (
    <dialog className="dialog" ref={dialog} onClose={onClose} aria-labelledby="new-thread-title">
      <form data-testid="new-thread-form" onSubmit={(event) => void submit(event)} noValidate>
        <h2 id="new-thread-title">New conversation</h2>
        <fieldset className="segmented">
          <legend className="visually-hidden">Kind</legend>
          {(['inquiry', 'project'] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="kind"
                data-testid={`new-thread-kind-${value}`}
                checked={kind === value}
                onChange={() => changing(setKind)(value)}
              />
              <span>{value === 'inquiry' ? 'Inquiry' : 'Project'}</span>
            </label>
          ))}
        </fieldset>
        <label className="field">
          With
          <input
            data-testid="new-thread-user"
            list="known-people"
            placeholder="usr_…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={other}
            onChange={(event) => changing(setOther)(event.target.value)}
          />
          <datalist id="known-people">
            {kPeople
              .filter((id) => id !== userId)
              .map((id) => (
                <option key={id} value={id} />
              ))}
          </datalist>
        </label>
        <label className="field">
          Subject
          <input
            data-testid="new-thread-subject"
            maxLength={200}
            value={subject}
            onChange={(event) => changing(setSubject)(event.target.value)}
          />
        </label>
        <label className="field">
          First message
          <textarea
            data-testid="new-thread-message"
            rows={3}
            value={message}
            onChange={(event) => changing(setMessage)(event.target.value)}
          />
        </label>
        {complaint === null ? null : (
          <p className="form-error" role="alert">
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
    </dialog>
  );
}
