import type { Case, CaseAction, CaseActionArgs, DecideArgs, Decision } from '@parley/sdk';

/** Durations of a mute, a shadow or a suspension; null: until staff end it. */
export const kLasting: readonly { name: string; words: string; ms: number | null }[] = [
  { name: 'open', words: 'Until staff end it', ms: null },
  { name: '1h', words: 'One hour', ms: 3_600_000 },
  { name: '24h', words: '24 hours', ms: 86_400_000 },
  { name: '7d', words: '7 days', ms: 7 * 86_400_000 },
  { name: '30d', words: '30 days', ms: 30 * 86_400_000 },
];

const kLast: readonly CaseAction[] = ['mute', 'shadow', 'suspend'];

/** Returns true if the action can have an end. */
export function lasts(action: CaseAction): boolean {
  return kLast.includes(action);
}

/** Returns the kind of target of an action. */
export function targetOf(action: CaseAction): 'message' | 'user' | 'thread' {
  return action === 'redact' ? 'message' : action === 'lock' ? 'thread' : 'user';
}

/** An action that is being edited. */
export interface ActionDraft {
  action: CaseAction;
  /** The id of the message or user; empty for the thread. */
  target: string;
  /** A name of kLasting. */
  lasting: string;
}

export interface DecisionDraft {
  decision: Decision | null;
  notes: string;
  actions: readonly ActionDraft[];
}

type About = Pick<Case, 'threadId' | 'messageId' | 'userId'>;

/** Returns the actions that fit a case; a mute, for example, requires a user in it. */
export function actionsFor({ threadId, messageId, userId }: About): CaseAction[] {
  const all: CaseAction[] = ['redact', 'warn', 'mute', 'shadow', 'suspend', 'lock'];
  const there = { message: messageId !== null || threadId !== null, user: userId !== null || threadId !== null, thread: threadId !== null };
  return all.filter((action) => there[targetOf(action)]);
}

export function draftOf(action: CaseAction, { messageId, userId }: About): ActionDraft {
  const target = { message: messageId, user: userId, thread: null }[targetOf(action)] ?? '';
  return { action, target, lasting: action === 'mute' ? '24h' : 'open' };
}

/** Adds an action, unless it is in the list already. */
export function withAction(actions: readonly ActionDraft[], action: CaseAction, about: About): readonly ActionDraft[] {
  const draft = draftOf(action, about);
  return actions.some((held) => held.action === action && held.target === draft.target) ? actions : [...actions, draft];
}

/** Returns true if the decision may contain actions. */
export function takesActions(decision: Decision | null): boolean {
  return decision === 'approve' || decision === 'override';
}

/** Returns the missing part in words for people, or null if the decision can be sent. */
export function problemOf({ decision, notes, actions }: DecisionDraft): string | null {
  if (decision === null) return 'Choose a decision.';
  if (notes.trim() === '') return 'Give a reason: the notes are kept in the audit.';
  if (!takesActions(decision)) return null;
  const bare = actions.find(({ action, target }) => targetOf(action) !== 'thread' && target === '');
  if (bare !== undefined) return targetOf(bare.action) === 'user' ? 'Choose the user for each action.' : 'Choose the message to redact.';
  const seen = new Set(actions.map(({ action, target }) => `${action} ${target}`));
  if (seen.size < actions.length) return 'The same action is listed twice.';
  const users = actions.filter(({ action }) => targetOf(action) === 'user').map(({ target }) => target);
  return new Set(users).size < users.length ? 'Only one action for the same user: warn, mute, shadow-mute or suspend them.' : null;
}

/** REQUIRES: problemOf returns null. `now`: in ms. */
export function argsOf({ decision, notes, actions }: DecisionDraft, now: number): DecideArgs {
  const args = { decision: decision!, notes: notes.trim() };
  return takesActions(decision) && actions.length > 0 ? { ...args, actions: actions.map((action) => actionArgs(action, now)) } : args;
}

function actionArgs({ action, target, lasting }: ActionDraft, now: number): CaseActionArgs {
  const ms = lasts(action) ? (kLasting.find(({ name }) => name === lasting)?.ms ?? null) : null;
  const until = ms === null ? {} : { until: new Date(now + ms).toISOString() };
  const to = { message: { messageId: target }, user: { userId: target }, thread: {} }[targetOf(action)];
  return { action, ...to, ...until };
}

/** Returns the reason why this viewer may not decide the case, in words for people, or null if they may. */
export function barredBy({ reportedBy, userId, status }: Pick<Case, 'reportedBy' | 'userId' | 'status'>, viewer: string): string | null {
  if (status === 'resolved' || status === 'rejected') return 'This case has been decided.';
  if (userId === viewer) return 'The case is about you, so another person must decide it.';
  if (reportedBy.includes(viewer)) return 'You reported this, so another person must decide it.';
  return null;
}

/** Returns true if the viewer approved and the case waits for a second approval. */
export function waitsForOther({ status, approvals }: Pick<Case, 'status' | 'approvals'>, viewer: string): boolean {
  return status === 'awaiting_second_approval' && approvals.some(({ actorId }) => actorId === viewer);
}
