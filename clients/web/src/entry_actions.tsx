import { snoozed, type Entry, type EntryChange } from '@parley/sdk';
import { Icon, Isolated, Menu, MenuGroup, MenuItem, useAttempt, useNote } from '@parley/shared';
import { useState } from 'react';
import { useClient } from './client_context.js';
import { LabelDialog } from './label_dialog.js';
import { snoozeChoices, snoozeWords } from './snooze.js';

/**
 * The buttons of an entry: pin, mute and archive are toggles with their state in aria-pressed; the menu contains
 * every action.
 */
export function EntryActions({ entry, title }: { entry: Entry; title: string }) {
  const client = useClient();
  const attempt = useAttempt();
  const [labelling, setLabelling] = useState(false);
  const { threadId, pinned, muted, archived } = entry;
  const set = (change: EntryChange): void => void attempt(() => client.setEntry(threadId, change));
  const pin = (): void => set({ pinned: !pinned });
  const mute = (): void => void attempt(() => client.mute(threadId, !muted));
  const archive = (): void => set({ archived: !archived });
  const toggle = (testId: string, name: 'pin' | 'bellOff' | 'archive', pressed: boolean, label: string, onPress: () => void) => (
    <button
      type="button"
      className="icon-button"
      data-testid={testId}
      aria-pressed={pressed}
      aria-label={`${label} ${title}`}
      title={pressed ? `Un${label.toLowerCase()}` : label}
      onClick={onPress}
    >
      <Icon name={name} size={16} />
    </button>
  );
  return (
    <>
      {toggle('entry-pin', 'pin', pinned, 'Pin', pin)}
      {toggle('entry-mute', 'bellOff', muted, 'Mute', mute)}
      {toggle('entry-archive', 'archive', archived, 'Archive', archive)}
      <Menu label={`More for ${title}`} testId="entry-more" button={<Icon name="dots" size={16} />}>
        <MenuItem icon="pin" testId="menu-pin" checked={pinned} onSelect={pin}>
          Pin
        </MenuItem>
        <MenuItem icon="bellOff" testId="menu-mute" checked={muted} onSelect={mute}>
          Mute
        </MenuItem>
        <MenuItem icon="archive" testId="menu-archive" checked={archived} onSelect={archive}>
          Archive
        </MenuItem>
        <MenuItem icon="label" testId="menu-label" onSelect={() => setLabelling(true)}>
          {entry.label === null ? 'Label…' : <>Label: <Isolated text={entry.label} />…</>}
        </MenuItem>
        <SnoozeItems entry={entry} />
      </Menu>
      {labelling ? <LabelDialog entry={entry} title={title} onClose={() => setLabelling(false)} /> : null}
    </>
  );
}

/** Menu items that snooze an entry, or end its snooze. */
function SnoozeItems({ entry }: { entry: Entry }) {
  const client = useClient();
  const attempt = useAttempt();
  const note = useNote();
  const { threadId } = entry;
  const wake = (): Promise<boolean> => attempt(() => client.setEntry(threadId, { snoozedUntil: null }));
  if (snoozed(entry)) {
    return (
      <MenuGroup label={`Snoozed ${snoozeWords(entry, Date.now())}`}>
        <MenuItem icon="bell" testId="snooze-wake" onSelect={() => void wake()}>
          Bring back now
        </MenuItem>
      </MenuGroup>
    );
  }
  const snooze = async (change: EntryChange): Promise<void> => {
    if (!(await attempt(() => client.setEntry(threadId, change)))) return;
    const { snoozedUntil = null, snoozedUntilEvent } = change;
    const words = snoozeWords({ snoozedUntil, ...(snoozedUntilEvent === undefined ? {} : { snoozedUntilEvent }) }, Date.now());
    note(`Snoozed ${words}.`, { label: 'Undo', action: wake });
  };
  return (
    <MenuGroup label="Snooze">
      {snoozeChoices(new Date(), entry.kind).map(({ key, label, until, change }) => (
        <MenuItem key={key} icon="clock" testId={`snooze-${key}`} onSelect={() => void snooze(change)}>
          {label}
          {until === null ? null : <span className="menu-hint">{until}</span>}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
