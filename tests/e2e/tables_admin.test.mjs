// A tenant's own tables through Amazon's SDK: its waiters and paginators, indexes that are filled across kills, keys that survive
// the process, and limits of a tenant.
import {
  BillingMode, DynamoDBClient, paginateListTables, waitUntilTableExists, waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {eventually} from './lib/deadline.mjs';
import {refused} from './lib/tables/client.mjs';
import {startEndpoint, tableKey} from './lib/tables/endpoints.mjs';

const kBytes = 4 << 20;
let endpoint, db;
before(async () => {
  endpoint = await startEndpoint('parley', {args: ['--tables-per-tenant', '6', '--table-bytes-per-tenant', `${kBytes}`]});
  db = endpoint.db;
});
after(async () => {
  await endpoint?.check();
  await endpoint?.stop();
});

const wish = (TableName, more = {}) => ({
  TableName, BillingMode: BillingMode.PAY_PER_REQUEST,
  AttributeDefinitions: [{AttributeName: 'pk', AttributeType: 'S'}],
  KeySchema: [{AttributeName: 'pk', KeyType: 'HASH'}], ...more,
});
const addIndex = (TableName, IndexName, attribute) => ({
  TableName, AttributeDefinitions: [{AttributeName: attribute, AttributeType: 'S'}],
  GlobalSecondaryIndexUpdates: [{Create: {
    IndexName, KeySchema: [{AttributeName: attribute, KeyType: 'HASH'}], Projection: {ProjectionType: 'KEYS_ONLY'}}}],
});
const drop = (TableName) => db.DeleteTable({TableName});
const count = async (TableName, IndexName, attribute, value) => {
  let total = 0, ExclusiveStartKey;
  do {
    const page = await db.Query({TableName, IndexName, Select: 'COUNT', KeyConditionExpression: '#a = :v', ExclusiveStartKey,
      ExpressionAttributeNames: {'#a': attribute}, ExpressionAttributeValues: {':v': {S: value}}});
    total += page.Count;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return total;
};
async function fill(TableName, items) {
  for (let i = 0; i < items.length; i += 25) {
    const writes = items.slice(i, i + 25).map((Item) => ({PutRequest: {Item}}));
    await db.BatchWriteItem({RequestItems: {[TableName]: writes}});
  }
}

test('the waiters of the SDK see a table created and deleted', async () => {
  const client = db.client;
  assert.ok(client instanceof DynamoDBClient);
  const {TableDescription: made} = await db.CreateTable(wish('waited', {DeletionProtectionEnabled: true}));
  assert.ok(Math.abs(made.CreationDateTime - Date.now()) < 60_000, `${made.CreationDateTime}`);
  assert.equal((await waitUntilTableExists({client, maxWaitTime: 30}, {TableName: 'waited'})).state, 'SUCCESS');
  await refused(drop('waited'), 'ValidationException', /protected against deletion/);
  await db.UpdateTable({TableName: 'waited', DeletionProtectionEnabled: false});
  assert.equal((await drop('waited')).TableDescription.TableStatus, 'DELETING');
  assert.equal((await waitUntilTableNotExists({client, maxWaitTime: 30}, {TableName: 'waited'})).state, 'SUCCESS');
  await refused(db.DescribeTable({TableName: 'waited'}), 'ResourceNotFoundException', /Table: waited not found/);
});

test('the list is the same in pages of any size', async () => {
  await db.CreateTable(wish('aaa'));
  await db.CreateTable(wish('zzz'));
  const listed = async (pageSize) => {
    const names = [];
    for await (const page of paginateListTables({client: db.client, pageSize}, {})) names.push(...page.TableNames);
    return names;
  };
  const all = await listed(100);
  assert.equal(all[0], 'Events');
  for (const name of ['aaa', 'zzz', 'workspace', 'messaging', 'conversations-dev']) assert.ok(all.includes(name), name);
  for (const size of [1, 2, 7]) assert.deepEqual(await listed(size), all);
  const {accessKeyId, secretAccessKey} = await tableKey(endpoint.server, {tables: ['zzz', 'workspace']});
  const limited = endpoint.client({key: {accessKeyId, secretAccessKey}});
  assert.deepEqual((await limited.ListTables({})).TableNames, ['workspace', 'zzz']);
  await refused(limited.DescribeTable({TableName: 'aaa'}), 'AccessDeniedException');
  limited.close();
  for (const name of ['aaa', 'zzz']) await drop(name);
});

test('an index is filled to the end across kills, and keys and tables survive', async () => {
  await db.CreateTable(wish('cities'));
  const item = (i) => ({pk: {S: `${i}`}, city: {S: i % 3 ? 'Oslo' : 'Rome'}});
  await fill('cities', Array.from({length: 3000}, (_, i) => item(i)));
  const {TableDescription: begun} = await db.UpdateTable(addIndex('cities', 'by-city', 'city'));
  const [index] = begun.GlobalSecondaryIndexes;
  assert.deepEqual([index.IndexStatus, index.Backfilling, index.ItemCount, begun.ItemCount], ['CREATING', true, 0, 3000]);
  for (let kills = 0; kills < 3; ++kills) {
    await endpoint.server.restart();
    await db.PutItem({TableName: 'cities', Item: {pk: {S: `late-${kills}`}, city: {S: 'Rome'}}});
  }
  await eventually(async () => (await db.DescribeTable({TableName: 'cities'})).Table.GlobalSecondaryIndexes[0].IndexStatus === 'ACTIVE', 'the index to be filled');
  assert.equal(await count('cities', 'by-city', 'city', 'Oslo'), 2000);
  assert.equal(await count('cities', 'by-city', 'city', 'Rome'), 1003);
  await drop('cities');
});

test('items written before a time to live was enabled expire by it', async () => {
  await db.CreateTable(wish('sessions'));
  const now = Math.floor(Date.now() / 1000);
  await fill('sessions', [{pk: {S: 'over'}, ends: {N: `${now - 10}`}}, {pk: {S: 'lasts'}, ends: {N: `${now + 3600}`}}]);
  const specification = {Enabled: true, AttributeName: 'ends'};
  await db.UpdateTimeToLive({TableName: 'sessions', TimeToLiveSpecification: specification});
  await refused(db.UpdateTimeToLive({TableName: 'sessions', TimeToLiveSpecification: specification}), 'ValidationException', /already enabled/);
  assert.deepEqual((await db.DescribeTimeToLive({TableName: 'sessions'})).TimeToLiveDescription, {TimeToLiveStatus: 'ENABLED', AttributeName: 'ends'});
  assert.deepEqual((await db.Scan({TableName: 'sessions'})).Items.map((one) => one.pk.S), ['lasts']);
  await eventually(async () => (await db.DescribeTable({TableName: 'sessions'})).Table.ItemCount === 1, 'what has expired to be removed');
  await drop('sessions');
});

test('a tenant has limits on tables and bytes, also after a restart', async () => {
  const names = Array.from({length: 6}, (_, i) => `many-${i}`);
  for (const name of names) await db.CreateTable(wish(name));
  await refused(db.CreateTable(wish('one-more')), 'LimitExceededException', /limit of 6 tables/);
  const large = (pk) => ({pk: {S: pk}, v: {B: new Uint8Array(380_000)}});
  let taken = 0;
  for (;; ++taken) {
    try {
      await db.PutItem({TableName: names[taken % 6], Item: large(`${taken}`)});
    } catch (error) {
      assert.equal(error.name, 'LimitExceededException', error.message);
      break;
    }
  }
  assert.equal(taken, Math.floor(kBytes / 380_004));
  await endpoint.server.restart();
  await refused(db.PutItem({TableName: names[0], Item: large('x')}), 'LimitExceededException');
  await db.DeleteItem({TableName: names[0], Key: {pk: {S: '0'}}});
  await db.PutItem({TableName: names[1], Item: large('0')});
  await drop(names[2]);
  await db.PutItem({TableName: names[1], Item: large('x')});
  await db.CreateTable(wish(names[2]));
  assert.equal((await db.Scan({TableName: names[2]})).Count, 0);
  for (const name of names) await drop(name);
});
