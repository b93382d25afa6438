// The items of the wire protocol as a browser uses them; requests, replies and events are in wire.ts. Times are RFC 3339
// strings, ids are opaque, `null` means empty. A field with `?` may be left out; servers of before also leave out fields that
// they do not know, so code that reads a newer one has a default for it.
import type { Entry as ServerEntry, Folder, SnoozeEvent } from './wire_types.js';

export type {
  Attachment, Card, Fields, Folder, LastMessage, Me, Message, MessageAction, MessageFlags, MessageRequest, Participant, Permission, Reaction, RequestState,
  RoleContext, SnoozeEvent, Tab, TabName, Thread, ThreadKind, ThreadStatus, ThreadSubtype,
} from './wire_types.js';

export type UserRole = 'member' | 'admin' | 'support' | 'moderator' | 'bot';
/** Folders that an entry itself tells whether it lies in. What lies in the others only the server knows. */
export type EntryFolder = Exclude<Folder, 'offers' | 'disputes'>;

export interface Entry extends ServerEntry {
  /** The client's own: the viewer was asked by a stranger, and has not let them in. */
  gated?: boolean;
}

export interface EntryChange {
  pinned?: boolean;
  archived?: boolean;
  label?: string | null;
  snoozedUntil?: string | null;
  snoozedUntilEvent?: SnoozeEvent;
  spam?: boolean;
}
