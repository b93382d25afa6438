// Seed 001's access patterns (HM-…) through Amazon's SDK, first part: versioned records, users, workspaces, credit.
// tables_hm_more contains the rest.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failsCondition, taken} from './lib/tables/client.mjs';
import {declaration} from './lib/tables/declarations.mjs';
import {Records, transactUntilTaken} from './lib/tables/records.mjs';
import {inParallel, seconds, withTables} from './lib/tables/suite.mjs';
import {step, transact} from './lib/tables/table.mjs';

const tables = withTables();
const kHour = 3600;
const pks = (rows) => rows.map((row) => row.pk);
const workspaceRow = (id, more) => ({pk: `workspaces/${id}`, sk: 'workspace', name: id, currency: 'usd', creditBalance: 0, ...more});

test('HM-B1 a record is created once with version 1', async () => {
  const records = new Records(await tables.seed('agent'));
  const row = {pk: 'agents/w/a', sk: 'agent', workspaceId: 'w', name: 'one', systemPrompt: 'be kind'};
  assert.equal((await records.create(row)).version, 1);
  await failsCondition(records.create({...row, name: 'two'}));
  assert.equal((await records.table.get(row)).name, 'one');
});

test('HM-B2 a stale update is refused, and so is one of a deleted record', async () => {
  const records = new Records(await tables.seed('agent'));
  const read = await records.create({pk: 'agents/w/a', sk: 'agent', name: 'one'});
  const second = await records.update(read, {name: 'two'});
  assert.equal(second.version, 2);
  await failsCondition(records.update(read, {name: 'three'}));
  await records.table.delete(read);
  await failsCondition(records.update(second, {name: 'four'}));
  assert.equal(await records.table.get(read), undefined, 'a refused update makes no row');
});

test('HM-B3 an upsert creates, then updates', async () => {
  const records = new Records(await tables.seed('agent-stream-servers'));
  const key = {pk: 'stream-servers/w/a', sk: 'config'};
  await records.atomicUpdate(key, (read) => ({...key, secret: 's1', allowedOrigins: read ? [...read.allowedOrigins, 'b'] : ['a']}));
  await records.atomicUpdate(key, (read) => ({secret: 's2', allowedOrigins: [...read.allowedOrigins, 'b']}));
  const {version, secret, allowedOrigins} = await records.table.get(key);
  assert.deepEqual({version, secret, allowedOrigins}, {version: 2, secret: 's2', allowedOrigins: ['a', 'b']});
});

test('HM-B4 atomic updates by many lose none, and a callback that throws writes nothing', async () => {
  const records = new Records(await tables.seed('workspace'));
  await inParallel(30, () => records.atomicUpdate(['workspaces/w', 'workspace'], (read) => (
    read ? {creditBalance: read.creditBalance + 1} : workspaceRow('w', {creditBalance: 1}))), 8);
  const {creditBalance, version} = await records.table.get(['workspaces/w', 'workspace']);
  assert.deepEqual([creditBalance, version], [30, 30]);
  await assert.rejects(records.atomicUpdate(['workspaces/w', 'workspace'], () => { throw new Error('insufficient'); }), /insufficient/);
  assert.equal((await records.table.get(['workspaces/w', 'workspace'])).version, 30);
});

test('HM-B5 a deletion reports the old item, and an error for a missing one only on request', async () => {
  const table = await tables.seed('agent-key');
  await table.putAll([1, 2, 3].map((i) => ({pk: 'agent-keys/w/a', sk: `key${i}`, key: `k${i}`})));
  await table.delete(['agent-keys/w/a', 'key1'], {ConditionExpression: 'attribute_exists(pk)'});
  await failsCondition(table.delete(['agent-keys/w/a', 'key1'], {ConditionExpression: 'attribute_exists(pk)'}));
  assert.equal(await table.delete(['agent-keys/w/a', 'key1'], {ReturnValues: 'ALL_OLD'}), undefined);
  const rest = await table.query('pk = :pk', {':pk': 'agent-keys/w/a'});
  await tables.db.BatchWriteItem({RequestItems: {[table.name]: rest.map((row) => ({DeleteRequest: {Key: table.key(row)}}))}});
  assert.deepEqual(await table.query('pk = :pk', {':pk': 'agent-keys/w/a'}), []);
});

test('HM-B6 pages of every size, forwards and backwards, with a filter, skip and repeat nothing', async () => {
  const table = await tables.seed('workspace-document');
  const documents = Array.from({length: 14}, (_, i) => ({
    pk: `workspace-documents/w/${String(i).padStart(2, '0')}`, sk: 'document', workspaceId: 'w', folderPath: i % 3 === 0 ? '' : 'notes', size: i}));
  await table.putAll([...documents, {...documents[0], pk: 'workspace-documents/v/00', workspaceId: 'v'}]);
  const wanted = pks(documents.filter((row) => row.folderPath === 'notes'));
  for (let limit = 1; limit <= documents.length + 1; limit += 1) {
    for (const ScanIndexForward of [true, false]) {
      const found = await table.query('workspaceId = :w', {':w': 'w', ':f': 'notes'},
                                      {IndexName: 'byWorkspaceId', FilterExpression: 'folderPath = :f', Limit: limit, ScanIndexForward});
      assert.deepEqual(pks(found), ScanIndexForward ? wanted : [...wanted].reverse(), `pages of ${limit}`);
    }
  }
});

test('HM-B6 a page continues after the last row that it returned, even if that was deleted', async () => {
  const table = await tables.seed('workspace-document');
  const row = (i) => ({pk: `workspace-documents/w/${i}`, sk: 'document', workspaceId: 'w'});
  await table.putAll(Array.from({length: 8}, (_, i) => row(i)));
  const first = await table.page('workspaceId = :w', {':w': 'w'}, {IndexName: 'byWorkspaceId', Limit: 3});
  assert.deepEqual(first.lastPlain, {workspaceId: 'w', pk: 'workspace-documents/w/2', sk: 'document'});
  await table.delete(row(2));
  await table.delete(row(3));
  const rest = await table.query('workspaceId = :w', {':w': 'w'}, {IndexName: 'byWorkspaceId', ExclusiveStartKey: first.last});
  const second = await table.page('workspaceId = :w', {':w': 'w'}, {IndexName: 'byWorkspaceId', ExclusiveStartKey: first.last, Limit: 100});
  assert.deepEqual(pks(second.items), [4, 5, 6, 7].map((i) => row(i).pk));
  assert.ok(rest.length >= 4);
});

test('HM-B7 several records change in one transaction or not at all, and the reasons come in order', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const records = new Records(await tables.seed('agent'));
  const [a, b] = await Promise.all(['a', 'b'].map((id) => records.create({pk: `agents/w/${id}`, sk: 'agent', name: id})));
  await records.update(b, {name: 'faster'});
  const error = await transact(tables.db, [records.replacing(a, {name: 'new'}), records.replacing(b, {name: 'new'})])
    .then(() => assert.fail('a stale member was taken'), (reason) => reason);
  assert.equal(error.name, 'TransactionCanceledException');
  assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['None', 'ConditionalCheckFailed']);
  assert.equal((await records.table.get(a)).name, 'a');
});

test('HM-1 a user is found by e-mail, by id, and an account by provider', async () => {
  const table = await tables.seed('next-auth');
  await table.putAll([
    {pk: 'users/u1', sk: 'user', type: 'USER', email: 'ann@x.test', gsi1pk: 'ann@x.test', gsi1sk: 'ann@x.test'},
    {pk: 'users/u1', sk: 'accounts/google', provider: 'google'},
    {pk: 'users/u2', sk: 'user', type: 'USER'},
  ]);
  const byMail = (email) => table.query('gsi1pk = :e', {':e': email.trim().toLowerCase()}, {IndexName: 'GSI2'});
  assert.deepEqual(pks(await byMail(' Ann@X.test ')), ['users/u1']);
  assert.deepEqual(await byMail('bob@x.test'), []);
  assert.equal((await table.get(['users/u1', 'accounts/google'])).provider, 'google');
  assert.equal(await table.get(['users/u2', 'accounts/google']), undefined);
});

test('HM-2 a webhook log keeps the raw body, and reads as missing once expired', async (t) => {
  const table = await tables.seed('webhook-logs');
  const body = '{"a": "\\u0000", "π": [1,\n2]}\r\n\u{1f600}';
  await table.put({pk: 'r1', sk: 'log', userId: 'u', key: 'k', body, expires: seconds() + 30 * 24 * kHour});
  assert.equal((await table.get(['r1', 'log'])).body, body);
  if (tables.needs(t, 'expiry')) return;
  await table.put({pk: 'r1', sk: 'log', userId: 'u', key: 'k', body, expires: seconds() - 1});
  assert.equal(await table.get(['r1', 'log']), undefined);
});

test('HM-3a workspaces of a subscription are listed by id; those without one are in no index', async () => {
  const table = await tables.seed('workspace');
  await table.putAll([workspaceRow('c', {subscriptionId: 's'}), workspaceRow('a', {subscriptionId: 's'}), workspaceRow('b')]);
  const list = () => table.query('subscriptionId = :s', {':s': 's'}, {IndexName: 'bySubscriptionId'});
  assert.deepEqual(pks(await list()), ['workspaces/a', 'workspaces/c']);
  await table.update(['workspaces/a', 'workspace'], 'REMOVE subscriptionId');
  assert.deepEqual(pks(await list()), ['workspaces/c']);
});

const reservation = (id, amount, expires) => ({
  pk: `credit-reservations/${id}`, workspaceId: 'w', reservedAmount: amount, estimatedCost: amount, currency: 'usd',
  expires, expiresHour: expires - (expires % kHour)});

/** Takes `amount` from the balance and writes the reservation, in one transaction. */
function reserve(workspaces, reservations, id, amount) {
  return transact(tables.db, [
    step('Update', workspaces, {Key: ['workspaces/w', 'workspace'], UpdateExpression: 'SET creditBalance = creditBalance - :a',
                                ConditionExpression: 'creditBalance >= :a', values: {':a': amount}}),
    step('Put', reservations, {Item: reservation(id, amount, seconds() + 900), ConditionExpression: 'attribute_not_exists(pk)'}),
  ]);
}

/** Returns a reservation exactly once: the caller that deletes it adds the amount. */
function refund(workspaces, reservations, id) {
  return transactUntilTaken(tables.db, async () => {
    const row = await reservations.get([`credit-reservations/${id}`]);
    if (!row) return {refunded: false};
    return {refunded: true, steps: [
      step('Delete', reservations, {Key: [row.pk], ConditionExpression: 'attribute_exists(pk)'}),
      step('Update', workspaces, {Key: ['workspaces/w', 'workspace'], UpdateExpression: 'ADD creditBalance :a', values: {':a': row.reservedAmount}}),
    ]};
  });
}

const balance = async (workspaces) => (await workspaces.get(['workspaces/w', 'workspace'])).creditBalance;

test('HM-3b of 200 reservations at once on a balance for 50, exactly 50 are taken, and the balance is 0', async () => {
  const table = await tables.seed('workspace');
  await table.put(workspaceRow('w', {creditBalance: 50_000}));
  const outcomes = await inParallel(200, () => taken(table.update(['workspaces/w', 'workspace'], 'SET creditBalance = creditBalance - :a',
                                                                  {':a': 1000}, {ConditionExpression: 'creditBalance >= :a'})), 64);
  assert.equal(outcomes.filter(Boolean).length, 50);
  assert.equal(await balance(table), 0);
});

test('HM-3b balance and reservation change in one step: as many reservations as were paid, all given back once', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const workspaces = await tables.seed('workspace');
  const reservations = await tables.seed('credit-reservations');
  await workspaces.put(workspaceRow('w', {creditBalance: 20}));
  let paid = 0;
  await inParallel(40, async (i) => {
    // A transaction may be cancelled because another holds the row. Then retry it, unless the balance is used up.
    while (await balance(workspaces) > 0) {
      if (await taken(reserve(workspaces, reservations, i, 1))) {
        paid += 1;
        return;
      }
    }
  }, 16);
  assert.equal(paid, 20);
  assert.equal(await balance(workspaces), 0);
  const open = await reservations.scan();
  assert.equal(open.length, 20);
  // Two cleanups at the same time.
  const ids = open.map((row) => row.pk.split('/')[1]);
  const outcomes = await inParallel(40, (i) => refund(workspaces, reservations, ids[i % 20]), 16);
  assert.equal(outcomes.filter(({refunded}) => refunded).length, 20);
  assert.equal(await balance(workspaces), 20);
});

test('HM-3c adjusting a reservation twice changes the balance once', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const workspaces = await tables.seed('workspace');
  const reservations = await tables.seed('credit-reservations');
  await workspaces.put(workspaceRow('w', {creditBalance: 100}));
  await reserve(workspaces, reservations, 'r', 60);
  const adjust = (actual) => transact(tables.db, [
    step('Delete', reservations, {Key: ['credit-reservations/r'], ConditionExpression: 'attribute_exists(pk)'}),
    step('Update', workspaces, {Key: ['workspaces/w', 'workspace'], UpdateExpression: 'SET creditBalance = creditBalance - :d', values: {':d': actual - 60}}),
  ]);
  assert.equal(await taken(adjust(150)), true);
  assert.equal(await balance(workspaces), -50, 'afterwards the balance may fall below zero');
  assert.equal(await taken(adjust(150)), false);
  assert.equal(await balance(workspaces), -50);
});

test('HM-3d refunding a missing reservation does nothing', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const workspaces = await tables.seed('workspace');
  const reservations = await tables.seed('credit-reservations');
  await workspaces.put(workspaceRow('w', {creditBalance: 7}));
  assert.deepEqual(await refund(workspaces, reservations, 'none'), {refunded: false});
  assert.equal(await balance(workspaces), 7);
});

test('HM-11 reservations are found by their hour of expiry, in numeric order', async () => {
  const table = await tables.seed('credit-reservations');
  const hour = 2_000_000_000 - (2_000_000_000 % kHour);
  await table.putAll([[30, 'c'], [5, 'a'], [kHour - 1, 'd'], [kHour, 'next'], [29, 'b'], [30, 'c2']]
    .map(([offset, id]) => reservation(id, 1, hour + offset)));
  const due = await table.query('expiresHour = :h AND expires < :now', {':h': hour, ':now': hour + 31}, {IndexName: 'byExpiresHour'});
  assert.deepEqual(pks(due).map((pk) => pk.split('/')[1]).slice(0, 2), ['a', 'b']);
  assert.deepEqual(pks(due).map((pk) => pk.split('/')[1]).slice(2).sort(), ['c', 'c2']);
  assert.equal((await table.query('expiresHour = :h', {':h': hour}, {IndexName: 'byExpiresHour'})).length, 5);
});

test('HM-11 numbers order as numbers: 9 before 10 before 100, and negative ones first', async () => {
  const table = await tables.seed('credit-reservations');
  const amounts = [100, 9, 10, -1, -10, 0, 1.5];
  await table.putAll(amounts.map((expires) => ({pk: `r${expires}`, expiresHour: 0, expires})));
  const rows = await table.query('expiresHour = :h', {':h': 0}, {IndexName: 'byExpiresHour'});
  const sorted = [...amounts].sort((a, b) => a - b);
  // With a time to live of 1970 they would have expired.
  if (!tables.endpoint.can('expiry')) assert.deepEqual(rows.map((row) => row.expires), sorted);
  const {ttl, ...endless} = declaration('credit-reservations');
  assert.ok(ttl);
  const lasting = await tables.made(endless);
  await lasting.putAll(amounts.map((expires) => ({pk: `r${expires}`, expiresHour: 0, expires})));
  assert.deepEqual((await lasting.query('expiresHour = :h', {':h': 0}, {IndexName: 'byExpiresHour'})).map((row) => row.expires), sorted);
});
