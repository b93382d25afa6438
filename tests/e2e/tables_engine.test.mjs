// What the tables' engine must do (ENG-1…30 of its requirements), each by its number, as far as the wire shows it:
//   here            1-5, 7-14, 17-20, 26-30
//   other files     16: HM-3b, HM-17a; 18 also T3-CH2; 28's deletion protection: tables_seeds
//   in process      6 (derived attributes), 15 (versions), 21 (validation by declaration), 22 (sealing), 23 (hashing), 24 (backup), 25 (change
//                   stream), 27's refusal of separators in ids, 28's statistics, 30's scheduler: rules of the services' own writes, in C++
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failsCondition, isInvalid, refused, taken} from './lib/tables/client.mjs';
import {declaration} from './lib/tables/declarations.mjs';
import {eventually} from './lib/deadline.mjs';
import {freshName, inParallel, seconds, whenActive, withTables} from './lib/tables/suite.mjs';
import {step, transact} from './lib/tables/table.mjs';
import {item, num} from './lib/tables/values.mjs';

const tables = withTables();

const key = (name, type = 'S') => ({name, type});
const kHashOnly = {name: 'hash-only', keys: {hash: key('id')}};
const kRanged = (type = 'S') => ({name: `ranged-${type}`, keys: {hash: key('p'), range: key('r', type)}});
const column = (rows, name) => rows.map((row) => row[name]);

test('ENG-1 a table is declared with key names of its own and described as it was declared', async () => {
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

test('ENG-1 a table that was dropped is gone with its items, and its name is free', async () => {
  const table = await tables.made(kHashOnly);
  await table.put({id: 'a'});
  await tables.db.DeleteTable({TableName: table.name});
  await eventually(() => tables.db.DescribeTable({TableName: table.name}).then(() => false, (error) => error.name === 'ResourceNotFoundException'), 'the table to be gone');
  await refused(table.get(['a']), 'ResourceNotFoundException');
  const {AttributeDefinitions, KeySchema} = {AttributeDefinitions: [{AttributeName: 'id', AttributeType: 'S'}], KeySchema: [{AttributeName: 'id', KeyType: 'HASH'}]};
  await tables.db.CreateTable({TableName: table.name, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST'});
  await whenActive(tables.db, table.name);
  assert.deepEqual(await table.scan(), []);
});

test('ENG-2 tables with a hash key only and with both; a fixed range value is a value', async () => {
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

test('ENG-3 every type comes back exactly as it was sent', async () => {
  const table = await tables.made(kHashOnly);
  const nested = {s: '', null: null, t: true, f: false, list: [[], {}, [null, [1]]], bytes: Buffer.from([0, 255, 128]), deep: {a: {b: {c: {d: 'e'}}}},
                  '': 'an empty name', 'dots.and#': 1, ss: new Set(['b', 'a']), ns: new Set([1, 2.5]), bs: new Set([Buffer.from('x')])};
  delete nested[''];
  await table.put({id: 'a', ...nested});
  const back = await table.get(['a']);
  for (const name of ['s', 'null', 't', 'f', 'list', 'deep', 'dots.and#']) assert.deepEqual(back[name], nested[name], name);
  assert.deepEqual(Buffer.from(back.bytes), nested.bytes);
  assert.deepEqual([...back.ss].sort(), ['a', 'b']);
  assert.deepEqual([...back.ns].sort(), [1, 2.5]);
  assert.deepEqual([...back.bs].map((one) => Buffer.from(one).toString()), ['x']);
});

test('ENG-3 numbers are decimals with 38 digits, never doubles', async () => {
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

test('ENG-3 [!] text is ordered by its UTF-8 bytes, not by UTF-16 units', async () => {
  const table = await tables.made(kRanged());
  const texts = ['\u{10000}', '\uffff', '\ue000', 'z', 'a', 'B', 'é', '\u0000', 'a\u0000', 'a\u0001', 'aa', '\u{1f600}', '~'];
  await table.putAll(texts.map((r) => ({p: 'x', r})));
  const sorted = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(column(await table.query('p = :p', {':p': 'x'}), 'r'), sorted);
});

test('ENG-3 numbers as a range key are ordered by value over all their range', async () => {
  const table = await tables.made(kRanged('N'));
  const sorted = ['-9.9e125', '-1e20', '-12', '-11.5', '-2', '-1', '-0.5', '-0.05', '-1e-130', '0', '1e-130', '0.05', '0.5', '0.51', '1', '1.5', '2', '9', '10', '11', '99', '100', '1e20',
                  '12345678901234567890123456789012345678', '9.9e125'];
  const shuffled = sorted.map((text, i) => ({p: 'x', r: num(text), place: i})).sort((a, b) => (a.place * 7) % 11 - (b.place * 7) % 11);
  await table.putAll(shuffled);
  assert.deepEqual(column(await table.query('p = :p', {':p': 'x'}), 'place'), sorted.map((_, i) => i));
});

test('ENG-3 equal numbers are one key however they are spelled', async () => {
  const table = await tables.made(kRanged('N'));
  for (const text of ['10', '10.0', '1e1', '010', '0.1E2']) await table.put({p: 'x', r: num(text), text});
  assert.deepEqual(await table.scan(), [{p: 'x', r: 10, text: '0.1E2'}]);
});

test('ENG-3 bytes as a range key are ordered as unsigned bytes, a prefix first', async () => {
  const table = await tables.made(kRanged('B'));
  const keys = [[0], [0, 0], [0, 1], [1], [127], [128], [255], [255, 0], [255, 255]].map((bytes) => Buffer.from(bytes));
  await table.putAll([...keys].reverse().map((r) => ({p: 'x', r})));
  const found = await table.query('p = :p', {':p': 'x'});
  assert.deepEqual(column(found, 'r').map((r) => Buffer.from(r).toString('hex')), keys.map((r) => r.toString('hex')));
  assert.equal((await table.query('p = :p AND begins_with(r, :b)', {':p': 'x', ':b': Buffer.from([255])})).length, 3);
});

test('ENG-4 every key condition, in both directions, with a limit', async () => {
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

test('ENG-4 conditions that no key can answer are refused', async () => {
  const table = await tables.made(kRanged());
  for (const [condition, values] of [
    ['r = :r', {':r': 'a'}], ['p > :p', {':p': 'a'}], ['p = :p OR r = :p', {':p': 'a'}], ['p = :p AND r <> :p', {':p': 'a'}],
    ['p = :p AND elsewhere = :p', {':p': 'a'}], ['p = :p AND r BETWEEN :b AND :a', {':p': 'a', ':b': 'b', ':a': 'a'}], ['p = :p AND r = :n', {':p': 'a', ':n': 1}],
    ['p = :p AND r > :p AND r < :p', {':p': 'a'}], ['p = :p AND contains(r, :p)', {':p': 'a'}], ['NOT p = :p', {':p': 'a'}],
  ]) await isInvalid(table.page(condition, values)).catch((error) => { throw new Error(`${condition}: ${error.message}`); });
});

const kIndexed = {name: 'indexed', keys: {hash: key('p'), range: key('r')}, indexes: [
  {name: 'number-hash', kind: 'global', hash: key('n', 'N'), range: key('m', 'N')},
  {name: 'by-base', kind: 'global', hash: key('g'), range: key('p')},
  {name: 'hash-only', kind: 'global', hash: key('g')},
  {name: 'keys-only', kind: 'global', hash: key('g'), range: key('r'), projection: {ProjectionType: 'KEYS_ONLY'}},
  {name: 'include', kind: 'global', hash: key('g'), range: key('r'), projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['one']}},
  {name: 'local-number', kind: 'local', hash: key('p'), range: key('m', 'N')},
]};

test('ENG-5 global indexes by any attribute: a number as hash, the base key as range, several per table', async () => {
  const table = await tables.made(kIndexed);
  await table.putAll([{p: 'b', r: '1', g: 'x', n: 7, m: 10}, {p: 'a', r: '1', g: 'x', n: 7, m: 9}, {p: 'c', r: '1', g: 'y', n: 8, m: 1}]);
  assert.deepEqual(column(await table.query('n = :n', {':n': num('7.0')}, {IndexName: 'number-hash'}), 'p'), ['a', 'b']);
  assert.deepEqual(column(await table.query('g = :g', {':g': 'x'}, {IndexName: 'by-base'}), 'p'), ['a', 'b']);
  assert.deepEqual(column(await table.query('g = :g AND p > :p', {':g': 'x', ':p': 'a'}, {IndexName: 'by-base'}), 'p'), ['b']);
});

test('ENG-5 equal index keys come in order of the base key, page by page', async (t) => {
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

test('ENG-7 local indexes share the hash and can be read consistently; global ones refuse to promise that', async () => {
  const table = await tables.made(kIndexed);
  await table.putAll([{p: 'a', r: '1', m: 10, g: 'x'}, {p: 'a', r: '2', m: 9}, {p: 'a', r: '3'}, {p: 'b', r: '1', m: 1}]);
  assert.deepEqual(column(await table.query('p = :p', {':p': 'a'}, {IndexName: 'local-number', ConsistentRead: true}), 'm'), [9, 10]);
  await isInvalid(table.page('g = :g', {':g': 'x'}, {IndexName: 'by-base', ConsistentRead: true}), /[Cc]onsistent/);
  await isInvalid(table.page('g = :g', {':g': 'x'}, {IndexName: 'no-such-index'}), /specified index/);
});

test('ENG-8 an item is in an index while it has all keys of it, and nulls are refused', async (t) => {
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

test('ENG-9 projections of indexes and of reads, and counts without items', async () => {
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

test('ENG-10 filters: every operator, on what the key condition found', async () => {
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

test('ENG-10 the limit counts what was evaluated: an empty page may go on', async () => {
  const table = await tables.made(kRanged());
  await table.putAll(Array.from({length: 5}, (_, i) => ({p: 'x', r: `${i}`, n: i})));
  const page = await table.page('p = :p', {':p': 'x', ':n': 4}, {FilterExpression: 'n = :n', Limit: 2});
  assert.deepEqual([page.items, page.count, page.scanned, page.lastPlain], [[], 0, 2, {p: 'x', r: '1'}]);
});

test('ENG-11 a page goes on from a key that never was, and from no other table\'s key', async () => {
  const table = await tables.made(kRanged());
  await table.putAll(['a', 'c', 'e'].map((r) => ({p: 'x', r})));
  const from = (start, options) => table.page('p = :p', {':p': 'x'}, {ExclusiveStartKey: item(start), ...options});
  assert.deepEqual(column((await from({p: 'x', r: 'b'})).items, 'r'), ['c', 'e']);
  assert.deepEqual(column((await from({p: 'x', r: 'd'}, {ScanIndexForward: false})).items, 'r'), ['c', 'a']);
  assert.deepEqual(column((await from({p: 'x', r: 'z'})).items, 'r'), []);
  for (const wrong of [{p: 'x'}, {p: 'x', r: 1}, {p: 'x', r: 'a', more: 'x'}, {p: 'y', r: 'a'}, {}]) await isInvalid(from(wrong));
});

test('ENG-11 scans in pages of every size and in parallel segments see every item once', async () => {
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

test('ENG-11 a page holds at most a megabyte, before the filter', async () => {
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

test('ENG-12 batches of 25 writes over tables, and of 100 reads; duplicates and more are refused', async () => {
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
  await refused(db.BatchWriteItem({RequestItems: {[`${a.name}.none`]: [put({id: 'a'})]}}), 'ResourceNotFoundException');
});

test('ENG-13 conditions on put, update and delete; the failure is its own error and can carry the item', async (t) => {
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

test('ENG-14 update expressions: SET, REMOVE, ADD, DELETE with their functions and paths', async () => {
  const table = await tables.made(kHashOnly);
  const {db} = tables;
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
  assert.ok(db);
});

test('ENG-14 what an update returns: old or new, all or what changed', async () => {
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

test('ENG-14 [!] operands are those of before the update, whatever clause comes first', async () => {
  const table = await tables.made(kHashOnly);
  for (const expression of ['ADD n :v SET z = n', 'SET z = n ADD n :v', 'SET n = n + :v, z = n']) {
    await table.put({id: 'a', n: 1});
    assert.deepEqual(await table.update(['a'], expression, {':v': 9}, {ReturnValues: 'ALL_NEW'}), {id: 'a', n: 10, z: 1}, expression);
  }
  await table.put({id: 'a', l: [0, 1, 2, 3, 4]});
  await table.update(['a'], 'REMOVE l[1], l[2]');
  assert.deepEqual(await table.get(['a']), {id: 'a', l: [0, 3, 4]}, 'indexes are those of before too');
});

test('ENG-14 [!] an update that only removes makes no item; one that sets nothing at all does', async () => {
  const table = await tables.made(kHashOnly);
  await table.update(['a'], 'REMOVE x');
  await table.update(['a'], 'REMOVE x.y, z[0]');
  assert.equal(await table.get(['a']), undefined);
  await tables.db.UpdateItem({TableName: table.name, Key: item({id: 'a'}), AttributeUpdates: {x: {Action: 'DELETE'}}});
  assert.equal(await table.get(['a']), undefined);
  await tables.db.UpdateItem({TableName: table.name, Key: item({id: 'a'})});
  assert.deepEqual(await table.get(['a']), {id: 'a'});
});

test('ENG-14 [!] updated parts are returned alone, within what they are part of', async () => {
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

test('ENG-17 a transaction over tables is all or nothing, its reasons in order', async (t) => {
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

test('ENG-17 a transaction with a token happens once, and another body under it is refused', async (t) => {
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

test('ENG-17 [!] money moved between accounts by many transactions at once is never lost or made', async (t) => {
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

test('ENG-18 an e-mail address is one user\'s in a tenant: a guard row in the same transaction', async (t) => {
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

test('ENG-19 [!] what has expired is missing at once: in reads, conditions, updates, batches, indexes and transactions', async (t) => {
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

test('ENG-19 the attribute of the time to live is set, described and taken back', async (t) => {
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

test('ENG-20 canonical times order as text, milliseconds as numbers', async () => {
  const texts = await tables.made(kRanged());
  const numbers = await tables.made(kRanged('N'));
  const times = [0, 999, 1000, 1732140249123, 1732140249124, 4102444800000].map((ms) => new Date(ms));
  await texts.putAll(times.map((time) => ({p: 'x', r: time.toISOString()})));
  await numbers.putAll(times.map((time) => ({p: 'x', r: time.getTime()})));
  assert.deepEqual(column(await texts.query('p = :p', {':p': 'x'}), 'r').map((text) => Date.parse(text)), times.map(Number));
  assert.deepEqual(column(await numbers.query('p = :p', {':p': 'x'}), 'r'), times.map(Number));
});

test('ENG-26 a writer reads its own writes at once, in indexes too', async (t) => {
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

test('ENG-27 [!] any bytes may be in keys: no separator makes two keys one, or one a part of another', async () => {
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

test('ENG-28 an index that is added later is filled while the table is written to', async (t) => {
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

test('ENG-29 a lease is taken by one worker while it lasts, compared inside the condition', async () => {
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

test('ENG-30 what is due comes in order of its time from one partition', async () => {
  const table = await tables.made({name: 'due', keys: {hash: key('partition'), range: key('due_at', 'N')}});
  const due = [5, 100, 20, 3, 1000, 21];
  await table.putAll(due.map((due_at) => ({partition: 'due', due_at})));
  const ready = await table.query('#p = :d AND due_at <= :now', {':d': 'due', ':now': 21}, {names: {'#p': 'partition'}});
  assert.deepEqual(column(ready, 'due_at'), [3, 5, 20, 21]);
  assert.ok(declaration('credit-reservations'));
});
