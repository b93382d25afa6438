/** The part of `Storage` that is used to keep values over a reload. */
export interface TextStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Dated {
  /** The time of the last change, in ms. */
  at: number;
}

const kKeptMax = 50; // above this, evicts the least recently changed value

/**
 * A value per thread that survives a reload, stored under `prefix` and the thread's id. If the storage fails, values
 * last as long as the page. Values are immutable; each change stores a new object.
 */
export class KeptByThread<Value extends Dated> {
  private readonly held = new Map<string, Value>();
  private readonly listeners = new Set<() => void>();

  /** `read`: returns null if the stored data is not a valid value. */
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

  /** null removes the value. `stored` false: keeps the value in memory only. */
  put(threadId: string, value: Value | null, stored = value !== null): void {
    if (value === null) this.held.delete(threadId);
    else this.held.set(threadId, value);
    const key = this.prefix + threadId;
    this.attempt(() => (stored ? this.storage.setItem(key, JSON.stringify(value)) : this.storage.removeItem(key)));
    if (this.held.size > kKeptMax) this.dropOldest();
    this.notify();
  }

  /** Applies a change of the storage by another tab. */
  changed(key: string | null, value: string | null): void {
    if (key === null || !key.startsWith(this.prefix)) return;
    this.take(key, value);
    this.notify();
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

  private notify(): void {
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
