import type { Case, DecideArgs } from '@parley/sdk';
import { useAttempt, useClientState, useNames, useNote } from '@parley/shared';
import { useCallback } from 'react';
import { CaseContextView } from './case_context.js';
import { withFile } from './case_file.js';
import { CaseDecisions, CaseFacts } from './case_facts.js';
import { barredBy } from './decision.js';
import { DecisionForm } from './decision_form.js';
import { Failure } from './failure.js';
import { PlaceLink, usePlaces } from './place_context.js';
import { nextFor, withOpen } from './queue.js';
import { isStale } from './refusal.js';
import type { QueuePlace } from './route.js';
import { useShortcuts } from './shortcuts_context.js';
import { useStaff } from './staff_context.js';
import { subjectWords } from './subject.js';
import { useEvery } from './use_every.js';
import { useLoaded } from './use_loaded.js';
import { statusWords } from './words.js';

const kRenewMs = 5_000;
const kNextOf = 100; // how many cases of the queue to search for the next one

interface CasePageProps {
  caseId: string;
  ready: boolean;
  /** The place in the queue to return to. */
  back: QueuePlace;
}

export function CasePage({ caseId, ready, back }: CasePageProps) {
  const client = useStaff();
  const { moderation } = client;
  const { userId } = useClientState(client);
  const { go } = usePlaces();
  const note = useNote();
  const nameOf = useNames();
  const load = useCallback(() => moderation.openCase(caseId), [moderation, caseId]);
  const { value, failure, reload, set } = useLoaded(load, ready);
  const attempt = useAttempt();
  const next = async (): Promise<void> => {
    for (const filter of withOpen(back.filter)) {
      const { cases } = await moderation.queue(filter, null, kNextOf);
      const found = nextFor(cases, caseId, userId);
      if (found !== null) return go({ view: 'case', id: found.caseId });
    }
    note('No other case in the queue waits for you.');
  };
  useShortcuts([
    { keys: 'n', words: 'Next case that waits for you', act: () => void attempt(next) },
    { keys: 'u', words: 'Back to the queue', act: () => go(back) },
  ]);

  // Detects changes by others from the queue, because reading the case again would be one more recorded read.
  const held = value?.case;
  const renew = async (): Promise<void> => {
    if (held === undefined) return;
    const about = held.threadId !== null ? { threadId: held.threadId } : held.userId !== null ? { userId: held.userId } : null;
    if (about === null) return;
    const { cases } = await moderation.queue(about, null, 100);
    const news = cases.find((one) => one.caseId === held.caseId);
    if (news === undefined || news.updatedAt <= held.updatedAt) return;
    set((view) => (view === null ? null : { ...view, case: news }));
    const by = news.approvals.at(-1)?.actorId;
    if (news.approvals.length > 0 && by !== undefined && by !== userId) note(`${nameOf(by)} has decided. The case is now: ${statusWords(news.status).toLowerCase()}.`);
  };
  useEvery(kRenewMs, ready && value !== null, () => void renew().catch(() => undefined));

  const decide = async (args: DecideArgs): Promise<void> => {
    // An approval applies to the version on screen, not to a later proposal.
    const seen = held?.version;
    const decided = await moderation.decide(caseId, seen === undefined ? args : { ...args, version: seen }).catch((error: unknown) => {
      if (isStale(error)) void renew().catch(() => undefined);
      throw error;
    });
    note(`The case is now: ${statusWords(decided.status).toLowerCase()}.`);
    set((view) => (view === null ? null : { ...view, case: decided }));
    if (showsOtherwise(decided)) reload();
    document.getElementById('page')?.focus();
  };

  const barred = held === undefined ? null : barredBy(held, userId);
  return (
    <>
      <nav className="case-nav" aria-label="Cases">
        <PlaceLink to={back} testId="back">
          ← Queue
        </PlaceLink>
        <button type="button" className="link-button" data-testid="next-case" aria-keyshortcuts="n" onClick={() => void attempt(next)}>
          Next case
        </button>
      </nav>
      <h1 id="page-title" data-testid="case" data-status={held?.status} data-case-id={caseId}>
        {held === undefined ? 'Case' : subjectWords(held, nameOf)}
      </h1>
      <p className="muted">Opening a case is recorded in the audit.</p>
      <Failure failure={failure} onRetry={reload} />
      {value === null || held === undefined ? (
        <p className="muted">{failure === null ? 'Loading…' : ''}</p>
      ) : (
        <div className="case">
          <div className="case-column">
            <section className="card" aria-label="Facts">
              <CaseFacts of={held} reports={value.reports ?? []} />
            </section>
            <section className="card" aria-labelledby="context-title">
              <h2 id="context-title">What happened</h2>
              <CaseContextView of={held} view={value} onFile={(changed) => set((view) => (view === null ? null : { ...view, context: withFile(view.context, changed) }))} />
            </section>
          </div>
          <div className="case-column">
            <section className="card" aria-labelledby="decisions-title">
              <h2 id="decisions-title">Decisions</h2>
              <CaseDecisions of={held} />
              {barred === null ? (
                <DecisionForm of={held} context={value.context} viewer={userId} decide={decide} />
              ) : (
                <p className="muted" data-testid="no-decision">
                  {barred}
                </p>
              )}
            </section>
            <PlaceLink to={{ view: 'audit', filter: { caseId } }} testId="case-audit">
              All records of this case
            </PlaceLink>
          </div>
        </div>
      )}
    </>
  );
}

/** Returns true if this decision changes the context. */
function showsOtherwise({ status, actions, escalated }: Case): boolean {
  return escalated === true || (status === 'resolved' && (actions ?? []).some(({ action }) => action === 'redact' || action === 'lock'));
}
