import type { Case, CaseAction, CaseContext, DecideArgs, Decision } from '@parley/sdk';
import { isComposing } from '@parley/shared';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { ActionList } from './action_list.js';
import { actionsFor, argsOf, problemOf, takesActions, waitsForOther, withAction, type DecisionDraft } from './decision.js';
import { refusalOf } from './refusal.js';
import { useShortcuts } from './shortcuts_context.js';
import { kActionWords, kDecisionWords } from './words.js';

const kDecisions: readonly { decision: Decision; key: string }[] = [
  { decision: 'approve', key: 'a' },
  { decision: 'reject', key: 'r' },
  { decision: 'escalate', key: 'e' },
  { decision: 'override', key: 'o' },
];

const kEmpty: DecisionDraft = { decision: null, notes: '', actions: [] };

interface DecisionFormProps {
  of: Case;
  context: CaseContext | null;
  viewer: string;
  decide: (args: DecideArgs) => Promise<void>;
}

/** A decision with its notes. A second approval repeats the proposed actions, unless the viewer decides otherwise. */
export function DecisionForm({ of, context, viewer, decide }: DecisionFormProps) {
  const [draft, setDraft] = useState<DecisionDraft>(kEmpty);
  const [otherActions, setOtherActions] = useState(false);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const notes = useRef<HTMLTextAreaElement>(null);
  const second = of.status === 'awaiting_second_approval' && !waitsForOther(of, viewer);
  const proposed = of.approvals[0]?.decision ?? null;
  // Includes the proposed actions only in the same decision as the first one.
  const agrees = second && draft.decision === proposed;
  const choosesActions = takesActions(draft.decision) && (!agrees || otherActions);

  const choose = (decision: Decision): void => {
    setDraft((held) => ({ ...held, decision }));
    setComplaint(null);
  };
  // Adding an action selects the decision that upholds the report, unless one is chosen already.
  const add = (action: CaseAction): void => {
    if (second) setOtherActions(true);
    setDraft((held) => ({ ...held, decision: takesActions(held.decision) ? held.decision : 'approve', actions: withAction(held.actions, action, of) }));
    setComplaint(null);
  };
  useShortcuts([
    ...kDecisions.map(({ decision, key }) => ({
      keys: key,
      words: kDecisionWords[decision].verb,
      act: () => {
        choose(decision);
        notes.current?.focus();
      },
    })),
    ...actionsFor(of).map((action, at) => ({ keys: String(at + 1), words: `With the action: ${kActionWords[action].toLowerCase()}`, act: () => add(action) })),
  ]);

  const submit = async (): Promise<void> => {
    const sent = choosesActions ? draft : { ...draft, actions: [] };
    const problem = problemOf(sent);
    setComplaint(problem);
    if (problem !== null || busy) return;
    setBusy(true);
    try {
      await decide(argsOf(sent, Date.now()));
      setDraft(kEmpty);
      setOtherActions(false);
    } catch (error) {
      setComplaint(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form className="decide" data-testid="decide" onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      {waitsForOther(of, viewer) ? (
        <p data-testid="waits-for-other">You have decided; another person has to agree. Deciding again replaces your decision.</p>
      ) : null}
      {second ? (
        <p data-testid="second">
          Yours would be the second approval{proposed === null ? '' : `, if you choose “${kDecisionWords[proposed].verb}” as well`}: then the
          proposed actions are carried out.
        </p>
      ) : null}
      <fieldset className="decisions">
        <legend>Decision</legend>
        {kDecisions.map(({ decision, key }) => (
          <label key={decision} className="decision">
            <input
              type="radio"
              name="decision"
              data-testid={`decide-${decision}`}
              checked={draft.decision === decision}
              aria-keyshortcuts={key}
              onChange={() => choose(decision)}
            />
            <span>
              <strong>{kDecisionWords[decision].verb}</strong> <kbd aria-hidden="true">{key}</kbd>
              <span className="muted">{kDecisionWords[decision].means}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {agrees && takesActions(draft.decision) ? (
        <label className="field field-check">
          Propose other actions
          <input type="checkbox" data-testid="other-actions" checked={otherActions} onChange={(event) => setOtherActions(event.target.checked)} />
        </label>
      ) : null}
      {choosesActions ? (
        <ActionList of={of} context={context} actions={draft.actions} onChange={(actions) => setDraft((held) => ({ ...held, actions }))} />
      ) : null}
      <label className="field">
        Notes
        <textarea
          ref={notes}
          data-testid="decide-notes"
          rows={3}
          maxLength={2000}
          value={draft.notes}
          onChange={(event) => {
            const { value } = event.target;
            setDraft((held) => ({ ...held, notes: value }));
            setComplaint(null);
          }}
        />
      </label>
      {complaint === null ? null : (
        <p className="form-error" role="alert" data-testid="decide-error">
          {complaint}
        </p>
      )}
      <button type="submit" className="button primary" data-testid="decide-submit" disabled={busy} aria-keyshortcuts="Control+Enter">
        {draft.decision === null ? 'Decide' : kDecisionWords[draft.decision].verb} <kbd aria-hidden="true">Ctrl Enter</kbd>
      </button>
    </form>
  );
}
