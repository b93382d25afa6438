import { describe, expect, it } from 'vitest';
import { card } from '../../sdk/test/items.js';
import { withField } from '../src/brief.js';
import { cardLines, cardTitle, inputOf, words } from '../src/card_text.js';
import { shotProgress } from '../src/shots.js';

describe('a card', () => {
  it('is called in words, a type of the tenant’s own too', () => {
    expect([cardTitle('DELIVERABLE_PROOF'), cardTitle('FS_REQUEST_QUOTE')]).toEqual(['Proofs', 'Fs request quote']);
    expect([words('request_revisions'), words('newStart')]).toEqual(['Request revisions', 'New start']);
  });

  it('says what its payload holds: money with its currency, lists by their number, maps by their fields', () => {
    const lines = cardLines({
      totalCents: 1250,
      currency: 'EUR',
      items: [{ title: 'x' }],
      proposed: { start: 'soon', deeper: { not: 'shown' } },
      watermarked: true,
      note: null,
    });
    expect(lines).toEqual([
      { label: 'Total', value: '12.50 EUR' },
      { label: 'Items', value: '1 item' },
      { label: 'Proposed start', value: 'soon' },
      { label: 'Watermarked', value: 'Yes' },
    ]);
  });

  it('asks for what an intent needs before it is sent', () => {
    const proof = card('msg_1', { type: 'DELIVERABLE_PROOF' });
    expect(inputOf(card('msg_1'), 'counter')).toBe('payload');
    expect(inputOf(proof, 'resubmit')).toBe('payload');
    expect([inputOf(proof, 'request_revisions'), inputOf(proof, 'approve')]).toEqual(['note', 'nothing']);
  });
});

describe('what is typed into a tab', () => {
  it('leaves out emptied fields and empty lines, and keeps fields of the tenant’s own', () => {
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
