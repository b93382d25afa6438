import { conflictingTab, type Fields, type Tab, type ThreadState } from '@parley/sdk';
import { useAttempt } from '@parley/shared';
import { useCallback, useState } from 'react';
import { useClient } from './client_context.js';

/** What a user wrote on top of `base`, and what somebody else had put there by then. */
export interface TabConflict {
  base: Tab;
  mine: Fields;
  theirs: Tab;
}

export interface TabEditing {
  conflict: TabConflict | null;
  busy: boolean;
  /** Writes `content`, based on `base`; true once it is the tab's. A conflict is kept to be settled. */
  save: (base: Tab, content: Fields) => Promise<boolean>;
  takeTheirs: () => void;
}

/** What every tab of the panel is given. */
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
