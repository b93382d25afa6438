import type { ClientState, MessageRequest, OutboxItem, ThreadState } from '@parley/sdk';
import { ParleyError } from '@parley/sdk';
import { nameFromId } from '@parley/shared';
import { describe, expect, it } from 'vitest';
import { entry, message, participant, thread } from '../../sdk/test/items.js';
import { initialState } from '../../sdk/src/store.js';
import { closingOf, otherOf } from '../src/closing.js';
import { askedFor, startRefusal } from '../src/new_thread.js';
import { refusalTitle, refusedSend, toPutRight } from '../src/refusals.js';
import { askerClosing, creditsText, expiryWords, gatedEntry, gateText, requestChip, saidWith } from '../src/requests.js';
import { entryFace, entryTitle } from '../src/titles.js';
import { threadWith } from './thread_fixture.js';

const kMe = 'usr_alice';
const kNow = Date.UTC(2025, 10, 5, 12);
const kForGood = '9999-12-31T23:59:59.999Z';
const me = (change = {}) => ({ ...participant(kMe, change), muted: false, mutedUntil: null, blockedUntil: null, readNo: 0, ...change });

function held(kind: 'direct' | 'group' | 'project' | 'inquiry' = 'direct', change: Partial<ThreadState> = {}): ThreadState {
  const state = threadWith([], [participant(kMe), participant('usr_bob')]);
  return { ...state, thread: thread('thrd_a', { kind }), me: me(), ...change };
}

const request = (change: Partial<MessageRequest> = {}): MessageRequest => ({
  requestId: 'req_1',
  fromUserId: kMe,
  state: 'pending',
  createdAt: '2025-11-05T12:00:00.000Z',
  expiresAt: '2025-11-07T12:00:00.000Z',
  creditCost: 1,
  ...change,
});

function state(change: Partial<ClientState> = {}): ClientState {
  return { ...initialState(kMe, []), ...change };
}

function asking(of: MessageRequest): ClientState {
  const { inbox } = state();
  return state({ inbox: { ...inbox, entries: { thrd_a: entry('thrd_a', { kind: 'direct', request: of }) } } });
}

const closing = (of: ClientState, shown: ThreadState, now = kNow) => closingOf(of, shown, nameFromId, now);

describe('the reason why the viewer cannot write', () => {
  it('is null in an open thread', () => {
    expect(closing(state(), held())).toBeNull();
  });

  it('is their own request after their first message, until it is accepted', () => {
    const sent = held('direct', { timeline: { messages: [message(1, { authorUserId: kMe })], hasOlder: false, hasNewer: false } });
    expect(closing(asking(request()), held())).toBeNull();
    expect(closing(asking(request()), sent)).toMatchObject({ code: 'REQUEST_PENDING', text: expect.stringContaining('Expires in 2 days') });
    expect(closing(asking(request({ state: 'declined' })), sent)).toMatchObject({ code: 'REQUEST_DECLINED', text: 'Bob declined your request.' });
    expect(closing(asking(request({ state: 'expired' })), sent)!.text).toMatch(/ask again/);
    expect(closing(asking(request({ state: 'accepted' })), sent)).toBeNull();
    expect(closing(asking(request({ fromUserId: 'usr_bob', state: 'accepted' })), sent)).toBeNull();
  });

  it('is their own block, which applies in a project only if the server reports it', () => {
    const blocking = state({ blocked: [{ userId: 'usr_bob', at: 'x' }] });
    for (const kind of ['direct', 'inquiry'] as const) expect(closing(blocking, held(kind))).toMatchObject({ code: 'BLOCKED', unblock: 'usr_bob' });
    for (const kind of ['group', 'project'] as const) expect(closing(blocking, held(kind))).toBeNull();
    expect(closing(blocking, held('project', { me: me({ blockedUntil: kForGood }) }))).toMatchObject({ code: 'BLOCKED' });
    expect(otherOf(held('group'), kMe)).toBeNull();
  });

  it('is a refusal until it ends, when the view updates itself', () => {
    const refused = (until: number | null) => state({ refusals: { thrd_a: { code: 'FORBIDDEN', hint: 'You cannot write for the time being.', until } } });
    expect(closing(refused(null), held())).toMatchObject({ code: 'FORBIDDEN', again: true, until: null });
    expect(closing(refused(kNow + 60_000), held())).toMatchObject({ until: kNow + 60_000, text: expect.stringContaining('You can write again at') });
    expect(closing(refused(kNow + 60_000), held(), kNow + 60_000)).toBeNull();
  });

  it('is the server’s time limit, by its own clock', () => {
    const until = new Date(kNow + 3_600_000).toISOString();
    const skewed = state({ clockSkewMs: 60_000 });
    expect(closing(skewed, held('direct', { me: me({ blockedUntil: until }) }))).toMatchObject({ code: 'FORBIDDEN', until: kNow + 3_540_000 });
    expect(closing(skewed, held('direct', { me: me({ blockedUntil: until }) }), kNow + 3_600_000)).toBeNull();
  });

  it('does not name the user who blocks', () => {
    const refusal = { code: 'MSG_BLOCKED_BY_USER', hint: 'You cannot write to this person.', until: null };
    expect(closing(state({ refusals: { thrd_a: refusal } }), held())!.text).not.toMatch(/block/i);
  });
});

describe('a refusal in words', () => {
  const kOfSends = ['FORBIDDEN', 'THREAD_NOT_MEMBER', 'THREAD_LOCKED', 'THREAD_ARCHIVED', 'MSG_POLICY_BLOCKED', 'MSG_NSFW_BLOCKED', 'MSG_GATE_REQUIRED', 'MSG_BLOCKED_BY_USER',
    'SAFETY_SOFT_BLOCK', 'CREDITS_EXHAUSTED', 'CONTACT_FILTER_UNMET', 'RATE_LIMITED', 'TOO_LARGE', 'UNAVAILABLE'];

  it('explains every error code of a send', () => {
    for (const code of kOfSends) expect(refusalTitle(code), code).not.toBe(refusalTitle('UNKNOWN'));
    expect(refusedSend({ hint: 'Why.', until: null }, kNow)).toBe('Why.');
  });

  it('returns the text to the send box only if its content was rejected', () => {
    const item = (code: string | null, of: OutboxItem['state'] = 'failed'): OutboxItem => ({
      threadId: 'thrd_a', clientId: `c-${code}`, body: 'x', replyTo: null, writtenAt: 0, state: of, hint: null, code, ack: null });
    expect(toPutRight([item('MSG_BLOCKED_BY_USER'), item(null), item('MSG_POLICY_BLOCKED', 'pending'), item('MSG_POLICY_BLOCKED')])).toMatchObject({ state: 'failed', code: 'MSG_POLICY_BLOCKED' });
    expect(toPutRight([item('FORBIDDEN')])).toBeUndefined();
  });

  it('names the demands on strangers, and those they can still answer', () => {
    const unmet = new ParleyError('CONTACT_FILTER_UNMET', 'x', 'They ask for more.', { fields: { budget: 'must be answered', verifiedOnly: 'only verified users write first' } });
    expect(askedFor(unmet)).toEqual(['budget']);
    expect(startRefusal(unmet)).toBe('They ask for more. Only verified people may write to them.');
    expect(askedFor(new ParleyError('BAD_REQUEST', 'x', 'x', { fields: { subject: 'x' } }))).toEqual([]);
    expect(startRefusal(new ParleyError('RATE_LIMITED', 'x', 'Too fast.', { retryAfterMs: 20 * 60_000 }))).toBe('Too fast. Try again in 20 minutes.');
    expect(startRefusal(new ParleyError('FORBIDDEN', 'x', 'No.', { fields: { idVerified: 'is required' } }))).toMatch(/verified/);
  });

  it('mentions a block only to the user who set it', () => {
    const blocked = new ParleyError('MSG_BLOCKED_BY_USER', 'x', 'You cannot write to this person.');
    expect(startRefusal(blocked, ['Bob'])).toMatch(/You have blocked Bob/);
    expect(startRefusal(blocked)).toBe('You cannot write to this person.');
  });
});

describe('a message request', () => {
  const theirs = (change: Partial<MessageRequest> = {}) => request({ fromUserId: 'usr_bob', ...change });

  it('looks declined to its sender if it was blocked', () => {
    expect(requestChip({ request: request({ state: 'blocked' }) }, kMe)).toBe('Declined');
    expect(askerClosing(request({ state: 'blocked' }), true, 'Bob', kNow)).toBe('Bob declined your request.');
    expect(requestChip({ request: theirs({ state: 'blocked' }) }, kMe)).toMatch(/blocked/);
    expect(requestChip({ request: theirs({ state: 'accepted' }) }, kMe)).toBeNull();
    expect(requestChip({ request: null }, kMe)).toBeNull();
  });

  it('shows the answers to the viewer’s questions', () => {
    expect(saidWith(request({ contact: { budget: 500, date: 'in May', outdoors: false } }))).toEqual([
      ['budget', '500'],
      ['date', 'in May'],
      ['outdoors', 'No'],
    ]);
    expect(saidWith(request())).toEqual([]);
  });

  it('shows its expiry, then its outcome', () => {
    expect(expiryWords(request(), kNow)).toBe('Expires in 2 days');
    expect(expiryWords(request(), kNow + 47 * 3_600_000)).toBe('Expires in 60 minutes');
    for (const one of ['pending', 'declined', 'blocked'] as const) expect(gateText(theirs({ state: one }), 'direct', 'Bob')).toContain('Bob');
    expect(gateText(theirs(), 'group', 'Bob')).toMatch(/group/);
  });

  it('is named after its sender and shows nothing else of them', () => {
    const asked = entry('thrd_a', { kind: 'direct', subject: null, lastMessage: null, request: theirs() });
    expect(entryTitle(asked, kMe, undefined, nameFromId)).toBe('Bob');
    expect(entryFace(asked, kMe, undefined)).toBe('usr_bob');
  });

  it('replaces its conversation until that can be read', () => {
    const { inbox } = state();
    const gated = { ...inbox, entries: { thrd_a: { ...entry('thrd_a', { request: theirs() }), gated: true } } };
    expect(gatedEntry({ inbox: gated, threads: {} }, 'thrd_a')).not.toBeNull();
    expect(gatedEntry({ inbox: gated, threads: { thrd_a: held() } }, 'thrd_a')).toBeNull();
    expect(gatedEntry({ inbox, threads: {} }, 'thrd_a')).toBeNull();
  });

  it('costs credits if the server counts them', () => {
    expect(creditsText({ credits: { available: 1, costPerRequest: 1, floor: 0 } })).toMatch(/one credit. You have 1 credit left/);
    expect(creditsText({ credits: { available: 40, costPerRequest: 2, floor: 0 } })).toMatch(/2 credits. You have 40 credits left/);
    expect(creditsText({ credits: { available: 40, costPerRequest: 0, floor: 0 } })).toBeNull();
    expect(creditsText({})).toBeNull();
    expect(creditsText(null)).toBeNull();
  });
});
