import type { Entry, EntryFolder, MessageRequest, SnoozeEvent } from './types.js';
import type { InboxFilter } from './wire.js';

/** Somebody asked the viewer to be let in, and was not. Their own requests keep nothing from them. */
function gates(request: MessageRequest | null, viewer: string): boolean {
  return request !== null && request.fromUserId !== viewer && request.state !== 'accepted';
}

/** An entry as the server sends it, with what follows for this viewer. */
export function seenBy(entry: Entry, viewer: string): Entry {
  const { gated: _, ...rest } = entry;
  return gates(entry.request, viewer) ? { ...rest, gated: true } : rest;
}

export function snoozed(entry: Entry): boolean {
  return entry.snoozedUntil !== null || entry.snoozedUntilEvent !== undefined;
}

/** Without its snooze if it waited for this event. A time alone is also ended by a message. */
export function awakened(entry: Entry, event: SnoozeEvent): Entry {
  if (!snoozed(entry) || (entry.snoozedUntilEvent ?? 'message') !== event) return entry;
  const { snoozedUntilEvent: _, ...rest } = entry;
  return { ...rest, snoozedUntil: null };
}

/** Out of sight: in none of the folders that show what goes on. */
export function hidden(entry: Entry): boolean {
  return entry.archived || snoozed(entry) || entry.gated === true || entry.spam === true;
}

/** The server's rules, applied to what its events tell between two pages. */
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

/** As the server narrows a folder. A field that it left out reads as false. */
export function passes(entry: Entry, { kind, label, muted, safeModeRequired }: InboxFilter): boolean {
  return (
    (kind === undefined || entry.kind === kind) &&
    (label === undefined || entry.label === label) &&
    (muted === undefined || entry.muted === muted) &&
    (safeModeRequired === undefined || (entry.safeModeRequired ?? false) === safeModeRequired)
  );
}
