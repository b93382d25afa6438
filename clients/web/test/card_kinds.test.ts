import { ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { card, participant, thread } from '../../sdk/test/items.js';
import { askedFor, centsOf, initialOf, payloadOf } from '../src/card_fields.js';
import { kCardKinds, kindOf, openableKinds } from '../src/card_kinds.js';
import { inputOf } from '../src/card_text.js';
import { isClash, problemsOf, refusalText } from '../src/refusals.js';
import { threadWith } from './thread_fixture.js';

describe('the kinds of card that a viewer may open', () => {
  const held = (change: Parameters<typeof thread>[1]) => ({ ...threadWith([], []), thread: thread('thrd_a', change) });
  const types = (...args: Parameters<typeof openableKinds>): string[] => openableKinds(...args).map(({ type }) => type);
  const project = held({ kind: 'project' });
  const kBySeller = ['DELIVERABLE_PROOF', 'DELIVERABLE_FINAL', 'REQUEST_EXTRA', 'EXPENSE'];
  const kByParty = ['RESCHEDULE', 'OVERTIME_START', 'ACCEPTANCE_ACK', 'CANCEL_REQUEST', 'REFUND_REQUEST', 'DISPUTE_OPEN'];

  it('are those of the viewer\u2019s side', () => {
    expect(types(project, 'usr_alice').sort()).toEqual([...kByParty].sort());
    expect(types(project, 'usr_bob').sort()).toEqual([...kByParty, ...kBySeller].sort());
    expect(types(project, 'usr_carol')).toEqual([]);
  });

  it('are none in an inquiry, in a locked project, and for read-only members', () => {
    expect(types(held({ kind: 'inquiry' }), 'usr_alice')).toEqual([]);
    expect(types(held({ kind: 'project', status: 'locked' }), 'usr_bob')).toEqual([]);
    const reader = { ...participant('usr_bob', { permission: 'read' }), muted: false, mutedUntil: null, blockedUntil: null, readNo: 0 };
    expect(types({ ...project, me: reader }, 'usr_bob')).toEqual([]);
  });

  it('exclude those that a dispute forbids', () => {
    const disputed = types(held({ kind: 'project', disputeMessageId: 'msg_1' }), 'usr_bob');
    for (const type of ['REQUEST_EXTRA', 'EXPENSE', 'ACCEPTANCE_ACK', 'DISPUTE_OPEN']) expect(disputed).not.toContain(type);
    expect(disputed).toContain('RESCHEDULE');
  });
});

describe('a card\u2019s form', () => {
  const form = (type: string, typed: Record<string, string>) => {
    const { fields } = kindOf(type)!;
    return payloadOf(fields, { ...initialOf(fields), ...typed });
  };

  it('returns a payload with money in cents and times in UTC', () => {
    expect(form('REQUEST_EXTRA', { name: ' Drone ', priceCents: '120,5' })).toEqual({ name: 'Drone', priceCents: 12_050, currency: 'EUR' });
    const expense = { merchant: 'Ferry', amountCents: '12.50', date: '2030-01-05T10:00Z', receiptImage: 'r/1', buyerPayable: 'on' };
    expect(form('EXPENSE', expense)).toEqual({
      merchant: 'Ferry',
      amountCents: 1250,
      currency: 'EUR',
      date: '2030-01-05T10:00:00.000Z',
      receiptImage: 'r/1',
      buyerPayable: true,
    });
    expect(form('DISPUTE_OPEN', { reason: 'Late', details: 'two weeks' })).toEqual({ reason: 'Late', details: 'two weeks' });
  });

  it('returns none if a field is missing, malformed or out of bounds', () => {
    for (const kind of kCardKinds) expect(form(kind.type, {}), kind.type).toBeNull();
    expect(form('REQUEST_EXTRA', { name: 'Drone', priceCents: 'much' })).toBeNull();
    expect(form('REFUND_REQUEST', { reason: 'rain', amountCents: '0' })).toBeNull();
    expect(form('REFUND_REQUEST', { reason: 'rain' })).toEqual({ reason: 'rain' });
    expect(form('OVERTIME_START', { minutes: '121' })).toBeNull();
    expect(form('DISPUTE_OPEN', { reason: 'of my own' })).toBeNull();
    expect(form('RESCHEDULE', { newStart: 'soon', newEnd: '2030-01-05T10:00Z' })).toBeNull();
  });

  it('checks rules across fields', () => {
    const schedule = kindOf('RESCHEDULE')!;
    const at = (hour: string) => ({ newStart: '2030-01-05T10:00:00.000Z', newEnd: `2030-01-05T${hour}:00:00.000Z` });
    expect([schedule.fits!(at('11')), schedule.fits!(at('09'))]).toEqual([true, false]);
    const complete = kindOf('ACCEPTANCE_ACK')!;
    expect([complete.fits!({ kind: 'milestone' }), complete.fits!({ kind: 'milestone', milestoneId: 'm1' })]).toEqual([false, true]);
  });

  it('keeps the agreed fields when it replaces another', () => {
    const { fields } = kindOf('DELIVERABLE_PROOF')!;
    const before = { manifestRef: 'old', maxRevisions: 1 };
    expect(askedFor(fields, before).map(({ name }) => name)).toEqual(['manifestRef', 'note']);
    expect(payloadOf(fields, { manifestRef: 'new', maxRevisions: '9' }, before)).toEqual({ manifestRef: 'new', maxRevisions: 1 });
  });

  it('exists for every intent that takes a payload', () => {
    for (const [type, intent] of [['RESCHEDULE', 'counter'], ['DELIVERABLE_PROOF', 'resubmit'], ['DELIVERABLE_FINAL', 'resubmit']] as const) {
      expect(inputOf({ type }, intent)).toBe('payload');
      expect(kindOf(type)).toBeDefined();
    }
  });

  it('reads money from its digits', () => {
    expect(['0.29', '12', '12,5', '.5', '-1', '1.234', ''].map(centsOf)).toEqual([29, 1200, 1250, null, null, null, null]);
  });
});

describe('a refusal', () => {
  const hint = 'Somebody was first.';
  const error = (code: string, details: ConstructorParameters<typeof ParleyError>[3] = {}) => new ParleyError(code, code, hint, details);

  it('names the conflicting card', () => {
    expect(refusalText(error('ACTION_CONFLICT', { current: card('msg_1') }))).toBe(`${hint} Now: Reschedule, pending.`);
    expect(refusalText(error('FORBIDDEN'))).toBe(hint);
  });

  it('names its fields, and whether another change came first', () => {
    expect(problemsOf(error('CARD_INVALID', { fields: { name: 'is too long' } }))).toEqual({ name: 'is too long' });
    expect(problemsOf(null)).toEqual({});
    expect([isClash(error('VERSION_CONFLICT')), isClash(error('FORBIDDEN')), isClash(new Error('x'))]).toEqual([true, false, false]);
  });
});
