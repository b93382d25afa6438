// Seed 002's access patterns (EV-…) through Amazon's SDK: tenant keys, and events that are pulled and acknowledged.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import {test} from 'node:test';
import {failsCondition, taken} from './lib/tables/client.mjs';
import {declaration} from './lib/tables/declarations.mjs';
import {Random, randomSeed} from './lib/random.mjs';
import {inParallel, seconds, withTables} from './lib/tables/suite.mjs';

const tables = withTables();
const random = new Random(randomSeed());

const id = (i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
/** A fixed number of digits, so that text order is time order. */
const stamp = (ms) => String(ms).padStart(15, '0');
const eventRow = (tenant, i, ms, more) => ({
  pk: tenant, sk: id(i), tenant_id: tenant, event_id: id(i), status: 'undelivered', timestamp: ms,
  gsi1sk: `undelivered#${stamp(ms)}`, payload: {n: i}, ...more});
const inbox = (table, tenant, options = {}) => table.page('tenant_id = :t AND begins_with(gsi1sk, :s)',
  {':t': tenant, ':s': 'undelivered#'}, {IndexName: 'status-index', ...options});
const byStatus = (table, tenant, status) => table.query('tenant_id = :t AND begins_with(gsi1sk, :s)',
  {':t': tenant, ':s': `${status}#`}, {IndexName: 'status-index'});
const ids = (rows) => rows.map((row) => row.event_id);

/** Changes status and index key in one write, only if the event exists. */
const ack = (table, {pk, sk, timestamp}) => table.update([pk, sk], 'SET #s = :d, gsi1sk = :k',
  {':d': 'delivered', ':k': `delivered#${stamp(timestamp)}`},
  {ConditionExpression: 'attribute_exists(pk)', names: {'#s': 'status'}, ReturnValues: 'ALL_OLD'});

test('EV-A1 a key returns its tenant; the reader distinguishes unknown and revoked ones', async () => {
  const table = await tables.seed('TenantApiKeys');
  const pk = crypto.createHash('sha256').update('tenant_acme_live_0123456789ab').digest('hex');
  await table.create({pk, sk: 'meta', tenant_id: 'acme', status: 'active', created_at: 1732140249123});
  assert.deepEqual(await table.get([pk, 'meta']), {pk, sk: 'meta', tenant_id: 'acme', status: 'active', created_at: 1732140249123});
  assert.equal(await table.get([`${pk}0`, 'meta']), undefined);
});

test('EV-A2 a key is created once, and its revocation is read by the next request', async () => {
  const table = await tables.seed('TenantApiKeys');
  await table.create({pk: 'k', sk: 'meta', tenant_id: 'acme', status: 'active'});
  await failsCondition(table.create({pk: 'k', sk: 'meta', tenant_id: 'bolt', status: 'active'}));
  const revoke = () => table.update(['k', 'meta'], 'SET #s = :r', {':r': 'revoked', ':a': 'active'},
                                    {ConditionExpression: '#s = :a', names: {'#s': 'status'}});
  await revoke();
  assert.equal((await table.get(['k', 'meta'])).status, 'revoked');
  await failsCondition(revoke());
});

test('EV-1 an event is stored once under its id; a collision overwrites nothing', async () => {
  const table = await tables.seed('Events');
  const payload = {text: 'πβ', list: [1, '2', null, true, {deep: {deeper: []}}], price: 12.5, 'key with #/.': 1};
  await table.create(eventRow('acme', 1, 1732140249123, {payload}));
  await failsCondition(table.create(eventRow('acme', 1, 1732140249999, {payload: {}})));
  assert.deepEqual((await table.get(['acme', id(1)])).payload, payload);
});

test('EV-2 the inbox lists the undelivered events of one tenant, oldest first', async () => {
  const table = await tables.seed('Events');
  await table.putAll([
    eventRow('acme', 9, 100), eventRow('acme', 2, 300), eventRow('acme', 5, 200),
    eventRow('acme', 1, 50, {status: 'delivered', gsi1sk: `delivered#${stamp(50)}`}),
    eventRow('bolt', 3, 10),
  ]);
  assert.deepEqual(ids((await inbox(table, 'acme')).items), [9, 5, 2].map(id));
  assert.deepEqual(ids((await inbox(table, 'acme', {Limit: 2})).items), [9, 5].map(id));
});

test('EV-2 padded times keep their order', async () => {
  const table = await tables.seed('Events');
  const times = [9, 10, 999, 1000, 9_999_999_999_999, 10_000_000_000_000];
  await table.putAll(times.map((ms, i) => eventRow('acme', times.length - i, ms)));
  assert.deepEqual((await inbox(table, 'acme')).items.map((row) => row.timestamp), times);
});

test('EV-3 delivered events are listed oldest first, by the original time', async () => {
  const table = await tables.seed('Events');
  const rows = [eventRow('acme', 1, 300), eventRow('acme', 2, 100), eventRow('acme', 3, 200)];
  await table.putAll(rows);
  for (const row of rows) await ack(table, row);
  assert.deepEqual(ids(await byStatus(table, 'acme', 'delivered')), [2, 3, 1].map(id));
  assert.deepEqual(await byStatus(table, 'acme', 'undelivered'), []);
});

test('EV-4 a query of the table is in order of ids, not of time', async () => {
  const table = await tables.seed('Events');
  await table.putAll([eventRow('acme', 3, 100), eventRow('acme', 1, 300), eventRow('acme', 2, 200)]);
  assert.deepEqual(ids(await table.query('pk = :t', {':t': 'acme'})), [1, 2, 3].map(id));
  assert.deepEqual(ids(await table.query('pk = :t', {':t': 'acme'}, {ScanIndexForward: false})), [3, 2, 1].map(id));
  const newest = await table.query('tenant_id = :t', {':t': 'acme'}, {IndexName: 'status-index', ScanIndexForward: false});
  assert.deepEqual(newest.map((row) => row.timestamp), [300, 200, 100]);
});

test('EV-5 an event is found only by its own tenant', async () => {
  const table = await tables.seed('Events');
  await table.put(eventRow('acme', 1, 100));
  assert.equal((await table.get(['acme', id(1)])).event_id, id(1));
  assert.equal(await table.get(['bolt', id(1)]), undefined);
});

test('EV-6 an acknowledgement moves the event between both lists in one write, keeps its time, and may be repeated', async () => {
  const table = await tables.seed('Events');
  const row = eventRow('acme', 1, 1732140249123);
  await table.put(row);
  assert.equal((await ack(table, row)).status, 'undelivered');
  assert.equal((await ack(table, row)).status, 'delivered', 'a repeat is told by what was there');
  const {status, gsi1sk, timestamp} = await table.get(row);
  assert.deepEqual([status, gsi1sk, timestamp], ['delivered', 'delivered#001732140249123', 1732140249123]);
  assert.deepEqual(ids(await byStatus(table, 'acme', 'delivered')), [id(1)]);
  assert.deepEqual(await byStatus(table, 'acme', 'undelivered'), []);
});

test('EV-6 readers of the index see an event in exactly one list while it is acknowledged', async () => {
  const table = await tables.seed('Events');
  const rows = Array.from({length: 40}, (_, i) => eventRow('acme', i, 1000 + i));
  await table.putAll(rows);
  let acknowledging = true;
  const reader = async () => {
    while (acknowledging) {
      const all = await table.query('tenant_id = :t', {':t': 'acme'}, {IndexName: 'status-index'});
      if (!tables.endpoint.can('atomicIndexes')) continue;
      assert.equal(all.length, rows.length);
      assert.equal(new Set(ids(all)).size, rows.length);
      all.forEach((row) => assert.ok(row.gsi1sk.startsWith(`${row.status}#`), `${row.status} under ${row.gsi1sk}`));
    }
  };
  const readers = [reader(), reader()];
  await inParallel(rows.length, (i) => ack(table, rows[i]), 4);
  acknowledging = false;
  await Promise.all(readers);
  assert.equal((await byStatus(table, 'acme', 'delivered')).length, rows.length);
});

test('EV-6 acknowledging a deleted event does not recreate it', async () => {
  const table = await tables.seed('Events');
  const row = eventRow('acme', 1, 100);
  await table.put(row);
  await table.delete(row);
  await failsCondition(ack(table, row));
  assert.equal(await table.get(row), undefined);
  assert.deepEqual(await byStatus(table, 'acme', 'delivered'), []);
});

test('EV-6 a simultaneous acknowledgement and deletion leave nothing or a whole event', async () => {
  const table = await tables.seed('Events');
  const rows = Array.from({length: 40}, (_, i) => eventRow('acme', i, 100 + i));
  await table.putAll(rows);
  await inParallel(80, (i) => (i % 2 === 0 ? taken(ack(table, rows[i >> 1])) : table.delete(rows[i >> 1])), 16);
  assert.deepEqual(await table.scan(), []);
  assert.deepEqual(await table.scan({IndexName: 'status-index'}), []);
});

test('EV-7 a deletion reports whether the item existed', async () => {
  const table = await tables.seed('Events');
  await table.put(eventRow('acme', 1, 100));
  const remove = () => table.delete(['acme', id(1)], {ConditionExpression: 'attribute_exists(pk)'});
  await remove();
  await failsCondition(remove());
});

test('EV-8 many are acknowledged in one transaction, or each on its own', async () => {
  const table = await tables.seed('Events');
  const rows = Array.from({length: 10}, (_, i) => eventRow('acme', i, 100 + i));
  await table.putAll(rows);
  const results = await Promise.all([...rows, eventRow('acme', 99, 1)].map((row) => taken(ack(table, row))));
  assert.deepEqual(results, [...rows.map(() => true), false]);
});

test('EV-9 events of a type that contains # are not in the list of another', async () => {
  const definition = declaration('Events');
  const byType = {name: 'types', kind: 'global', hash: {name: 'tenant_id', type: 'S'}, range: {name: 'gsi2sk', type: 'S'}};
  const table = await tables.made({...definition, indexes: [...definition.indexes.filter(({name}) => name !== 'event-type-index'), byType]});
  // # and % of the type are escaped in the composite key, so that the separator is unambiguous.
  const escaped = (type) => type.replaceAll('%', '%25').replaceAll('#', '%23');
  const typed = (i, type, ms) => eventRow('acme', i, ms, {event_type: type, gsi2sk: `${escaped(type)}#${stamp(ms)}`});
  await table.putAll([typed(1, 'order', 300), typed(2, 'order#paid', 100), typed(3, 'order', 200), typed(4, 'orders', 50), typed(5, 'order%23paid', 60)]);
  const list = (type) => table.query('tenant_id = :t AND begins_with(gsi2sk, :p)', {':t': 'acme', ':p': `${escaped(type)}#`}, {IndexName: 'types'});
  assert.deepEqual(ids(await list('order')), [3, 1].map(id));
  assert.deepEqual(ids(await list('order#paid')), [id(2)]);
  assert.deepEqual(ids(await list('order%23paid')), [id(5)]);
});

test('EV-10 a cursor continues after the last row even if that row was acknowledged in between', async () => {
  const table = await tables.seed('Events');
  const rows = Array.from({length: 12}, (_, i) => eventRow('acme', 100 - i, 1000 + i));
  await table.putAll(rows);
  const seen = [];
  let ExclusiveStartKey;
  do {
    const page = await inbox(table, 'acme', {Limit: 5, ExclusiveStartKey});
    seen.push(...page.items);
    ExclusiveStartKey = page.last;
    for (const row of page.items) await ack(table, row);
  } while (ExclusiveStartKey);
  assert.deepEqual(ids(seen), ids(rows));
});

test('EV-2 a thousand events of one millisecond, pages and acknowledgements interleaved: each seen once, none lost', async () => {
  const table = await tables.seed('Events');
  const burst = Array.from({length: 1000}, () => eventRow('acme', random.int(0, 1e12), 1732140249123));
  await inParallel(40, (i) => table.putAll(burst.slice(i * 25, (i + 1) * 25)), 4);
  const seen = new Set();
  for (;;) {
    const {items} = await inbox(table, 'acme', {Limit: 97});
    if (items.length === 0) break;
    if (tables.endpoint.can('tieOrder')) assert.deepEqual(ids(items), [...ids(items)].sort(), 'ties come in order of the id');
    items.forEach((row) => {
      assert.ok(!seen.has(row.event_id), 'an acknowledged event came again');
      seen.add(row.event_id);
    });
    await inParallel(items.length, (i) => ack(table, items[i]), 32);
  }
  assert.equal(seen.size, 1000);
  assert.equal((await byStatus(table, 'acme', 'delivered')).length, 1000);
});

test('EV setting one attribute twice in one update is refused, in every form of overlap', async () => {
  const table = await tables.seed('Events');
  await table.put(eventRow('acme', 1, 100));
  for (const [expression, values] of [
    ['SET secret = :a, secret = :b', {':a': 1, ':b': 2}],
    ['SET payload.n = :a REMOVE payload', {':a': 1}],
    ['SET payload = :a, payload.n = :b', {':a': {}, ':b': 1}],
    ['SET #l[0] = :a REMOVE #l[0]', {':a': 1}],
  ]) {
    const names = expression.includes('#l') ? {'#l': 'list'} : undefined;
    await assert.rejects(table.update(['acme', id(1)], expression, values, {names}),
                         {name: 'ValidationException', message: /Two document paths overlap/}, expression);
  }
});

test('EV one of two workers who lease the same event gets it, until the lease ends', async () => {
  const table = await tables.seed('Events');
  await table.put(eventRow('acme', 1, 100));
  const lease = (until, now) => taken(table.update(['acme', id(1)], 'SET lease_until = :u', {':u': until, ':now': now},
    {ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lease_until) OR lease_until < :now)'}));
  const now = seconds();
  assert.deepEqual((await Promise.all([lease(now + 60, now), lease(now + 60, now)])).sort(), [false, true]);
  assert.equal(await lease(now + 200, now + 60), false);
  assert.equal(await lease(now + 200, now + 61), true);
});
