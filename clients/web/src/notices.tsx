import { hintOf } from '@parley/sdk';
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icons.js';

interface Notice {
  id: number;
  text: string;
}

const kShownMs = 8_000;
const kNoticesMax = 3;

/** Runs an action and shows the hint if it fails. */
type Attempt = (action: () => Promise<unknown> | void) => Promise<boolean>;

const AttemptContext = createContext<Attempt>(() => Promise.resolve(false));

export function useAttempt(): Attempt {
  return useContext(AttemptContext);
}

export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const lastId = useRef(0);

  const dismiss = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const attempt = useCallback<Attempt>(
    async (action) => {
      try {
        await action();
        return true;
      } catch (error) {
        const id = ++lastId.current;
        const text = hintOf(error);
        setNotices((all) => [...all.filter((notice) => notice.text !== text), { id, text }].slice(-kNoticesMax));
        setTimeout(() => dismiss(id), kShownMs);
        return false;
      }
    },
    [dismiss],
  );

  const list = useMemo(
    () =>
      notices.map((notice) => (
        <div key={notice.id} className="notice" data-testid="notice">
          <span>{notice.text}</span>
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(notice.id)}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )),
    [notices, dismiss],
  );

  return (
    <AttemptContext value={attempt}>
      {children}
      <div className="notices" role="alert">
        {list}
      </div>
    </AttemptContext>
  );
}
