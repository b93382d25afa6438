import type { Fields } from '@parley/sdk';
import { Name } from '@parley/shared';
import { useMemo, useState } from 'react';
import { words } from './card_text.js';
import { mergeContents, summary, type Difference } from './merge.js';
import type { TabConflict } from './tab_editing.js';

interface ConflictViewProps {
  conflict: TabConflict;
  busy: boolean;
  onMerge: (content: Fields) => void;
  onTheirs: () => void;
}

function decided(changed: Difference['changed']): changed is 'mine' | 'theirs' {
  return changed === 'mine' || changed === 'theirs';
}

/** Both versions side by side. Changes of only one side merge by themselves; the viewer chooses the rest here. */
export function ConflictView({ conflict, busy, onMerge, onTheirs }: ConflictViewProps) {
  const { base, mine, theirs } = conflict;
  const merge = useMemo(() => mergeContents(base.content, mine, theirs.content), [base, mine, theirs]);
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});

  const merged = (): Fields => {
    const content = { ...merge.content };
    for (const { name, mine: own, theirs: other, changed } of merge.differences) {
      if (decided(changed) || chosen[name] === undefined) continue;
      const value = chosen[name] === 'mine' ? own : other;
      if (value === undefined) delete content[name];
      else content[name] = value;
    }
    return content;
  };

  return (
    <section className="conflict" data-testid="tab-conflict" role="alertdialog" aria-label="Conflicting changes">
      <p>
        <strong><Name id={theirs.updatedBy} /></strong> changed this tab while you were writing. Choose what to keep.
      </p>
      {merge.differences.map(({ name, mine: own, theirs: other, changed }) => {
        const kept = decided(changed) ? changed : (chosen[name] ?? (changed === 'both' ? 'mine' : null));
        const version = (side: 'mine' | 'theirs', value: unknown) => (
          <button
            type="button"
            className="conflict-version"
            data-testid={`conflict-${side}`}
            aria-pressed={kept === side}
            disabled={decided(changed)}
            onClick={() => setChosen({ ...chosen, [name]: side })}
          >
            <span className="muted">{side === 'mine' ? 'Yours' : 'Theirs'}</span>
            <span className="conflict-value" dir="auto">{summary(value)}</span>
          </button>
        );
        return (
          <div key={name} className="conflict-field" data-testid="conflict-field" data-field={name} data-changed={changed}>
            <h4>
              {words(name)} {changed === 'merged' ? <span className="muted">(both are kept unless you choose one)</span> : null}
            </h4>
            <div className="conflict-versions">
              {version('mine', own)}
              {version('theirs', other)}
            </div>
          </div>
        );
      })}
      <div className="card-buttons">
        <button type="button" className="button primary" data-testid="conflict-merge" disabled={busy} onClick={() => onMerge(merged())}>
          Save merged
        </button>
        <button type="button" className="button" data-testid="conflict-take-theirs" disabled={busy} onClick={onTheirs}>
          Take theirs
        </button>
      </div>
    </section>
  );
}
