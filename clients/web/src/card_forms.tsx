import type { Fields } from '@parley/sdk';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';

interface PayloadFormProps {
  submitLabel: string;
  /** True once it was taken; else the form stays, with what was typed. */
  onSubmit: (payload: Fields) => Promise<boolean>;
  onCancel: () => void;
}

/** A form's frame: one submission at a time. */
function FormFrame({ submitLabel, ready, onSubmit, onCancel, children }: {
  submitLabel: string;
  ready: boolean;
  onSubmit: () => Promise<boolean>;
  onCancel: () => void;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' }); // it may open below what is in view
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    if (!(await onSubmit())) setBusy(false);
  };
  return (
    <form ref={form} className="card-form" data-testid="card-form" onSubmit={(event) => void submit(event)}>
      {children}
      <div className="card-buttons">
        <button type="submit" className="button primary" data-testid="card-form-submit" disabled={busy || !ready}>
          {submitLabel}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function optional(name: string, text: string): Fields {
  return text.trim() === '' ? {} : { [name]: text.trim() };
}

export function ScheduleForm({ submitLabel, onSubmit, onCancel }: PayloadFormProps) {
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [reason, setReason] = useState('');
  const [from, until] = [Date.parse(start), Date.parse(end)];
  const payload = (): Fields => ({
    newStart: new Date(from).toISOString(),
    newEnd: new Date(until).toISOString(),
    ...optional('reason', reason),
  });
  return (
    <FormFrame submitLabel={submitLabel} ready={from < until} onSubmit={() => onSubmit(payload())} onCancel={onCancel}>
      <label className="field">
        From
        <input type="datetime-local" data-testid="schedule-start" value={start} onChange={(event) => setStart(event.target.value)} />
      </label>
      <label className="field">
        Until
        <input type="datetime-local" data-testid="schedule-end" value={end} onChange={(event) => setEnd(event.target.value)} />
      </label>
      <label className="field">
        Reason
        <input data-testid="schedule-reason" maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
    </FormFrame>
  );
}

/** `before`: the payload of the submission that this one takes the place of; what was agreed then stays. */
export function ProofsForm({ submitLabel, before, onSubmit, onCancel }: PayloadFormProps & { before?: Fields }) {
  const [manifest, setManifest] = useState('');
  const [note, setNote] = useState('');
  const [revisions, setRevisions] = useState('2');
  const agreed = before === undefined ? { maxRevisions: Number(revisions) } : pick(before, 'maxRevisions');
  const payload = (): Fields => ({ manifestRef: manifest.trim(), ...agreed, ...optional('note', note) });
  return (
    <FormFrame submitLabel={submitLabel} ready={manifest.trim() !== ''} onSubmit={() => onSubmit(payload())} onCancel={onCancel}>
      <label className="field">
        Manifest
        <input
          data-testid="proofs-manifest"
          placeholder="where the proofs are listed"
          maxLength={1024}
          value={manifest}
          onChange={(event) => setManifest(event.target.value)}
        />
      </label>
      {before !== undefined ? null : (
        <label className="field">
          Revisions included
          <input type="number" data-testid="proofs-revisions" min={0} max={20} value={revisions} onChange={(event) => setRevisions(event.target.value)} />
        </label>
      )}
      <label className="field">
        Note
        <input data-testid="proofs-note" maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
    </FormFrame>
  );
}

function pick(fields: Fields, name: string): Fields {
  return fields[name] === undefined || fields[name] === null ? {} : { [name]: fields[name] };
}

export function NoteForm({ label, submitLabel, required, onSubmit, onCancel }: {
  label: string;
  submitLabel: string;
  required: boolean;
  onSubmit: (text: string) => Promise<boolean>;
  onCancel: () => void;
}) {
  const [text, setText] = useState('');
  const ready = !required || text.trim() !== '';
  return (
    <FormFrame submitLabel={submitLabel} ready={ready} onSubmit={() => onSubmit(text.trim())} onCancel={onCancel}>
      <label className="field">
        {label}
        <input data-testid="card-note" maxLength={300} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </label>
    </FormFrame>
  );
}
