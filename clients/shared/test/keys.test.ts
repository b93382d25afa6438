import { describe, expect, it } from 'vitest';
import { isComposing, nextItem } from '../src/keys.js';

describe('a key', () => {
  it('belongs to an input method while that composes, and once more in Safari, when it has', () => {
    expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
  });

  it('walks what stands in a row, round and round', () => {
    expect([nextItem('ArrowDown', 2, 3), nextItem('ArrowUp', 0, 3), nextItem('End', 0, 3), nextItem('a', 0, 3)]).toEqual([0, 2, 2, null]);
  });
});
