/** What a browser keeps over a reload: the part of `Storage` that is used. */
export interface TextStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Dated {
  /** When it was last touched, in ms. */
  at: number;
}

const kKeptMax = 50; // the one that was not touched for longest goes first

/**
 * A value per thread, kept over a reload: what is stored under `prefix` with the thread's id. What cannot be stored is kept as
 * long as the page is there. Values are immutable, and another object with every change.
 */
export class KeptByThread<Value extends Dated> {
  private readonly held = new Map<string, Value>();
  private readonly listeners = new Set<() => void>();

  /** `read`: null if what is stored is no such value. */
  constructor(
    private readonly prefix: string,
    private readonly storage: TextStorage,
    private readonly read: (stored: unknown) => Value | null,
  ) {
    for (const key of this.storedKeys()) this.take(key, this.attempt(() => storage.getItem(key)) ?? null);
  }

  get(threadId: string): Value | undefined {
    return this.held.get(threadId);
  }

  /** null: nothing is left to keep. `stored` false: not worth a place in the storage. */
  put(threadId: string, value: Value | null, stored = value !== null): void {
    if (value === null) this.held.delete(threadId);
    else this.held.set(threadId, value);
    const key = this.prefix + threadId;
    this.attempt(() => (stored ? this.storage.setItem(key, JSON.stringify(value)) : this.storage.removeItem(key)));
    if (this.held.size > kKeptMax) this.dropOldest();
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

  private take(key: string, text: string | null): void {
    const threadId = key.slice(this.prefix.length);
    const stored = this.attempt(() => JSON.parse(text ?? 'null') as unknown);
    const value = typeof stored === 'object' && stored !== null && typeof (stored as Partial<Dated>).at === 'number' ? this.read(stored) : null;
    if (value === null) this.held.delete(threadId);
    else this.held.set(threadId, value);
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
