// Action cards over the wire, with the example booking service as the tenant's back end.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {Bookings} from '../../clients/examples/booking-service/bookings.mjs';
import {workOnce} from '../../clients/examples/booking-service/service.mjs';
import {refused} from './lib/errors.mjs';
import {httpOp, service} from './lib/http.mjs';
import {withServer} from './lib/suite.mjs';
import {fresh} from './lib/world.mjs';

const kTime = {newStart: '2027-01-02T10:00:00.000Z', newEnd: '2027-01-02T12:00:00.000Z', reason: 'rain'};

/** A project of two users with its own leg; each side as a function (op, args). */
async function project(on) {
  const [buyer, seller, legId] = [fresh('buyer'), fresh('seller'), fresh('leg')];
  const side = async (user) => {
    const token = await on.token(user);
    return (op, args) => httpOp(on.server, token, op, args);
  };
  const asBuyer = await side(buyer);
  const asSeller = await side(seller);
  const {thread} = await asBuyer('thread.create', {
    kind: 'project', buyerUserId: buyer, sellerUserId: seller, legId, clientId: fresh('c')});
  return {threadId: thread.threadId, buyer, seller, legId, asBuyer, asSeller};
}

/** The buyer's reschedule, accepted by the seller. */
async function acceptedMove(p) {
  const {threadId} = p;
  const {messageId} = await p.asBuyer('card.create', {threadId, clientId: fresh('c'), type: 'RESCHEDULE', payload: kTime});
  const accepted = await p.asSeller('card.act', {threadId, messageId, intent: 'accept', version: 1, clientId: fresh('c')});
  return {messageId, card: accepted.card};
}

const cardOf = async (p, messageId) =>
  (await p.asBuyer('card.list', {threadId: p.threadId})).cards.find((card) => card.messageId === messageId);

describe('cards with a booking service', () => {
  const on = withServer({}, {args: ['--card-ports', 'booking']});

  it('moves the booking first and then the card', async () => {
    const p = await project(on);
    const bookings = new Bookings();
    const {messageId, card} = await acceptedMove(p);
    assert.deepEqual([card.state, card.version, card.awaiting.effect], ['PENDING', 1, 'booking.reschedule']);
    const {token} = await service(on.server);
    assert.ok(await workOnce({url: on.server.http, key: token, bookings}) >= 1);
    const after = await cardOf(p, messageId);
    assert.deepEqual([after.state, after.version, after.awaiting], ['ACCEPTED', 2, null]);
    assert.deepEqual(bookings.timeOf(p.legId), {start: kTime.newStart, end: kTime.newEnd});
    assert.equal(await workOnce({url: on.server.http, key: token, bookings}), 0, 'the feed is empty');
  });

  it('leaves the card pending with the conflict if the time is taken', async () => {
    const p = await project(on);
    const bookings = new Bookings();
    bookings.book('another', '2027-01-02T11:00:00.000Z', '2027-01-02T13:00:00.000Z');
    const {messageId} = await acceptedMove(p);
    const {token} = await service(on.server);
    await workOnce({url: on.server.http, key: token, bookings});
    const after = await cardOf(p, messageId);
    assert.deepEqual([after.state, after.version, after.error.code], ['PENDING', 1, 'ACTION_CONFLICT']);
    const {messages} = await p.asSeller('message.list', {threadId: p.threadId});
    assert.equal(messages[0].type, 'system');
    assert.equal(messages[0].replyTo, messageId);
  });

  it('does nothing twice when the service dies between doing and reporting', async () => {
    const p = await project(on);
    const bookings = new Bookings();
    const {messageId} = await acceptedMove(p);
    const back = await service(on.server);
    const {items} = await back.op('outbox.list');
    const item = items.find((one) => one.messageId === messageId);
    bookings.move(item.effectId, item.legId, kTime.newStart, kTime.newEnd); // done, but not reported
    await on.server.restart();
    await workOnce({url: on.server.http, key: back.token, bookings});
    assert.equal((await cardOf(p, messageId)).state, 'ACCEPTED');
    assert.equal(bookings.handled, 1);
  });

  it('gives the feed only to services and accepts only their answers', async () => {
    const p = await project(on);
    const {messageId, card} = await acceptedMove(p);
    await refused(p.asBuyer('outbox.list', {}), 'FORBIDDEN');
    await refused(p.asSeller('card.resolve', {
      threadId: p.threadId, messageId, effectId: card.awaiting.effectId, outcome: 'ok', clientId: fresh('c')}), 'FORBIDDEN');
    assert.equal((await cardOf(p, messageId)).state, 'PENDING');
  });
});

describe('cards without a service', () => {
  const on = withServer();

  it('complete transitions at once and expire by the clock', async () => {
    const p = await project(on);
    const {card} = await acceptedMove(p);
    assert.deepEqual([card.state, card.version], ['ACCEPTED', 2]);
    const watch = await on.as(p.seller);
    const expiresAt = new Date(Date.now() + 2000).toISOString();
    const {messageId} = await p.asBuyer('card.create', {
      threadId: p.threadId, clientId: fresh('c'), type: 'RESCHEDULE', payload: kTime, expiresAt});
    // The clock alone causes this event.
    const lapsed = await watch.nextEvent((event) => event.ev === 'card.updated' && event.item.messageId === messageId &&
                                                    event.item.state === 'EXPIRED', 'the card to lapse');
    assert.equal(lapsed.item.version, 2);
    await refused(p.asSeller('card.act', {
      threadId: p.threadId, messageId, intent: 'accept', version: 1, clientId: fresh('c')}), 'CARD_EXPIRED');
  });
});
