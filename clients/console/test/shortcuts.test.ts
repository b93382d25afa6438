import { describe, expect, it } from 'vitest';
import { KeyReader, takesKeys, type Shortcut } from '../src/shortcuts.js';

const kShortcuts: readonly Shortcut[] = ['g q', 'g a', 'a', '?'].map((keys) => ({ keys, words: keys, act: () => undefined }));

/** Returns the shortcuts that keys complete when pressed at these times. */
function read(...pressed: [key: string, at: number][]): (string | null)[] {
  const reader = new KeyReader();
  return pressed.map(([key, at]) => reader.read(key, at, kShortcuts)?.keys ?? null);
}

describe('shortcuts', () => {
  it('are one key, or several in sequence', () => {
    expect(read(['?', 0], ['g', 10], ['q', 20], ['q', 30])).toEqual(['?', null, 'g q', null]);
  });

  it('of several keys do not trigger their last key alone', () => {
    expect(read(['g', 0], ['a', 10], ['a', 20])).toEqual([null, 'g a', 'a']);
  });

  it('are dropped half-way after a pause or another key', () => {
    expect(read(['g', 0], ['q', 5_000])).toEqual([null, null]);
    expect(read(['g', 0], ['a', 5_000])).toEqual([null, 'a']);
    expect(read(['g', 0], ['g', 10], ['q', 20])).toEqual([null, null, 'g q']);
    expect(read(['g', 0], ['?', 10], ['q', 20])).toEqual([null, '?', null]);
  });

  it('are disabled in text fields', () => {
    expect(['INPUT', 'TEXTAREA', 'SELECT'].map((tagName) => takesKeys({ tagName }))).toEqual([true, true, true]);
    expect(takesKeys({ tagName: 'DIV', isContentEditable: true })).toBe(true);
    expect([takesKeys({ tagName: 'INPUT', type: 'radio' }), takesKeys({ tagName: 'A' }), takesKeys(null)]).toEqual([false, false, false]);
  });
});
