// Integration events over HTTP (EV-1…10 of docs/tables.md), used by the back end of a tenant that the operator created; and
// events of threads in the inbox, once each, whenever the server dies.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {bearer, call, httpOp} from './lib/http.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {Server} from './lib/server.mjs';
import {inParallel} from './lib/tables/suite.mjs';
import {kOpenTenant} from './lib/tenants.mjs';
import {checkStore} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

const random = new Random(randomSeed());
let server;

async function made(credential, method, target, body, headers = {}) {
  const answer = await call(server, method, target, {body, headers: bearer(credential, headers)});
  assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${target}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** A back end: its tenant and its calls. */
class BackEnd {
  static async of(types = []) {
    const operator = fs.readFileSync(path.join(server.dir, 'operator.key'), 'utf8').trim();
    const tenantId = fresh('acme', 't').replaceAll('_', '-');
    await made(operator, 'POST', '/v1/tenants', {tenantId, name: 'Acme', settings: {events: {types}, ...kOpenTenant}});
    const {secret} = await made(operator, 'POST', `/v1/tenants/${tenantId}/keys`, {name: 'back end'});
    await made(operator, 'POST', `/v1/tenants/${tenantId}/activate`, {});
    return Object.assign(new BackEnd(), {tenantId, key: secret, operator});
  }

  call(method, target, body, headers = {}) {
    return call(server, method, target, {body, headers: bearer(this.key, headers)});
  }

  ok(method, target, body, headers) {
    return made(this.key, method, target, body, headers);
  }

  async post(payload = {}, query = '') {
    return (await this.ok('POST', `/v1/events${query}`, payload)).eventId;
  }

  /** `n` calls, one after another. */
  async postAll(n) {
    const ids = [];
    for (let i = 0; i < n; i += 1) ids.push(await this.post({n: i}));
    return ids;
  }

  async list(target) {
    return (await this.ok('GET', target)).items;
  }

  /** The ids of a whole list, page by page. */
  async walk(target, between = async () => {}) {
    const ids = [];
    let cursor = null;
    do {
      const separator = target.includes('?') ? '&' : '?';
      const page = await this.ok('GET', cursor === null ? target : `${target}${separator}cursor=${encodeURIComponent(cursor)}`);
      ids.push(...page.items.map(({eventId}) => eventId));
      await between(page.items);
      cursor = page.cursor;
    } while (cursor !== null);
    return ids;
  }

  ack(id) {
    return this.ok('POST', `/v1/events/${id}/ack`);
  }

  op(userId, op, args) {
    return httpOp(server, this.key, op, args, {'parley-user': userId});
  }

  /** A thread of two users, in which `say` sends a text. */
  async thread() {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const {thread: {threadId}} = await this.op(ann, 'thread.create', {kind: 'project', buyerUserId: ann, sellerUserId: bob});
    const say = (body, clientId = fresh('say', 'cl')) => this.op(ann, 'message.send', {threadId, clientId, type: 'text', body});
    return {threadId, say};
  }
}

const ids = (events) => events.map(({eventId}) => eventId);
const refused = ({status, json}) => `${status} ${json?.error?.code}`;
/** A refusal without the parts that differ each time. */
const without = ({status, json}) => ({status, error: {...json.error, corrId: undefined}});

/** In order of time and, within a millisecond, of ids. */
const inOrder = (events) => [...events].sort((a, b) => (
  a.createdAt === b.createdAt ? Number(a.eventId > b.eventId) || -1 : Number(a.createdAt > b.createdAt) || -1));

before(async () => {
  server = await Server.start();
});
after(async () => {
  try {
    if (server?.running) await checkStore(server);
  } finally {
    await server?.dispose();
  }
});

describe('posting events', () => {
  it('EV-1 any JSON object is returned as it came; a repeat with the same key creates no second one', async () => {
    const acme = await BackEnd.of();
    const json = '{"text":"πβ","list":[1,"2",null,true,{"deep":{"deeper":[]}}],"price":12.5,"huge":12345678901234567890123456,"key with #/.":1}';
    const before = Date.now();
    const answer = await acme.call('POST', '/v1/events?type=order.paid', json, {'idempotency-key': 'k1'});
    assert.equal(answer.status, 201);
    const {eventId, createdAt, status, ...rest} = answer.json;
    assert.deepEqual([status, rest], ['undelivered', {}]);
    assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= Date.now(), createdAt);

    const one = await acme.call('GET', `/v1/events/${eventId}`);
    assert.deepEqual(one.json, {eventId, type: 'order.paid', status, createdAt, deliveredAt: null, payload: JSON.parse(json)});
    assert.match(one.text, /"huge":12345678901234567890123456[,}]/, 'no digit is lost');

    const repeat = await acme.call('POST', '/v1/events?type=order.paid', json, {'idempotency-key': 'k1'});
    assert.deepEqual([repeat.status, repeat.json], [201, answer.json]);
    assert.equal(refused(await acme.call('POST', '/v1/events', {other: 1}, {'idempotency-key': 'k1'})), '409 IDEMPOTENCY_CONFLICT');
    assert.deepEqual(ids(await acme.list('/v1/events')), [eventId]);
  });

  it('EV-1 other bodies and bodies over 256 KiB are refused', async () => {
    const acme = await BackEnd.of();
    for (const body of ['', '[]', '7', 'null', '"{}"', '{', '{"a":1}}', '{"a":1e999}', '{"type":"a#b"}', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]) {
      assert.equal(refused(await acme.call('POST', '/v1/events', body)), '400 BAD_REQUEST', body);
    }
    const of = (bytes) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    assert.equal((await acme.call('POST', '/v1/events', of(256 * 1024))).status, 201);
    assert.equal((await acme.call('POST', '/v1/events', of(256 * 1024 + 1))).status, 413);
    assert.equal((await acme.list('/v1/inbox')).length, 1);
  });

  it('EV-2 the inbox lists the undelivered events of one tenant, oldest first, 50 at a time or up to 100', async () => {
    const [acme, bolt] = [await BackEnd.of(), await BackEnd.of()];
    await inParallel(120, (i) => acme.post({n: i}), 16);
    await bolt.post({n: 'not for acme'});
    const first = await acme.ok('GET', '/v1/inbox');
    assert.equal(first.items.length, 50);
    const most = (await acme.ok('GET', '/v1/inbox?limit=100')).items;
    assert.equal(most.length, 100);
    assert.deepEqual(ids(most), ids(inOrder(most)));
    assert.deepEqual(ids(most).slice(0, 50), ids(first.items));
    assert.equal(refused(await acme.call('GET', '/v1/inbox?limit=101')), '400 BAD_REQUEST');
    assert.deepEqual(await acme.walk('/v1/inbox?limit=7'), await acme.walk('/v1/events?status=undelivered&limit=200'));
    await acme.ack(first.items[0].eventId);
    assert.equal((await acme.list('/v1/inbox'))[0].eventId, first.items[1].eventId);
  });

  it('EV-2 a leased event is hidden from others and returns when the lease ends', async () => {
    const acme = await BackEnd.of();
    const all = await acme.postAll(30);
    const taken = await Promise.all([1, 2, 3].map(() => acme.list('/v1/inbox?limit=10&leaseSeconds=3600')));
    assert.deepEqual(taken.flatMap(ids).sort(), [...all].sort(), 'each is handed out once');
    assert.deepEqual(await acme.list('/v1/inbox'), []);
    assert.equal((await acme.list('/v1/events')).length, 30, 'the list of all still shows them');
    const late = await acme.post();
    assert.deepEqual(ids(await acme.list('/v1/inbox?leaseSeconds=1')), [late]);
    await eventually(async () => (await acme.list('/v1/inbox')).length === 1, 'the end of the lease');
    for (const seconds of [0, 3601, 'x']) {
      assert.equal(refused(await acme.call('GET', `/v1/inbox?leaseSeconds=${seconds}`)), '400 BAD_REQUEST');
    }
  });

  it('EV-3 delivered events are listed oldest first, by their time of arrival', async () => {
    const acme = await BackEnd.of();
    const all = await acme.postAll(6);
    for (const id of [all[4], all[0], all[2]]) await acme.ack(id);
    const delivered = await acme.list('/v1/events?status=delivered');
    assert.deepEqual(ids(delivered), ids(inOrder(delivered)));
    assert.deepEqual(ids(delivered).sort(), [all[0], all[2], all[4]].sort());
  });

  it('EV-4 all events are listed newest first', async () => {
    const acme = await BackEnd.of();
    const all = await acme.postAll(9);
    for (const id of [all[1], all[5], all[8]]) await acme.ack(id);
    const listed = await acme.list('/v1/events');
    assert.deepEqual(ids(listed), ids(inOrder(listed).reverse()));
    assert.equal(listed.length, 9);
    assert.deepEqual(await acme.walk('/v1/events?limit=2'), ids(listed));
  });

  it('EV-5 one event is read; another tenant\'s answers like an unknown one', async () => {
    const [acme, bolt] = [await BackEnd.of(), await BackEnd.of()];
    const id = await acme.post({n: 1});
    assert.equal((await acme.ok('GET', `/v1/events/${id}`)).payload.n, 1);
    assert.equal((await made(acme.operator, 'GET', `/v1/events/${id}?tenant=${acme.tenantId}`)).eventId, id);
    const none = `${id.slice(0, -4)}0000`;
    for (const [method, end] of [['GET', ''], ['DELETE', ''], ['POST', '/ack']]) {
      const theirs = await bolt.call(method, `/v1/events/${id}${end}`);
      assert.equal(theirs.status, 404);
      assert.deepEqual(without(theirs), without(await bolt.call(method, `/v1/events/${none}${end}`)));
    }
    assert.equal((await acme.ok('GET', `/v1/events/${id}`)).status, 'undelivered');
  });

  it('EV-6 an acknowledgement keeps the time of arrival and may be repeated', async () => {
    const acme = await BackEnd.of();
    const id = await acme.post();
    const {createdAt} = await acme.ok('GET', `/v1/events/${id}`);
    const acked = await acme.ack(id);
    assert.deepEqual([acked.status, acked.createdAt], ['delivered', createdAt]);
    assert.ok(acked.deliveredAt >= createdAt);
    assert.deepEqual(await acme.ack(id), acked);
    assert.deepEqual(await acme.list('/v1/inbox'), []);
    assert.equal(refused(await acme.call('POST', '/v1/events/none/ack')), '404 NOT_FOUND');
  });

  it('EV-6 an event acknowledged and deleted at the same time is whole or gone', async () => {
    const acme = await BackEnd.of();
    const all = await acme.postAll(20);
    await inParallel(40, (i) => acme.call(...(i % 2 ? ['DELETE', `/v1/events/${all[i >> 1]}`] : ['POST', `/v1/events/${all[i >> 1]}/ack`])), 16);
    assert.deepEqual(await acme.list('/v1/events'), []);
    for (const status of ['delivered', 'undelivered']) assert.deepEqual(await acme.list(`/v1/events?status=${status}`), []);
  });

  it('EV-7 a deletion reports whether the event existed', async () => {
    const acme = await BackEnd.of();
    const id = await acme.post();
    const answer = await acme.call('DELETE', `/v1/events/${id}`);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    for (const method of ['DELETE', 'GET']) assert.equal(refused(await acme.call(method, `/v1/events/${id}`)), '404 NOT_FOUND');
  });

  it('EV-8 many at once, each with its result, in their order', async () => {
    const acme = await BackEnd.of();
    const [one, two, three] = await acme.postAll(3);
    await acme.ack(two);
    const {results} = await acme.ok('POST', '/v1/events/ack', {eventIds: [three, 'none', two, one, three]});
    const said = (id, status) => ({eventId: id, status});
    assert.deepEqual(results, [said(three, 'delivered'), said('none', 'not_found'), said(two, 'delivered'), said(one, 'delivered'), said(three, 'delivered')]);
    assert.deepEqual(await acme.list('/v1/inbox'), []);
    for (const eventIds of [[], Array(101).fill(one), one, undefined]) {
      assert.equal(refused(await acme.call('POST', '/v1/events/ack', {eventIds})), '400 BAD_REQUEST');
    }
  });

  it('EV-9 a type\'s list contains no events of another type with the same beginning', async () => {
    const acme = await BackEnd.of();
    const order = [await acme.post({type: 'order'}), await acme.post({}, '?type=order')];
    await acme.post({type: 'orders'});
    await acme.post({type: 'order.paid'});
    assert.deepEqual((await acme.walk('/v1/events?type=order&limit=1')).sort(), [...order].sort());
    await acme.ack(order[0]);
    assert.deepEqual(ids(await acme.list('/v1/events?type=order&status=undelivered')), [order[1]]);
    assert.equal(refused(await acme.call('POST', '/v1/events?type=order%23paid', {})), '400 BAD_REQUEST');
    assert.equal(refused(await acme.call('GET', '/v1/events?type=order%23')), '400 BAD_REQUEST');
  });

  it('EV-10 a cursor continues after everything before it was acknowledged, and only for its list and caller', async () => {
    const [acme, bolt] = [await BackEnd.of(), await BackEnd.of()];
    await acme.postAll(23);
    const before = await acme.walk('/v1/inbox?limit=100');
    const walked = await acme.walk('/v1/inbox?limit=5', (items) => acme.ok('POST', '/v1/events/ack', {eventIds: ids(items)}));
    assert.deepEqual(walked, before);
    await acme.postAll(2);
    const {cursor} = await acme.ok('GET', '/v1/inbox?limit=1');
    for (const [who, target] of [[bolt, '/v1/inbox'], [acme, '/v1/events'], [acme, '/v1/events?status=undelivered']]) {
      const separator = target.includes('?') ? '&' : '?';
      assert.equal(refused(await who.call('GET', `${target}${separator}cursor=${encodeURIComponent(cursor)}`)), '400 BAD_REQUEST', target);
    }
  });

  it('is forbidden for users', async () => {
    const acme = await BackEnd.of();
    const token = (await call(server, 'POST', '/v1/demo/token', {body: {userId: fresh('ann'), role: 'admin'}})).json.token;
    for (const [method, target] of [['GET', '/v1/inbox'], ['GET', '/v1/events'], ['POST', '/v1/events']]) {
      const body = method === 'POST' ? {} : undefined;
      assert.equal(refused(await call(server, method, target, {body, headers: bearer(token)})), '403 FORBIDDEN');
      assert.equal(refused(await call(server, method, target, {body})), '401 UNAUTHENTICATED');
    }
    assert.deepEqual(await acme.list('/v1/inbox'), []);
  });
});

describe('a burst', () => {
  it('EV-2 EV-6 a thousand events acknowledged while they are paged through: each is seen once, none is lost', async () => {
    const acme = await BackEnd.of();
    const all = new Set(await inParallel(1000, (i) => acme.post({n: i}), 32));
    const seen = [];
    for (;;) {
      const items = await acme.list(`/v1/inbox?limit=${random.int(40, 100)}&leaseSeconds=3600`);
      if (items.length === 0) break;
      assert.deepEqual(ids(items), ids(inOrder(items)));
      seen.push(...ids(items));
      await acme.ok('POST', '/v1/events/ack', {eventIds: ids(items)});
    }
    assert.equal(seen.length, 1000);
    assert.deepEqual(new Set(seen), all);
    assert.equal((await acme.walk('/v1/events?status=delivered&limit=200')).length, 1000);
  });
});

describe('events of threads', () => {
  const bodies = (events) => events.map(({payload}) => payload.item.body);

  it('are written for each type that the tenant enabled, and for no other', async () => {
    const [acme, bolt] = [await BackEnd.of(['message.created']), await BackEnd.of()];
    const [theirs, other] = [await acme.thread(), await bolt.thread()];
    await other.say('of a tenant that asked for nothing');
    await theirs.say('one');
    await theirs.say('two');
    const events = await eventually(async () => {
      const items = await acme.list('/v1/inbox');
      return items.length >= 2 && items;
    }, 'two events');
    assert.deepEqual(bodies(events), ['one', 'two']);
    assert.deepEqual(new Set(events.map(({type}) => type)), new Set(['message.created']));
    assert.ok(events.every(({payload}) => payload.threadId === theirs.threadId), JSON.stringify(events[0]));
    assert.deepEqual(await bolt.list('/v1/events'), []);
  });

  it('are written once and in order despite each kill -9, and acknowledged ones do not return', async () => {
    const acme = await BackEnd.of(['message.created']);
    const {say} = await acme.thread();
    const sent = [];
    for (let round = 0; round < 3; round += 1) {
      const row = Array.from({length: 20}, (_, i) => `${round}.${i}`);
      const dies = random.int(0, row.length - 1);
      for (const [i, body] of row.entries()) {
        const clientId = fresh('say', 'cl');
        const said = say(body, clientId);
        if (i !== dies) {
          await said;
          continue;
        }
        said.catch(() => {});
        await server.kill9();
        await server.launch();
        await say(body, clientId);  // whether or not the first one was accepted
      }
      sent.push(...row);
      const inbox = await eventually(async () => {
        const items = await acme.list('/v1/inbox?limit=100');
        return items.length >= row.length && items;
      }, `the events of round ${round}`);
      assert.deepEqual(bodies(inbox), row);
      await acme.ok('POST', '/v1/events/ack', {eventIds: ids(inbox)});
    }
    assert.deepEqual(await acme.list('/v1/inbox'), []);
    assert.deepEqual(bodies(await acme.list('/v1/events?limit=200')).reverse(), sent);
  });

  it('are written once despite kill -9 between many senders', async () => {
    const acme = await BackEnd.of(['message.created']);
    const threads = await Promise.all(Array.from({length: 4}, () => acme.thread()));
    const sends = Array.from({length: 80}, (_, i) => ({thread: threads[i % 4], body: `b${i}`, clientId: fresh('say', 'cl')}));
    const taken = Promise.allSettled(sends.map(({thread, body, clientId}) => thread.say(body, clientId)));
    await eventually(async () => (await acme.list('/v1/inbox')).length > 0, 'the first event');
    await server.kill9();
    await taken;
    await server.launch();
    await inParallel(sends.length, (i) => sends[i].thread.say(sends[i].body, sends[i].clientId), 8);
    const all = await eventually(async () => {
      const items = await acme.list('/v1/inbox?limit=100');
      return items.length >= sends.length && items;
    }, 'all events');
    assert.deepEqual(bodies(all).sort(), sends.map(({body}) => body).sort());
    for (const {threadId} of threads) {
      const seqs = all.filter(({payload}) => payload.threadId === threadId).map(({payload}) => payload.seq);
      assert.deepEqual(seqs, [...seqs].sort((a, b) => a - b), 'in the order of their thread');
    }
  });
});
