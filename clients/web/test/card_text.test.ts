import { money, zoneName } from '@parley/shared';
import { describe, expect, it } from 'vitest';
import { card } from '../../sdk/test/items.js';
import { withField } from '../src/brief.js';
import { cardLines, cardTitle, costQuestion, inputOf, words } from '../src/card_text.js';
import { shotProgress } from '../src/shots.js';

describe('a card', () => {
  it('has a name in words, also if the tenant defined its type', () => {
    expect([cardTitle('DELIVERABLE_PROOF'), cardTitle('FS_REQUEST_QUOTE')]).toEqual(['Proofs', 'Fs request quote']);
    expect([words('request_revisions'), words('newStart')]).toEqual(['Request revisions', 'New start']);
  });

  it('shows its payload: money with its currency, maps by their fields, the total last', () => {
    const lines = cardLines({
      totalCents: 1250,
      currency: 'EUR',
      proposed: { start: 'soon', deeper: { not: 'shown' } },
      watermarked: true,
      note: null,
    });
    expect(lines).toEqual([
      { label: 'Proposed start', value: 'soon' },
      { label: 'Watermarked', value: 'Yes' },
      { label: 'Total', value: money(1250, 'EUR') },
    ]);
  });

  it('lists items with their prices, and other lists by name or number', () => {
    const items = [{ title: 'Lamp', qty: 2, unitCents: 1000 }, { title: 'Hour', qty: 1, unitCents: 550 }];
    expect(cardLines({ items, currency: 'EUR', totalCents: 2550 })).toEqual([
      { label: '2 × Lamp', value: `${money(1000, 'EUR')} each, ${money(2000, 'EUR')}` },
      { label: 'Hour', value: money(550, 'EUR') },
      { label: 'Total', value: money(2550, 'EUR') },
    ]);
    expect(cardLines({ evidence: [{ s3Key: 'a/b/c' }, { name: 'bill.pdf', s3Key: 'd' }] })).toEqual([
      { label: 'Evidence 1', value: '' },
      { label: 'bill.pdf', value: '' },
    ]);
  });

  it('shows no ids and no keys', () => {
    expect(cardLines({ milestoneId: 'mil_7', receiptKey: 'x', checksum: 'c', deep: { orderId: 'ord_1', what: 'chair' } })).toEqual([
      { label: 'Deep what', value: 'chair' },
    ]);
  });

  it('shows the time zone of its times', () => {
    const [line] = cardLines({ newStart: '2025-11-07T14:00:00.000Z' });
    expect(line!.value).toContain(zoneName(Date.parse('2025-11-07T14:00:00.000Z')));
    expect(zoneName(0)).not.toBe('');
  });

  it('asks for confirmation only before money moves', () => {
    const extra = { type: 'REQUEST_EXTRA', payload: { totalCents: 2550, currency: 'EUR' } };
    expect(costQuestion(extra, 'approve')).toBe(`Approve ${money(2550, 'EUR')}?`);
    expect(costQuestion(extra, 'decline')).toBeNull();
    expect(costQuestion({ type: 'EXPENSE', payload: { amountCents: 100, currency: 'EUR' } }, 'approve')).toContain(money(100, 'EUR'));
    expect(costQuestion({ type: 'FS_REQUEST_QUOTE', payload: { feeCents: 100, tipCents: 5 } }, 'accept')).toBe('Accept 1.00 and 0.05?');
    expect(costQuestion({ type: 'OVERTIME_START', payload: { minutes: 30 } }, 'confirm')).toBe('Confirm? This may cost money.');
    expect(costQuestion({ type: 'RESCHEDULE', payload: {} }, 'accept')).toBeNull();
  });

  it('asks for the input of an intent before it is sent', () => {
    const proof = card('msg_1', { type: 'DELIVERABLE_PROOF' });
    expect(inputOf(card('msg_1'), 'counter')).toBe('payload');
    expect(inputOf(proof, 'resubmit')).toBe('payload');
    expect([inputOf(proof, 'request_revisions'), inputOf(proof, 'approve')]).toEqual(['note', 'nothing']);
  });
});

describe('text typed into a tab', () => {
  it('loses emptied fields and empty lines, and keeps the tenant’s own fields', () => {
    expect(withField({ title: 'a', own: 1 }, 'title', false, '')).toEqual({ own: 1 });
    expect(withField({}, 'constraints', true, ' one \n\n two')).toEqual({ constraints: ['one', 'two'] });
  });

  it('counts the shots that are done', () => {
    const content = { shots: [{ id: '1', name: 'a', status: 'done' }, { id: '2', name: 'b', status: 'todo' }] };
    const tab = { tab: 'shotlist' as const, version: 1, content, updatedBy: null, updatedAt: '', seq: 1 };
    expect(shotProgress({ shotlist: tab })).toEqual({ done: 1, total: 2 });
    expect(shotProgress({})).toBeNull();
  });
});
