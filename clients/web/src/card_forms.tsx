import type { Fields } from '@parley/sdk';
import { zoneName } from '@parley/shared';
import { useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent, type ReactNode } from 'react';
import { askedFor, initialOf, payloadOf, type CardField, type Typed } from './card_fields.js';
import type { CardKind } from './card_kinds.js';
import { problemsOf, refusalText } from './refusals.js';

/** The frame of a form: one submission at a time. */
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
    form.current?.scrollIntoView({ block: 'nearest' }); // the form may open below the visible part
    form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus({ preventScroll: true });
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

function Input({ field, value, problem, onChange }: { field: CardField; value: string; problem: string | undefined; onChange: (value: string) => void }) {
  const errorId = useId();
  const props = {
    'data-testid': field.testId ?? `card-field-${field.name}`,
    value,
    required: field.required === true,
    dir: field.input === 'long' || field.input === 'text' ? 'auto' : undefined,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : errorId,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => onChange(event.target.value),
  };
  const control = (): ReactNode => {
    switch (field.input) {
      case 'long':
        return <textarea rows={3} maxLength={field.max} {...props} />;
      case 'choice':
        return (
          <select {...props}>
            <option value="">Choose…</option>
            {field.choices?.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        );
      case 'check':
        return <input type="checkbox" {...props} value="on" checked={value === 'on'} onChange={(event) => onChange(event.target.checked ? 'on' : '')} />;
      case 'time':
        return <input type="datetime-local" {...props} />;
      case 'number':
        return <input type="number" min={field.min} max={field.max} {...props} />;
      case 'money':
        return <input inputMode="decimal" placeholder="0.00" maxLength={12} {...props} />;
      case 'text':
        return <input maxLength={field.max} placeholder={field.placeholder} {...props} />;
    }
  };
  return (
    <div className="field">
      <label className={field.input === 'check' ? 'field-check' : 'field'}>
        {field.input === 'time' ? `${field.label}, ${zoneName(Date.parse(value) || Date.now())}` : field.label}
        {control()}
      </label>
      {problem === undefined ? null : (
        <span id={errorId} className="form-error" data-testid="card-field-error">
          {problem}
        </span>
      )}
    </div>
  );
}

const kDue: CardField = { name: 'dueAt', label: 'To be settled by (optional)', input: 'time', testId: 'card-due-at' };

interface PayloadFormProps {
  kind: CardKind;
  /** The payload of the submission that this one replaces; it keeps the agreed fields. */
  before?: Fields;
  submitLabel: string;
  /** The error of the last submission. */
  refusal?: unknown;
  /** Includes a field for the deadline of the card. */
  deadline?: boolean;
  /** Resolves to true once accepted; otherwise the form stays open with the typed values. */
  onSubmit: (payload: Fields, dueAt: string | null) => Promise<boolean>;
  onCancel: () => void;
}

/** The form for the payload of a card of any kind. */
export function PayloadForm({ kind, before, submitLabel, refusal, deadline, onSubmit, onCancel }: PayloadFormProps) {
  const [typed, setTyped] = useState<Typed>(() => initialOf(kind.fields));
  const payload = payloadOf(kind.fields, typed, before);
  const [due, setDue] = useState('');
  const dueAt = payloadOf([kDue], { dueAt: due })?.['dueAt'] as string | undefined;
  const ready = payload !== null && (kind.fits?.(payload) ?? true) && (due === '' || dueAt !== undefined);
  const problems = problemsOf(refusal);
  return (
    <FormFrame submitLabel={submitLabel} ready={ready} onSubmit={() => onSubmit(payload!, dueAt ?? null)} onCancel={onCancel}>
      {askedFor(kind.fields, before).map((field) => (
        <Input
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          problem={problems[field.name]}
          onChange={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      {deadline === true ? <Input field={kDue} value={due} problem={problems['dueAt']} onChange={setDue} /> : null}
      {refusal === undefined || refusal === null ? null : (
        <p className="form-error" data-testid="card-form-error" role="alert">
          {refusalText(refusal)}
        </p>
      )}
    </FormFrame>
  );
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
        <input data-testid="card-note" dir="auto" maxLength={300} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
    </FormFrame>
  );
}
