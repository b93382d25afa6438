// The items of the wire protocol as a browser uses them; requests, replies and events are in wire.ts. Times are RFC
// 3339 strings, ids are opaque, `null` means empty. A field with `?` may be left out. Older servers also leave out
// fields that they do not know, so code that reads a newer field has a default for it.
import type { Entry as ServerEntry, Folder, SnoozeEvent } from './wire_types.js';

export type { Attachment, FileState, FileVariant, VariantName } from './file_types.js';
export type {
  Card, Fields, Folder, LastMessage, Me, Message, MessageAction, MessageFlags, MessageRequest, Participant, Permission, Reaction, RequestState,
  RoleContext, SnoozeEvent, Tab, TabName, Thread, ThreadKind, ThreadStatus, ThreadSubtype,
} from './wire_types.js';

export type UserRole = 'member' | 'admin' | 'support' | 'moderator' | 'bot';
/** Folders whose membership follows from the entry itself. Only the server knows the contents of the others. */
export type EntryFolder = Exclude<Folder, 'offers' | 'disputes'>;

export interface Entry extends ServerEntry {
  /** Set by the client: the viewer received this thread as a request and has not accepted it. */
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
