import { describe, expect, it } from 'vitest';
import { Drafts, type DraftStorage } from '../src/drafts.js';

class FakeStorage implements DraftStorage {
  readonly map = new Map<string, string>();
  full = false;
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
    if (this.full) throw new Error('full');
    this.map.set(key, value);
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
}

describe('drafts', () => {
  it('outlive a reload, each with its thread and its user', () => {
    const storage = new FakeStorage();
    const drafts = new Drafts('usr_alice', storage);
    drafts.keep('thrd_a', 'Dear Bo');
    drafts.keep('thrd_b', 'x');
    drafts.keep('thrd_b', '');
    const again = new Drafts('usr_alice', storage);
    expect([again.get('thrd_a'), again.get('thrd_b')]).toEqual(['Dear Bo', '']);
    expect(new Drafts('usr_al', storage).get('thrd_a')).toBe('');
    expect(storage.length).toBe(1);
  });

  it('tell who looks when one changes, and only then', () => {
    const drafts = new Drafts('usr_alice', new FakeStorage());
    let told = 0;
    const stop = drafts.subscribe(() => ++told);
    for (const text of ['a', 'a', 'ab']) drafts.keep('thrd_a', text);
    expect(told).toBe(2);
    stop();
    drafts.keep('thrd_a', '');
    expect(told).toBe(2);
  });

  it('are kept for as long as the page is there where they cannot be stored', () => {
    const storage = new FakeStorage();
    storage.full = true;
    const drafts = new Drafts('usr_alice', storage);
    drafts.keep('thrd_a', 'Dear Bo');
    expect(drafts.get('thrd_a')).toBe('Dear Bo');
  });

  it('are fifty: the one that was not touched for longest goes, from the storage as well', () => {
    const storage = new FakeStorage();
    let now = 0;
    const drafts = new Drafts('usr_alice', storage, () => ++now);
    for (let i = 0; i < 50; ++i) drafts.keep(`thrd_${i}`, 'text');
    drafts.keep('thrd_0', 'touched again');
    drafts.keep('thrd_new', 'text');
    expect([drafts.get('thrd_0'), drafts.get('thrd_1'), drafts.get('thrd_new')]).toEqual(['touched again', '', 'text']);
    expect(storage.length).toBe(50);
  });

  it('follow another tab, and ignore what is not theirs or makes no sense', () => {
    const storage = new FakeStorage();
    storage.setItem('parley.draft.usr_alice thrd_bad', '{');
    storage.setItem('parley.draft.usr_alice thrd_odd', '"text"');
    const drafts = new Drafts('usr_alice', storage);
    expect([drafts.get('thrd_bad'), drafts.get('thrd_odd')]).toEqual(['', '']);
    drafts.changed('parley.draft.usr_alice thrd_a', JSON.stringify({ text: 'from there', at: 1 }));
    drafts.changed('parley.draft.usr_bob thrd_a', JSON.stringify({ text: 'of another', at: 1 }));
    drafts.changed(null, null);
    expect(drafts.get('thrd_a')).toBe('from there');
    drafts.changed('parley.draft.usr_alice thrd_a', null);
    expect(drafts.get('thrd_a')).toBe('');
  });
});
