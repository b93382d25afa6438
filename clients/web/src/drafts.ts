import { KeptByThread, type TextStorage } from './kept_by_thread.js';

/** A message being answered or edited, with the words that the send box shows even if the message is not loaded. */
export interface Named {
  messageId: string;
  authorUserId: string | null;
  line: string;
}

/** Identifies the author: two tenants may use the same user id. A demo has no tenant. */
export function writerOf(tenantId: string | null, userId: string): string {
  return tenantId === null ? userId : `${tenantId}/${userId}`; // no id has a slash
}

/** An unsent text, and the message that it answers. */
export interface Draft {
  text: string;
  replyTo: Named | null;
  at: number;
}

/** An own message being edited. */
export interface Edit {
  message: Named;
  /** The text when the edit began. */
  body: string;
  text: string;
  /** False: the edit waits while the user answers another message. */
  shown: boolean;
  at: number;
}

/**
 * Unsent text of each thread, kept across switching threads and reloads: a draft, which may be an answer, and an
 * edit. They do not affect each other. A user's tabs share drafts, and the last keystroke in a thread wins; an edit
 * belongs to its tab.
 */
export class Drafts {
  private readonly drafts: KeptByThread<Draft>;
  private readonly edits: KeptByThread<Edit>;

  constructor(
    writer: string,
    shared: TextStorage,
    ownTab: TextStorage,
    private readonly now: () => number = Date.now,
  ) {
    this.drafts = new KeptByThread(`parley.draft.${writer} `, shared, readDraft); // no id has a blank
    this.edits = new KeptByThread(`parley.edit.${writer} `, ownTab, readEdit);
  }

  draft(threadId: string): Draft | undefined {
    return this.drafts.get(threadId);
  }

  edit(threadId: string): Edit | undefined {
    return this.edits.get(threadId);
  }

  /** The draft's text. */
  get(threadId: string): string {
    return this.draft(threadId)?.text ?? '';
  }

  keep(threadId: string, text: string): void {
    if (this.get(threadId) !== text) this.put(threadId, { text });
  }

  /** Sets or clears the message that the draft answers. An edit in progress waits. */
  answer(threadId: string, replyTo: Named | null): void {
    this.put(threadId, { replyTo });
    this.showEdit(threadId, replyTo === null);
  }

  /** Removes a sent draft. */
  drop(threadId: string): void {
    this.drafts.put(threadId, null);
    this.showEdit(threadId, true);
  }

  /** Starts an edit, or resumes an earlier one of the same message. */
  beginEdit(threadId: string, message: Named, body: string): void {
    const before = this.edit(threadId);
    const same = before?.message.messageId === message.messageId;
    this.edits.put(threadId, same ? { ...before, shown: true, at: this.now() } : { message, body, text: body, shown: true, at: this.now() });
  }

  keepEdit(threadId: string, text: string): void {
    const edit = this.edit(threadId);
    if (edit !== undefined) this.edits.put(threadId, { ...edit, text, at: this.now() });
  }

  endEdit(threadId: string): void {
    this.edits.put(threadId, null);
  }

  /** Applies a change of the storage by another tab. */
  changed(key: string | null, value: string | null): void {
    this.drafts.changed(key, value);
  }

  subscribe(listener: () => void): () => void {
    const stops = [this.drafts.subscribe(listener), this.edits.subscribe(listener)];
    return () => stops.forEach((stop) => stop());
  }

  private put(threadId: string, change: Partial<Draft>): void {
    const draft = { text: '', replyTo: null, ...this.draft(threadId), ...change, at: this.now() };
    const blank = draft.text.trim() === '' && draft.replyTo === null;
    this.drafts.put(threadId, draft.text === '' && blank ? null : draft, !blank);
  }

  private showEdit(threadId: string, shown: boolean): void {
    const edit = this.edit(threadId);
    if (edit !== undefined && edit.shown !== shown) this.edits.put(threadId, { ...edit, shown });
  }
}

function readNamed(stored: unknown): Named | null {
  const { messageId, authorUserId, line } = (stored ?? {}) as Partial<Named>;
  if (typeof messageId !== 'string' || typeof line !== 'string') return null;
  return { messageId, line, authorUserId: typeof authorUserId === 'string' ? authorUserId : null };
}

function readDraft(stored: unknown): Draft | null {
  const { text, replyTo, at } = stored as Partial<Draft>;
  return typeof text === 'string' ? { text, replyTo: readNamed(replyTo), at: at! } : null;
}

function readEdit(stored: unknown): Edit | null {
  const { message, body, text, shown, at } = stored as Partial<Edit>;
  const named = readNamed(message);
  if (named === null || typeof body !== 'string' || typeof text !== 'string') return null;
  return { message: named, body, text, shown: shown !== false, at: at! };
}
