import type { Entry } from '@parley/sdk';
import { Dialog, useAttempt, utf8Length } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { useClient } from './client_context.js';
import { knownLabels } from './labels.js';

const kLabelBytes = 64;

/** Edits the label of an entry. Labels are private to the viewer. */
export function LabelDialog({ entry, title, onClose }: { entry: Entry; title: string; onClose: () => void }) {
  const client = useClient();
  const attempt = useAttempt();
  const [text, setText] = useState(entry.label ?? '');
  const label = text.trim();
  const tooLong = utf8Length(label) > kLabelBytes;
  const save = (next: string | null): void => {
    void attempt(() => client.setEntry(entry.threadId, { label: next })).then((saved) => (saved ? onClose() : undefined));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!tooLong) save(label === '' ? null : label);
  };
  return (
    <Dialog title={`Label for ${title}`} testId="label-dialog" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          Label, visible only to you
          <input
            data-testid="label-input"
            dir="auto"
            list="known-labels"
            autoComplete="off"
            autoFocus
            value={text}
            aria-invalid={tooLong}
            onChange={(event) => setText(event.target.value)}
          />
          <datalist id="known-labels">
            {knownLabels(client.state.inbox).map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </label>
        {tooLong ? (
          <p className="form-error" role="alert">
            A label has at most {kLabelBytes} bytes.
          </p>
        ) : null}
        <div className="dialog-actions">
          {entry.label === null ? null : (
            <button type="button" className="button" data-testid="label-remove" onClick={() => save(null)}>
              Remove
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" data-testid="label-save" disabled={tooLong}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
