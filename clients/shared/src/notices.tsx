import { hintOf } from '@parley/sdk';
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icons.js';

/** An action offered with a notice, such as undo. */
interface Remedy {
  label: string;
  action: () => unknown;
}

interface Notice {
  id: number;
  text: string;
  kind: 'error' | 'note';
  remedy: Remedy | null;
}

const kShownMs = 8_000;
const kNoticesMax = 3;

/** Runs an action and shows the hint if it fails. */
type Attempt = (action: () => Promise<unknown> | void) => Promise<boolean>;
type Note = (text: string, remedy?: Remedy) => void;

const AttemptContext = createContext<Attempt>(() => Promise.resolve(false));
const NoteContext = createContext<Note>(() => undefined);

export function useAttempt(): Attempt {
  return useContext(AttemptContext);
}

/** Confirms an action whose effect is not visible by itself. */
export function useNote(): Note {
  return useContext(NoteContext);
}

export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const lastId = useRef(0);

  const dismiss = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const show = useCallback(
    (notice: Omit<Notice, 'id'>) => {
      const id = ++lastId.current;
      setNotices((all) => [...all.filter(({ text }) => text !== notice.text), { ...notice, id }].slice(-kNoticesMax));
      setTimeout(() => dismiss(id), kShownMs);
    },
    [dismiss],
  );
  const note = useCallback<Note>((text, remedy) => show({ text, kind: 'note', remedy: remedy ?? null }), [show]);
  const attempt = useCallback<Attempt>(
    async (action) => {
      try {
        await action();
        return true;
      } catch (error) {
        show({ text: hintOf(error), kind: 'error', remedy: null });
        return false;
      }
    },
    [show],
  );

  const list = useMemo(
    () =>
      notices.map(({ id, text, kind, remedy }) => (
        <div key={id} className="notice" data-testid="notice" data-kind={kind}>
          <span dir="auto">{text}</span>
          {remedy === null ? null : (
            <button
              type="button"
              className="link-button"
              data-testid="notice-action"
              onClick={() => {
                dismiss(id);
                remedy.action();
              }}
            >
              {remedy.label}
            </button>
          )}
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )),
    [notices, dismiss],
  );

  return (
    <AttemptContext value={attempt}>
      <NoteContext value={note}>
        {children}
        <div className="notices" role="alert">
          {list}
        </div>
      </NoteContext>
    </AttemptContext>
  );
}
