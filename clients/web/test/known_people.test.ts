import type { ClientState } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { entry, message, participant, thread } from '../../sdk/test/items.js';
import { initialState } from '../../sdk/src/store.js';
import { knownPeople } from '../src/known_people.js';
import { matches } from '../src/people_field.js';
import { threadWith } from './thread_fixture.js';

const kMe = 'usr_me';
const last = (authorUserId: string) => ({ messageId: 'msg_1', authorUserId, type: 'text' as const, preview: '', createdAt: '2025-11-05T12:00:00.000Z' });

function state(change: Partial<ClientState> = {}): ClientState {
  const initial = initialState(kMe, []);
  const entries = {
    thrd_old: entry('thrd_old', { lastMessageAt: '2025-11-01T00:00:00.000Z', lastMessage: last('usr_old') }),
    thrd_new: entry('thrd_new', { lastMessageAt: '2025-11-05T00:00:00.000Z', lastMessage: last('usr_new') }),
  };
  return { ...initial, inbox: { ...initial.inbox, entries }, ...change };
}

describe('suggested people', () => {
  it('share a conversation with the user, the latest first', () => {
    expect(knownPeople(state(), false)).toEqual(['usr_new', 'usr_old']);
  });

  it('are the demo people in a demo only', () => {
    expect(knownPeople(state({ inbox: initialState(kMe, []).inbox }), false)).toEqual([]);
    expect(knownPeople(state(), true)).toContain('usr_alice');
  });

  it('come from the lists of members, as far as these are known', () => {
    const held = { ...threadWith([message(1)], [participant(kMe), participant('usr_held')]), threadId: 'thrd_new', thread: thread('thrd_new') };
    const known = knownPeople(state({ threads: { thrd_new: held }, people: { thrd_old: [kMe, 'usr_listed'] } }), false);
    expect(known).toEqual(['usr_held', 'usr_new', 'usr_listed', 'usr_old']);
  });

  it('exclude the user and blocked, deleted and requesting users', () => {
    const names = new Map([['usr_old', { userId: 'usr_old', displayName: null, known: true, deleted: true }]]);
    expect(knownPeople(state({ blocked: [{ userId: 'usr_new', at: '2025-11-05T12:00:00.000Z' }], names }), false)).toEqual([]);
    const request = { requestId: 'req_1', fromUserId: 'usr_x', state: 'pending' as const, createdAt: '', expiresAt: '', creditCost: 1 };
    const { inbox } = state();
    const asked = { ...inbox, entries: { thrd_x: entry('thrd_x', { lastMessage: last('usr_x'), request }) } };
    expect(knownPeople(state({ inbox: asked }), false)).toEqual([]);
  });

  it('are filtered by the typed text: a word of the name, or the id', () => {
    expect(matches('', 'usr_bob', 'Robert Lee')).toBe(true);
    expect(matches('lee', 'usr_bob', 'Robert Lee')).toBe(true);
    expect(matches('usr_b', 'usr_bob', 'Robert Lee')).toBe(true);
    expect(matches('bert', 'usr_bob', 'Robert Lee')).toBe(false);
  });
});
