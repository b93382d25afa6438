import { describe, expect, it } from 'vitest';
import { mergeContents, mergeItems, same, summary } from '../src/merge.js';

describe('two versions of a tab', () => {
  it('merge fields that only one side changed, and leave the others to the user', () => {
    const base = { title: 'a', goals: 'g', budgetNotes: 'b' };
    const merge = mergeContents(base, { title: 'mine', goals: 'g', moodNotes: 'm' }, { title: 'theirs', goals: 'g2', budgetNotes: 'b' });
    expect(merge.content).toEqual({ title: 'mine', goals: 'g2', moodNotes: 'm' });
    expect(Object.fromEntries(merge.differences.map(({ name, changed }) => [name, changed]))).toEqual({
      title: 'both',
      goals: 'theirs',
      moodNotes: 'mine',
      budgetNotes: 'mine',
    });
  });

  it('do not differ if both made the same change, in any order of keys', () => {
    expect(mergeContents({}, { a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }).differences).toEqual([]);
    expect(same({ a: undefined }, { b: undefined })).toBe(false);
    expect(same([1], { 0: 1 })).toBe(false);
  });

  it('merge item by item if the items have ids', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, status: 'todo' }));
    const done = { ...b!, status: 'done' };
    expect(mergeItems([a, b], [a, done, c], [b, { id: 'd' }])).toEqual([done, { id: 'd' }, c]);
    expect(mergeItems(undefined, [a], [b])).toEqual([b, a]);
    expect(mergeContents({ shots: [] }, { shots: [a] }, { shots: [b] }).differences[0]?.changed).toBe('merged');
  });

  it('do not merge if both changed one item, one removed it, or the order changed', () => {
    const [a, b] = [{ id: 'a' }, { id: 'b' }];
    const changed = (name: string) => ({ id: 'a', name });
    expect(mergeItems([a, b], [changed('x'), b], [changed('y'), b])).toBeNull();
    expect(mergeItems([a, b], [changed('x'), b], [b])).toBeNull();
    expect(mergeItems([a, b], [b, a], [a, b, { id: 'c' }])).toBeNull();
    expect(mergeItems(['x'], ['y'], ['z'])).toBeNull();
  });

  it('are shown in words', () => {
    expect([summary(undefined), summary([]), summary('x'), summary(3)]).toEqual(['(empty)', '(none)', 'x', '3']);
    expect(summary([{ id: '1', name: 'Pier', status: 'done' }, 'Quay'])).toBe('Pier (done)\nQuay');
  });
});
