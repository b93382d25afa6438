// Indexes whose keys have several attributes, through Amazon's SDK: creation, description, queries, paging and refusals.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isInvalid, refused} from './lib/tables/client.mjs';
import {freshName, withTables, whenActive} from './lib/tables/suite.mjs';
import {item, plainItem} from './lib/tables/values.mjs';

const tables = withTables();

const kTypes = {match: 'S', cup: 'S', region: 'S', round: 'S', seat: 'N', at: 'S'};
const keys = (text) => text.split(', ').map((one) => {
  const [AttributeName, KeyType] = one.split(' ');
  return {AttributeName, KeyType};
});
const index = (IndexName, text) => ({IndexName, KeySchema: keys(text), Projection: {ProjectionType: 'ALL'}});
const kByCup = index('by-cup', 'cup HASH, region HASH, round RANGE, seat RANGE, match RANGE');
const definitions = (...names) => names.map((AttributeName) => ({AttributeName, AttributeType: kTypes[AttributeName]}));
const kUsed = ['match', 'cup', 'region', 'round', 'seat'];
const request = (TableName, more) => ({TableName, BillingMode: 'PAY_PER_REQUEST', KeySchema: keys('match HASH'), ...more});

const kMatches = [
  {match: 'm1', cup: 'winter', region: 'east', round: 'final', seat: 1},
  {match: 'm2', cup: 'winter', region: 'east', round: 'half', seat: 10},
  {match: 'm3', cup: 'winter', region: 'east', round: 'half', seat: 2},
  {match: 'm4', cup: 'winter', region: 'east', round: 'half', seat: 2},
  {match: 'm5', cup: 'winter', region: 'west', round: 'final', seat: 1},
  {match: 'm6', cup: 'spring', region: 'east', round: 'final', seat: 1},
  {match: 'm7', cup: 'winter', region: 'east', seat: 1},
  {match: 'm8', region: 'east', round: 'final', seat: 1},
];

async function filled(table, rows = kMatches) {
  for (const row of rows) await tables.db.PutItem({TableName: table, Item: item(row)});
}

async function made(more = {}) {
  const name = freshName('matches');
  await tables.db.CreateTable(request(name, {AttributeDefinitions: definitions(...kUsed), GlobalSecondaryIndexes: [kByCup], ...more}));
  await whenActive(tables.db, name);
  return name;
}

/** The matches that a query of the index finds, in order. */
async function found(TableName, condition, values, more = {}) {
  const names = Object.fromEntries(condition.match(/#\w+/g)?.map((name) => [name, name.slice(1)]) ?? []);
  const {Items} = await tables.db.Query({TableName, IndexName: 'by-cup', KeyConditionExpression: condition,
                                         ExpressionAttributeNames: names, ExpressionAttributeValues: item(values), ...more});
  return Items.map((one) => plainItem(one).match);
}

const kEast = '#cup = :c AND #region = :r';
const east = (values = {}) => ({':c': 'winter', ':r': 'east', ...values});

test('an index of several attributes is created with its table and described in order', async () => {
  const name = await made();
  const {Table: table} = await tables.db.DescribeTable({TableName: name});
  assert.deepEqual(table.GlobalSecondaryIndexes[0].KeySchema, kByCup.KeySchema);
  assert.deepEqual(table.AttributeDefinitions.map((one) => one.AttributeName).sort(), [...kUsed].sort());
});

test('a query names the whole partition key and a prefix of the sort key', async () => {
  const name = await made();
  await filled(name);
  assert.deepEqual(await found(name, kEast, east()), ['m1', 'm3', 'm4', 'm2']);
  assert.deepEqual(await found(name, kEast, east(), {ScanIndexForward: false}), ['m2', 'm4', 'm3', 'm1']);
  assert.deepEqual(await found(name, `${kEast} AND #round = :n`, east({':n': 'half'})), ['m3', 'm4', 'm2']);
  assert.deepEqual(await found(name, `${kEast} AND begins_with(#round, :n)`, east({':n': 'f'})), ['m1']);
  assert.deepEqual(await found(name, `${kEast} AND #round = :n AND #seat > :s`, east({':n': 'half', ':s': 2})), ['m2']);
  assert.deepEqual(await found(name, `${kEast} AND #round = :n AND #seat BETWEEN :s AND :t`, east({':n': 'half', ':s': 1, ':t': 5})), ['m3', 'm4']);
  assert.deepEqual(await found(name, `${kEast} AND #round = :n AND #seat = :s AND #match > :m`, east({':n': 'half', ':s': 2, ':m': 'm3'})), ['m4']);
  const KeyConditions = Object.fromEntries(Object.entries({cup: 'winter', region: 'east', round: 'half'}).map(([attribute, value]) => [
    attribute, {ComparisonOperator: 'EQ', AttributeValueList: [{S: value}]}]));
  const {Items} = await tables.db.Query({TableName: name, IndexName: 'by-cup', KeyConditions: {
    ...KeyConditions, seat: {ComparisonOperator: 'LE', AttributeValueList: [{N: '2'}]}}});
  assert.deepEqual(Items.map((one) => one.match.S), ['m3', 'm4']);
});

test('a query with a gap, or a range before its end, is refused', async () => {
  const name = await made();
  const fault = (condition, values, message) => isInvalid(found(name, condition, values), message);
  await fault('#cup = :c', {':c': 'winter'}, /missed key schema element: region/);
  await fault('#cup = :c AND #region > :r', east(), /Query key condition not supported/);
  await fault(`${kEast} AND #seat = :s`, east({':s': 1}), /missed key schema element: round/);
  await fault(`${kEast} AND #round > :n AND #seat = :s`, east({':n': 'a', ':s': 1}), /Query key condition not supported/);
  await fault(`${kEast} AND #round = :n`, east({':n': 1}), /type does not match schema type/);
  await isInvalid(found(name, kEast, east({':s': 1}), {FilterExpression: 'seat = :s'}), /Primary key attribute: seat/);
});

test('pages and scans continue after a key of all attributes', async () => {
  const name = await made();
  await filled(name);
  const seen = [];
  let ExclusiveStartKey;
  do {
    const page = await tables.db.Query({TableName: name, IndexName: 'by-cup', KeyConditionExpression: 'cup = :c AND #r = :r', Limit: 1,
                                        ExpressionAttributeNames: {'#r': 'region'}, ExpressionAttributeValues: item(east()), ExclusiveStartKey});
    seen.push(...page.Items.map((one) => one.match.S));
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (ExclusiveStartKey) assert.deepEqual(Object.keys(ExclusiveStartKey).sort(), [...kUsed].sort());
  } while (ExclusiveStartKey);
  assert.deepEqual(seen, ['m1', 'm3', 'm4', 'm2']);
  const {Items} = await tables.db.Scan({TableName: name, IndexName: 'by-cup'});
  assert.deepEqual(Items.map((one) => one.match.S).sort(), ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], 'those that lack an attribute are not in it');
  const {LastEvaluatedKey: {seat, ...lacking}} = await tables.db.Scan({TableName: name, IndexName: 'by-cup', Limit: 2});
  await isInvalid(tables.db.Scan({TableName: name, IndexName: 'by-cup', ExclusiveStartKey: lacking}), /starting key is invalid/);
});

test('an index of several attributes is added to a table that has items', async () => {
  const name = await made({AttributeDefinitions: definitions('match'), GlobalSecondaryIndexes: undefined});
  await filled(name);
  await tables.db.UpdateTable({TableName: name, AttributeDefinitions: definitions(...kUsed), GlobalSecondaryIndexUpdates: [{Create: kByCup}]});
  await whenActive(tables.db, name);
  assert.deepEqual(await found(name, kEast, east()), ['m1', 'm3', 'm4', 'm2']);
  await tables.db.UpdateItem({TableName: name, Key: item({match: 'm3'}), UpdateExpression: 'SET seat = :s', ExpressionAttributeValues: item({':s': 20})});
  await tables.db.DeleteItem({TableName: name, Key: item({match: 'm4'})});
  assert.deepEqual(await found(name, kEast, east()), ['m1', 'm2', 'm3']);
});

test('only a global index has several attributes, four at most of each kind, the partition key first', async () => {
  const create = (more) => tables.db.CreateTable(request(freshName('refused'), more));
  const global = (text, used = kUsed) => create({AttributeDefinitions: definitions(...used), GlobalSecondaryIndexes: [index('by-cup', text)]});
  await isInvalid(create({AttributeDefinitions: definitions('match', 'cup', 'round'), KeySchema: keys('match HASH, cup RANGE, round RANGE')}),
                  /'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2/);
  await isInvalid(create({AttributeDefinitions: definitions('match', 'cup'), KeySchema: keys('match HASH, cup HASH')}),
                  /The second KeySchemaElement is not a RANGE key type/);
  await isInvalid(create({AttributeDefinitions: definitions('match', 'cup', 'round', 'at'), KeySchema: keys('match HASH, cup RANGE'),
                          LocalSecondaryIndexes: [index('local', 'match HASH, round RANGE, at RANGE')]}),
                  /'localSecondaryIndexes.1.member.keySchema' failed/);
  await isInvalid(global('cup HASH, round RANGE, region HASH, seat RANGE'), /HASH key type comes after a RANGE key type/);
  await isInvalid(global('cup HASH, region HASH, round RANGE, cup RANGE'), /More than one KeySchemaElement names the attribute cup/);
  await isInvalid(global('cup HASH, region HASH, round HASH, seat HASH, match HASH'), /More than 4 KeySchemaElements are a HASH/);
  await isInvalid(global('cup HASH, region RANGE, round RANGE, seat RANGE, match RANGE, at RANGE', [...kUsed, 'at']),
                  /More than 4 KeySchemaElements are a RANGE/);
  await isInvalid(global('cup HASH, region HASH, round RANGE, at RANGE'), /not defined in AttributeDefinitions/);
  await refused(tables.db.DescribeTable({TableName: freshName('none')}), 'ResourceNotFoundException');
});
