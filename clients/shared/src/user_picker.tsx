import { useState, type FormEvent } from 'react';
import { Avatar } from './avatar.js';
import { nameFromId } from './format.js';
import { isId, kStaffRoles, staffRoleOf, type StaffRole } from './ids.js';

const kDemoUsers = ['usr_alice', 'usr_bob', 'usr_carol', 'usr_dave'];

interface UserPickerProps {
  title: string;
  text: string;
  users?: readonly string[];
  /** The page is for staff, so members cannot be chosen. */
  staffOnly?: boolean;
  onPick: (userId: string, role: StaffRole | null) => void;
}

/** Lets a demo's visitor choose a user. */
export function UserPicker({ title, text, users = kDemoUsers, staffOnly = false, onPick }: UserPickerProps) {
  const [other, setOther] = useState('');
  const [role, setRole] = useState<StaffRole | null>(staffOnly ? 'moderator' : null);
  const [complaint, setComplaint] = useState<string | null>(null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isId(other.trim())) onPick(other.trim(), role);
    else setComplaint('A user id has 1 to 64 letters, digits or _ . : -');
  };

  return (
    <main className="picker" data-testid="user-picker">
      <img className="picker-logo" src="/favicon.svg" alt="" width="48" height="48" />
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <ul className="picker-users">
        {users.map((userId) => (
          <li key={userId}>
            <button type="button" className="picker-user" data-user-id={userId} onClick={() => onPick(userId, staffOnly ? 'moderator' : null)}>
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
            onChange={(event) => setRole(staffRoleOf(event.target.value))}
          >
            {staffOnly ? null : <option value="">Member</option>}
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
