import { newClientId, tabOf, type Fields } from '@parley/sdk';
import { Icon } from '@parley/shared';
import { useState, type FormEvent } from 'react';
import type { TabProps } from './tab_editing.js';
import { shotsOf, type Shot } from './shots.js';

interface Pin extends Fields {
  id: string;
  attribution: string;
  nsfwBand: number;
  url?: string;
  caption?: string;
  /** Its picture is hidden from this viewer. Writing the pin back unchanged keeps the picture. */
  withheld?: boolean;
}

function pinsOf(content: Fields): Pin[] {
  return Array.isArray(content['pins']) ? (content['pins'] as Pin[]) : [];
}

export function ShotlistTab({ thread, writable, editing }: TabProps) {
  const tab = tabOf(thread.panel, 'shotlist');
  const shots = shotsOf(thread.panel);
  const put = (next: Shot[]): Promise<boolean> => editing.save(tab, { ...tab.content, shots: next });
  const toggled = (shot: Shot): Shot => ({ ...shot, status: shot.status === 'done' ? 'todo' : 'done' });
  return (
    <>
      {shots.length === 0 ? <p className="muted">No shots yet.</p> : null}
      <ul className="panel-list">
        {shots.map((shot) => (
          <li key={shot.id} data-testid="shot" data-status={shot.status}>
            <label>
              <input
                type="checkbox"
                checked={shot.status === 'done'}
                disabled={!writable || editing.busy}
                onChange={() => void put(shots.map((other) => (other.id === shot.id ? toggled(other) : other)))}
              />
              <span dir="auto">{shot.name}</span>
            </label>
            {writable ? <Remove busy={editing.busy} name={shot.name} onRemove={() => void put(shots.filter(({ id }) => id !== shot.id))} /> : null}
          </li>
        ))}
      </ul>
      {writable ? (
        <AddItem
          fields={[{ name: 'name', label: 'Shot', max: 60 }]}
          busy={editing.busy}
          onAdd={({ name }) => put([...shots, { id: newClientId(), name: name!, status: 'todo' }])}
        />
      ) : null}
    </>
  );
}

export function MoodboardTab({ thread, writable, editing }: TabProps) {
  const tab = tabOf(thread.panel, 'moodboard');
  const pins = pinsOf(tab.content);
  const put = (next: Pin[]): Promise<boolean> => editing.save(tab, { ...tab.content, pins: next });
  const up = (at: number): Pin[] => [...pins.slice(0, at - 1), pins[at]!, pins[at - 1]!, ...pins.slice(at + 1)];
  return (
    <>
      {pins.length === 0 ? <p className="muted">No pins yet.</p> : null}
      <ol className="panel-list">
        {pins.map((pin, at) => (
          <li key={pin.id} data-testid="pin">
            <span dir="auto">
              {pin.caption ?? pin.url ?? pin.id}{' '}
              <small className="muted">
                by {pin.attribution}
                {pin.withheld === true ? ', hidden by Safe-Mode' : null}
              </small>
            </span>
            {writable && at > 0 ? (
              <button type="button" className="link-button" aria-label={`Move ${pin.caption ?? pin.id} up`} disabled={editing.busy} onClick={() => void put(up(at))}>
                Up
              </button>
            ) : null}
            {writable ? <Remove busy={editing.busy} name={pin.caption ?? pin.id} onRemove={() => void put(pins.filter(({ id }) => id !== pin.id))} /> : null}
          </li>
        ))}
      </ol>
      {writable ? (
        <AddItem
          fields={[
            { name: 'url', label: 'Address', max: 1_000 },
            { name: 'attribution', label: 'Attribution', max: 100 },
            { name: 'caption', label: 'Caption', max: 150 },
          ]}
          busy={editing.busy}
          onAdd={({ url, attribution, caption }) =>
            put([...pins, { id: newClientId(), url: url!, attribution: attribution!, caption: caption!, nsfwBand: 0 }])
          }
        />
      ) : null}
    </>
  );
}

function Remove({ name, busy, onRemove }: { name: string; busy: boolean; onRemove: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={`Remove ${name}`} title="Remove" disabled={busy} onClick={onRemove}>
      <Icon name="trash" size={15} />
    </button>
  );
}

interface AddItemProps {
  fields: readonly { name: string; label: string; max: number }[];
  busy: boolean;
  onAdd: (values: Readonly<Record<string, string>>) => Promise<boolean>;
}

function AddItem({ fields, busy, onAdd }: AddItemProps) {
  const empty = Object.fromEntries(fields.map(({ name }) => [name, '']));
  const [values, setValues] = useState<Record<string, string>>(empty);
  const ready = fields.every(({ name }) => values[name]?.trim() !== '');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (ready && (await onAdd(values))) setValues(empty);
  };
  return (
    <form className="panel-add" onSubmit={(event) => void submit(event)}>
      {fields.map(({ name, label, max }) => (
        <input
          key={name}
          aria-label={label}
          placeholder={label}
          dir="auto"
          data-testid={`add-${name}`}
          maxLength={max}
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      <button type="submit" className="button" data-testid="add-item" disabled={busy || !ready}>
        Add
      </button>
    </form>
  );
}
