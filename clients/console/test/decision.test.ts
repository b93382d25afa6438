import { describe, expect, it } from 'vitest';
import { actionsFor, argsOf, barredBy, draftOf, problemOf, waitsForOther, withAction, type DecisionDraft } from '../src/decision.js';
import { caseWith } from './items.js';

const kNow = Date.parse('2025-11-05T12:00:00.000Z');
const draft = (change: Partial<DecisionDraft>): DecisionDraft => ({ decision: 'approve', notes: 'Seen', actions: [], ...change });

describe('a decision', () => {
  it('requires a choice and notes', () => {
    expect(problemOf(draft({ decision: null }))).toBe('Choose a decision.');
    expect(problemOf(draft({ notes: '  ' }))).toContain('Give a reason');
    expect(problemOf(draft({}))).toBeNull();
  });

  it('includes its actions, each with its target, and an end if it has one', () => {
    const actions = [draftOf('redact', caseWith()), draftOf('mute', caseWith()), draftOf('lock', caseWith()), { ...draftOf('suspend', caseWith()), target: 'usr_ann' }];
    expect(argsOf(draft({ notes: ' Seen ', actions }), kNow)).toEqual({
      decision: 'approve',
      notes: 'Seen',
      actions: [
        { action: 'redact', messageId: 'msg_1' },
        { action: 'mute', userId: 'usr_bob', until: '2025-11-06T12:00:00.000Z' },
        { action: 'lock' },
        { action: 'suspend', userId: 'usr_ann' },
      ],
    });
  });

  it('adds an action only once', () => {
    const once = withAction([], 'redact', caseWith());
    expect(once).toEqual([{ action: 'redact', target: 'msg_1', lasting: 'open' }]);
    expect(withAction(once, 'redact', caseWith())).toBe(once);
    expect(withAction(once, 'warn', caseWith())).toHaveLength(2);
  });

  it('that takes no actions omits them, complete or not', () => {
    const rejected = draft({ decision: 'reject', actions: [{ action: 'warn', target: '', lasting: 'open' }] });
    expect(problemOf(rejected)).toBeNull();
    expect(argsOf(rejected, kNow)).toEqual({ decision: 'reject', notes: 'Seen' });
  });

  it('is not sent with an action without target, or with a duplicate', () => {
    expect(problemOf(draft({ actions: [{ action: 'warn', target: '', lasting: 'open' }] }))).toContain('Choose the user');
    const warn = draftOf('warn', caseWith());
    expect(problemOf(draft({ actions: [warn, warn] }))).toContain('twice');
    expect(problemOf(draft({ actions: [warn, draftOf('mute', caseWith())] }))).toContain('Only one');
    expect(problemOf(draft({ actions: [warn, { ...draftOf('mute', caseWith()), target: 'usr_ann' }] }))).toBeNull();
  });

  it('offers only actions that have a target', () => {
    expect(actionsFor(caseWith({ type: 'user', threadId: null, messageId: null }))).toEqual(['warn', 'mute', 'shadow', 'suspend']);
    expect(actionsFor(caseWith({ threadId: null, messageId: null, userId: null }))).toEqual([]);
  });
});

describe('the user who decides', () => {
  it('is neither the reporter nor the subject, and the case is open', () => {
    expect(barredBy(caseWith(), 'usr_mona')).toBeNull();
    expect(barredBy(caseWith(), 'usr_ann')).toContain('reported');
    expect(barredBy(caseWith(), 'usr_bob')).toContain('about you');
    expect(barredBy(caseWith({ status: 'resolved' }), 'usr_mona')).toContain('decided');
  });

  it('waits for another user after the first of two approvals', () => {
    const first = { actorId: 'usr_mona', actorRole: 'moderator', decision: 'approve' as const, notes: null, at: '2025-11-05T12:00:00.000Z' };
    const waiting = caseWith({ status: 'awaiting_second_approval', approvals: [first] });
    expect([waitsForOther(waiting, 'usr_mona'), waitsForOther(waiting, 'usr_milo')]).toEqual([true, false]);
  });
});
