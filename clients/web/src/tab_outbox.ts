import { newClientId, type OutboxStorage } from '@parley/sdk';
import type { TextStorage } from './kept_by_thread.js';

/** The part of the browser's LockManager that is used. A lock ends with the tab that holds it. */
export interface TabLocks {
  request(name: string, options: { ifAvailable?: boolean; signal?: AbortSignal }, work: (lock: unknown) => unknown): Promise<unknown>;
}

interface Place {
  userId: string;
  /** Of the user, as two tenants may name theirs alike; null: of a demo. */
  tenantId: string | null;
  /** Outlives the tabs, and is theirs together. */
  shared: TextStorage;
  /** Outlives a reload of this tab. */
  ownTab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Without: a second tab sends what the first one still does, too, which the server knows by its clientId. */
  locks: TabLocks | undefined;
}

const kGraceMs = 5_000; // for a tab that is only loaded anew, to find its own again

/**
 * Where a tab keeps the messages that are not sent yet. Each load of a tab has a key of its own, and a lock of that name for as long as
 * it lives; what a closed tab left is taken up by another, or by the next one that is opened.
 */
export class TabOutbox implements OutboxStorage {
  private readonly prefix: string;
  private readonly key: string;
  private readonly watched = new Set<string>();
  private adopt: (items: unknown) => void = () => undefined;
  private ended = new AbortController();

  constructor(private readonly place: Place) {
    const { userId, tenantId } = place;
    this.prefix = `parley.outbox.${tenantId === null ? '' : `${tenantId}/`}${userId} `; // no id has a slash or a blank
    this.key = this.prefix + newClientId();
  }

  /** What is there is taken up by `start`, once it is known that nobody else has it. */
  load(): unknown {
    return [];
  }

  save(items: unknown): void {
    const { shared } = this.place;
    if (Array.isArray(items) && items.length === 0) shared.removeItem(this.key);
    else shared.setItem(this.key, JSON.stringify(items));
  }

  /** Hands over what other tabs left, now and as long as this one lives. Returns how to stop. */
  start(adopt: (items: unknown) => void): () => void {
    const ended = (this.ended = new AbortController());
    this.adopt = adopt;
    this.watched.clear();
    const { locks, ownTab, userId } = this.place;
    void locks?.request(this.key, { signal: ended.signal }, () => new Promise((resolve) => ended.signal.addEventListener('abort', resolve))).catch(() => undefined);
    const former = attempt(() => ownTab.getItem(`parley.tab.${userId}`)) ?? null;
    attempt(() => ownTab.setItem(`parley.tab.${userId}`, this.key));
    this.takeUpOfOld();
    for (const key of this.keysOfOthers()) void this.takeUp(key, former);
    return () => ended.abort();
  }

  /** Another tab keeps something: it is watched for the day that it closes. */
  changed(key: string | null): void {
    if (key !== null && key.startsWith(this.prefix) && key !== this.key && this.place.locks !== undefined) void this.watch(key, null);
  }

  private async takeUp(key: string, former: string | null): Promise<void> {
    const { locks } = this.place;
    if (locks === undefined) return this.take(key);
    const free = await locks.request(key, { ifAvailable: true }, (lock) => (lock === null ? false : (this.take(key), true))).catch(() => true);
    if (free === false) await this.watch(key, former);
  }

  /** Until the tab that has it closes. */
  private async watch(key: string, former: string | null): Promise<void> {
    const { signal } = this.ended;
    if (this.watched.has(key) || signal.aborted) return;
    this.watched.add(key);
    await this.place.locks?.request(key, { signal }, () => undefined).catch(() => undefined);
    if (key !== former) await new Promise((resolve) => setTimeout(resolve, kGraceMs));
    this.watched.delete(key);
    if (!signal.aborted) await this.takeUp(key, null);
  }

  /** Saved under the own key before it goes from the other's. */
  private take(key: string): void {
    if (this.ended.signal.aborted) return;
    const text = attempt(() => this.place.shared.getItem(key));
    if (typeof text !== 'string') return;
    this.adopt(attempt(() => JSON.parse(text) as unknown));
    attempt(() => this.place.shared.removeItem(key));
  }

  /** Versions before kept them for a reload of the tab only. */
  private takeUpOfOld(): void {
    const { ownTab, userId } = this.place;
    const old = attempt(() => ownTab.getItem(`parley.outbox.${userId}`));
    if (typeof old !== 'string') return;
    this.adopt(attempt(() => JSON.parse(old) as unknown));
    attempt(() => ownTab.removeItem(`parley.outbox.${userId}`));
  }

  private keysOfOthers(): string[] {
    const { shared } = this.place;
    const keys = attempt(() => Array.from({ length: shared.length }, (_, i) => shared.key(i))) ?? [];
    return keys.filter((key): key is string => key !== null && key.startsWith(this.prefix) && key !== this.key);
  }
}

/** Storage may be full or forbidden. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
