import type { QueueStats } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { arrivals, firstPage, nextFor, renewed, waiting, withMore, withOpen } from '../src/queue.js';
import { caseWith } from './items.js';

const at = (minute: number): string => `2025-11-05T14:${String(minute).padStart(2, '0')}:00.000Z`;
const stats = (change: Partial<QueueStats>): QueueStats => ({
  pending: 0, awaitingSecondApproval: 0, escalated: 0, resolved: 0, rejected: 0, dualApproval: 0, ...change,
});
const page = (ids: readonly number[], cursor: string | null = null, change: Partial<QueueStats> = {}) => ({
  cases: ids.map((id) => caseWith({ caseId: `case_${id}`, reportedAt: at(id) })),
  stats: stats(change),
  cursor,
});
const idsOf = ({ cases }: { cases: readonly { caseId: string }[] }): string[] => cases.map(({ caseId }) => caseId.replace('case_', ''));

describe('the queue', () => {
  it('is read page by page, and shows a moved case once', () => {
    expect(idsOf(withMore(firstPage(page([5, 4], 'c')), page([4, 3])))).toEqual(['5', '4', '3']);
  });

  it('is replaced by the server’s page while one page is shown', () => {
    expect(idsOf(renewed(firstPage(page([5, 4])), page([6, 5])))).toEqual(['6', '5']);
  });

  it('does not move for a reader of further pages: new cases come on top, changed ones are updated', () => {
    const held = withMore(firstPage(page([5, 4], 'c')), page([3, 2], 'd'));
    const news = page([6, 5], 'x', { pending: 9 });
    const after = renewed(held, { ...news, cases: news.cases.map((one) => ({ ...one, severity: 'high' as const })) });
    expect(idsOf(after)).toEqual(['6', '5', '4', '3', '2']);
    expect(after.cases.map(({ severity }) => severity)).toEqual(['high', 'high', 'medium', 'medium', 'medium']);
    expect([after.cursor, after.stats.pending]).toEqual(['d', 9]);
  });

  it('counts new cases, but not old ones that only came into view', () => {
    const before = firstPage(page([5, 4]));
    expect(arrivals(null, before)).toBe(0);
    expect(arrivals(before, firstPage(page([7, 6, 5])))).toBe(2);
    expect(arrivals(before, firstPage(page([4, 3])))).toBe(0);
  });

  it('finds the next case that waits for the viewer, and continues from its top', () => {
    const [ended, mine, about, approved, open] = [
      caseWith({ caseId: 'ended', status: 'resolved' }),
      caseWith({ caseId: 'mine', reportedBy: ['usr_mona'] }),
      caseWith({ caseId: 'about', userId: 'usr_mona' }),
      caseWith({
        caseId: 'approved',
        status: 'awaiting_second_approval',
        approvals: [{ actorId: 'usr_mona', actorRole: 'moderator', decision: 'approve', notes: null, at: at(1) }],
      }),
      caseWith({ caseId: 'open' }),
    ];
    const first = caseWith({ caseId: 'first' });
    const queue = [first, ended, mine, about, approved, open];
    expect(nextFor(queue, 'first', 'usr_mona')?.caseId).toBe('open');
    expect(nextFor(queue, 'open', 'usr_mona')?.caseId).toBe('first');
    expect(nextFor(queue, 'gone from it', 'usr_mona')?.caseId).toBe('first');
    expect(nextFor([ended, mine, about, approved, open], 'open', 'usr_mona')).toBeNull();
    expect(nextFor(queue, 'open', 'usr_milo')?.caseId).toBe('first');
    expect(nextFor([approved, open], 'open', 'usr_milo')?.caseId).toBe('approved');
  });

  it('is searched by each open status unless it is filtered by one', () => {
    expect(withOpen({ userId: 'usr_bob' })).toEqual([
      { userId: 'usr_bob' },
      { userId: 'usr_bob', status: 'pending' },
      { userId: 'usr_bob', status: 'awaiting_second_approval' },
      { userId: 'usr_bob', status: 'escalated' },
    ]);
    expect(withOpen({ status: 'resolved' })).toEqual([{ status: 'resolved' }]);
  });

  it('counts the cases that wait for a decision', () => {
    expect(waiting(stats({ pending: 2, awaitingSecondApproval: 1, escalated: 1, resolved: 9 }))).toBe(4);
  });
});
