import { describe, expect, it } from 'vitest';
import { advance, classify, startCatchUp, synced } from '../src/seq_tracker.js';

describe('the seq of a thread', () => {
  const live = { held: 7, catchingUp: false };

  it('advances one by one when live', () => {
    expect(classify(live, 8)).toBe('next');
    expect(advance(live, 8).held).toBe(8);
  });

  it('calls a jump a hole when live', () => {
    expect(classify(live, 9)).toBe('hole');
  });

  it('calls a known seq stale', () => {
    expect(classify(live, 7)).toBe('stale');
    expect(advance(live, 5)).toBe(live);
  });

  it('takes jumps until the thread is synced, and none after', () => {
    const catchingUp = advance(startCatchUp(live), 12);
    expect(classify(catchingUp, 20)).toBe('next');
    const done = synced(catchingUp, 15);
    expect(done).toEqual({ held: 15, catchingUp: false });
    expect(classify(done, 17)).toBe('hole');
  });

  it('never claims less than it held', () => {
    expect(synced(live, 3).held).toBe(7);
  });
});
