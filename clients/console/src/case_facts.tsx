import type { Case, CaseReport } from '@parley/sdk';
import { Name } from '@parley/shared';
import { ActionWords } from './action_words.js';
import { SeverityChip, StatusChip } from './case_chips.js';
import { PlaceLink } from './place_context.js';
import { When } from './when.js';
import { kDecisionWords, kSeverityWords, originWords, plain } from './words.js';

export function UserLink({ userId }: { userId: string }) {
  return (
    <PlaceLink to={{ view: 'user', id: userId }} testId="user-link">
      <Name id={userId} />
    </PlaceLink>
  );
}

export function ThreadLink({ threadId }: { threadId: string }) {
  return (
    <PlaceLink to={{ view: 'thread', id: threadId }} testId="thread-link">
      {threadId}
    </PlaceLink>
  );
}

/** The facts of a case, without its subject. */
export function CaseFacts({ of, reports }: { of: Case; reports: readonly CaseReport[] }) {
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <StatusChip status={of.status} /> <SeverityChip severity={of.severity} />
        {of.requiresDualApproval ? <span data-testid="needs-two"> needs two approvals</span> : null}
      </dd>
      <dt>About</dt>
      <dd>
        {of.userId === null ? null : <UserLink userId={of.userId} />}
        {of.userId !== null && of.threadId !== null ? ', in ' : null}
        {of.threadId === null ? null : <ThreadLink threadId={of.threadId} />}
      </dd>
      <dt>Opened by</dt>
      <dd>
        {originWords(of.origin)}, <When at={of.reportedAt} long />
      </dd>
      <dt>Reason</dt>
      <dd dir="auto" data-testid="case-reason">
        {of.reason === null ? '' : plain(of.reason)}
      </dd>
      {reports.length === 0 ? null : (
        <>
          <dt>Reports</dt>
          <dd>
            <ul className="reports">
              {reports.map((report) => (
                <li key={report.userId} data-testid="report">
                  <UserLink userId={report.userId} />: <span dir="auto">{plain(report.reason)}</span>
                  {report.severity === of.severity ? null : ` (${kSeverityWords[report.severity]})`}
                  {report.notes ? <q dir="auto">{report.notes}</q> : null}
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </dl>
  );
}

function outcomeWords(outcome: string): string {
  const known = (kDecisionWords as Record<string, { done: string } | undefined>)[outcome];
  return known === undefined ? plain(outcome) : known.done.toLowerCase();
}

/** The decisions so far, with their authors, and the outcome. */
export function CaseDecisions({ of }: { of: Case }) {
  const { approvals, resolution, actions } = of;
  if (approvals.length === 0 && resolution === null) return <p className="muted">No decision yet.</p>;
  return (
    <>
      <ol className="approvals" data-testid="approvals">
        {approvals.map(({ actorId, actorRole, decision, notes, at }) => (
          <li key={`${actorId} ${at}`} data-testid="approval" data-actor={actorId} data-decision={decision}>
            <strong>{kDecisionWords[decision].done}</strong> by <UserLink userId={actorId} /> ({actorRole}), <When at={at} />
            {notes ? <q dir="auto">{notes}</q> : null}
          </li>
        ))}
      </ol>
      {actions && actions.length > 0 ? (
        <div>
          <p>{resolution === null || of.status === 'awaiting_second_approval' ? 'Proposed:' : 'Done:'}</p>
          <ul className="reports" data-testid="case-actions">
            {actions.map((action, at) => (
              <li key={at}>
                <ActionWords of={action} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {resolution === null ? null : (
        <p data-testid="resolution" data-outcome={resolution.outcome}>
          Ended: {outcomeWords(resolution.outcome)}, <When at={resolution.resolvedAt} long />.
        </p>
      )}
    </>
  );
}
