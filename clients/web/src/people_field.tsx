import { Avatar, Icon, isComposing, Name, useNames } from '@parley/shared';
import { useState, type KeyboardEvent } from 'react';
import { splitPeople } from './new_thread.js';

interface PeopleFieldProps {
  people: readonly string[];
  /** Whom to offer. */
  known: readonly string[];
  onChange: (people: string[]) => void;
  invalid: boolean;
  describedBy: string | undefined;
}

/** People as chips: typed or pasted ids become one each at a comma, a blank, Enter, or when the field is left. */
export function PeopleField({ people, known, onChange, invalid, describedBy }: PeopleFieldProps) {
  const nameOf = useNames();
  const [typed, setTyped] = useState('');
  const add = (text: string): void => {
    setTyped('');
    const more = splitPeople(text).filter((id) => !people.includes(id));
    if (more.length > 0) onChange([...people, ...more]);
  };
  const type = (text: string): void => {
    if (/[\s,;]/.test(text)) add(text);
    else setTyped(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && typed !== '') {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '' && people.length > 0) {
      onChange(people.slice(0, -1));
    }
  };
  const offered = known.filter((id) => !people.includes(id)).slice(0, 6);
  return (
    <div className="field">
      <label htmlFor="new-thread-people">With</label>
      <div className="people-box" data-invalid={invalid}>
        {people.map((id) => (
          <span key={id} className="person-chip" data-testid="new-thread-person" data-user-id={id}>
            <Avatar id={id} />
            <span dir="auto"><Name id={id} /></span>
            <button type="button" aria-label={`Remove ${nameOf(id)}`} onClick={() => onChange(people.filter((other) => other !== id))}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          id="new-thread-people"
          data-testid="new-thread-user"
          placeholder={people.length === 0 ? 'usr_…' : 'and …'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={typed}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => type(event.target.value)}
          onBlur={() => add(typed)}
          onKeyDown={onKeyDown}
        />
      </div>
      {offered.length === 0 ? null : (
        <div className="people-known" role="group" aria-label="People you know">
          {offered.map((id) => (
            <button key={id} type="button" className="chip" data-testid="known-person" data-user-id={id} onClick={() => onChange([...people, id])}>
              <Name id={id} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
