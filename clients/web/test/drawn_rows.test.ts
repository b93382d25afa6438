import { describe, expect, it } from 'vitest';
import { firstDrawn, kDrawnMax } from '../src/drawn_rows.js';

const keys = Array.from({ length: 300 }, (_, i) => `m${i}`);

describe('the rows that are drawn', () => {
  it('are the newest, unless the reader moved to others', () => {
    expect(firstDrawn(keys, null)).toBe(300 - kDrawnMax);
    expect(firstDrawn(keys, 'm20')).toBe(20);
    expect(firstDrawn(keys.slice(0, 5), null)).toBe(0);
    expect(firstDrawn([], 'm20')).toBe(0);
  });

  it('are the newest again if the chosen ones are no longer held', () => {
    expect(firstDrawn(keys.slice(100), 'm20')).toBe(200 - kDrawnMax);
  });
});
