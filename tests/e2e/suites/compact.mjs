// `compact` of session.hello: the omitted fields, filled in by a client that knows the protocol.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {checkEvent, checkMessage, checkParticipant} from '../lib/shapes.mjs';
import {withServer} from '../lib/suite.mjs';
import {createThread, fresh, say} from '../lib/world.mjs';

// The documented defaults: this client does not use the server's own list.
const kDefaults = {
  thread: () => ({subject: null, lbgId: null, legId: null, buyerUserId: null, sellerUserId: null, participants: [],
                  participantCount: 0, city: null, lastMessageAt: null, lastSeq: 0, lastMsgNo: 0, safeModeRequired: false,
                  meetingAt: null, panelVersion: null, shotlist: null, pins: null, disputeMessageId: null, version: 0, seq: 0}),
  participant: () => ({lastReadMsgId: null, lastReadAt: null, removedAt: null, seq: 0}),
  message: () => ({seq: 0, msgNo: 0, type: 'text', attachments: [], action: null, authorUserId: null, nsfwBand: 0, flags: {},
                   clientId: null, replyTo: null, editedAt: null, deletedAt: null, reactions: []}),
  flags: () => ({moderation: 'clean', policyHints: []}),
};

function filled(kind, item, frame = {}) {
  const whole = {...kDefaults[kind](), ...frame, ...item};
  if (kind === 'message') whole.flags = {...kDefaults.flags(), ...whole.flags};
  return whole;
}

function filledEvent(event) {
  const kind = event.ev.slice(0, event.ev.indexOf('.'));
  const said = kind === 'participant' ? {seq: event.seq} : {seq: event.seq, threadId: event.threadId};
  const item = filled(kind, event.item, said);
  return {...event, at: event.at ?? item.createdAt, item};
}

export function compactSuite(encoding) {
  describe(`the compact form over ${encoding}`, () => {
    const on = withServer({encoding});

    it('equals the full form once it is filled in', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = fresh('bob');
      const full = await on.as(bob), compact = await on.as(bob, {compact: true});
      const {thread: {threadId}} = await createThread(ann, bob, {firstMessage: 'Hello'});
      const {messageId} = await say(ann, threadId, 'naïve 🌊');
      await ann.request('message.react', {threadId, messageId, emoji: '👍', on: true});
      await ann.request('message.delete', {threadId, messageId});
      for (let seq = 1; seq <= 7; ++seq) {
        const whole = checkEvent(await full.nextEvent({threadId, seq}));
        const event = await compact.nextEvent({threadId, seq});
        assert.deepEqual(checkEvent(filledEvent(event)), whole);
        assert.ok(JSON.stringify(event).length < JSON.stringify(whole).length, `${event.ev} is smaller`);
      }
      const {messages} = await compact.request('message.list', {threadId});
      const {messages: whole} = await full.request('message.list', {threadId});
      assert.deepEqual(messages.map((message) => checkMessage(filled('message', message))), whole);
      const {participants} = await compact.request('participant.list', {threadId});
      assert.deepEqual(participants.map((one) => checkParticipant(filled('participant', one))),
                       (await full.request('participant.list', {threadId})).participants);
    });

    it('contains each field of a message once', async () => {
      const ann = await on.as(fresh('ann'));
      const bob = await on.as(fresh('bob'), {compact: true});
      const {thread: {threadId}} = await createThread(ann, bob.userId);
      await say(ann, threadId, 'x');
      const event = await bob.nextEvent('message.created');
      assert.deepEqual(Object.keys(event).sort(), ['ev', 'item', 'seq', 'threadId']);
      assert.deepEqual(Object.keys(event.item).sort(), ['authorUserId', 'body', 'clientId', 'createdAt', 'messageId', 'msgNo']);
    });
  });
}
