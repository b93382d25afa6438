// The examples as described in their READMEs: a back end in a separate process with the key of a real tenant.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';
import {eventually, within} from './lib/deadline.mjs';
import {Child, Server} from './lib/server.mjs';
import {Tenant} from './lib/tenants.mjs';
import {fresh} from './lib/world.mjs';

const examples = fileURLToPath(new URL('../../clients/examples', import.meta.url));
const kTime = {newStart: '2027-01-02T10:00:00.000Z', newEnd: '2027-01-02T12:00:00.000Z', reason: 'rain'};

describe('the examples', () => {
  let server, tenant;
  before(async () => {
    server = await Server.start({demo: false, args: ['--card-ports', 'booking']});
    tenant = await Tenant.of(server);
  });
  after(() => server?.dispose());

  it('are all run here, and name the prefix of keys', () => {
    assert.deepEqual(fs.readdirSync(examples), ['booking-service']);
    const named = fs.readFileSync(path.join(examples, 'booking-service/README.md'), 'utf8').match(/PARLEY_KEY=(\w+_)/)?.[1];
    assert.ok(named, 'the README names a key');
    assert.ok(tenant.key.credential.startsWith(named), `keys do not begin with ${named}`);
  });

  it('a booking service moves a booking once both sides agree', async () => {
    const [buyer, seller] = [fresh('buyer'), fresh('seller')];
    const [asBuyer, asSeller] = [tenant.as(buyer), tenant.as(seller)];
    const {thread: {threadId}} = await asBuyer.op('thread.create', {
      kind: 'project', buyerUserId: buyer, sellerUserId: seller, legId: fresh('leg'), clientId: fresh('c')});
    const {messageId} = await asBuyer.op('card.create', {threadId, clientId: fresh('c'), type: 'RESCHEDULE', payload: kTime});
    await asSeller.op('card.act', {threadId, messageId, intent: 'accept', version: 1, clientId: fresh('c')});
    const service = new Child(process.execPath, [path.join(examples, 'booking-service/service.mjs')],
                              {env: {PARLEY_URL: server.http, PARLEY_KEY: tenant.key.credential}});
    const state = async () => (await asBuyer.op('card.list', {threadId})).cards.find((card) => card.messageId === messageId).state;
    await eventually(async () => (await state()) === 'ACCEPTED', 'the booking to be moved');
    const {code} = await within(service.kill('SIGTERM'), 'the service to end');
    assert.equal(code, 0, service.tail());
    assert.equal(service.stderr, '');
  });

  it('a booking service reports a missing key', async () => {
    const service = new Child(process.execPath, [path.join(examples, 'booking-service/service.mjs')], {env: {PARLEY_KEY: ''}});
    assert.equal((await within(service.exited, 'the service to end')).code, 2);
    assert.match(service.stderr, /PARLEY_KEY/);
  });
});
