import type { ThreadState } from '@parley/sdk';
import { nameFromId } from '@parley/shared';
import { describe, expect, it } from 'vitest';
import { entry, message, participant, thread } from '../../sdk/test/items.js';
import { openableKinds } from '../src/card_kinds.js';
import { complaintAbout, kindOfChoice, splitPeople } from '../src/new_thread.js';
import { entryFace, entryTitle, peopleLine, threadFace, threadTitle } from '../src/titles.js';
import { closedBy, mayLeave, mayManage, refusal, viewerOf } from '../src/viewer.js';
import { initialState } from '../../sdk/src/store.js';
import { threadWith } from './thread_fixture.js';

const kMe = 'usr_alice';
const others = { messageId: 'm', type: 'text' as const, preview: 'hi', createdAt: 'x' };
const me = (change = {}) => ({ ...participant(kMe, change), muted: false, mutedUntil: null, blockedUntil: null, readNo: 0 });

function held(change: Parameters<typeof thread>[1], people: readonly string[] = [kMe, 'usr_bob'], mine: object | null = {}): ThreadState {
  const state = threadWith([message(1)], people.map((id) => participant(id)));
  return { ...state, thread: thread('thrd_a', change), me: mine === null ? null : me(mine) };
}
const viewer = (role: 'member' | 'support' = 'member') => ({ ...initialState(kMe, []), role });
const parties = { buyerUserId: null, sellerUserId: null };

describe('the dialog for a new conversation', () => {
  it('makes a message to one person a direct thread, to several a group', () => {
    expect([1, 2, 3].map((people) => kindOfChoice('message', people))).toEqual(['direct', 'group', 'group']);
    expect(kindOfChoice('project', 2)).toBe('project');
  });

  it('accepts typed and pasted ids', () => {
    expect(splitPeople(' usr_a, usr_b;usr_c\nusr_a ')).toEqual(['usr_a', 'usr_b', 'usr_c']);
    expect(splitPeople('  ')).toEqual([]);
  });

  it('reports errors before it asks the server', () => {
    expect(complaintAbout([], kMe, 'direct')).toMatch(/at least one person/);
    expect(complaintAbout(['usr_b', 'no body'], kMe, 'group')).toMatch(/no body/);
    expect(complaintAbout([kMe], kMe, 'direct')).toMatch(/someone else/);
    expect(complaintAbout(['usr_b', 'usr_c'], kMe, 'inquiry')).toMatch(/one person/);
    expect(complaintAbout(['usr_b', 'usr_c'], kMe, 'project')).toBeNull();
  });
});

describe('a direct thread', () => {
  const direct = held({ kind: 'direct', subject: null, ...parties });

  it('has the other user’s name and avatar', () => {
    expect([threadTitle(direct, kMe, nameFromId), threadFace(direct, kMe), peopleLine(direct, kMe, nameFromId)]).toEqual(['Bob', 'usr_bob', 'Direct message']);
    const listed = entry('thrd_a', { kind: 'direct', subject: 'a subject that nobody shows' });
    expect(entryTitle(listed, kMe, [kMe, 'usr_bob'], nameFromId)).toBe('Bob');
    expect(entryFace(listed, kMe, [kMe, 'usr_bob'])).toBe('usr_bob');
    const spoken = { ...listed, lastMessage: { ...others, authorUserId: 'usr_carol' } };
    expect([entryTitle(spoken, kMe, undefined, nameFromId), entryFace(spoken, kMe, undefined)]).toEqual(['Carol', 'usr_carol']);
    expect(entryTitle(listed, kMe, undefined, nameFromId)).toBe('Conversation');
  });

  it('always has the same two users: no role may add, remove or leave', () => {
    const owner = held({ kind: 'direct', ...parties }, undefined, { permission: 'owner' });
    for (const role of ['member', 'support'] as const) expect(mayManage(viewer(role), owner)).toBe(false);
    expect(mayLeave(owner)).toBe(false);
  });

  it('has no cards', () => {
    expect(openableKinds(held({ kind: 'direct' }), kMe)).toEqual([]);
  });
});

describe('a group', () => {
  const group = (mine: object | null) => held({ kind: 'group', subject: 'Climbing', ...parties }, [kMe, 'usr_bob', 'usr_carol'], mine);

  it('is named by its subject, else by its participants', () => {
    expect(threadTitle(group({}), kMe, nameFromId)).toBe('Climbing');
    expect(threadTitle(held({ kind: 'group', subject: null }, [kMe, 'usr_bob', 'usr_carol']), kMe, nameFromId)).toBe('Bob and Carol');
    expect(entryTitle(entry('t', { kind: 'group', subject: null }), kMe, undefined, nameFromId)).toBe('Group');
    expect(threadFace(group({}), kMe)).toBe('thrd_a');
  });

  it('is managed by its owner and by staff; a member may leave', () => {
    expect(mayManage(viewer(), group({ permission: 'owner' }))).toBe(true);
    expect(mayManage(viewer(), group({ permission: 'write', roleContext: 'member' }))).toBe(false);
    expect(mayManage(viewer('support'), group(null))).toBe(true);
    expect([mayLeave(group({ permission: 'write' })), mayLeave(group(null))]).toEqual([true, false]);
  });

  it('has no cards', () => {
    expect(openableKinds(group({ permission: 'owner' }), kMe)).toEqual([]);
  });
});

describe('the viewer of a thread', () => {
  it('may write in an open thread as a member', () => {
    expect(viewerOf(viewer(), held({}))).toEqual({ userId: kMe, writable: true, member: true, staff: false, bandMax: 1, asStaff: false });
    expect(refusal(held({ status: 'locked' }))).toMatch(/locked/);
    expect(refusal(held({}, undefined, { permission: 'read' }))).toMatch(/read/);
    expect(refusal(held({}, undefined, null))).toMatch(/staff/);
  });

  it('sees why it is not open if the server sends the reason, as it does to staff', () => {
    expect(closedBy(held({ status: 'locked' }), nameFromId)).toBeNull();
    expect(closedBy(held({ statusReason: 'old news' }), nameFromId)).toBeNull();
    const locked = { status: 'locked', statusBy: 'usr_mod', statusReason: 'Spam', lockedAt: '2025-11-05T12:00:00.000Z' } as const;
    expect(closedBy(held(locked), nameFromId)).toMatch(/^By Mod, .*2025.*: Spam$/);
    expect(closedBy(held({ status: 'archived', statusReason: 'Over' }), nameFromId)).toBe('Over');
  });
});
