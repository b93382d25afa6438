import type { Case, CaseStatus, QueueFilter, QueuePage, QueueStats } from '@parley/sdk';
import { barredBy, waitsForOther } from './decision.js';

const kOpen: readonly CaseStatus[] = ['pending', 'awaiting_second_approval', 'escalated'];

/** The queue as it is shown: as many pages as were asked for. */
export interface Queue {
  cases: readonly Case[];
  stats: QueueStats;
  cursor: string | null;
  /** How many pages were read. */
  pages: number;
}

export function firstPage({ cases, stats, cursor }: QueuePage): Queue {
  return { cases, stats, cursor, pages: 1 };
}

/** One page more. What moved meanwhile may come a second time: then it stays where it came first. */
export function withMore(queue: Queue, { cases, stats, cursor }: QueuePage): Queue {
  const held = new Set(queue.cases.map(({ caseId }) => caseId));
  return { cases: [...queue.cases, ...cases.filter(({ caseId }) => !held.has(caseId))], stats, cursor, pages: queue.pages + 1 };
}

/**
 * The first page, read again. While it is all that is shown it replaces what is there; with more pages on screen only
 * what it names is renewed, and new cases come on top, so that nothing jumps under the reader.
 */
export function renewed(queue: Queue, page: QueuePage): Queue {
  if (queue.pages === 1) return firstPage(page);
  const news = new Map(page.cases.map((one) => [one.caseId, one]));
  const held = new Set(queue.cases.map(({ caseId }) => caseId));
  const added = page.cases.filter(({ caseId }) => !held.has(caseId));
  return { ...queue, cases: [...added, ...queue.cases.map((one) => news.get(one.caseId) ?? one)], stats: page.stats };
}

/** How many cases came since; for whoever does not see them come. */
export function arrivals(before: Queue | null, after: Queue): number {
  if (before === null) return 0;
  const held = new Set(before.cases.map(({ caseId }) => caseId));
  const newest = before.cases.reduce((latest, { reportedAt }) => (reportedAt > latest ? reportedAt : latest), '');
  return after.cases.filter(({ caseId, reportedAt }) => !held.has(caseId) && reportedAt >= newest).length;
}

/** The case after `caseId` that waits for this viewer, from the top if there is none below; null: none waits. */
export function nextFor(cases: readonly Case[], caseId: string, viewer: string): Case | null {
  const waits = (one: Case): boolean => one.caseId !== caseId && barredBy(one, viewer) === null && !waitsForOther(one, viewer);
  const at = cases.findIndex((one) => one.caseId === caseId);
  return cases.slice(at + 1).find(waits) ?? cases.find(waits) ?? null;
}

/** What the queue is narrowed to, and the same by each open status: what waits may lie far below what has ended. */
export function withOpen(filter: QueueFilter): readonly QueueFilter[] {
  return filter.status === undefined ? [filter, ...kOpen.map((status) => ({ ...filter, status }))] : [filter];
}

/** Where the number of cases of a status stands. */
export const kStatsNames: Readonly<Record<CaseStatus, keyof QueueStats>> = {
  pending: 'pending',
  awaiting_second_approval: 'awaitingSecondApproval',
  escalated: 'escalated',
  resolved: 'resolved',
  rejected: 'rejected',
};

/** What waits for a decision. */
export function waiting({ pending, awaitingSecondApproval, escalated }: QueueStats): number {
  return pending + awaitingSecondApproval + escalated;
}
