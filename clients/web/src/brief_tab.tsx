import { tabOf, type Fields, type Tab } from '@parley/sdk';
import { Name } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import { cardLines, words } from './card_text.js';
import type { TabProps } from './tab_editing.js';
import { withField } from './brief.js';

const kFields: readonly { name: string; kind: 'line' | 'text' | 'list'; max: number }[] = [
  { name: 'title', kind: 'line', max: 200 },
  { name: 'goals', kind: 'text', max: 4_000 },
  { name: 'moodNotes', kind: 'text', max: 4_000 },
  { name: 'mustHaveShots', kind: 'list', max: 20_000 },
  { name: 'constraints', kind: 'list', max: 20_000 },
  { name: 'budgetNotes', kind: 'text', max: 4_000 },
];

export function BriefTab({ thread, writable, editing }: TabProps) {
  const tab = tabOf(thread.panel, 'brief');
  const [base, setBase] = useState<Tab | null>(null);
  if (base !== null) return <BriefForm base={base} current={tab} editing={editing} onDone={() => setBase(null)} />;
  return (
    <>
      {tab.version === 0 ? <p className="muted">The brief is still empty.</p> : null}
      <dl className="card-lines" data-testid="brief">
        {cardLines(tab.content).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {writable ? (
        <button type="button" className="button" data-testid="brief-edit" onClick={() => setBase(tab)}>
          Edit
        </button>
      ) : null}
    </>
  );
}

/** The content being typed, based on the version at the time the form was opened. */
function BriefForm({ base, current, editing, onDone }: { base: Tab; current: Tab; editing: TabProps['editing']; onDone: () => void }) {
  const [content, setContent] = useState<Fields>(base.content);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await editing.save(base, content)) onDone();
  };
  return (
    <form className="card-form" data-testid="brief-form" onSubmit={(event) => void submit(event)}>
      {current.version > base.version ? (
        <p className="form-error" data-testid="brief-stale" role="status">
          <Name id={current.updatedBy} /> has changed the brief. You will see both versions when you save.
        </p>
      ) : null}
      {kFields.map(({ name, kind, max }) => {
        const value = content[name];
        const text = Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : '';
        const change = (typed: string): void => setContent(withField(content, name, kind === 'list', typed));
        const props = { 'data-testid': `brief-${name}`, maxLength: max, dir: 'auto', defaultValue: text };
        return (
          <label key={name} className="field">
            {words(name)}
            {kind === 'list' ? ' (one per line)' : ''}
            {kind === 'line' ? (
              <input {...props} onChange={(event) => change(event.target.value)} />
            ) : (
              <textarea rows={3} {...props} onChange={(event) => change(event.target.value)} />
            )}
          </label>
        );
      })}
      <div className="card-buttons">
        <button type="submit" className="button primary" data-testid="brief-save" disabled={editing.busy}>
          Save
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
