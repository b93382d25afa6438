import { conflictingTab, type Fields, type Tab, type ThreadState } from '@parley/sdk';
import { useAttempt } from '@parley/shared';
import { useCallback, useState } from 'react';
import { useClient } from './client_context.js';

/** The user's change based on `base`, and the version that another user saved first. */
export interface TabConflict {
  base: Tab;
  mine: Fields;
  theirs: Tab;
}

export interface TabEditing {
  conflict: TabConflict | null;
  busy: boolean;
  /** Writes `content`, based on `base`; returns true once saved. Keeps a conflict for the user to resolve. */
  save: (base: Tab, content: Fields) => Promise<boolean>;
  takeTheirs: () => void;
}

/** The props of every tab of the panel. */
export interface TabProps {
  thread: ThreadState;
  writable: boolean;
  editing: TabEditing;
}

export function useTabEditing(threadId: string): TabEditing {
  const client = useClient();
  const attempt = useAttempt();
  const [conflict, setConflict] = useState<TabConflict | null>(null);
  const [busy, setBusy] = useState(false);

  const save = useCallback(
    async (base: Tab, content: Fields): Promise<boolean> => {
      setBusy(true);
      let saved = false;
      await attempt(async () => {
        try {
          await client.project.putTab(threadId, base.tab, base.version, content);
          saved = true;
          setConflict(null);
        } catch (error) {
          const theirs = conflictingTab(error);
          if (theirs === null) throw error;
          setConflict({ base, mine: content, theirs });
        }
      });
      setBusy(false);
      return saved;
    },
    [client, attempt, threadId],
  );
  const takeTheirs = useCallback(() => setConflict(null), []);
  return { conflict, busy, save, takeTheirs };
}
