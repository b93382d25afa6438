import { isComposing, isId } from '@parley/shared';
import { useEffect, useId, useRef, useState, type Ref } from 'react';

interface IdFieldProps {
  words: string;
  hint: string;
  testId: string;
  value: string | undefined;
  narrow: (id: string) => void;
  input?: Ref<HTMLInputElement>;
}

/** Filters a list by an id once the id is complete; keeps the focus. */
export function IdField({ words, hint, testId, value = '', narrow, input }: IdFieldProps) {
  const [text, setText] = useState(value);
  const [bad, setBad] = useState(false);
  const complaint = useId();
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    setText(value);
    setBad(false);
  }, [value]);
  const take = (): void => {
    const id = text.trim();
    setBad(id !== '' && !isId(id));
    if (id !== value && (id === '' || isId(id))) narrow(id);
  };
  return (
    <label className="filter-field">
      {words}
      <input
        ref={input}
        data-testid={testId}
        placeholder={hint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        aria-invalid={bad}
        aria-describedby={bad ? complaint : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setBad(false);
        }}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event.nativeEvent)) take();
        }}
      />
      {bad ? (
        <span id={complaint} className="form-error" role="alert">
          This is not an id.
        </span>
      ) : null}
    </label>
  );
}
