import type { Conduct, ConductState } from '@parley/sdk';
import { Name, useClientState, useNames, useNote } from '@parley/shared';
import { useCallback, useState } from 'react';
import { AuditList } from './audit_list.js';
import { UserLink } from './case_facts.js';
import { ConductForm } from './conduct_form.js';
import { Failure } from './failure.js';
import { LadderSection } from './ladder_section.js';
import { PlaceLink } from './place_context.js';
import { useStaff } from './staff_context.js';
import { ThreadList } from './thread_list.js';
import { useLoaded } from './use_loaded.js';
import { When } from './when.js';
import { kConductWords } from './words.js';

/** A user's standing with the tenant: sanctions in force, text policy strikes, and everything recorded about them. */
export function UserPage({ userId, ready }: { userId: string; ready: boolean }) {
  const client = useStaff();
  const { moderation } = client;
  const viewer = useClientState(client).userId;
  const nameOf = useNames();
  const note = useNote();
  const load = useCallback(() => moderation.user(userId), [moderation, userId]);
  const { value, failure, reload, set } = useLoaded(load, ready);
  const [acts, setActs] = useState(0); // counts the viewer's actions: the records are read again after each
  const readHistory = useCallback((cursor: string | null) => moderation.audit({ userId }, cursor), [moderation, userId, acts]);
  const readThreads = useCallback((cursor: string | null) => moderation.threads({ userId }, cursor), [moderation, userId]);

  const change = async (state: ConductState, reason: string, until: string | null): Promise<void> => {
    const changed = await moderation.setUser(userId, state, reason, until);
    set(() => changed);
    setActs((now) => now + 1);
    note(`${nameOf(userId)}: ${kConductWords[changed.state].toLowerCase()}.`);
  };

  const reset = (): void => {
    setActs((now) => now + 1);
    reload();
  };

  return (
    <>
      <h1 id="page-title" data-testid="user" data-user-id={userId} data-state={value?.state}>
        <Name id={userId} />
      </h1>
      <p className="muted">
        {userId} · <PlaceLink to={{ view: 'queue', filter: { userId } }} testId="user-cases">Cases about them</PlaceLink>
      </p>
      <Failure failure={failure} onRetry={reload} />
      <div className="case forms-first">
        <div className="case-column">
          <section className="card" aria-labelledby="standing-title">
            <h2 id="standing-title">Standing</h2>
            {value === null ? <p className="muted">Loading…</p> : <Standing of={value} />}
            {viewer === userId ? (
              <p className="muted">This is you: another person must decide about you.</p>
            ) : (
              <ConductForm now={value?.state ?? 'ok'} change={change} />
            )}
          </section>
          <LadderSection userId={userId} places={value?.ladder ?? []} onReset={reset} />
        </div>
        <div className="case-column">
          <section className="card" aria-labelledby="history-title">
            <h2 id="history-title">Records</h2>
            <AuditList read={readHistory} ready={ready} keys={false} />
          </section>
          <section className="card" aria-labelledby="threads-title">
            <h2 id="threads-title">Conversations</h2>
            <ThreadList read={readThreads} ready={ready} keys={false} />
          </section>
        </div>
      </div>
    </>
  );
}

function Standing({ of }: { of: Conduct }) {
  return (
    <dl className="facts" data-testid="standing">
      <dt>Now</dt>
      <dd>
        <strong>{kConductWords[of.state]}</strong>
        {of.until ? (
          <>
            , until <When at={of.until} long />
          </>
        ) : null}
      </dd>
      {of.by ? (
        <>
          <dt>Decided by</dt>
          <dd>
            <UserLink userId={of.by} />
            {of.at ? (
              <>
                , <When at={of.at} long />
              </>
            ) : null}
          </dd>
        </>
      ) : null}
      {of.reason ? (
        <>
          <dt>Reason</dt>
          <dd dir="auto">{of.reason}</dd>
        </>
      ) : null}
    </dl>
  );
}
