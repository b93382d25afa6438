import { Avatar, Icon, isComposing, Name, useNames } from '@parley/shared';
import { useState, type FocusEvent, type KeyboardEvent } from 'react';
import { splitPeople } from './new_thread.js';

const kOfferedMax = 6;

/** Returns true if a word of the name, or the id, begins with the typed text. */
export function matches(typed: string, id: string, name: string): boolean {
  const wanted = typed.trim().toLocaleLowerCase();
  return [id, ...name.split(/\s+/)].some((word) => word.toLocaleLowerCase().startsWith(wanted));
}

interface PeopleFieldProps {
  people: readonly string[];
  /** Suggested people. */
  known: readonly string[];
  onChange: (people: string[]) => void;
  invalid: boolean;
  describedBy: string | undefined;
}

/**
 * People as chips: each typed or pasted id becomes a chip at a comma, a blank, Enter, or when the field loses the
 * focus.
 */
export function PeopleField({ people, known, onChange, invalid, describedBy }: PeopleFieldProps) {
  const nameOf = useNames();
  const [typed, setTyped] = useState('');
  const add = (text: string): void => {
    setTyped('');
    const more = splitPeople(text).filter((id) => !people.includes(id));
    if (more.length > 0) onChange([...people, ...more]);
  };
  const choose = (id: string): void => {
    setTyped('');
    onChange([...people, id]);
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
  /** If the focus moves to a suggestion, the typed text is the beginning of its name and not an id. */
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (currentTarget.closest('.field')!.contains(relatedTarget)) return;
    add(typed);
  };
  const offered = known.filter((id) => !people.includes(id) && matches(typed, id, nameOf(id))).slice(0, kOfferedMax);
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
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
      </div>
      {offered.length === 0 ? null : (
        <div className="people-known" role="group" aria-label="People you know">
          {offered.map((id) => (
            <button key={id} type="button" className="chip" data-testid="known-person" data-user-id={id} onClick={() => choose(id)}>
              <Name id={id} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
