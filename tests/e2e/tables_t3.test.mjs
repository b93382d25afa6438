// Seed 000's access patterns (T3-…) through Amazon's SDK: tenants, users, channel mappings, conversation memory. Tests only the
// tables, not the services on them (webhooks, tokens, roles).
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failsCondition, isInvalid, refused} from './lib/tables/client.mjs';
import {declaration} from './lib/tables/declarations.mjs';
import {Records} from './lib/tables/records.mjs';
import {inParallel, seconds, withTables} from './lib/tables/suite.mjs';
import {step, transact} from './lib/tables/table.mjs';

const kMonth = 30 * 24 * 3600;
const tables = withTables();

const tenantKey = (id) => [`TENANT#${id}`, 'META'];
const tenantRow = (id, more) => ({pk: `TENANT#${id}`, sk: 'META', tenant_id: id, name: id, status: 'onboarding',
                                  created_at: '2026-02-21T14:30:00.000Z', settings: '{}', ...more});
const userRow = (tenant, id, more) => ({pk: `TENANT#${tenant}`, sk: `USER#${id}`, user_id: id, email: `${id}@x.test`,
                                        display_name: id, role: 'member', channel_identities: '{}', ...more});
const channelRow = (tenant, type, id) => ({pk: `TENANT#${tenant}`, sk: `CHANNEL#${type}#${id}`,
                                           gsi1pk: `CHANNEL#${type}#${id}`, gsi1sk: `TENANT#${tenant}`});
const resolve = (table, type, id) => (
  table.query('gsi1pk = :channel', {':channel': `CHANNEL#${type}#${id}`}, {IndexName: 'channel-mapping'}));
const users = (table, tenant, options = {}) => (
  table.query('pk = :pk AND begins_with(sk, :prefix)', {':pk': `TENANT#${tenant}`, ':prefix': 'USER#', ...options.values},
              options.more));

/** All items of one tenant's administrator and of a neighbour with the same ids. */
async function populated() {
  const table = await tables.seed('tenants');
  await table.putAll(['acme', 'bolt'].flatMap((tenant) => [
    tenantRow(tenant, {status: 'active'}),
    userRow(tenant, 'ann', {email: `ann@${tenant}.test`, role: 'admin'}),
    userRow(tenant, 'bob'),
    userRow(tenant, 'zoe'),
    channelRow(tenant, 'teams', `bot-of-${tenant}`),
    {pk: `TENANT#${tenant}`, sk: 'MEMORY#ann#s1', summary: 'one'},
    {pk: `TENANT#${tenant}`, sk: 'MEMORY#ann#s2', summary: 'two'},
    {pk: `TENANT#${tenant}`, sk: 'MEMORY#anna#s1', summary: 'somebody else'},
  ]));
  return table;
}

test('T3-C1 a conversation is read as stored, and a missing one is no item', async () => {
  const table = await tables.seed('conversations');
  const messages = JSON.stringify([{role: 'user', content: "what's the sprint status?"}, {role: 'assistant', content: 'Here it is… 🚀'}]);
  await table.put({pk: 'default', sk: 'conv-abc-123', messages, updated_at: '2026-02-21T14:30:00Z', ttl: seconds() + kMonth});
  assert.equal((await table.get(['default', 'conv-abc-123'])).messages, messages);
  assert.equal(await table.get(['default', 'conv-abc-124']), undefined);
});

test('T3-C1 an expired conversation reads as missing at once, in every read and in conditions', async (t) => {
  if (tables.needs(t, 'expiry')) return;
  const table = await tables.seed('conversations');
  const expired = {pk: 'default', sk: 'old', messages: '[]', ttl: seconds() - 5};
  await table.put(expired);
  await table.put({pk: 'default', sk: 'young', messages: '[]', ttl: seconds() + kMonth});
  assert.equal(await table.get(['default', 'old']), undefined);
  assert.deepEqual((await table.query('pk = :pk', {':pk': 'default'})).map((row) => row.sk), ['young']);
  assert.deepEqual((await table.scan()).map((row) => row.sk), ['young']);
  await failsCondition(table.delete(['default', 'old'], {ConditionExpression: 'attribute_exists(pk)'}));
  await table.create({...expired, ttl: seconds() + kMonth});
  assert.equal((await table.get(['default', 'old'])).messages, '[]');
});

test('T3-C2 fifty turns at once are a hundred messages, none lost, and the time to live is renewed', async () => {
  const table = await tables.seed('conversations');
  const records = new Records(table);
  const began = seconds();
  await records.create({pk: 'default', sk: 'conv', messages: '[]', ttl: began + 60});
  await inParallel(50, (i) => records.atomicUpdate(['default', 'conv'], (read) => ({
    messages: JSON.stringify([...JSON.parse(read.messages), {role: 'user', content: `q${i}`}, {role: 'assistant', content: `a${i}`}]),
    ttl: seconds() + kMonth,
  })), 10);
  const {messages, version, ttl} = await table.get(['default', 'conv']);
  const contents = JSON.parse(messages).map((message) => message.content);
  assert.equal(contents.length, 100);
  assert.equal(new Set(contents).size, 100);
  contents.forEach((content, i) => i % 2 === 1 && assert.equal(content.slice(1), contents[i - 1].slice(1), 'a turn stays together'));
  assert.equal(version, 51);
  assert.ok(ttl >= began + kMonth);
});

test('T3-C2 a turn based on an outdated read is refused', async () => {
  const table = await tables.seed('conversations');
  const records = new Records(table);
  const read = await records.create({pk: 'default', sk: 'conv', messages: '[1]'});
  await records.update(read, {messages: '[1,2]'});
  await failsCondition(records.update(read, {messages: '[1,3]'}));
  assert.equal((await table.get(['default', 'conv'])).messages, '[1,2]');
});

test('T3-C3 clearing a conversation twice works, and keeps the same id of another tenant', async () => {
  const table = await tables.seed('conversations');
  await table.putAll([{pk: 'acme', sk: 'conv', messages: '[]'}, {pk: 'bolt', sk: 'conv', messages: '[]'}]);
  await table.delete(['acme', 'conv']);
  await table.delete(['acme', 'conv']);
  assert.equal(await table.get(['acme', 'conv']), undefined);
  assert.notEqual(await table.get(['bolt', 'conv']), undefined);
});

test('T3-T1 a tenant is found by its key, and an unknown one is not', async () => {
  const table = await populated();
  assert.equal((await table.get(tenantKey('acme'))).status, 'active');
  assert.equal(await table.get(tenantKey('nobody')), undefined);
});

test('T3-T2 a tenant is created once, even by many at once', async () => {
  const table = await tables.seed('tenants');
  const outcomes = await Promise.allSettled(Array.from({length: 20}, (_, i) => table.create(tenantRow('acme', {name: `try ${i}`}))));
  assert.equal(outcomes.filter(({status}) => status === 'fulfilled').length, 1);
  outcomes.filter(({status}) => status === 'rejected')
    .forEach(({reason}) => assert.equal(reason.name, 'ConditionalCheckFailedException'));
  const winner = outcomes.findIndex(({status}) => status === 'fulfilled');
  assert.equal((await table.get(tenantKey('acme'))).name, `try ${winner}`);
});

test('T3-T3 updating a tenant from an older version is refused: no lost update', async () => {
  const table = await tables.seed('tenants');
  await table.create(tenantRow('acme', {version: 1}));
  const change = (version, status) => table.update(tenantKey('acme'), 'SET #s = :s ADD version :one', {':s': status, ':one': 1, ':v': version},
                                                   {ConditionExpression: 'version = :v', names: {'#s': 'status'}});
  await change(1, 'active');
  await failsCondition(change(1, 'suspended'));
  const {status, version} = await table.get(tenantKey('acme'));
  assert.deepEqual({status, version}, {status: 'active', version: 2});
});

test('T3-T4 all tenants are listed by an index in order of creation, not by a scan', async () => {
  const definition = declaration('tenants');
  const byKind = {name: 'all-tenants', kind: 'global', hash: {name: 'kind', type: 'S'}, range: {name: 'created_at', type: 'S'}};
  const table = await tables.made({...definition, indexes: [...definition.indexes, byKind]});
  await table.putAll([
    tenantRow('late', {kind: 'TENANT', created_at: '2026-03-01T00:00:00.000Z'}),
    tenantRow('early', {kind: 'TENANT', created_at: '2026-01-01T00:00:00.000Z'}),
    userRow('late', 'ann', {created_at: '2026-02-01T00:00:00.000Z'}),
    tenantRow('middle', {kind: 'TENANT', created_at: '2026-02-01T00:00:00.000Z'}),
  ]);
  const page = await table.page('kind = :kind', {':kind': 'TENANT'}, {IndexName: 'all-tenants'});
  assert.deepEqual(page.items.map((row) => row.tenant_id), ['early', 'middle', 'late']);
  assert.equal(page.scanned, 3, 'rows of other kinds are not even looked at');
  await isInvalid(table.page('created_at > :t', {':t': '2026'}, {IndexName: 'all-tenants'}));
});

test('T3-CH1 a channel leads to its tenant, and an unknown channel to none', async () => {
  const table = await populated();
  assert.deepEqual((await resolve(table, 'teams', 'bot-of-acme')).map((row) => row.gsi1sk), ['TENANT#acme']);
  assert.deepEqual(await resolve(table, 'teams', 'bot-of-nobody'), []);
  assert.deepEqual(await resolve(table, 'teams', 'bot-of'), [], 'a beginning of an id is no id');
});

test('T3-CH1 without its range attribute a mapping is in no index with both keys', async () => {
  const table = await tables.seed('tenants');
  const {gsi1sk, ...half} = channelRow('acme', 'slack', 'T1');
  assert.ok(gsi1sk);
  await table.put(half);
  assert.deepEqual(await resolve(table, 'slack', 'T1'), []);
  await table.update([half.pk, half.sk], 'SET gsi1sk = :t', {':t': gsi1sk});
  assert.equal((await resolve(table, 'slack', 'T1')).length, 1);
});

test('T3-CH2 one of the tenants who claim a channel at once gets it: a guard in the same transaction', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.seed('tenants');
  const claim = (tenant) => transact(tables.db, [
    step('Put', table, {Item: {pk: 'UNIQUE#CHANNEL#telegram#42', sk: 'GUARD', owner: tenant}, ConditionExpression: 'attribute_not_exists(pk)'}),
    step('Put', table, {Item: channelRow(tenant, 'telegram', '42')}),
  ]);
  const outcomes = await inParallel(12, (i) => claim(`t${i}`).then(() => i, (error) => error), 12);
  const winners = outcomes.filter((outcome) => typeof outcome === 'number');
  assert.equal(winners.length, 1);
  outcomes.filter((outcome) => outcome instanceof Error).forEach((error) => assert.equal(error.name, 'TransactionCanceledException'));
  assert.deepEqual((await resolve(table, 'telegram', '42')).map((row) => row.gsi1sk), [`TENANT#t${winners[0]}`]);
});

test('T3-CH3 rotating a credential removes the old mapping: both change in one transaction', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.seed('tenants');
  const old = channelRow('acme', 'telegram', 'hash-of-old-token');
  await table.put(old);
  await transact(tables.db, [
    step('Delete', table, {Key: [old.pk, old.sk], ConditionExpression: 'attribute_exists(pk)'}),
    step('Put', table, {Item: channelRow('acme', 'telegram', 'hash-of-new-token')}),
  ]);
  assert.deepEqual(await resolve(table, 'telegram', 'hash-of-old-token'), []);
  assert.equal((await resolve(table, 'telegram', 'hash-of-new-token')).length, 1);
});

test('T3-U1 the users of a tenant are listed by id, without rows of another kind or tenant', async () => {
  const table = await populated();
  assert.deepEqual((await users(table, 'acme')).map((row) => row.sk), ['USER#ann', 'USER#bob', 'USER#zoe']);
});

test('T3-U2 finding a user by e-mail is a query with a filter, which counts the evaluated items', async () => {
  const table = await populated();
  const page = await table.page('pk = :pk AND begins_with(sk, :prefix)',
                                {':pk': 'TENANT#acme', ':prefix': 'USER#', ':email': 'ann@acme.test'}, {FilterExpression: 'email = :email'});
  assert.deepEqual(page.items.map((row) => row.user_id), ['ann']);
  assert.deepEqual([page.count, page.scanned], [1, 3]);
  assert.deepEqual(await users(table, 'acme', {values: {':email': 'ann@bolt.test'}, more: {FilterExpression: 'email = :email'}}), []);
});

test('T3-U2 a limit counts before the filter: continuing after an empty page finds the user', async () => {
  const table = await populated();
  const seen = [];
  for await (const page of table.pages('pk = :pk AND begins_with(sk, :prefix)', {':pk': 'TENANT#acme', ':prefix': 'USER#', ':email': 'zoe@x.test'},
                                       {FilterExpression: 'email = :email', Limit: 1})) {
    assert.ok(page.scanned <= 1);
    seen.push(page.items.map((row) => row.user_id));
  }
  assert.deepEqual(seen.slice(0, 3), [[], [], ['zoe']]);
});

test('T3-U3 a user is found only in their tenant', async () => {
  const table = await populated();
  await table.delete(['TENANT#bolt', 'USER#bob']);
  assert.equal((await table.get(['TENANT#acme', 'USER#bob'])).user_id, 'bob');
  assert.equal(await table.get(['TENANT#bolt', 'USER#bob']), undefined);
});

test('T3-U4 a user is found by an identity on a channel through a sparse index', async () => {
  const definition = declaration('tenants');
  const identities = {name: 'identities', kind: 'global', hash: {name: 'ident_key', type: 'S'}};
  const table = await tables.made({...definition, indexes: [...definition.indexes, identities]});
  await table.putAll([userRow('acme', 'ann', {ident_key: 'IDENT#slack#U1'}), userRow('acme', 'bob')]);
  const find = () => table.query('ident_key = :i', {':i': 'IDENT#slack#U1'}, {IndexName: 'identities'});
  assert.deepEqual((await find()).map((row) => row.user_id), ['ann']);
  await table.update(['TENANT#acme', 'USER#ann'], 'REMOVE ident_key', undefined);
  assert.deepEqual(await find(), []);
  assert.equal((await table.scan({IndexName: 'identities'})).length, 0);
});

test('T3-U5 a subject of the identity provider is found across tenants, an unknown one not', async () => {
  const definition = declaration('tenants');
  const subjects = {name: 'subjects', kind: 'global', hash: {name: 'gsi2pk', type: 'S'}};
  const table = await tables.made({...definition, indexes: [...definition.indexes.filter(({name}) => name !== 'cognito-sub-lookup'), subjects]});
  await table.putAll([userRow('acme', 'ann', {gsi2pk: 'COGNITO#s-1'}), userRow('bolt', 'ann', {gsi2pk: 'COGNITO#s-1'}), userRow('bolt', 'bob')]);
  const found = await table.query('gsi2pk = :s', {':s': 'COGNITO#s-1'}, {IndexName: 'subjects'});
  assert.deepEqual(found.map((row) => row.pk).sort(), ['TENANT#acme', 'TENANT#bolt']);
  assert.deepEqual(await table.query('gsi2pk = :s', {':s': 'COGNITO#s-2'}, {IndexName: 'subjects'}), []);
});

test('T3-U6 deleting a user of one tenant keeps the same id of another', async () => {
  const table = await populated();
  const gone = await table.delete(['TENANT#acme', 'USER#ann'], {ReturnValues: 'ALL_OLD'});
  assert.equal(gone.email, 'ann@acme.test');
  assert.equal((await table.get(['TENANT#bolt', 'USER#ann'])).email, 'ann@bolt.test');
});

test('T3-M1 the memories of a user are listed in order, without those of a longer name', async () => {
  const table = await populated();
  const memories = await table.query('pk = :pk AND begins_with(sk, :prefix)', {':pk': 'TENANT#acme', ':prefix': 'MEMORY#ann#'});
  assert.deepEqual(memories.map((row) => row.summary), ['one', 'two']);
});

test('T3 one item has one key: a key with more or fewer attributes is refused', async () => {
  const table = await populated();
  await isInvalid(tables.db.GetItem({TableName: table.name, Key: {pk: {S: 'TENANT#acme'}}}));
  await isInvalid(tables.db.GetItem({TableName: table.name, Key: {pk: {S: 'TENANT#acme'}, sk: {S: 'META'}, more: {S: 'x'}}}));
  await refused(tables.db.GetItem({TableName: `${table.name}.none`, Key: {pk: {S: 'a'}, sk: {S: 'b'}}}), 'ResourceNotFoundException');
});
