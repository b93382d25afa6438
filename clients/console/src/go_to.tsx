import { Dialog, isId } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { usePlaces } from './place_context.js';
import type { Place } from './route.js';

/** Detects the kind of thing from a server-made id; any other id may be a user's. */
export function placeOfId(id: string): Place | null {
  const trimmed = id.trim();
  if (!isId(trimmed)) return null;
  if (trimmed.startsWith('case_')) return { view: 'case', id: trimmed };
  if (trimmed.startsWith('thrd_')) return { view: 'thread', id: trimmed };
  return { view: 'user', id: trimmed };
}

export function GoTo({ onClose }: { onClose: () => void }) {
  const { go } = usePlaces();
  const [id, setId] = useState('');
  const [complaint, setComplaint] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const place = placeOfId(id);
    if (place === null) return setComplaint('An id has 1 to 64 letters, digits or _ . : -');
    onClose();
    go(place);
  };
  return (
    <Dialog title="Go to" testId="go-to" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <label className="field">
          The id of a case, a user or a conversation
          <input
            data-testid="go-to-id"
            placeholder="case_…, usr_… or thrd_…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={id}
            aria-invalid={complaint !== null}
            aria-describedby={complaint === null ? undefined : 'go-to-complaint'}
            onChange={(event) => {
              setId(event.target.value);
              setComplaint(null);
            }}
          />
        </label>
        {complaint === null ? null : (
          <p id="go-to-complaint" className="form-error" role="alert">
            {complaint}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" data-testid="go-to-submit">
            Go
          </button>
        </div>
      </form>
    </Dialog>
  );
}
