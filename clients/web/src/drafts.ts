import { KeptByThread, type TextStorage } from './kept_by_thread.js';

/** A message that is answered or changed, as the send box names it wherever the list stands. */
export interface Named {
  messageId: string;
  authorUserId: string | null;
  line: string;
}

/** Identifies the writer: two tenants may use the same user id. A demo has no tenant. */
export function writerOf(tenantId: string | null, userId: string): string {
  return tenantId === null ? userId : `${tenantId}/${userId}`; // no id has a slash
}

/** What is to be said, and to which message it is an answer. */
export interface Draft {
  text: string;
  replyTo: Named | null;
  at: number;
}

/** An own message that is being changed. */
export interface Edit {
  message: Named;
  /** As it was when the change began. */
  body: string;
  text: string;
  /** False: put aside, as something is answered first. */
  shown: boolean;
  at: number;
}

/**
 * What is being written in each thread, kept while one looks elsewhere and over a reload: a draft, which may be an answer, and
 * beside it an edit. Neither touches the other. Drafts are shared by a user's tabs, and in one thread the last keystroke wins;
 * an edit is its tab's own.
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

  /** The draft is an answer to this message, or to none. An edit that is under way waits for it. */
  answer(threadId: string, replyTo: Named | null): void {
    this.put(threadId, { replyTo });
    this.showEdit(threadId, replyTo === null);
  }

  /** It is sent. */
  drop(threadId: string): void {
    this.drafts.put(threadId, null);
    this.showEdit(threadId, true);
  }

  /** What was typed into the same message before goes on. */
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

  /** Another tab changed what is stored. */
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
