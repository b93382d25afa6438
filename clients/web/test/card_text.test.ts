import { describe, expect, it } from 'vitest';
import { card, participant, thread } from '../../sdk/test/items.js';
import { withField } from '../src/brief.js';
import { cardLines, cardTitle, inputOf, words } from '../src/card_text.js';
import { openableKinds } from '../src/new_card.js';
import { shotProgress } from '../src/shots.js';
import { threadWith } from './thread_fixture.js';

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
    expect(inputOf(card('msg_1'), 'counter')).toBe('schedule');
    expect(inputOf(proof, 'resubmit')).toBe('proofs');
    expect([inputOf(proof, 'request_revisions'), inputOf(proof, 'approve')]).toEqual(['note', 'nothing']);
  });
});

describe('what may be opened in a thread', () => {
  const held = (change: Parameters<typeof thread>[1]) => ({ ...threadWith([], []), thread: thread('thrd_a', change) });
  it('is nothing in an inquiry, a time by either party, proofs by the seller', () => {
    expect(openableKinds(held({ kind: 'inquiry' }), 'usr_alice')).toEqual([]);
    const project = held({ kind: 'project' });
    expect(openableKinds(project, 'usr_alice')).toEqual(['RESCHEDULE']);
    expect(openableKinds(project, 'usr_bob')).toEqual(['RESCHEDULE', 'DELIVERABLE_PROOF']);
    expect(openableKinds(project, 'usr_carol')).toEqual([]);
    const reader = { ...participant('usr_bob', { permission: 'read' }), muted: false, mutedUntil: null, blockedUntil: null };
    expect(openableKinds({ ...project, me: reader }, 'usr_bob')).toEqual([]);
    expect(openableKinds(held({ kind: 'project', status: 'locked' }), 'usr_bob')).toEqual([]);
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
