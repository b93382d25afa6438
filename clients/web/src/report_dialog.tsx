import { hintOf, type ReportArgs, type ReportReply } from '@parley/sdk';
import { Dialog, kReportReasons, utf8Length } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { useClient } from './client_context.js';

/** A message, a user (met in a thread), or a thread. */
export type ReportSubject = Pick<ReportArgs, 'threadId' | 'messageId' | 'userId'>;

const kNotesBytes = 2_000;
const kSeverities = [
  ['low', 'Not urgent'],
  ['medium', 'Needs attention soon'],
  ['high', 'A person may come to harm'],
  ['critical', 'A person is in danger now'],
] as const;

interface ReportDialogProps {
  about: ReportSubject;
  /** The object of “Report …”. */
  what: string;
  onClose: () => void;
}

/** Sends a report to the moderators. Only they see it, so nothing else on the page changes. */
export function ReportDialog({ about, what, onClose }: ReportDialogProps) {
  const [sent, setSent] = useState<ReportReply | null>(null);
  return (
    <Dialog title={`Report ${what}`} testId="report-dialog" onClose={onClose}>
      {sent === null ? <ReportForm about={about} onSent={setSent} onClose={onClose} /> : <ReportSent reply={sent} onClose={onClose} />}
    </Dialog>
  );
}

function ReportForm({ about, onSent, onClose }: { about: ReportSubject; onSent: (reply: ReportReply) => void; onClose: () => void }) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const [severity, setSeverity] = useState('');
  const [notes, setNotes] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (reason === '') return setComplaint('Choose what is wrong.');
    if (utf8Length(notes.trim()) > kNotesBytes) return setComplaint(`The notes are too long: they have at most ${kNotesBytes} bytes.`);
    setBusy(true);
    try {
      const chosen = kSeverities.find(([value]) => value === severity)?.[0];
      onSent(await client.safety.report({ ...about, reason, notes: notes.trim(), ...(chosen === undefined ? {} : { severity: chosen }) }));
    } catch (error) {
      setComplaint(hintOf(error));
      setBusy(false);
    }
  };
  const described = complaint === null ? undefined : 'report-complaint';
  return (
    <form data-testid="report-form" onSubmit={(event) => void submit(event)} noValidate>
      <p className="muted">Only the moderators see the report and that you sent it.</p>
      <label className="field">
        What is wrong?
        <select
          data-testid="report-reason"
          autoFocus
          required
          value={reason}
          aria-invalid={complaint !== null && reason === ''}
          aria-describedby={described}
          onChange={(event) => setReason(event.target.value)}
        >
          <option value="" disabled>
            Choose…
          </option>
          {kReportReasons.map((one) => (
            <option key={one.reason} value={one.reason}>
              {one.label}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        How urgent is it? (optional)
        <select data-testid="report-severity" value={severity} onChange={(event) => setSeverity(event.target.value)}>
          <option value="">I cannot say</option>
          {kSeverities.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Notes for the moderators (optional)
        <textarea data-testid="report-notes" dir="auto" rows={3} value={notes} aria-describedby={described} onChange={(event) => setNotes(event.target.value)} />
      </label>
      {complaint === null ? null : (
        <p id="report-complaint" className="form-error" role="alert">
          {complaint}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" data-testid="report-submit" disabled={busy}>
          {busy ? 'Sending…' : 'Send report'}
        </button>
      </div>
    </form>
  );
}

function ReportSent({ reply: { caseId, status }, onClose }: { reply: ReportReply; onClose: () => void }) {
  const ended = status === 'resolved' || status === 'rejected';
  return (
    <>
      <div role="status" data-testid="report-sent" data-case-id={caseId} data-status={status}>
        <p>{ended ? 'You reported this before, and the moderators have decided.' : 'Your report has been sent to the moderators.'}</p>
        <p className="muted">If you report it again, the report is added to the same case.</p>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-testid="report-close" autoFocus onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
