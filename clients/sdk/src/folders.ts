import type { Entry, EntryFolder, MessageRequest, SnoozeEvent } from './types.js';
import type { InboxFilter } from './wire.js';

/** Returns true if a stranger's request keeps the viewer out of the thread. The viewer's own requests do not. */
function gates(request: MessageRequest | null, viewer: string): boolean {
  return request !== null && request.fromUserId !== viewer && request.state !== 'accepted';
}

/** Adds to an entry from the server the fields that depend on the viewer. */
export function seenBy(entry: Entry, viewer: string): Entry {
  const { gated: _, ...rest } = entry;
  return gates(entry.request, viewer) ? { ...rest, gated: true } : rest;
}

export function snoozed(entry: Entry): boolean {
  return entry.snoozedUntil !== null || entry.snoozedUntilEvent !== undefined;
}

/** Removes the snooze if it waited for this event. A new message also ends a snooze that has only a time. */
export function awakened(entry: Entry, event: SnoozeEvent): Entry {
  if (!snoozed(entry) || (entry.snoozedUntilEvent ?? 'message') !== event) return entry;
  const { snoozedUntilEvent: _, ...rest } = entry;
  return { ...rest, snoozedUntil: null };
}

/** Returns true if the entry is in none of the active folders. */
export function hidden(entry: Entry): boolean {
  return entry.archived || snoozed(entry) || entry.gated === true || entry.spam === true;
}

/** Decides by the server's rules whether an entry belongs to a folder, to place it between two pages. */
export function belongs(entry: Entry, folder: EntryFolder): boolean {
  switch (folder) {
    case 'all':
      return !hidden(entry);
    case 'unread':
      return !hidden(entry) && entry.unread > 0;
    case 'pinned':
    case 'starred':
      return !hidden(entry) && entry.pinned;
    case 'action':
      return !hidden(entry) && entry.openCards > 0;
    case 'inquiries':
      return !hidden(entry) && entry.kind === 'inquiry' && entry.subtype !== 'invite';
    case 'invites':
      return !hidden(entry) && entry.kind === 'inquiry' && entry.subtype === 'invite';
    case 'bookings':
      return !hidden(entry) && entry.kind === 'project';
    case 'archived':
      return entry.archived && entry.gated !== true && entry.spam !== true;
    case 'snoozed':
      return snoozed(entry) && !entry.archived && entry.gated !== true && entry.spam !== true;
    case 'requests':
      return entry.gated === true && entry.spam !== true && entry.request?.state !== 'expired';
    case 'spam':
      return entry.spam === true;
  }
}

/** Applies a filter as the server does. An omitted field counts as false. */
export function passes(entry: Entry, { kind, label, muted, safeModeRequired }: InboxFilter): boolean {
  return (
    (kind === undefined || entry.kind === kind) &&
    (label === undefined || entry.label === label) &&
    (muted === undefined || entry.muted === muted) &&
    (safeModeRequired === undefined || (entry.safeModeRequired ?? false) === safeModeRequired)
  );
}
