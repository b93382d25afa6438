import { cutText, type Case, type CaseAction, type CaseContext } from '@parley/sdk';
import { isolate, useNames } from '@parley/shared';
import { useEffect, useRef } from 'react';
import { actionsFor, kLasting, lasts, targetOf, withAction, type ActionDraft } from './decision.js';
import { kActionWords } from './words.js';

interface ActionListProps {
  of: Case;
  context: CaseContext | null;
  actions: readonly ActionDraft[];
  onChange: (actions: readonly ActionDraft[]) => void;
}

const kShownChars = 40;

/**
 * Returns the possible targets of an action: the subject of the case, and the messages and users of its visible
 * context.
 */
function useTargets(of: Case, context: CaseContext | null): (action: CaseAction) => { id: string; words: string }[] {
  const nameOf = useNames();
  const userIds = new Set([...(of.userId === null ? [] : [of.userId]), ...(context?.participants ?? []).map(({ userId }) => userId)]);
  const messages = context?.messages ?? [];
  return (action) => {
    if (targetOf(action) === 'user') return [...userIds].map((id) => ({ id, words: nameOf(id) }));
    const named = messages.map(({ messageId, authorUserId, body }) => ({ id: messageId, words: `${nameOf(authorUserId)}: ${isolate(cutText(body, kShownChars))}` }));
    const about = of.messageId;
    return about === null || named.some(({ id }) => id === about) ? named : [{ id: about, words: 'The reported message' }, ...named];
  };
}

/** Moves the focus to the missing field of a new action, or to the buttons if the focused row was removed. */
function useFocusAfter(count: number) {
  const box = useRef<HTMLFieldSetElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const was = before.current;
    before.current = count;
    const focus = (selector: string): void => box.current?.querySelector<HTMLElement>(selector)?.focus();
    if (count < was) focus('[data-testid=add-action]');
    const last = box.current?.querySelector<HTMLSelectElement>('.action:last-of-type [data-testid=action-target]');
    if (count > was && last?.value === '') last.focus();
  }, [count]);
  return box;
}

/** The actions that a decision carries out. */
export function ActionList({ of, context, actions, onChange }: ActionListProps) {
  const targets = useTargets(of, context);
  const box = useFocusAfter(actions.length);
  const change = (at: number, part: Partial<ActionDraft>): void => onChange(actions.map((action, row) => (row === at ? { ...action, ...part } : action)));
  const offered = actionsFor(of);
  if (offered.length === 0) return null;
  return (
    <fieldset ref={box} className="actions" data-testid="actions">
      <legend>Actions</legend>
      {actions.map((action, at) => {
        const name = kActionWords[action.action];
        return (
          <div key={at} className="action" data-testid="action" data-action={action.action}>
            <span>{name}</span>
            {targetOf(action.action) === 'thread' ? null : (
              <select aria-label={`${name}: which`} data-testid="action-target" value={action.target} onChange={(event) => change(at, { target: event.target.value })}>
                <option value="">Choose…</option>
                {targets(action.action).map(({ id, words }) => (
                  <option key={id} value={id}>
                    {words}
                  </option>
                ))}
              </select>
            )}
            {lasts(action.action) ? (
              <select aria-label={`${name}: how long`} data-testid="action-lasting" value={action.lasting} onChange={(event) => change(at, { lasting: event.target.value })}>
                {kLasting.map(({ name: lasting, words }) => (
                  <option key={lasting} value={lasting}>
                    {words}
                  </option>
                ))}
              </select>
            ) : null}
            <button type="button" className="link-button" onClick={() => onChange(actions.filter((_, row) => row !== at))}>
              Remove<span className="visually-hidden">: {name}</span>
            </button>
          </div>
        );
      })}
      <div className="add-actions" role="group" aria-label="Add an action">
        {offered.map((action, at) => (
          <button
            key={action}
            type="button"
            className="filter"
            data-testid="add-action"
            data-action={action}
            aria-keyshortcuts={String(at + 1)}
            onClick={() => onChange(withAction(actions, action, of))}
          >
            {kActionWords[action]} <kbd aria-hidden="true">{at + 1}</kbd>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
