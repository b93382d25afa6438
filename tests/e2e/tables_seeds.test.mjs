// The declared tables exist for every tenant as in lib/tables/seed_tables.mjs, cannot be dropped, and are written only by their
// owners. Messaging's table is a view of the threads.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Sessions} from './lib/client.mjs';
import {eventually} from './lib/deadline.mjs';
import {isInvalid, refused} from './lib/tables/client.mjs';
import {declaration, kDeclared} from './lib/tables/declarations.mjs';
import {startEndpoint, tableKey} from './lib/tables/endpoints.mjs';
import {kSeedTables} from './lib/tables/seed_tables.mjs';
import {step, Table, transact} from './lib/tables/table.mjs';
import {item} from './lib/tables/values.mjs';
import {createThread, say} from './lib/world.mjs';

// Parley's deliberate additions to those tables, and the live families of a user's tokens.
const kAdditions = new Set(['cognito-sub-lookup', 'tenants-by-creation', 'event-type-index', 'available-index', 'byLiveFamily', 'byUser', 'owners', 'byResource']);

let endpoint;
before(async () => { endpoint = await startEndpoint('parley'); });
after(async () => {
  await endpoint?.check();
  await endpoint?.stop();
});

const indexText = ({name, kind, hash, range}) => `${kind} ${name}(${[hash, range].filter(Boolean).map((key) => `${key.name}:${key.type}`).join()})`;

/** The indexes of a DescribeTable answer as text, in order of their names. */
function indexesOf(described) {
  const types = Object.fromEntries(described.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  const read = (kind) => (index) => {
    assert.equal(index.Projection.ProjectionType, 'ALL', index.IndexName);
    const [hash, range] = index.KeySchema.map((key) => ({name: key.AttributeName, type: types[key.AttributeName]}));
    return {name: index.IndexName, kind, hash, range};
  };
  return [...(described.GlobalSecondaryIndexes ?? []).map(read('global')), ...(described.LocalSecondaryIndexes ?? []).map(read('local'))];
}

for (const seed of kSeedTables) {
  test(`${seed.name} is declared with the keys, indexes and time to live of its seed`, async () => {
    const {Table: described} = await endpoint.db.DescribeTable({TableName: seed.name});
    assert.deepEqual(described.KeySchema.map((key) => key.AttributeName), [seed.keys.hash.name, seed.keys.range?.name].filter(Boolean));
    const found = indexesOf(described).filter(({name}) => !kAdditions.has(name)).map(indexText).sort();
    assert.deepEqual(found, seed.indexes.map(indexText).sort());
    const {TimeToLiveDescription} = await endpoint.db.DescribeTimeToLive({TableName: seed.name});
    if (seed.ttl) assert.equal(TimeToLiveDescription.AttributeName, seed.ttl);
  });
}

test('there are two tables of seed 000, 21 with 20 global indexes of seed 001, two of 002, one with four and four of 004', async () => {
  const names = [];
  let ExclusiveStartTableName;
  do {
    const page = await endpoint.db.ListTables({ExclusiveStartTableName, Limit: 7});
    names.push(...page.TableNames);
    ExclusiveStartTableName = page.LastEvaluatedTableName;
  } while (ExclusiveStartTableName);
  assert.deepEqual([...names].sort(), names, 'tables are listed by name');
  for (const {name} of kSeedTables) assert.ok(names.includes(name), name);
  assert.deepEqual(['T3', 'HM', 'EV', 'CV'].map((system) => kSeedTables.filter((table) => table.system === system).length), [2, 21, 2, 1]);
  assert.equal(kSeedTables.filter((table) => table.system === 'HM').flatMap((table) => table.indexes).length, 20);
});

test('the declared tables cannot be dropped, changed or recreated', async () => {
  for (const {name: TableName} of kDeclared) {
    const error = await endpoint.db.DeleteTable({TableName}).then(() => assert.fail(`${TableName} was dropped`), (reason) => reason);
    assert.match(error.name, /^(AccessDeniedException|ValidationException|ResourceInUseException)$/, `${TableName}: ${error.message}`);
    const {Table: described} = await endpoint.db.DescribeTable({TableName});
    assert.equal(described.TableStatus, 'ACTIVE');
    assert.equal(described.DeletionProtectionEnabled, true);
  }
  await refused(endpoint.db.CreateTable({TableName: 'Events', AttributeDefinitions: [{AttributeName: 'pk', AttributeType: 'S'}],
                                         KeySchema: [{AttributeName: 'pk', KeyType: 'HASH'}], BillingMode: 'PAY_PER_REQUEST'}), 'ResourceInUseException');
});

const owned = (owner) => kDeclared.filter((table) => table.owner === owner);
const sample = (table) => Object.fromEntries([table.keys.hash, table.keys.range].filter(Boolean).map(({name, type}) => [name, type === 'N' ? 1 : 'x']));

test('a table key reads tables of services and cannot write them by any operation', async () => {
  assert.deepEqual(owned('services').map(({name}) => name).sort(), ['Events', 'TenantApiKeys', 'moderation-cases', 'permission', 'tenants',
                                                                     'user-api-key', 'user-refresh-token', 'workspace-invite']);
  for (const definition of owned('services')) {
    const table = new Table(endpoint.db, definition.name, definition);
    const key = sample(definition);
    const denied = (promise) => refused(promise, 'AccessDeniedException');
    await denied(table.put(key));
    await denied(table.update(key, 'SET x = :x', {':x': 1}));
    await denied(table.delete(key));
    await denied(endpoint.db.BatchWriteItem({RequestItems: {[table.name]: [{PutRequest: {Item: item(key)}}]}}));
    await denied(transact(endpoint.db, [step('Put', table, {Item: key})]));
    assert.equal(await table.get(key), undefined);
    await table.scan();
  }
});

test('a table key writes the peripheral tables', async () => {
  assert.equal(owned('peripheral').length, 19);
  for (const definition of owned('peripheral')) {
    const table = new Table(endpoint.db, definition.name, definition);
    const row = {...sample(definition), note: 'kept as it was sent', nested: {list: [1, null, {a: 'b'}]}};
    await table.put(row);
    assert.deepEqual(await table.get(row), row);
    await table.delete(row);
  }
});

test('each declared table belongs to the services or to the back end', () => {
  const written = [...owned('services'), ...owned('peripheral')].map(({name}) => name);
  assert.equal(new Set(written).size, 27);
  for (const {name} of kSeedTables) assert.ok(written.includes(name), name);
  assert.deepEqual(kDeclared.map(({name}) => name).filter((name) => !written.includes(name)), ['messaging']);
});

const addIndex = (TableName, {keys: {hash}}, IndexName) => ({
  TableName,
  AttributeDefinitions: [{AttributeName: hash.name, AttributeType: hash.type}, {AttributeName: 'own_group', AttributeType: 'S'}],
  GlobalSecondaryIndexUpdates: [{Create: {IndexName, Projection: {ProjectionType: 'ALL'},
                                          KeySchema: [{AttributeName: 'own_group', KeyType: 'HASH'}, {AttributeName: hash.name, KeyType: 'RANGE'}]}}],
});
const timeToLive = (TableName, AttributeName, Enabled) => ({TableName, TimeToLiveSpecification: {AttributeName, Enabled}});

for (const definition of owned('peripheral')) {
  test(`a table key gives ${definition.name} another index and another time to live, and removes them`, async () => {
    const {db} = endpoint;
    const table = new Table(db, definition.name, definition);
    const row = {...sample(definition), own_group: 'g'};
    const indexes = async () => (await db.DescribeTable({TableName: table.name})).Table.GlobalSecondaryIndexes ?? [];
    const before = (await indexes()).map(({IndexName}) => IndexName);
    await table.put(row);
    await db.UpdateTable(addIndex(table.name, definition, 'own-index'));
    await eventually(async () => (await indexes()).some(({IndexName, IndexStatus}) => IndexName === 'own-index' && IndexStatus === 'ACTIVE'), 'the index');
    assert.deepEqual(await table.query('own_group = :g', {':g': 'g'}, {IndexName: 'own-index'}), [row]);
    await db.UpdateTable({TableName: table.name, GlobalSecondaryIndexUpdates: [{Delete: {IndexName: 'own-index'}}]});
    await eventually(async () => (await indexes()).length === before.length, 'the index to be gone');

    const declared = (await db.DescribeTimeToLive({TableName: table.name})).TimeToLiveDescription.AttributeName;
    if (declared) await db.UpdateTimeToLive(timeToLive(table.name, declared, false));
    await db.UpdateTimeToLive(timeToLive(table.name, 'own_end', true));
    assert.equal((await db.DescribeTimeToLive({TableName: table.name})).TimeToLiveDescription.AttributeName, 'own_end');
    await db.UpdateTimeToLive(timeToLive(table.name, 'own_end', false));
    if (declared) await db.UpdateTimeToLive(timeToLive(table.name, declared, true));
    assert.deepEqual((await indexes()).map(({IndexName}) => IndexName), before);
    await table.delete(row);
  });
}

for (const definition of [...owned('services'), ...owned('view')]) {
  test(`a table key cannot change the indexes or the time to live of ${definition.name}`, async () => {
    const {db} = endpoint;
    const shown = async () => {
      const {Table: {GlobalSecondaryIndexes, LocalSecondaryIndexes}} = await db.DescribeTable({TableName: definition.name});
      return {GlobalSecondaryIndexes, LocalSecondaryIndexes, ttl: (await db.DescribeTimeToLive({TableName: definition.name})).TimeToLiveDescription};
    };
    const kept = ({GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [], ttl}) => [[...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({IndexName}) => IndexName), ttl];
    const before = kept(await shown());
    await refused(db.UpdateTable(addIndex(definition.name, definition, 'own-index')), 'ResourceInUseException');
    await refused(db.UpdateTimeToLive(timeToLive(definition.name, 'own_end', true)), 'ResourceInUseException');
    assert.deepEqual(kept(await shown()), before);
  });
}

test('another key of the tenant sees the same items, a read-only key writes nothing, and a limited key sees only its tables', async () => {
  const table = new Table(endpoint.db, 'mcp-server', declaration('mcp-server'));
  await table.put({pk: 'mcp-servers/w/1', sk: 'server', name: 'one'});
  const with_ = async (body) => table.on(endpoint.client({key: await tableKey(endpoint.server, body)}));
  assert.equal((await (await with_({})).get(['mcp-servers/w/1', 'server'])).name, 'one');
  const reader = await with_({readOnly: true});
  assert.equal((await reader.get(['mcp-servers/w/1', 'server'])).name, 'one');
  await refused(reader.put({pk: 'a', sk: 'b'}), 'AccessDeniedException');
  const limited = await with_({tables: ['webhook-logs']});
  await refused(limited.get(['mcp-servers/w/1', 'server']), 'AccessDeniedException');
  for (const one of [reader, limited]) one.db.close();
});

test('the threads are one readable table: a thread, its participants and messages, and the threads of a user, newest first', async () => {
  const sessions = new Sessions(endpoint.server, {});
  try {
    const ann = await sessions.as('usr_ann_view');
    const {thread: first} = await createThread(ann, 'usr_bob_view');
    const {messageId} = await say(ann, first.threadId, 'hello');
    const {thread: second} = await createThread(ann, 'usr_bob_view');
    const table = new Table(endpoint.db, 'messaging', declaration('messaging'));
    const rows = await table.query('pk = :t', {':t': `THR#${first.threadId}`});
    const kinds = rows.map((row) => row.sk.split('#')[0]);
    assert.deepEqual([...new Set(kinds)].sort(), ['MSG', 'PART', 'THR']);
    assert.equal(kinds.filter((kind) => kind === 'PART').length, 2);
    assert.ok(rows.some((row) => row.sk.startsWith('MSG#') && JSON.stringify(row).includes(messageId)));
    const parts = await table.query('pk = :t AND begins_with(sk, :p)', {':t': `THR#${first.threadId}`, ':p': 'PART#'});
    assert.deepEqual(parts.map((row) => row.sk), ['PART#usr_ann_view', 'PART#usr_bob_view']);
    const wanted = [second.threadId, first.threadId].map((id) => `THR#${id}`);
    await eventually(async () => {
      const found = await table.query('GSI1PK = :p', {':p': 'PARTICIPANT#usr_bob_view'}, {IndexName: 'GSI1'});
      return JSON.stringify(found.map((row) => row.pk)) === JSON.stringify(wanted);
    }, 'the threads of bob by index, newest first');
    await refused(table.put({pk: `THR#${first.threadId}`, sk: 'THR'}), 'AccessDeniedException');
    await isInvalid(table.page('sk = :s', {':s': 'THR'}));
    assert.deepEqual(await table.query('pk = :t', {':t': 'THR#thrd_00000000000000000000000000'}), []);
  } finally {
    await sessions.closeAll();
  }
});
