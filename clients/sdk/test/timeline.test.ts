import { describe, expect, it } from 'vitest';
import { fromPage, kEmptyTimeline, kTimelineMax, upsert, withNewer, withOlder, type Timeline } from '../src/timeline.js';
import { message, range } from './items.js';

const numbers = (timeline: Timeline): number[] => timeline.messages.map(({ msgNo }) => msgNo);
const allIn = (order: number[], start: Timeline = kEmptyTimeline): Timeline =>
  order.reduce((timeline, msgNo) => upsert(timeline, message(msgNo)), start);

describe('a timeline', () => {
  it('orders a page that came newest first', () => {
    expect(numbers(fromPage(range(1, 4).reverse(), null))).toEqual([1, 2, 3, 4]);
  });

  it('is in msgNo order whatever the order of arrival', () => {
    expect(numbers(allIn([3, 1, 5, 2, 4]))).toEqual([1, 2, 3, 4, 5]);
  });

  it('shows a message once if page, catch-up and live event all contain it', () => {
    const page = fromPage(range(1, 3), null);
    expect(numbers(withOlder(allIn([3, 4, 3], page), range(1, 2), null))).toEqual([1, 2, 3, 4]);
  });

  it('keeps the copy with the higher seq, whichever arrives first', () => {
    const old = message(1, { seq: 5, body: 'old' });
    const edited = message(1, { seq: 9, body: 'edited' });
    expect(upsert(upsert(kEmptyTimeline, old), edited).messages[0]?.body).toBe('edited');
    expect(upsert(upsert(kEmptyTimeline, edited), old).messages[0]?.body).toBe('edited');
    expect(fromPage([edited, old], null).messages[0]?.body).toBe('edited');
  });

  it('ignores a change of a message above the loaded pages', () => {
    const page = fromPage(range(50, 60), 'more');
    expect(upsert(page, message(7))).toBe(page);
  });

  it('ignores live messages while its newest end is not loaded, so that no hole shows', () => {
    const scrolledUp: Timeline = { messages: range(1, 10), hasOlder: false, hasNewer: true };
    expect(upsert(scrolledUp, message(99))).toBe(scrolledUp);
  });

  it('keeps a bounded number of messages, and knows that older ones exist', () => {
    const timeline = allIn(Array.from({ length: kTimelineMax + 20 }, (_, i) => i + 1));
    expect(timeline.messages).toHaveLength(kTimelineMax);
    expect(numbers(timeline).at(-1)).toBe(kTimelineMax + 20);
    expect(timeline.hasOlder).toBe(true);
  });

  it('drops the newest end when the reader scrolls far up, and loads it again when they scroll down', () => {
    const full: Timeline = { messages: range(101, 100 + kTimelineMax), hasOlder: true, hasNewer: false };
    const up = withOlder(full, range(51, 100).reverse(), 'more');
    expect(up.messages).toHaveLength(kTimelineMax);
    expect([numbers(up)[0], up.hasOlder, up.hasNewer]).toEqual([51, true, true]);
    const down = withNewer(up, range(51 + kTimelineMax, 100 + kTimelineMax), null);
    expect([numbers(down)[0], numbers(down).at(-1), down.hasNewer]).toEqual([101, 100 + kTimelineMax, false]);
  });
});
