// Writes of the engine; tables_engine lists the tests of the rest.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failsCondition, isInvalid, refused, taken} from './lib/tables/client.mjs';
import {eventually} from './lib/deadline.mjs';
import {column, kHashOnly, kIndexed, kRanged, key} from './lib/tables/shapes.mjs';
import {freshName, inParallel, seconds, whenActive, withTables} from './lib/tables/suite.mjs';
import {step, transact} from './lib/tables/table.mjs';
import {item} from './lib/tables/values.mjs';

const tables = withTables();

test('conditions on put, update and delete; the failure is a separate error and can carry the item', async (t) => {
  const table = await tables.made(kHashOnly);
  await table.put({id: 'a', status: 'open', n: 1});
  const where = (ConditionExpression, values) => ({ConditionExpression, values, names: {'#s': 'status'}});
  await failsCondition(table.put({id: 'a'}, where('#s <> :o', {':o': 'open'})));
  await failsCondition(table.delete(['a'], where('#s = :c OR n > :n', {':c': 'closed', ':n': 1})));
  await failsCondition(table.delete(['none'], where('#s = :c', {':c': 'closed'})));
  await table.update(['a'], 'SET #s = :c', {':c': 'closed', ':o': 'open'}, {ConditionExpression: '#s = :o', names: {'#s': 'status'}});
  assert.equal((await table.get(['a'])).status, 'closed');
  if (tables.needs(t, 'conditionItem')) return;
  const error = await failsCondition(table.delete(['a'], {...where('#s = :o', {':o': 'open'}), ReturnValuesOnConditionCheckFailure: 'ALL_OLD'}));
  assert.deepEqual(error.Item, item({id: 'a', status: 'closed', n: 1}));
});

test('update expressions: SET, REMOVE, ADD, DELETE with their functions and paths', async () => {
  const table = await tables.made(kHashOnly);
  const run = async (before, expression, values, names) => {
    await table.put({id: 'a', ...before});
    await table.update(['a'], expression, values, {names});
    const {id, ...after} = await table.get(['a']);
    return after;
  };
  assert.deepEqual(await run({}, 'SET a = :a, b = if_not_exists(b, :a)', {':a': 1}), {a: 1, b: 1});
  assert.deepEqual(await run({n: 5}, 'SET n = n + :a, o = n - :a', {':a': 2}), {n: 7, o: 3}, 'operands are those of before');
  assert.deepEqual(await run({a: 1, b: 2}, 'SET a = b, b = a'), {a: 2, b: 1});
  assert.deepEqual(await run({l: [1]}, 'SET l = list_append(:x, l)', {':x': [0]}), {l: [0, 1]});
  assert.deepEqual(await run({l: [1, 2, 3]}, 'REMOVE l[0], l[2]'), {l: [2]});
  assert.deepEqual(await run({l: [1]}, 'SET l[7] = :x', {':x': 2}), {l: [1, 2]}, 'beyond the end is the end');
  assert.deepEqual(await run({m: {a: {b: 1}}}, 'SET m.a.c = :x REMOVE m.a.b', {':x': 2}), {m: {a: {c: 2}}});
  assert.deepEqual(await run({}, 'ADD n :x', {':x': 3}), {n: 3});
  assert.deepEqual(await run({s: new Set(['a', 'b'])}, 'ADD s :x', {':x': new Set(['b', 'c'])}), {s: new Set(['a', 'b', 'c'])});
  assert.deepEqual(await run({s: new Set(['a', 'b'])}, 'DELETE s :x', {':x': new Set(['a', 'b'])}), {}, 'an empty set is no attribute');
  for (const [expression, values] of [
    ['SET x.y = :v', {':v': 1}], ['SET l[0].a = :v', {':v': 1}], ['SET id = :v', {':v': 'b'}], ['SET a = nothing', undefined], ['SET n = s + :v', {':v': 1}],
    ['ADD s :v', {':v': 1}], ['SET a = :v, a = :v', {':v': 1}], ['SET m.a = :v, m.a.b = :v', {':v': 1}], ['SET a = :v SET b = :v', {':v': 1}], ['SET a = :missing', {':v': 1}],
    ['DELETE n :v', {':v': new Set(['a'])}], ['ADD l :v', {':v': [1]}], ['', undefined], ['SET', undefined], ['SET name = :v', {':v': 1}],
  ]) {
    await table.put({id: 'a', s: 'text', n: 1, l: [1], m: {}});
    await isInvalid(table.update(['a'], expression, values), /./);
    assert.deepEqual(await table.get(['a']), {id: 'a', s: 'text', n: 1, l: [1], m: {}}, `${expression} changed something`);
  }
});

test('an update returns old or new attributes, all or the changed ones', async () => {
  const table = await tables.made(kHashOnly);
  const update = async (ReturnValues) => {
    await table.put({id: 'a', x: 1, y: {z: 1, w: 2}, untouched: true});
    return table.update(['a'], 'SET x = :n, y.z = :n, fresh = :n REMOVE gone', {':n': 9}, {ReturnValues});
  };
  assert.equal(await update('NONE'), undefined);
  assert.deepEqual(await update('ALL_OLD'), {id: 'a', x: 1, y: {z: 1, w: 2}, untouched: true});
  assert.deepEqual(await update('ALL_NEW'), {id: 'a', x: 9, y: {z: 9, w: 2}, untouched: true, fresh: 9});
  assert.deepEqual(await update('UPDATED_OLD'), {x: 1, y: {z: 1}});
  assert.deepEqual(await update('UPDATED_NEW'), {x: 9, y: {z: 9}, fresh: 9});
});

test('operands have the values before the update, in any order of clauses', async () => {
  const table = await tables.made(kHashOnly);
  for (const expression of ['ADD n :v SET z = n', 'SET z = n ADD n :v', 'SET n = n + :v, z = n']) {
    await table.put({id: 'a', n: 1});
    assert.deepEqual(await table.update(['a'], expression, {':v': 9}, {ReturnValues: 'ALL_NEW'}), {id: 'a', n: 10, z: 1}, expression);
  }
  await table.put({id: 'a', l: [0, 1, 2, 3, 4]});
  await table.update(['a'], 'REMOVE l[1], l[2]');
  assert.deepEqual(await table.get(['a']), {id: 'a', l: [0, 3, 4]}, 'indexes are those of before too');
});

test('an update that only removes creates no item; one without any clause does', async () => {
  const table = await tables.made(kHashOnly);
  await table.update(['a'], 'REMOVE x');
  await table.update(['a'], 'REMOVE x.y, z[0]');
  assert.equal(await table.get(['a']), undefined);
  await tables.db.UpdateItem({TableName: table.name, Key: item({id: 'a'}), AttributeUpdates: {x: {Action: 'DELETE'}}});
  assert.equal(await table.get(['a']), undefined);
  await tables.db.UpdateItem({TableName: table.name, Key: item({id: 'a'})});
  assert.deepEqual(await table.get(['a']), {id: 'a'});
});

test('updated parts are returned alone, within their parents', async () => {
  const table = await tables.made(kHashOnly);
  await table.put({id: 'a', m: {b: 'dog', c: [1, 2, 3]}, d: 'cat'});
  const update = (ReturnValues, expression, values) => table.update(['a'], expression, values, {ReturnValues});
  assert.deepEqual(await update('UPDATED_OLD', 'SET m.c[1] = :v, m.b = :w', {':v': 7, ':w': 'x'}), {m: {b: 'dog', c: [2]}});
  assert.deepEqual(await update('UPDATED_NEW', 'SET m.c[1] = :v', {':v': 8}), {m: {c: [8]}});
  assert.equal(await update('UPDATED_OLD', 'SET m.fresh = :v', {':v': 1}), undefined);
  assert.equal(await update('UPDATED_NEW', 'SET m.c[100] = :v', {':v': 70}), undefined, 'the element has another index now');
  assert.deepEqual(await update('UPDATED_OLD', 'REMOVE m.c[0], m.c[9]'), {m: {c: [1]}});
  assert.deepEqual((await table.get(['a'])).m.c, [8, 3, 70]);
});

test('a transaction over tables is all or nothing, its reasons in order', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const a = await tables.made(kHashOnly);
  const b = await tables.made(kRanged());
  await a.put({id: 'a', n: 1});
  const steps = (n) => [
    step('Put', b, {Item: {p: 'x', r: '1'}}),
    step('Update', a, {Key: ['a'], UpdateExpression: 'ADD n :one', ConditionExpression: 'n = :n', values: {':one': 1, ':n': n}}),
    step('ConditionCheck', a, {Key: ['none'], ConditionExpression: 'attribute_not_exists(id)'}),
    step('Delete', b, {Key: ['x', '2']}),
  ];
  const error = await refused(transact(tables.db, steps(5)), 'TransactionCanceledException', /None, ConditionalCheckFailed, None, None/);
  assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['None', 'ConditionalCheckFailed', 'None', 'None']);
  assert.equal(await b.get(['x', '1']), undefined);
  await transact(tables.db, steps(1));
  assert.equal((await a.get(['a'])).n, 2);
  assert.deepEqual(await b.get(['x', '1']), {p: 'x', r: '1'});
  const {Responses} = await tables.db.TransactGetItems({TransactItems: [
    {Get: {TableName: a.name, Key: item({id: 'a'}), ProjectionExpression: 'n'}}, {Get: {TableName: b.name, Key: item({p: 'x', r: 'none'})}}]});
  assert.deepEqual(Responses, [{Item: {n: {N: '2'}}}, {}]);
  await isInvalid(transact(tables.db, [step('Delete', a, {Key: ['a']}), step('Put', a, {Item: {id: 'a'}})]), /multiple operations on one item/);
});

test('a transaction with a token happens once, and another body under it is refused', async (t) => {
  if (tables.needs(t, 'tokens')) return;
  const table = await tables.made(kHashOnly);
  const add = (n, ClientRequestToken) => transact(tables.db, [step('Update', table, {Key: ['a'], UpdateExpression: 'ADD n :n', values: {':n': n}})], {ClientRequestToken});
  const token = freshName('token').slice(0, 36);
  await inParallel(6, () => add(1, token), 3);
  assert.equal((await table.get(['a'])).n, 1);
  await refused(add(2, token), 'IdempotentParameterMismatchException');
  await add(2, `${token}x`.slice(-36));
  assert.equal((await table.get(['a'])).n, 3);
});

test('money moved between accounts by many transactions at once is never lost or made', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.made(kHashOnly);
  await table.putAll([0, 1, 2, 3].map((i) => ({id: `${i}`, n: 100})));
  const move = (from, to) => transact(tables.db, [
    step('Update', table, {Key: [`${from}`], UpdateExpression: 'ADD n :m', ConditionExpression: 'n >= :min', values: {':m': -30, ':min': 30}}),
    step('Update', table, {Key: [`${to}`], UpdateExpression: 'ADD n :p', values: {':p': 30}}),
  ]);
  let done = false;
  const audit = async () => {
    while (!done) {
      const {Responses} = await tables.db.TransactGetItems({TransactItems: [0, 1, 2, 3].map((i) => ({Get: {TableName: table.name, Key: item({id: `${i}`})}}))})
        .catch((error) => { if (error.name === 'TransactionCanceledException') return {}; throw error; });
      if (Responses) assert.equal(Responses.reduce((sum, {Item}) => sum + Number(Item.n.N), 0), 400);
    }
  };
  const auditor = audit();
  const outcomes = await inParallel(120, (i) => taken(move(i % 4, (i * 7 + 1) % 4 === i % 4 ? (i + 1) % 4 : (i * 7 + 1) % 4)), 12);
  done = true;
  await auditor;
  assert.ok(outcomes.filter(Boolean).length > 0);
  const rows = await table.scan();
  assert.equal(rows.reduce((sum, row) => sum + row.n, 0), 400);
  rows.forEach((row) => assert.ok(row.n >= 0));
});

test('an e-mail address belongs to one user of a tenant: a guard row in the same transaction', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.seed('tenants');
  const register = (tenant, user, email) => transact(tables.db, [
    step('Put', table, {Item: {pk: `TENANT#${tenant}`, sk: `UNIQUE#EMAIL#${email.toLowerCase()}`, user}, ConditionExpression: 'attribute_not_exists(pk)'}),
    step('Put', table, {Item: {pk: `TENANT#${tenant}`, sk: `USER#${user}`, email}, ConditionExpression: 'attribute_not_exists(pk)'}),
  ]);
  const outcomes = await inParallel(10, (i) => taken(register('acme', `u${i}`, i % 2 ? 'Ann@x.test' : 'ann@x.test')), 10);
  assert.equal(outcomes.filter(Boolean).length, 1);
  assert.equal((await table.query('pk = :p AND begins_with(sk, :u)', {':p': 'TENANT#acme', ':u': 'USER#'})).length, 1);
  await register('bolt', 'u', 'ann@x.test');
});

test('expired items are missing at once: in reads, conditions, updates, batches, indexes and transactions', async (t) => {
  if (tables.needs(t, 'expiry')) return;
  const table = await tables.made({...kIndexed, ttl: 'expires'});
  const {db} = tables;
  const row = (r, more) => ({p: 'a', r, g: 'x', n: 1, m: 1, ...more});
  await table.putAll([row('old', {expires: seconds() - 1}), row('new', {expires: seconds() + 1000}), row('ever'), row('text', {expires: 'never'}), row('ms', {expires: Date.now()})]);
  const lasting = ['ever', 'ms', 'new', 'text'];
  assert.deepEqual(column(await table.query('p = :p', {':p': 'a'}), 'r'), lasting);
  for (const IndexName of ['number-hash', 'by-base', 'local-number']) assert.deepEqual(column(await table.scan({IndexName}), 'r').sort(), lasting, IndexName);
  const page = await table.page('p = :p', {':p': 'a'}, {});
  assert.equal(page.scanned, 4);
  const batch = await db.BatchGetItem({RequestItems: {[table.name]: {Keys: ['old', 'new'].map((r) => table.key('a', r))}}});
  assert.deepEqual(batch.Responses[table.name].map((one) => one.r.S), ['new']);
  await failsCondition(table.update(['a', 'old'], 'SET x = :x', {':x': 1}, {ConditionExpression: 'attribute_exists(p)'}));
  const {Responses} = await db.TransactGetItems({TransactItems: [{Get: {TableName: table.name, Key: table.key('a', 'old')}}]});
  assert.deepEqual(Responses, [{}]);
  await transact(db, [step('Put', table, {Item: row('old', {fresh: true}), ConditionExpression: 'attribute_not_exists(p)'})]);
  assert.equal((await table.get(['a', 'old'])).fresh, true);
  await table.put(row('old', {expires: seconds() - 1, stale: true}));
  assert.equal(await table.delete(['a', 'old'], {ReturnValues: 'ALL_OLD'}), undefined);
  await table.put(row('old', {expires: seconds() - 1, stale: true}));
  await table.update(['a', 'old'], 'SET x = :x', {':x': 1});
  assert.deepEqual(await table.get(['a', 'old']), {p: 'a', r: 'old', x: 1}, 'an update begins from nothing');
});

test('the attribute of the time to live can be set, described and removed', async (t) => {
  if (tables.needs(t, 'ttl')) return;
  const table = await tables.made(kHashOnly);
  const set = (Enabled, AttributeName) => tables.db.UpdateTimeToLive({TableName: table.name, TimeToLiveSpecification: {Enabled, AttributeName}});
  const status = async () => (await tables.db.DescribeTimeToLive({TableName: table.name})).TimeToLiveDescription;
  assert.match((await status()).TimeToLiveStatus, /DISABLED/);
  await set(true, 'expires_at');
  assert.deepEqual(await status(), {TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at'});
  await isInvalid(set(true, 'expires_at'));
  await set(false, 'expires_at');
  assert.match((await status()).TimeToLiveStatus, /DISABLED/);
});

test('canonical times order as text, milliseconds as numbers', async () => {
  const texts = await tables.made(kRanged());
  const numbers = await tables.made(kRanged('N'));
  const times = [0, 999, 1000, 1732140249123, 1732140249124, 4102444800000].map((ms) => new Date(ms));
  await texts.putAll(times.map((time) => ({p: 'x', r: time.toISOString()})));
  await numbers.putAll(times.map((time) => ({p: 'x', r: time.getTime()})));
  assert.deepEqual(column(await texts.query('p = :p', {':p': 'x'}), 'r').map((text) => Date.parse(text)), times.map(Number));
  assert.deepEqual(column(await numbers.query('p = :p', {':p': 'x'}), 'r'), times.map(Number));
});

test('a writer reads its own writes at once, in indexes too', async (t) => {
  if (tables.needs(t, 'atomicIndexes')) return;
  const table = await tables.made(kIndexed);
  await inParallel(60, async (i) => {
    await table.put({p: `p${i}`, r: '1', g: `g${i}`, n: i, m: i});
    assert.equal((await table.query('n = :n', {':n': i}, {IndexName: 'number-hash'})).length, 1);
    await table.update([`p${i}`, '1'], 'SET g = :g', {':g': `moved${i}`});
    assert.equal((await table.query('g = :g', {':g': `g${i}`}, {IndexName: 'by-base'})).length, 0);
    assert.equal((await table.query('g = :g', {':g': `moved${i}`}, {IndexName: 'by-base'})).length, 1);
    await table.delete([`p${i}`, '1']);
    assert.equal((await table.query('n = :n', {':n': i}, {IndexName: 'number-hash'})).length, 0);
  }, 12);
});

test('keys may contain any bytes: no separator makes two keys equal, or one a part of another', async () => {
  const table = await tables.made(kRanged());
  const parts = ['a', 'b', 'a\u0000', 'a\u0000b', '\u0000', '\u0000\u0000', '\u0001', 'a#', 'a#b', '#', 'a/b', '/', '\u007f', 'a\u0000\u0001', '\u00ff', 'aÿ'];
  const keys = parts.flatMap((p) => parts.map((r) => ({p, r})));
  await table.putAll(keys);
  for (const p of parts) {
    const sorted = [...parts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(column(await table.query('p = :p', {':p': p}), 'r'), sorted, JSON.stringify(p));
    assert.deepEqual(column(await table.query('p = :p AND begins_with(r, :a)', {':p': p, ':a': 'a'}), 'r'), sorted.filter((r) => r.startsWith('a')));
  }
  assert.equal((await table.scan()).length, keys.length);
});

test('an index that is added later is filled while the table is written', async (t) => {
  if (tables.needs(t, 'onlineIndexes')) return;
  const table = await tables.made(kHashOnly);
  const row = (i) => ({id: `${i}`.padStart(4, '0'), g: `g${i % 2}`});
  await table.putAll(Array.from({length: 300}, (_, i) => row(i)));
  await tables.db.UpdateTable({TableName: table.name, AttributeDefinitions: [{AttributeName: 'id', AttributeType: 'S'}, {AttributeName: 'g', AttributeType: 'S'}],
    GlobalSecondaryIndexUpdates: [{Create: {IndexName: 'later', KeySchema: [{AttributeName: 'g', KeyType: 'HASH'}], Projection: {ProjectionType: 'ALL'}}}]});
  await Promise.all([
    inParallel(100, (i) => table.put(row(300 + i)), 4),
    inParallel(100, (i) => table.delete([row(i).id]), 4),
    inParallel(50, (i) => table.update([row(200 + i).id], 'SET g = :g', {':g': 'moved'}), 4),
  ]);
  const described = await whenActive(tables.db, table.name);
  assert.deepEqual(described.GlobalSecondaryIndexes.map((index) => index.IndexName), ['later']);
  const of = async (g) => column(await table.query('g = :g', {':g': g}, {IndexName: 'later'}), 'id').sort();
  const stored = await table.scan();
  assert.equal(stored.length, 300);
  for (const g of ['g0', 'g1', 'moved']) assert.deepEqual(await of(g), column(stored.filter((one) => one.g === g), 'id').sort(), g);
  await tables.db.UpdateTable({TableName: table.name, GlobalSecondaryIndexUpdates: [{Delete: {IndexName: 'later'}}]});
  await eventually(async () => !(await tables.db.DescribeTable({TableName: table.name})).Table.GlobalSecondaryIndexes?.length, 'the index to be gone');
  await isInvalid(table.page('g = :g', {':g': 'g0'}, {IndexName: 'later'}), /specified index/);
});

test('one worker holds a lease at a time, checked by the condition', async () => {
  const table = await tables.made(kHashOnly);
  await table.put({id: 'job'});
  const claim = (worker, now, until) => taken(table.update(['job'], 'SET holder = :w, lock_until = :u', {':w': worker, ':u': until, ':now': now},
    {ConditionExpression: 'attribute_exists(id) AND (attribute_not_exists(lock_until) OR lock_until < :now)'}));
  const claims = await inParallel(10, (i) => claim(`w${i}`, 100, 160), 10);
  assert.equal(claims.filter(Boolean).length, 1);
  assert.equal((await table.get(['job'])).holder, `w${claims.indexOf(true)}`);
  assert.equal(await claim('late', 160, 200), false);
  assert.equal(await claim('late', 161, 200), true);
});

test('due items come in order of their time from one partition', async () => {
  const table = await tables.made({name: 'due', keys: {hash: key('partition'), range: key('due_at', 'N')}});
  const due = [5, 100, 20, 3, 1000, 21];
  await table.putAll(due.map((due_at) => ({partition: 'due', due_at})));
  const ready = await table.query('#p = :d AND due_at <= :now', {':d': 'due', ':now': 21}, {names: {'#p': 'partition'}});
  assert.deepEqual(column(ready, 'due_at'), [3, 5, 20, 21]);
});
