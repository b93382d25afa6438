import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabOutbox, type TabLocks } from '../src/tab_outbox.js';
import type { TextStorage } from '../src/kept_by_thread.js';

class FakeStorage implements TextStorage {
  readonly map = new Map<string, string>();
  get length(): number {
    return this.map.size;
  }
  key(index: number): string | null {
    return [...this.map.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.map.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.map.set(key, value);
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
}

/** The locks of a browser: a tab's locks end with it. */
class FakeLocks {
  private readonly held = new Map<string, object>();
  private readonly queues = new Map<string, (() => void)[]>();

  ofTab(tab: { closed: boolean }): TabLocks {
    return {
      request: async (name, { ifAvailable, signal }, work) => {
        while (this.held.has(name)) {
          if (ifAvailable === true) return work(null);
          await new Promise<void>((resolve, reject) => {
            this.queues.set(name, [...(this.queues.get(name) ?? []), resolve]);
            signal?.addEventListener('abort', () => reject(new Error('aborted')));
          });
        }
        if (signal?.aborted === true || tab.closed) throw new Error('aborted');
        this.held.set(name, tab);
        try {
          return await work({});
        } finally {
          this.release(name);
        }
      },
    };
  }

  closeTab(tab: { closed: boolean }): void {
    tab.closed = true;
    for (const [name, holder] of [...this.held]) if (holder === tab) this.release(name);
  }

  private release(name: string): void {
    this.held.delete(name);
    for (const next of this.queues.get(name)?.splice(0) ?? []) next();
  }
}

const item = (clientId: string) => ({ clientId });
const kUser = 'usr_ann';
let shared: FakeStorage;
let locks: FakeLocks;

/** A tab, with the messages it adopted; after a reload `ownTab` is that of the earlier page. */
function openTab(ownTab = new FakeStorage(), withLocks = true, tenantId: string | null = null) {
  const tab = { closed: false };
  const outbox = new TabOutbox({ userId: kUser, tenantId, shared, ownTab, locks: withLocks ? locks.ofTab(tab) : undefined });
  const items: unknown[] = [];
  const keep = (more: unknown[]): void => {
    items.push(...more);
    outbox.save(items);
  };
  const stop = outbox.start((kept) => keep(kept as unknown[]));
  const close = (): void => locks.closeTab(tab);
  return { outbox, items, keep, stop, close, ownTab };
}

beforeEach(() => {
  vi.useFakeTimers();
  shared = new FakeStorage();
  locks = new FakeLocks();
});
afterEach(() => vi.useRealTimers());
const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('the unsent messages of a tab', () => {
  it('are adopted once by the next tab after it closes', async () => {
    const first = openTab();
    await later(0);
    first.keep([item('c1')]);
    first.close();
    const second = openTab();
    await later(0);
    expect(second.items).toEqual([item('c1')]);
    expect(shared.length).toBe(1);
    second.close();
    const third = openTab();
    await later(0);
    expect(third.items).toEqual([item('c1')]);
  });

  it('stay its own while it is open, and move to an open tab when it closes', async () => {
    const first = openTab();
    await later(0);
    first.keep([item('c1')]);
    const second = openTab();
    await later(60_000);
    expect(second.items).toEqual([]);
    first.close();
    await later(10_000);
    expect(second.items).toEqual([item('c1')]);
  });

  it('are found by the tab itself after a reload, before another takes them', async () => {
    const first = openTab();
    const second = openTab();
    await later(0);
    first.keep([item('c1')]);
    second.outbox.changed(shared.key(0));
    await later(0);
    const again = openTab(first.ownTab); // the new page opens before the old one has closed
    await later(0);
    first.close();
    await later(10_000);
    expect([again.items, second.items]).toEqual([[item('c1')], []]);
  });

  it('are invisible to another user in the same browser', async () => {
    const first = openTab();
    await later(0);
    first.keep([item('c1')]);
    first.close();
    const other = new TabOutbox({ userId: 'usr_an', tenantId: null, shared, ownTab: new FakeStorage(), locks: locks.ofTab({ closed: false }) });
    const taken: unknown[] = [];
    other.start((items) => taken.push(items));
    await later(10_000);
    expect(taken).toEqual([]);
    expect(openTab(new FakeStorage(), true, 'shop').items).toEqual([]);
    await later(10_000);
    expect(openTab(new FakeStorage(), true, 'shop').items).toEqual([]);
  });

  it('are removed from the storage when they are sent', async () => {
    const first = openTab();
    await later(0);
    first.keep([item('c1')]);
    first.outbox.save([]);
    expect(shared.length).toBe(0);
  });

  it('outlive it without browser locks, as do those of an earlier version', async () => {
    const ownTab = new FakeStorage();
    ownTab.setItem(`parley.outbox.${kUser}`, JSON.stringify([item('old')]));
    const first = openTab(ownTab, false);
    first.keep([item('c1')]);
    expect(openTab(new FakeStorage(), false).items).toEqual([item('old'), item('c1')]);
    expect(ownTab.getItem(`parley.outbox.${kUser}`)).toBeNull();
  });
});
