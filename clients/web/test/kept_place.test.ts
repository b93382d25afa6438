import { describe, expect, it } from 'vitest';
import { movedBy } from '../src/kept_place.js';

const rows = (...keys: string[]) => ({ measurementsCache: keys.map((key, index) => ({ key, index, start: index * 10, end: index * 10 + 10, size: 10, lane: 0 })) });
const starts = new Map([['d', 30], ['e', 40], ['f', 50]]);

describe('the rows on screen', () => {
  it('have moved by the height of new rows above them', () => {
    expect(movedBy(starts, rows('a', 'b', 'c', 'd', 'e', 'f'))).toBe(0);
    expect(movedBy(starts, rows('x', 'y', 'a', 'b', 'c', 'd', 'e', 'f'))).toBe(20);
    expect(movedBy(starts, rows('c', 'd', 'e', 'f'))).toBe(-20);
  });

  it('stay although one of them moved to the top', () => {
    expect(movedBy(starts, rows('d', 'a', 'b', 'c', 'e', 'f'))).toBe(0);
    expect(movedBy(starts, rows('f', 'a', 'b', 'c', 'd', 'e'))).toBe(10);
  });

  it('have not moved if none of them is left', () => {
    expect(movedBy(starts, rows('a', 'b'))).toBe(0);
  });
});
