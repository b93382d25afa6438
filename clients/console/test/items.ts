import type { Case } from '@parley/sdk';

export function caseWith(change: Partial<Case> = {}): Case {
  return {
    caseId: 'case_1',
    type: 'message',
    origin: 'report',
    threadId: 'thrd_1',
    messageId: 'msg_1',
    userId: 'usr_bob',
    status: 'pending',
    severity: 'medium',
    reason: 'harassment',
    reportedBy: ['usr_ann'],
    reportCount: 1,
    reportedAt: '2025-11-05T14:12:07.123Z',
    updatedAt: '2025-11-05T14:12:07.123Z',
    requiresDualApproval: false,
    escalated: false,
    approvals: [],
    actions: [],
    resolution: null,
    auditId: null,
    version: 1,
    ...change,
  };
}
