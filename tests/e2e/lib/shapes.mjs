// The item shapes of protocol sections 4 and 5: every documented field is present with its type, null if empty. Other fields are
// allowed (they may be added); personal ones in shared items are not.
import assert from 'node:assert/strict';

const kTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const kAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const kPersonal = ['muted', 'mutedUntil', 'blockedUntil'];

const id = (prefix) => (v) => typeof v === 'string' && new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(v);
const oneOf = (...values) => (v) => values.includes(v);
const orNull = (check) => (v) => v === null || check(v);
const string = (v) => typeof v === 'string';
const bool = (v) => typeof v === 'boolean';
const integer = (min) => (v) => Number.isSafeInteger(v) && v >= min;
const time = (v) => string(v) && kTime.test(v) && !Number.isNaN(Date.parse(v));
const userId = (v) => string(v) && /^[A-Za-z0-9_.:-]{1,64}$/.test(v);
const listOf = (check) => (v) => Array.isArray(v) && v.every(check);
const map = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const anything = () => true;

export const kThread = {
  threadId: id('thrd'), kind: oneOf('inquiry', 'project'), subject: orNull(string), lbgId: orNull(userId),
  legId: orNull(userId), buyerUserId: userId, sellerUserId: userId, participants: listOf(userId),
  participantCount: integer(0), city: orNull(string), createdAt: time, updatedAt: time,
  status: oneOf('open', 'archived', 'locked'), lastMessageAt: orNull(time), lastSeq: integer(1), lastMsgNo: integer(0),
  safeModeRequired: bool, disputeMessageId: orNull(id('msg')), version: integer(1), seq: integer(1),
};
export const kParticipant = {
  userId, roleContext: oneOf('buyer', 'seller', 'admin'), permission: oneOf('read', 'files', 'write', 'owner'),
  lastReadMsgId: orNull(id('msg')), lastReadAt: orNull(time), joinedAt: time, removedAt: orNull(time), seq: integer(1),
};
export const kMe = {...kParticipant, muted: bool, mutedUntil: orNull(time), blockedUntil: orNull(time)};
export const kMessage = {
  messageId: id('msg'), threadId: id('thrd'), seq: integer(1), msgNo: integer(1), createdAt: time,
  type: oneOf('text', 'asset', 'system', 'action'), body: string, attachments: Array.isArray, action: orNull(map),
  authorUserId: orNull(userId), nsfwBand: anything,
  flags: (v) => map(v) && oneOf('clean', 'flagged', 'blocked', 'redacted')(v.moderation) && listOf(string)(v.policyHints),
  clientId: orNull(string), replyTo: orNull(id('msg')), editedAt: orNull(time), deletedAt: orNull(time),
  reactions: (v) => map(v) || Array.isArray(v),
};
export const kLastMessage = {
  messageId: id('msg'), authorUserId: orNull(userId), type: kMessage.type, preview: string, createdAt: time,
};
export const kEntry = {
  threadId: id('thrd'), kind: kThread.kind, subject: orNull(string), lastMessageAt: orNull(time), lastSeq: integer(1),
  unread: integer(0), lastMessage: orNull((v) => checkShape(v, kLastMessage, 'lastMessage')), pinned: bool,
  archived: bool, muted: bool, mutedUntil: orNull(time), label: orNull(string), request: orNull(map), openCards: anything,
  blockedUntil: orNull(time),
};
export const kSend = {messageId: id('msg'), createdAt: time, seq: integer(1), msgNo: integer(1), duplicate: bool};

function checkShape(value, shape, what) {
  assert.ok(map(value), `${what} is a map: ${JSON.stringify(value)}`);
  for (const [field, good] of Object.entries(shape)) {
    assert.ok(field in value, `${what}.${field} is there: ${JSON.stringify(value)}`);
    assert.ok(good(value[field]), `${what}.${field} is as documented: ${JSON.stringify(value[field])}`);
  }
  return true;
}

function noPersonal(value, what) {
  for (const field of kPersonal) assert.ok(!(field in value), `${what} carries nothing personal (${field})`);
}

/** The time inside a server-made id. */
export function idTime(text) {
  let ms = 0;
  for (const c of text.slice(text.indexOf('_') + 1).slice(0, 10)) ms = ms * 32 + kAlphabet.indexOf(c);
  return new Date(ms).toISOString();
}

export function checkThread(thread) {
  checkShape(thread, kThread, 'thread');
  assert.equal(thread.participants.length, Math.min(100, thread.participantCount));
  noPersonal(thread, 'a thread');
  return thread;
}

export function checkParticipant(participant) {
  checkShape(participant, kParticipant, 'participant');
  noPersonal(participant, 'a participant');
  return participant;
}

export function checkMe(me) {
  checkShape(me, kMe, 'me');
  return me;
}

export function checkMessage(message) {
  checkShape(message, kMessage, 'message');
  assert.equal(idTime(message.messageId), message.createdAt, 'the time in messageId is createdAt');
  return message;
}

export function checkEntry(entry) {
  checkShape(entry, kEntry, 'entry');
  return entry;
}

export function checkSend(ok) {
  checkShape(ok, kSend, 'send reply');
  assert.equal(idTime(ok.messageId), ok.createdAt);
  return ok;
}

export function checkTime(value, what = 'a time') {
  assert.ok(time(value), `${what} is a time: ${JSON.stringify(value)}`);
}

const kItems = {
  'thread.created': checkThread, 'thread.updated': checkThread, 'participant.added': checkParticipant,
  'participant.updated': checkParticipant, 'participant.removed': checkParticipant, 'message.created': checkMessage,
  'message.updated': checkMessage,
};

/** A shared durable event {ev, threadId, seq, at, item}. */
export function checkEvent(event) {
  assert.ok(kItems[event.ev], `${event.ev} is a shared event`);
  assert.ok(id('thrd')(event.threadId) && integer(1)(event.seq), JSON.stringify(event));
  checkTime(event.at, `${event.ev}.at`);
  kItems[event.ev](event.item);
  assert.equal(event.item.seq, event.seq, 'an item carries the seq of its change');
  return event;
}
