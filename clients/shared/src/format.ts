import { firstGrapheme, type UserName } from '@parley/sdk';

// Characters that change the direction of neighbouring text, and characters of right-to-left scripts.
const kControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const kRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Removes direction controls from a name, for an element of its own (`<bdi>`). */
export function bare(name: string): string {
  return name.replace(kControls, '');
}

/** Wraps a name, subject or label in isolates for use within a sentence, if its direction could affect the rest. */
export function isolate(name: string): string {
  const plain = bare(name);
  return kRightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

export function capitalized(text: string): string {
  const first = firstGrapheme(text);
  return first.toUpperCase() + text.slice(first.length);
}

/** usr_alice → Alice, usr_mary-ann.lee → Mary Ann Lee: a fallback if only the id is known. */
export function nameFromId(userId: string | null): string {
  if (userId === null) return 'Parley'; // the server itself, in system messages
  const words = userId
    .replace(/^usr_/, '')
    .split(/[_.:-]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return userId;
  return words.map(capitalized).join(' ');
}

export function shownName(userId: string | null, held: UserName | undefined): string {
  if (held?.deleted === true) return 'Deleted User';
  const name = bare(held?.displayName ?? '').trim();
  return name === '' ? nameFromId(userId) : name;
}

export function initials(name: string): string {
  const words = bare(name).split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = (word: string | undefined): string => (word === undefined ? '' : firstGrapheme(word));
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '')).toUpperCase() || '#';
}

/** Picks one of `count` tints, always the same one for the same text. */
export function tintOf(text: string, count: number): number {
  let hash = 0x811c9dc5; // FNV-1a: names that differ in one letter should differ in tint
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return (hash >>> 8) % count;
}

const kTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const kWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const kDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const kDateYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const kLongDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const kFull = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const kLong = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const kZoned = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const kDayMs = 86_400_000;

export function timeOfDay(ms: number): string {
  return kTime.format(ms);
}

export function fullTime(ms: number): string {
  return kFull.format(ms);
}

/** For agreed times, without seconds. */
export function longTime(ms: number): string {
  return kLong.format(ms);
}

/** For appointments between people who may live in different zones: "Friday, 7 November 2025 at 15:00 CET". */
export function zonedTime(ms: number): string {
  return kZoned.format(ms);
}

/** The time zone of this browser at an instant: "CET", "GMT+2". */
export function zoneName(ms: number): string {
  return kZoned.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** An amount with its currency in this browser's locale; an unknown currency code follows the number. */
export function money(cents: number, currency: string): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(cents / 100);
  } catch {
    return `${(cents / 100).toFixed(2)} ${currency}`.trim();
  }
}

/** Local calendar days between two instants; 0 = the same day. */
export function daysBetween(earlier: number, later: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(later) - midnight(earlier)) / kDayMs);
}

/** The time of an end: only the hour if it is soon, otherwise with the day. */
export function endWords(ms: number, now: number): string {
  return ms - now < 20 * 3_600_000 ? kTime.format(ms) : kLong.format(ms);
}

/** The remaining time, in the largest suitable unit. */
export function restWords(ms: number, now: number): string {
  const minutes = Math.max(1, Math.round((ms - now) / 60_000));
  const of = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (minutes < 90) return of(minutes, 'minute');
  return minutes < 36 * 60 ? of(Math.round(minutes / 60), 'hour') : of(Math.round(minutes / (24 * 60)), 'day');
}

/** For lists: the time today, the weekday this week, else the date. */
export function shortWhen(ms: number, now: number): string {
  const days = daysBetween(ms, now);
  if (days <= 0) return kTime.format(ms);
  if (days < 7) return kWeekday.format(ms);
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? kDate.format(ms) : kDateYear.format(ms);
}

/** For the separator between two days of a conversation. */
export function dayLabel(ms: number, now: number): string {
  const days = daysBetween(ms, now);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? kLongDay.format(ms) : kDateYear.format(ms);
}

export function lastSeenLabel(lastSeen: string | null | undefined, now: number): string {
  const ms = lastSeen ? Date.parse(lastSeen) : NaN;
  if (Number.isNaN(ms)) return 'Offline';
  const minutes = Math.max(1, Math.round((now - ms) / 60_000));
  if (minutes < 60) return `Last seen ${minutes} min ago`;
  return minutes < 24 * 60 ? `Last seen ${Math.round(minutes / 60)} h ago` : `Last seen ${shortWhen(ms, now)}`;
}

export function listNames(userIds: readonly string[], nameOf: (userId: string) => string, max = 3): string {
  const names = userIds.slice(0, max).map(nameOf);
  const rest = userIds.length - names.length;
  if (rest > 0) return `${names.join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
