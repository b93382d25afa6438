import { useState, type FormEvent, type ReactNode } from 'react';
import { refusalOf } from './refusal.js';

interface ReasonFormProps {
  testId: string;
  /** The text of the button. */
  verb: string;
  /** Fields above the reason. */
  children?: ReactNode;
  /** An error in those fields, or null. */
  problem?: string | null;
  /** The initial reason. */
  first?: string;
  act: (reason: string) => Promise<void>;
}

/** A staff action that requires a reason. */
export function ReasonForm({ testId, verb, children, problem = null, first = '', act }: ReasonFormProps) {
  const [reason, setReason] = useState(first);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    const wrong = problem ?? (reason.trim() === '' ? 'Give a reason: it is kept in the audit.' : null);
    setComplaint(wrong);
    if (wrong !== null || busy) return;
    setBusy(true);
    try {
      await act(reason.trim());
      setReason('');
    } catch (error) {
      setComplaint(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form className="reason-form" data-testid={testId} onSubmit={onSubmit} noValidate>
      {children}
      <label className="field">
        Reason
        <input
          data-testid={`${testId}-reason`}
          maxLength={1000}
          autoComplete="off"
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setComplaint(null);
          }}
        />
      </label>
      {complaint === null ? null : (
        <p className="form-error" role="alert" data-testid={`${testId}-error`}>
          {complaint}
        </p>
      )}
      <button type="submit" className="button" data-testid={`${testId}-submit`} disabled={busy}>
        {verb}
      </button>
    </form>
  );
}
