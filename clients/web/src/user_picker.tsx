import { useState, type FormEvent } from 'react';
import { Avatar } from './avatar.js';
import { nameFromId } from './format.js';
import { isUserId, kStaffRoles, type StaffRole } from './route.js';

const kDemoUsers = ['usr_alice', 'usr_bob', 'usr_carol', 'usr_dave'];

export function UserPicker({ onPick }: { onPick: (userId: string, role: StaffRole | null) => void }) {
  const [other, setOther] = useState('');
  const [role, setRole] = useState<StaffRole | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isUserId(other.trim())) onPick(other.trim(), role);
    else setComplaint('A user id has 1 to 64 letters, digits or _ . : -');
  };

  return (
    <main className="picker" data-testid="user-picker">
      <img className="picker-logo" src="/favicon.svg" alt="" width="48" height="48" />
      <h1>Parley</h1>
      <p className="muted">Who would you like to be? Open a second window as someone else and talk to yourself.</p>
      <ul className="picker-users">
        {kDemoUsers.map((userId) => (
          <li key={userId}>
            <button type="button" className="picker-user" data-user-id={userId} onClick={() => onPick(userId, null)}>
              <Avatar id={userId} />
              <span>
                <strong>{nameFromId(userId)}</strong>
                <span className="muted">{userId}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <form className="picker-other" onSubmit={submit} noValidate>
        <label htmlFor="other-user">Someone else</label>
        <div className="field-row">
          <input
            id="other-user"
            data-testid="user-picker-input"
            placeholder="usr_…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={other}
            aria-invalid={complaint !== null}
            aria-describedby={complaint === null ? undefined : 'other-user-complaint'}
            onChange={(event) => {
              setOther(event.target.value);
              setComplaint(null);
            }}
          />
          <select
            aria-label="Role"
            data-testid="user-picker-role"
            value={role ?? ''}
            onChange={(event) => setRole(kStaffRoles.find((known) => known === event.target.value) ?? null)}
          >
            <option value="">Member</option>
            {kStaffRoles.map((known) => (
              <option key={known} value={known}>
                Staff: {known}
              </option>
            ))}
          </select>
          <button type="submit" className="button primary">
            Continue
          </button>
        </div>
        {complaint === null ? null : (
          <p id="other-user-complaint" className="form-error" role="alert">
            {complaint}
          </p>
        )}
      </form>
    </main>
  );
}
