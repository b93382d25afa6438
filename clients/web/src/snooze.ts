import type { Entry, EntryChange, ThreadKind } from '@parley/sdk';
import { shortWhen, timeOfDay } from '@parley/shared';

export interface SnoozeChoice {
  key: string;
  label: string;
  /** When it ends, in words; null if an event ends it. */
  until: string | null;
  change: EntryChange;
}

const kMorning = 9;
const kEvening = 18;
const kHourMs = 3_600_000;

function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** Suggested times from now on, and the events that a thread of this kind can have. */
export function snoozeChoices(now: Date, kind: ThreadKind): SnoozeChoice[] {
  const timed = (key: string, label: string, end: Date): SnoozeChoice => ({
    key,
    label,
    until: end.getTime() - now.getTime() < 20 * kHourMs ? timeOfDay(end.getTime()) : momentOf(end.getTime()),
    change: { snoozedUntil: end.toISOString() },
  });
  const toMonday = (8 - now.getDay()) % 7 || 7;
  const choices = [timed('hours', 'In three hours', new Date(now.getTime() + 3 * kHourMs))];
  if (now.getHours() < kEvening - 1) choices.push(timed('evening', 'This evening', at(now, 0, kEvening)));
  choices.push(timed('tomorrow', 'Tomorrow morning', at(now, 1, kMorning)));
  if (toMonday > 1) choices.push(timed('week', 'Monday morning', at(now, toMonday, kMorning)));
  const events: SnoozeChoice[] = [{ key: 'message', label: 'Until the next message', until: null, change: { snoozedUntilEvent: 'message' } }];
  if (kind === 'project') events.push({ key: 'card', label: 'Until a card changes', until: null, change: { snoozedUntilEvent: 'card' } });
  if (kind === 'project' || kind === 'inquiry') events.push({ key: 'status', label: 'Until its status changes', until: null, change: { snoozedUntilEvent: 'status' } });
  return [...choices, ...events];
}

function momentOf(ms: number): string {
  const day = new Intl.DateTimeFormat(undefined, { weekday: 'short' }).format(ms);
  return `${day} ${timeOfDay(ms)}`;
}

const kEventWords = { message: 'a message', card: 'a card changes', status: 'its status changes' };

/** The time or event that brings a snoozed entry back, in a few words. */
export function snoozeWords({ snoozedUntil, snoozedUntilEvent }: Pick<Entry, 'snoozedUntil' | 'snoozedUntilEvent'>, now: number): string {
  if (snoozedUntil === null) return `until ${kEventWords[snoozedUntilEvent ?? 'message']}`;
  const end = Date.parse(snoozedUntil);
  const days = end - now;
  const when = days < 6 * 24 * kHourMs ? (days < 20 * kHourMs ? timeOfDay(end) : momentOf(end)) : shortWhen(end, now + 400 * 24 * kHourMs);
  return `until ${when}${snoozedUntilEvent === undefined || snoozedUntilEvent === 'message' ? '' : ` or ${kEventWords[snoozedUntilEvent]}`}`;
}
