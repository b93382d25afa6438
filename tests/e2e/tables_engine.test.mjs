// The engine of the tables, as far as it is visible on the wire. Its tests are in these files:
//   here            tables, keys, reads
//   tables_writes   conditions, updates, transactions, expiry, order among writers
//   tables_seeds    protection from deletion
//   in process      tests/storage: derived attributes, versions, validation by declaration, sealing, backup, the change stream, statistics
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isInvalid, refused} from './lib/tables/client.mjs';
import {createInput} from './lib/tables/declarations.mjs';
import {eventually} from './lib/deadline.mjs';
import {column, kHashOnly, kIndexed, kRanged, key} from './lib/tables/shapes.mjs';
import {inParallel, whenActive, withTables} from './lib/tables/suite.mjs';
import {item, num} from './lib/tables/values.mjs';

const tables = withTables();

test('a table is declared with any key names and described as declared', async () => {
  const table = await tables.seed('conversations-dev');
  const {Table: described} = await tables.db.DescribeTable({TableName: table.name});
  assert.deepEqual(described.KeySchema, [{AttributeName: 'primary_channel', KeyType: 'HASH'}, {AttributeName: 'conversation_id', KeyType: 'RANGE'}]);
  assert.equal(described.TableStatus, 'ACTIVE');
  assert.equal(described.GlobalSecondaryIndexes.length, 4);
  assert.equal(described.LocalSecondaryIndexes.length, 4);
  assert.ok(described.TableArn && described.CreationDateTime);
  const types = Object.fromEntries(described.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  assert.equal(types.task_complete, 'N');
  await refused(tables.db.CreateTable({TableName: table.name, AttributeDefinitions: [{AttributeName: 'a', AttributeType: 'S'}],
                                       KeySchema: [{AttributeName: 'a', KeyType: 'HASH'}], BillingMode: 'PAY_PER_REQUEST'}), 'ResourceInUseException');
});

test('a dropped table is gone with its items, and its name is free', async () => {
  const table = await tables.made(kHashOnly);
  await table.put({id: 'a'});
  await tables.db.DeleteTable({TableName: table.name});
  await eventually(() => tables.db.DescribeTable({TableName: table.name}).then(() => false, (error) => error.name === 'ResourceNotFoundException'), 'the table to be gone');
  await refused(table.get(['a']), 'ResourceNotFoundException');
  await tables.db.CreateTable(createInput(table.name, kHashOnly));
  await whenActive(tables.db, table.name);
  assert.deepEqual(await table.scan(), []);
});

test('tables with a hash key only and with both; a fixed range value is a value', async () => {
  const single = await tables.made(kHashOnly);
  const ranged = await tables.made(kRanged());
  await single.put({id: 'a', n: 1});
  await single.put({id: 'a', n: 2});
  assert.deepEqual(await single.scan(), [{id: 'a', n: 2}]);
  await ranged.putAll([{p: 'a', r: 'META'}, {p: 'a', r: 'meta'}, {p: 'b', r: 'META'}]);
  assert.equal((await ranged.scan()).length, 3);
  assert.deepEqual(await ranged.get(['a', 'meta']), {p: 'a', r: 'meta'});
  for (const empty of [{p: '', r: 'x'}, {p: 'x', r: ''}]) await isInvalid(ranged.put(empty));
});

test('every type comes back exactly as sent', async () => {
  const table = await tables.made(kHashOnly);
  const nested = {s: '', null: null, t: true, f: false, list: [[], {}, [null, [1]]], bytes: Buffer.from([0, 255, 128]), deep: {a: {b: {c: {d: 'e'}}}},
                  'dots.and#': 1, ss: new Set(['b', 'a']), ns: new Set([1, 2.5]), bs: new Set([Buffer.from('x')])};
  await table.put({id: 'a', ...nested});
  const back = await table.get(['a']);
  for (const name of ['s', 'null', 't', 'f', 'list', 'deep', 'dots.and#']) assert.deepEqual(back[name], nested[name], name);
  assert.deepEqual(Buffer.from(back.bytes), nested.bytes);
  assert.deepEqual([...back.ss].sort(), ['a', 'b']);
  assert.deepEqual([...back.ns].sort(), [1, 2.5]);
  assert.deepEqual([...back.bs].map((one) => Buffer.from(one).toString()), ['x']);
});

test('numbers are decimals with 38 digits, never doubles', async () => {
  const table = await tables.made(kHashOnly);
  const read = async (text) => {
    await tables.db.PutItem({TableName: table.name, Item: {id: {S: 'n'}, n: {N: text}}});
    return (await tables.db.GetItem({TableName: table.name, Key: {id: {S: 'n'}}})).Item.n.N;
  };
  const digits = '12345678901234567890123456789012345678';
  for (const exact of [digits, `-${digits}`, `0.${digits}`, '0', '-1', '0.1', '100']) assert.equal(await read(exact), exact);
  for (const [sent, stored] of [['007', '7'], ['1.500', '1.5'], ['-0', '0'], ['1e2', '100'], ['1E-2', '0.01'], ['0.0', '0'], ['.5', '0.5']]) assert.equal(await read(sent), stored);
  for (const wrong of [`${digits}9`, '1e126', '-1e126', '1e-131', 'NaN', '', ' 1', '0x10', '1,5', 'Infinity', '--1']) {
    await isInvalid(read(wrong));
  }
  await table.update(['n'], 'SET n = :a', {':a': num('0.1')});
  await table.update(['n'], 'SET n = n + :b', {':b': num('0.2')});
  assert.equal((await table.get(['n'])).n, 0.3);
});

test('text is ordered by its UTF-8 bytes, not by UTF-16 units', async () => {
  const table = await tables.made(kRanged());
  const texts = ['\u{10000}', '\uffff', '\ue000', 'z', 'a', 'B', 'é', '\u0000', 'a\u0000', 'a\u0001', 'aa', '\u{1f600}', '~'];
  await table.putAll(texts.map((r) => ({p: 'x', r})));
  const sorted = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(column(await table.query('p = :p', {':p': 'x'}), 'r'), sorted);
});

test('numbers as a range key are ordered by value over all their range', async () => {
  const table = await tables.made(kRanged('N'));
  const sorted = ['-9.9e125', '-1e20', '-12', '-11.5', '-2', '-1', '-0.5', '-0.05', '-1e-130', '0', '1e-130', '0.05', '0.5', '0.51', '1', '1.5', '2', '9', '10', '11', '99', '100', '1e20',
                  '12345678901234567890123456789012345678', '9.9e125'];
  const shuffled = sorted.map((text, i) => ({p: 'x', r: num(text), place: i})).sort((a, b) => (a.place * 7) % 11 - (b.place * 7) % 11);
  await table.putAll(shuffled);
  assert.deepEqual(column(await table.query('p = :p', {':p': 'x'}), 'place'), sorted.map((_, i) => i));
});

test('equal numbers are one key in any spelling', async () => {
  const table = await tables.made(kRanged('N'));
  for (const text of ['10', '10.0', '1e1', '010', '0.1E2']) await table.put({p: 'x', r: num(text), text});
  assert.deepEqual(await table.scan(), [{p: 'x', r: 10, text: '0.1E2'}]);
});

test('bytes as a range key are ordered as unsigned bytes, a prefix first', async () => {
  const table = await tables.made(kRanged('B'));
  const keys = [[0], [0, 0], [0, 1], [1], [127], [128], [255], [255, 0], [255, 255]].map((bytes) => Buffer.from(bytes));
  await table.putAll([...keys].reverse().map((r) => ({p: 'x', r})));
  const found = await table.query('p = :p', {':p': 'x'});
  assert.deepEqual(column(found, 'r').map((r) => Buffer.from(r).toString('hex')), keys.map((r) => r.toString('hex')));
  assert.equal((await table.query('p = :p AND begins_with(r, :b)', {':p': 'x', ':b': Buffer.from([255])})).length, 3);
});

test('every key condition, in both directions, with a limit', async () => {
  const table = await tables.made(kRanged());
  await table.putAll(['a', 'ab', 'abc', 'b', 'c', 'ca', 'd'].map((r) => ({p: 'x', r})));
  const rows = async (condition, values, options) => column(await table.query(`p = :p AND ${condition}`, {':p': 'x', ...values}, options), 'r');
  assert.deepEqual(await rows('r = :r', {':r': 'ab'}), ['ab']);
  assert.deepEqual(await rows('begins_with(r, :r)', {':r': 'ab'}), ['ab', 'abc']);
  assert.deepEqual(await rows('r BETWEEN :a AND :b', {':a': 'ab', ':b': 'c'}), ['ab', 'abc', 'b', 'c']);
  assert.deepEqual(await rows('r < :r', {':r': 'b'}), ['a', 'ab', 'abc']);
  assert.deepEqual(await rows('r <= :r', {':r': 'b'}), ['a', 'ab', 'abc', 'b']);
  assert.deepEqual(await rows('r > :r', {':r': 'c'}), ['ca', 'd']);
  assert.deepEqual(await rows('r >= :r', {':r': 'c'}), ['c', 'ca', 'd']);
  assert.deepEqual(await rows('r > :r', {':r': 'abc'}, {ScanIndexForward: false}), ['d', 'ca', 'c', 'b']);
  const page = await table.page('p = :p AND r > :r', {':p': 'x', ':r': 'a'}, {ScanIndexForward: false, Limit: 2});
  assert.deepEqual(column(page.items, 'r'), ['d', 'ca']);
  assert.deepEqual(page.lastPlain, {p: 'x', r: 'ca'});
});

test('conditions that no key can satisfy are refused', async () => {
  const table = await tables.made(kRanged());
  for (const [condition, values] of [
    ['r = :r', {':r': 'a'}], ['p > :p', {':p': 'a'}], ['p = :p OR r = :p', {':p': 'a'}], ['p = :p AND r <> :p', {':p': 'a'}],
    ['p = :p AND elsewhere = :p', {':p': 'a'}], ['p = :p AND r BETWEEN :b AND :a', {':p': 'a', ':b': 'b', ':a': 'a'}], ['p = :p AND r = :n', {':p': 'a', ':n': 1}],
    ['p = :p AND r > :p AND r < :p', {':p': 'a'}], ['p = :p AND contains(r, :p)', {':p': 'a'}], ['NOT p = :p', {':p': 'a'}],
  ]) await isInvalid(table.page(condition, values)).catch((error) => { throw new Error(`${condition}: ${error.message}`); });
});

test('global indexes by any attribute: a number as hash, the base key as range, several per table', async () => {
  const table = await tables.made(kIndexed);
  await table.putAll([{p: 'b', r: '1', g: 'x', n: 7, m: 10}, {p: 'a', r: '1', g: 'x', n: 7, m: 9}, {p: 'c', r: '1', g: 'y', n: 8, m: 1}]);
  assert.deepEqual(column(await table.query('n = :n', {':n': num('7.0')}, {IndexName: 'number-hash'}), 'p'), ['a', 'b']);
  assert.deepEqual(column(await table.query('g = :g', {':g': 'x'}, {IndexName: 'by-base'}), 'p'), ['a', 'b']);
  assert.deepEqual(column(await table.query('g = :g AND p > :p', {':g': 'x', ':p': 'a'}, {IndexName: 'by-base'}), 'p'), ['b']);
});

test('equal index keys come in order of the base key, page by page', async (t) => {
  if (tables.needs(t, 'tieOrder')) return;
  const table = await tables.made(kIndexed);
  await table.putAll(['c', 'a', 'b'].flatMap((p) => ['2', '1'].map((r) => ({p, r, g: 'x'}))));
  const wanted = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'];
  for (const Limit of [1, 2, 4, 100]) {
    const rows = await table.query('g = :g', {':g': 'x'}, {IndexName: 'hash-only', Limit});
    assert.deepEqual(rows.map((row) => row.p + row.r), wanted);
    const back = await table.query('g = :g', {':g': 'x'}, {IndexName: 'hash-only', Limit, ScanIndexForward: false});
    assert.deepEqual(back.map((row) => row.p + row.r), [...wanted].reverse());
  }
});

test('local indexes share the hash and allow consistent reads; global ones refuse them', async () => {
  const table = await tables.made(kIndexed);
  await table.putAll([{p: 'a', r: '1', m: 10, g: 'x'}, {p: 'a', r: '2', m: 9}, {p: 'a', r: '3'}, {p: 'b', r: '1', m: 1}]);
  assert.deepEqual(column(await table.query('p = :p', {':p': 'a'}, {IndexName: 'local-number', ConsistentRead: true}), 'm'), [9, 10]);
  await isInvalid(table.page('g = :g', {':g': 'x'}, {IndexName: 'by-base', ConsistentRead: true}), /[Cc]onsistent/);
  await isInvalid(table.page('g = :g', {':g': 'x'}, {IndexName: 'no-such-index'}), /specified index/);
});

test('an item is in an index while it has all its keys, and nulls are refused', async (t) => {
  const table = await tables.made(kIndexed);
  const listed = async () => (await table.scan({IndexName: 'number-hash'})).length;
  await table.put({p: 'a', r: '1', n: 1});
  assert.equal(await listed(), 0);
  await table.update(['a', '1'], 'SET m = :m', {':m': 2});
  assert.equal(await listed(), 1);
  await table.update(['a', '1'], 'REMOVE n');
  assert.equal(await listed(), 0);
  if (tables.needs(t, 'indexKeyTypes')) return;
  for (const wrong of [null, '2', [2], true]) await isInvalid(table.put({p: 'b', r: '1', n: wrong, m: 1}));
});

test('projections of indexes and of reads, and counts without items', async () => {
  const table = await tables.made(kIndexed);
  const full = {p: 'a', r: '1', g: 'x', n: 1, m: 2, one: 'one', two: {deep: [1, {x: 2}], side: 3}};
  await table.put(full);
  const of = async (IndexName, options) => (await table.query('g = :g', {':g': 'x'}, {IndexName, ...options}))[0];
  assert.deepEqual(await of('hash-only'), full);
  assert.deepEqual(await of('keys-only'), {p: 'a', r: '1', g: 'x'});
  assert.deepEqual(await of('include'), {p: 'a', r: '1', g: 'x', one: 'one'});
  assert.deepEqual(await of('hash-only', {ProjectionExpression: 'two.deep[1].x, #r, two.side', names: {'#r': 'r'}}), {r: '1', two: {deep: [{x: 2}], side: 3}});
  const counted = await tables.db.Query({TableName: table.name, KeyConditionExpression: 'p = :p', ExpressionAttributeValues: item({':p': 'a'}), Select: 'COUNT'});
  assert.deepEqual([counted.Count, counted.ScannedCount, counted.Items], [1, 1, undefined]);
  await isInvalid(table.page('g = :g', {':g': 'x'}, {IndexName: 'keys-only', Select: 'ALL_ATTRIBUTES'}));
});

test('filters: every operator, applied to the results of the key condition', async () => {
  const table = await tables.made(kRanged());
  await table.putAll([
    {p: 'x', r: '1', n: 1, s: 'apple', list: ['a', 1], set: new Set(['a', 'b']), flag: true, m: {a: {b: 5}}},
    {p: 'x', r: '2', n: 2, s: 'apricot', flag: false},
    {p: 'x', r: '3', n: 10, s: 'banana', nil: null},
    {p: 'x', r: '4', n: '10'},
  ]);
  const rows = async (filter, values, names) => (
    column(await table.query('p = :p', {':p': 'x', ...values}, {FilterExpression: filter, names}), 'r').join(''));
  assert.equal(await rows('n = :n', {':n': 2}), '2');
  assert.equal(await rows('n <> :n', {':n': 2}), '134');
  assert.equal(await rows('n < :n', {':n': 10}), '12');
  assert.equal(await rows('n >= :n', {':n': 2}), '23');
  assert.equal(await rows('n BETWEEN :a AND :b', {':a': 2, ':b': 10}), '23');
  assert.equal(await rows('n IN (:a, :b)', {':a': 1, ':b': '10'}), '14');
  assert.equal(await rows('begins_with(s, :s)', {':s': 'ap'}), '12');
  assert.equal(await rows('contains(s, :s)', {':s': 'an'}), '3');
  assert.equal(await rows('contains(#l, :one)', {':one': 1}, {'#l': 'list'}), '1');
  assert.equal(await rows('contains(#s, :a)', {':a': 'a'}, {'#s': 'set'}), '1');
  assert.equal(await rows('attribute_exists(m.a.b)', {}), '1');
  assert.equal(await rows('attribute_not_exists(s)', {}), '4');
  assert.equal(await rows('attribute_type(nil, :t)', {':t': 'NULL'}), '3');
  assert.equal(await rows('size(s) > :n', {':n': 5}), '23');
  assert.equal(await rows('NOT flag = :t', {':t': true}), '234');
  assert.equal(await rows('n = :a OR n = :b AND s = :s', {':a': 1, ':b': 2, ':s': 'nothing'}), '1', 'AND binds before OR');
  assert.equal(await rows('(n = :a OR n = :b) AND s = :s', {':a': 1, ':b': 2, ':s': 'apricot'}), '2');
  assert.equal(await rows('m.a.b = :n AND #l[0] = :a', {':n': 5, ':a': 'a'}, {'#l': 'list'}), '1');
  await isInvalid(table.page('p = :p', {':p': 'x'}, {FilterExpression: 'r = :p'}), /primary key|key attribute/i);
});

test('the limit counts evaluated items: an empty page may have a successor', async () => {
  const table = await tables.made(kRanged());
  await table.putAll(Array.from({length: 5}, (_, i) => ({p: 'x', r: `${i}`, n: i})));
  const page = await table.page('p = :p', {':p': 'x', ':n': 4}, {FilterExpression: 'n = :n', Limit: 2});
  assert.deepEqual([page.items, page.count, page.scanned, page.lastPlain], [[], 0, 2, {p: 'x', r: '1'}]);
});

test('a page continues after a key that never existed, but not after another table\'s key', async () => {
  const table = await tables.made(kRanged());
  await table.putAll(['a', 'c', 'e'].map((r) => ({p: 'x', r})));
  const from = (start, options) => table.page('p = :p', {':p': 'x'}, {ExclusiveStartKey: item(start), ...options});
  assert.deepEqual(column((await from({p: 'x', r: 'b'})).items, 'r'), ['c', 'e']);
  assert.deepEqual(column((await from({p: 'x', r: 'd'}, {ScanIndexForward: false})).items, 'r'), ['c', 'a']);
  assert.deepEqual(column((await from({p: 'x', r: 'z'})).items, 'r'), []);
  for (const wrong of [{p: 'x'}, {p: 'x', r: 1}, {p: 'x', r: 'a', more: 'x'}, {p: 'y', r: 'a'}, {}]) await isInvalid(from(wrong));
  const behind = {ExclusiveStartKey: item({p: 'x', r: 'a'})};
  await isInvalid(table.page('p = :p AND r > :r', {':p': 'x', ':r': 'a'}, behind), /range key predicate/);
  assert.equal((await table.page('p = :p AND r >= :r', {':p': 'x', ':r': 'a'}, behind)).count, 2);
});

test('scans in pages of every size and in parallel segments see every item once', async () => {
  const table = await tables.made(kRanged());
  const all = Array.from({length: 23}, (_, i) => ({p: `p${i % 5}`, r: `r${i}`}));
  await table.putAll(all);
  const ids = (rows) => rows.map((row) => `${row.p}/${row.r}`).sort();
  for (const Limit of [1, 3, 22, 23, 24]) assert.deepEqual(ids(await table.scan({Limit})), ids(all));
  for (const TotalSegments of [1, 2, 7, 100]) {
    const parts = await inParallel(TotalSegments, (Segment) => table.scan({Segment, TotalSegments, Limit: 4}));
    assert.deepEqual(ids(parts.flat()), ids(all), `${TotalSegments} segments`);
  }
  await isInvalid(table.scan({Segment: 2, TotalSegments: 2}));
  await isInvalid(table.scan({Segment: 0}));
});

test('a page has at most a megabyte, before the filter', async () => {
  const table = await tables.made(kRanged());
  await inParallel(12, (i) => table.put({p: 'x', r: `${i}`.padStart(2, '0'), body: 'x'.repeat(200_000)}), 4);
  let pages = 0;
  let found = 0;
  for await (const page of table.pages('p = :p', {':p': 'x', ':b': 'nothing'}, {FilterExpression: 'body <> :b'})) {
    pages += 1;
    found += page.count;
    assert.ok(page.scanned <= 6);
  }
  assert.equal(found, 12);
  assert.ok(pages >= 2 && pages <= 4, `${pages} pages`);
});

test('batches of 25 writes over tables, and of 100 reads; duplicates and more are refused', async () => {
  const a = await tables.made(kHashOnly);
  const b = await tables.made(kRanged());
  const {db} = tables;
  const put = (values) => ({PutRequest: {Item: item(values)}});
  await db.BatchWriteItem({RequestItems: {
    [a.name]: Array.from({length: 13}, (_, i) => put({id: `${i}`})), [b.name]: Array.from({length: 12}, (_, i) => put({p: 'x', r: `${i}`}))}});
  await db.BatchWriteItem({RequestItems: {[a.name]: [{DeleteRequest: {Key: item({id: '0'})}}, put({id: '99'})]}});
  const read = await db.BatchGetItem({RequestItems: {
    [a.name]: {Keys: ['0', '1', '99'].map((id) => item({id})), ConsistentRead: true}, [b.name]: {Keys: [item({p: 'x', r: '3'})], ProjectionExpression: 'r'}}});
  assert.deepEqual(read.Responses[a.name].map((row) => row.id.S).sort(), ['1', '99']);
  assert.deepEqual(read.Responses[b.name], [{r: {S: '3'}}]);
  assert.deepEqual(read.UnprocessedKeys, {});
  await isInvalid(db.BatchWriteItem({RequestItems: {[a.name]: [put({id: 'a'}), {DeleteRequest: {Key: item({id: 'a'})}}]}}), /duplicates/);
  await isInvalid(db.BatchWriteItem({RequestItems: {[a.name]: Array.from({length: 26}, (_, i) => put({id: `${i}`}))}}));
  await isInvalid(db.BatchGetItem({RequestItems: {[a.name]: {Keys: [item({id: 'a'}), item({id: 'a'})]}}}), /duplicates/);
  await isInvalid(db.BatchGetItem({RequestItems: {[a.name]: {Keys: Array.from({length: 101}, (_, i) => item({id: `${i}`}))}}}));
  await isInvalid(db.BatchWriteItem({RequestItems: {[a.name]: [put({id: 'b'})], [b.name]: []}}));
  await isInvalid(db.BatchWriteItem({RequestItems: {}}));
  await refused(db.BatchWriteItem({RequestItems: {[`${a.name}.none`]: [put({id: 'a'})]}}), 'ResourceNotFoundException');
});
