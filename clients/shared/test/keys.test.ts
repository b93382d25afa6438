import { describe, expect, it } from 'vitest';
import { isComposing, nextItem } from '../src/keys.js';

describe('a key', () => {
  it('belongs to an input method during composition, and in Safari also right after it', () => {
    expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
  });

  it('moves in a ring of items', () => {
    expect([nextItem('ArrowDown', 2, 3), nextItem('ArrowUp', 0, 3), nextItem('End', 0, 3), nextItem('a', 0, 3)]).toEqual([0, 2, 2, null]);
  });
});
