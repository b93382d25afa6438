/** What a browser keeps over a reload: the part of `Storage` that is used. */
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Draft {
  text: string;
  /** When it was last typed in, in ms. */
  at: number;
}

// The oldest draft goes first.
const kDraftsMax = 50;

/**
 * Unfinished text per thread, kept while one looks elsewhere and over a reload. What cannot be stored is kept until then.
 * Tabs of one user share the drafts; in one thread the last keystroke wins.
 */
export class Drafts {
  private readonly prefix: string;
  private readonly held = new Map<string, Draft>();
  private readonly listeners = new Set<() => void>();

  constructor(
    userId: string,
    private readonly storage: DraftStorage,
    private readonly now: () => number = Date.now,
  ) {
    this.prefix = `parley.draft.${userId} `; // no user id has a blank
    for (const key of this.storedKeys()) this.take(key, this.attempt(() => storage.getItem(key)) ?? null);
  }

  get(threadId: string): string {
    return this.held.get(threadId)?.text ?? '';
  }

  keep(threadId: string, text: string): void {
    if (this.get(threadId) === text) return;
    const draft = { text, at: this.now() };
    if (text.trim() === '') this.held.delete(threadId);
    else this.held.set(threadId, draft);
    this.attempt(() => (text.trim() === '' ? this.storage.removeItem(this.prefix + threadId) : this.storage.setItem(this.prefix + threadId, JSON.stringify(draft))));
    if (this.held.size > kDraftsMax) this.dropOldest();
    this.tell();
  }

  /** Another tab changed what is stored. */
  changed(key: string | null, value: string | null): void {
    if (key === null || !key.startsWith(this.prefix)) return;
    this.take(key, value);
    this.tell();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private take(key: string, value: string | null): void {
    const threadId = key.slice(this.prefix.length);
    const draft = this.attempt(() => JSON.parse(value ?? 'null') as Partial<Draft> | null);
    if (typeof draft?.text === 'string' && typeof draft.at === 'number') this.held.set(threadId, { text: draft.text, at: draft.at });
    else this.held.delete(threadId);
  }

  private dropOldest(): void {
    const [oldest] = [...this.held].sort(([, a], [, b]) => a.at - b.at)[0]!;
    this.held.delete(oldest);
    this.attempt(() => this.storage.removeItem(this.prefix + oldest));
  }

  private storedKeys(): string[] {
    const keys = this.attempt(() => Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i))) ?? [];
    return keys.filter((key): key is string => key?.startsWith(this.prefix) === true);
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Storage may be full or forbidden. */
  private attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch {
      return undefined;
    }
  }
}
