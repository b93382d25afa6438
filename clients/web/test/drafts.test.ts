import { describe, expect, it } from 'vitest';
import { Drafts, writerOf } from '../src/drafts.js';
import type { TextStorage } from '../src/kept_by_thread.js';

class FakeStorage implements TextStorage {
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

const draftsOf = (storage: FakeStorage, ownTab = new FakeStorage()): Drafts => new Drafts('usr_alice', storage, ownTab);
const kAsked = { messageId: 'msg_1', authorUserId: 'usr_bob', line: 'When?' };
const kOwn = { messageId: 'msg_2', authorUserId: 'usr_alice', line: 'Today' };

describe('drafts', () => {
  it('belong to one user of one tenant, even if another tenant has the same id', () => {
    const storage = new FakeStorage();
    const of = (tenantId: string | null): Drafts => new Drafts(writerOf(tenantId, 'usr_alice'), storage, new FakeStorage());
    of('acme').keep('thrd_a', 'For Acme');
    expect([of('acme'), of('shop'), of(null)].map((drafts) => drafts.get('thrd_a'))).toEqual(['For Acme', '', '']);
  });

  it('outlive a reload, each with its thread and its user', () => {
    const storage = new FakeStorage();
    const drafts = draftsOf(storage);
    drafts.keep('thrd_a', 'Dear Bo');
    drafts.keep('thrd_b', 'x');
    drafts.keep('thrd_b', '');
    const again = draftsOf(storage);
    expect([again.get('thrd_a'), again.get('thrd_b')]).toEqual(['Dear Bo', '']);
    expect(new Drafts('usr_al', storage, new FakeStorage()).get('thrd_a')).toBe('');
    expect(storage.length).toBe(1);
  });

  it('notify listeners when one changes, and only then', () => {
    const drafts = draftsOf(new FakeStorage());
    let reported = 0;
    const stop = drafts.subscribe(() => ++reported);
    for (const text of ['a', 'a', 'ab']) drafts.keep('thrd_a', text);
    expect(reported).toBe(2);
    stop();
    drafts.keep('thrd_a', '');
    expect(reported).toBe(2);
  });

  it('last as long as the page if the storage fails', () => {
    const storage = new FakeStorage();
    storage.full = true;
    const drafts = draftsOf(storage);
    drafts.keep('thrd_a', 'Dear Bo');
    expect(drafts.get('thrd_a')).toBe('Dear Bo');
  });

  it('are at most fifty: the least recently changed is evicted, also from the storage', () => {
    const storage = new FakeStorage();
    let now = 0;
    const drafts = new Drafts('usr_alice', storage, new FakeStorage(), () => ++now);
    for (let i = 0; i < 50; ++i) drafts.keep(`thrd_${i}`, 'text');
    drafts.keep('thrd_0', 'touched again');
    drafts.keep('thrd_new', 'text');
    expect([drafts.get('thrd_0'), drafts.get('thrd_1'), drafts.get('thrd_new')]).toEqual(['touched again', '', 'text']);
    expect(storage.length).toBe(50);
  });

  it('follow another tab, and ignore foreign or invalid values', () => {
    const storage = new FakeStorage();
    storage.setItem('parley.draft.usr_alice thrd_bad', '{');
    storage.setItem('parley.draft.usr_alice thrd_odd', '"text"');
    const drafts = draftsOf(storage);
    expect([drafts.get('thrd_bad'), drafts.get('thrd_odd')]).toEqual(['', '']);
    drafts.changed('parley.draft.usr_alice thrd_a', JSON.stringify({ text: 'from there', at: 1 }));
    drafts.changed('parley.draft.usr_bob thrd_a', JSON.stringify({ text: 'of another', at: 1 }));
    drafts.changed(null, null);
    expect(drafts.get('thrd_a')).toBe('from there');
    drafts.changed('parley.draft.usr_alice thrd_a', null);
    expect(drafts.get('thrd_a')).toBe('');
  });
});

describe('an answer', () => {
  it('is a draft that names a message, even while empty, and outlives a reload', () => {
    const storage = new FakeStorage();
    draftsOf(storage).answer('thrd_a', kAsked);
    const drafts = draftsOf(storage);
    expect(drafts.draft('thrd_a')).toMatchObject({ text: '', replyTo: kAsked });
    drafts.keep('thrd_a', 'At noon');
    drafts.answer('thrd_a', null);
    expect(drafts.draft('thrd_a')).toMatchObject({ text: 'At noon', replyTo: null });
    drafts.drop('thrd_a');
    expect([drafts.draft('thrd_a'), storage.length]).toEqual([undefined, 0]);
  });

  it('is removed from the other tabs when it is sent', () => {
    const storage = new FakeStorage();
    const [one, two] = [draftsOf(storage), draftsOf(storage)];
    one.answer('thrd_a', kAsked);
    one.keep('thrd_a', 'At noon');
    const key = storage.key(0)!;
    two.changed(key, storage.getItem(key));
    expect(two.draft('thrd_a')).toMatchObject({ text: 'At noon', replyTo: kAsked });
    one.drop('thrd_a');
    two.changed(key, storage.getItem(key));
    expect(two.draft('thrd_a')).toBeUndefined();
  });

  it('keeps typed blanks without storing them', () => {
    const storage = new FakeStorage();
    const drafts = draftsOf(storage);
    drafts.keep('thrd_a', ' ');
    expect([drafts.get('thrd_a'), storage.length]).toEqual([' ', 0]);
  });
});

describe('an edit', () => {
  it('is independent of the draft', () => {
    const [storage, ownTab] = [new FakeStorage(), new FakeStorage()];
    const drafts = draftsOf(storage, ownTab);
    drafts.keep('thrd_a', 'At noon');
    drafts.beginEdit('thrd_a', kOwn, 'Today');
    drafts.keepEdit('thrd_a', 'Tomorrow');
    drafts.keep('thrd_a', 'At one');
    const again = draftsOf(storage, ownTab);
    expect(again.edit('thrd_a')).toMatchObject({ message: kOwn, body: 'Today', text: 'Tomorrow', shown: true });
    expect(again.get('thrd_a')).toBe('At one');
    again.endEdit('thrd_a');
    expect([again.edit('thrd_a'), again.get('thrd_a')]).toEqual([undefined, 'At one']);
  });

  it('waits during an answer, and resumes after it', () => {
    const drafts = draftsOf(new FakeStorage());
    drafts.beginEdit('thrd_a', kOwn, 'Today');
    drafts.keepEdit('thrd_a', 'Tomorrow');
    drafts.answer('thrd_a', kAsked);
    expect(drafts.edit('thrd_a')).toMatchObject({ text: 'Tomorrow', shown: false });
    drafts.drop('thrd_a');
    expect(drafts.edit('thrd_a')).toMatchObject({ text: 'Tomorrow', shown: true });
    drafts.answer('thrd_a', kAsked);
    drafts.beginEdit('thrd_a', kOwn, 'Today');
    expect(drafts.edit('thrd_a')).toMatchObject({ text: 'Tomorrow', shown: true });
    expect(drafts.draft('thrd_a')?.replyTo).toEqual(kAsked);
  });

  it('belongs to its tab, and starts over for another message', () => {
    const storage = new FakeStorage();
    const [one, two] = [draftsOf(storage), draftsOf(storage)];
    one.beginEdit('thrd_a', kOwn, 'Today');
    expect([two.edit('thrd_a'), storage.length]).toEqual([undefined, 0]);
    one.keepEdit('thrd_a', 'Tomorrow');
    one.beginEdit('thrd_a', { ...kOwn, messageId: 'msg_3' }, 'Never');
    expect(one.edit('thrd_a')).toMatchObject({ text: 'Never' });
  });
});
