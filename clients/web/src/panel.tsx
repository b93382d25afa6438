import { tabOf, type TabName, type ThreadState } from '@parley/sdk';
import { Icon, Name, nextItem, Skeleton } from '@parley/shared';
import { useState, type KeyboardEvent } from 'react';
import { BriefTab } from './brief_tab.js';
import { words } from './card_text.js';
import { ConflictView } from './conflict_view.js';
import { MoodboardTab, ShotlistTab } from './item_tabs.js';
import { ActionsTab, DocsTab, ExpensesTab, FilesTab } from './listed_tabs.js';
import { shotProgress } from './shots.js';
import { useTabEditing } from './tab_editing.js';

const kTabs: readonly TabName[] = ['brief', 'moodboard', 'shotlist', 'files', 'docs', 'expenses', 'actions'];

interface PanelProps {
  thread: ThreadState;
  writable: boolean;
  onClose: () => void;
}

/** The shared panel next to a project's chat. */
export function Panel({ thread, writable, onClose }: PanelProps) {
  const [shown, setShown] = useState<TabName>('brief');
  const shots = shotProgress(thread.panel);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = nextItem(event.key, kTabs.indexOf(shown), kTabs.length);
    if (to === null) return;
    event.preventDefault();
    setShown(kTabs[to]!);
    document.getElementById(`tab-${kTabs[to]!}`)?.focus();
  };
  return (
    <aside className="people panel" data-testid="panel" aria-label="Project panel">
      <header className="people-header">
        <h2>Project</h2>
        {shots ? (
          <span className="chip" data-testid="shot-progress">
            {shots.done} of {shots.total} shots
          </span>
        ) : null}
        <button type="button" className="icon-button" aria-label="Close panel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="panel-tabs" role="tablist" onKeyDown={onKeyDown}>
        {kTabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === shown}
            tabIndex={tab === shown ? 0 : -1}
            aria-controls="tab-content"
            data-testid={`tab-${tab}`}
            onClick={() => setShown(tab)}
          >
            {words(tab)}
          </button>
        ))}
      </div>
      {thread.loaded ? <TabPane key={shown} thread={thread} tab={shown} writable={writable} /> : <Skeleton of="panel" rows={4} />}
    </aside>
  );
}

function TabPane({ thread, tab: name, writable }: { thread: ThreadState; tab: TabName; writable: boolean }) {
  const editing = useTabEditing(thread.threadId);
  const tab = tabOf(thread.panel, name);
  const { conflict } = editing;
  const View = { brief: BriefTab, moodboard: MoodboardTab, shotlist: ShotlistTab, files: FilesTab, docs: DocsTab, expenses: ExpensesTab, actions: ActionsTab }[name];
  return (
    <div className="panel-content" role="tabpanel" id="tab-content" aria-labelledby={`tab-${name}`} data-testid="tab-content" data-tab={name} data-version={tab.version}>
      {conflict !== null ? (
        <ConflictView
          key={conflict.theirs.version}
          conflict={conflict}
          busy={editing.busy}
          onMerge={(content) => void editing.save(conflict.theirs, content)}
          onTheirs={editing.takeTheirs}
        />
      ) : (
        <View thread={thread} writable={writable} editing={editing} />
      )}
      {tab.version > 0 && name !== 'actions' ? (
        <p className="muted panel-version" data-testid="tab-version">
          Version {tab.version}, by <Name id={tab.updatedBy} />
        </p>
      ) : null}
    </div>
  );
}
