import { newClientId, type OutboxStorage } from '@parley/sdk';
import type { TextStorage } from './kept_by_thread.js';

/** The part of the browser's LockManager that is used. A lock ends with the tab that owns it. */
export interface TabLocks {
  request(name: string, options: { ifAvailable?: boolean; signal?: AbortSignal }, work: (lock: unknown) => unknown): Promise<unknown>;
}

interface Place {
  userId: string;
  /** The user's tenant, since two tenants may use the same user id; null in a demo. */
  tenantId: string | null;
  /** Storage that outlives the tabs and that they share. */
  shared: TextStorage;
  /** Storage that outlives a reload of this tab. */
  ownTab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** If left out, a second tab also sends the first one's pending messages; the server detects that by their clientId. */
  locks: TabLocks | undefined;
}

const kGraceMs = 5_000; // for a tab that is reloading to find its own messages again

/**
 * Stores the unsent messages of a tab. Each load of a tab has a key of its own, and a lock of that name as long as it
 * lives; another open tab, or the next one, adopts the messages of a closed tab.
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

  /** Returns nothing yet: `start` adopts stored messages once it is known that no other tab owns them. */
  load(): unknown {
    return [];
  }

  save(items: unknown): void {
    const { shared } = this.place;
    if (Array.isArray(items) && items.length === 0) shared.removeItem(this.key);
    else shared.setItem(this.key, JSON.stringify(items));
  }

  /** Adopts messages of other tabs, now and whenever one closes. Returns a function that stops this. */
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

  /** Another tab stored messages: watches for its end. */
  changed(key: string | null): void {
    if (key !== null && key.startsWith(this.prefix) && key !== this.key && this.place.locks !== undefined) void this.watch(key, null);
  }

  private async takeUp(key: string, former: string | null): Promise<void> {
    const { locks } = this.place;
    if (locks === undefined) return this.take(key);
    const free = await locks.request(key, { ifAvailable: true }, (lock) => (lock === null ? false : (this.take(key), true))).catch(() => true);
    if (free === false) await this.watch(key, former);
  }

  /** Waits until the tab that owns the key closes. */
  private async watch(key: string, former: string | null): Promise<void> {
    const { signal } = this.ended;
    if (this.watched.has(key) || signal.aborted) return;
    this.watched.add(key);
    await this.place.locks?.request(key, { signal }, () => undefined).catch(() => undefined);
    if (key !== former) await new Promise((resolve) => setTimeout(resolve, kGraceMs));
    this.watched.delete(key);
    if (!signal.aborted) await this.takeUp(key, null);
  }

  /** Saves the messages under the own key before removing the other one. */
  private take(key: string): void {
    if (this.ended.signal.aborted) return;
    const text = attempt(() => this.place.shared.getItem(key));
    if (typeof text !== 'string') return;
    this.adopt(attempt(() => JSON.parse(text) as unknown));
    attempt(() => this.place.shared.removeItem(key));
  }

  /** Earlier versions stored messages for a reload of the tab only. */
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
