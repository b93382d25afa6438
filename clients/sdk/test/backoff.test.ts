import { describe, expect, it } from 'vitest';
import { backoffMs } from '../src/backoff.js';
import { afterClose } from '../src/close_codes.js';

describe('a reconnect', () => {
  const options = { baseMs: 100, capMs: 1_000 };

  it('waits longer each time, up to a cap', () => {
    expect([0, 1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, () => 1, options))).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('is spread over half of the delay, so that clients do not reconnect in one wave', () => {
    expect(backoffMs(2, () => 0, options)).toBe(200);
    expect(backoffMs(2, () => 0.5, options)).toBe(300);
  });

  it('is not tried after access was forbidden, and is ordinary for a lost connection', () => {
    expect(afterClose(4403)).toBe('stop');
    expect(afterClose(4401)).toBe('token');
    expect(afterClose(1013)).toBe('backoff');
    expect(afterClose(4508)).toBe('resume');
    expect(afterClose(1006)).toBe('resume');
  });
});
