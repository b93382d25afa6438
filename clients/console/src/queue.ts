import type { Case, CaseStatus, QueueFilter, QueuePage, QueueStats } from '@parley/sdk';
import { barredBy, waitsForOther } from './decision.js';

const kOpen: readonly CaseStatus[] = ['pending', 'awaiting_second_approval', 'escalated'];

/** The loaded pages of the queue. */
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

/** Adds a page. A case that moved may appear twice; its first place wins. */
export function withMore(queue: Queue, { cases, stats, cursor }: QueuePage): Queue {
  const held = new Set(queue.cases.map(({ caseId }) => caseId));
  return { cases: [...queue.cases, ...cases.filter(({ caseId }) => !held.has(caseId))], stats, cursor, pages: queue.pages + 1 };
}

/**
 * Merges the first page, read again. If only one page is shown, it is replaced; otherwise only its cases are updated,
 * and new cases are added on top, so that rows do not move under the reader.
 */
export function renewed(queue: Queue, page: QueuePage): Queue {
  if (queue.pages === 1) return firstPage(page);
  const news = new Map(page.cases.map((one) => [one.caseId, one]));
  const held = new Set(queue.cases.map(({ caseId }) => caseId));
  const added = page.cases.filter(({ caseId }) => !held.has(caseId));
  return { ...queue, cases: [...added, ...queue.cases.map((one) => news.get(one.caseId) ?? one)], stats: page.stats };
}

/** Returns how many cases are new, for announcement to screen readers. */
export function arrivals(before: Queue | null, after: Queue): number {
  if (before === null) return 0;
  const held = new Set(before.cases.map(({ caseId }) => caseId));
  const newest = before.cases.reduce((latest, { reportedAt }) => (reportedAt > latest ? reportedAt : latest), '');
  return after.cases.filter(({ caseId, reportedAt }) => !held.has(caseId) && reportedAt >= newest).length;
}

/** Returns the case after `caseId` that waits for this viewer, else the first of the queue that does, or null. */
export function nextFor(cases: readonly Case[], caseId: string, viewer: string): Case | null {
  const waits = (one: Case): boolean => one.caseId !== caseId && barredBy(one, viewer) === null && !waitsForOther(one, viewer);
  const at = cases.findIndex((one) => one.caseId === caseId);
  return cases.slice(at + 1).find(waits) ?? cases.find(waits) ?? null;
}

/** Returns the filter, and copies of it for each open status, because open cases may lie far below closed ones. */
export function withOpen(filter: QueueFilter): readonly QueueFilter[] {
  return filter.status === undefined ? [filter, ...kOpen.map((status) => ({ ...filter, status }))] : [filter];
}

/** The name of each status's count in the stats. */
export const kStatsNames: Readonly<Record<CaseStatus, keyof QueueStats>> = {
  pending: 'pending',
  awaiting_second_approval: 'awaitingSecondApproval',
  escalated: 'escalated',
  resolved: 'resolved',
  rejected: 'rejected',
};

/** Returns the number of cases that wait for a decision. */
export function waiting({ pending, awaitingSecondApproval, escalated }: QueueStats): number {
  return pending + awaitingSecondApproval + escalated;
}
