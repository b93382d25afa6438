import { describe, expect, it } from 'vitest';
import { firstUnreadId, unreadAbove } from '../src/timeline_opening.js';
import type { Me, Message } from '../src/types.js';
import { message } from './items.js';

const kAll = Array.from({ length: 600 }, (_, i) => message(i + 1));
const me = (readNo: number | undefined, lastRead: number | null): Me =>
  ({ userId: 'usr_alice', readNo, lastReadMsgId: lastRead === null ? null : kAll[lastRead - 1]!.messageId }) as Me;

describe('the first message shown of a thread', () => {
  it('is above the newest page only if that starts after the first unread message', () => {
    const timeline = (from: number, hasOlder = true) => ({ messages: kAll.slice(from - 1, from + 49), hasOlder, hasNewer: false });
    expect(unreadAbove({ me: me(20, 20), timeline: timeline(22) })).toBe(true);
    expect(unreadAbove({ me: me(20, 20), timeline: timeline(21) })).toBe(false);
    expect(unreadAbove({ me: me(20, 20), timeline: timeline(22, false) })).toBe(false);
    expect(unreadAbove({ me: me(undefined, 20), timeline: timeline(22) })).toBe(false);
    expect(unreadAbove({ me: null, timeline: timeline(22) })).toBe(false);
  });

  it.each([
    [0, null, 1],
    [20, 20, 2 - 1],
    [300, 20, 3],
    [300, null, 3],
  ])('is found when %s are read and the cursor stands at %s', async (readNo, cursor, most) => {
    let asked = 0;
    const listAfter = (after: string, limit: number): Promise<readonly Message[]> => {
      ++asked;
      return Promise.resolve(kAll.filter(({ messageId }) => messageId > after || !kAll.some((held) => held.messageId === after)).slice(0, limit));
    };
    expect(await firstUnreadId(me(readNo, cursor), listAfter)).toBe(kAll[readNo]!.messageId);
    expect(asked).toBeLessThanOrEqual(most);
  });

  it('is searched for in a limited number of pages', async () => {
    let asked = 0;
    const listAfter = (): Promise<readonly Message[]> => {
      ++asked;
      return Promise.resolve(kAll.slice(0, 1));
    };
    expect(await firstUnreadId(me(599, null), listAfter)).toBeNull();
    expect(asked).toBeLessThan(10);
    expect(await firstUnreadId(me(599, null), () => Promise.resolve([]))).toBeNull();
  });
});
