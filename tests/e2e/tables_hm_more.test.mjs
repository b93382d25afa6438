// Seed 001's access patterns (HM-…) through Amazon's SDK, second part: permissions, agents, quotas, invites, keys, tokens.
// Verification of keys and tokens (scrypt, JWT), plans and mails belong to the services and are not tested here.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import {test} from 'node:test';
import {rounds} from './lib/rounds.mjs';
import {failsCondition, taken} from './lib/tables/client.mjs';
import {Records, transactUntilTaken} from './lib/tables/records.mjs';
import {inParallel, seconds, withTables} from './lib/tables/suite.mjs';
import {step, transact} from './lib/tables/table.mjs';

const tables = withTables();
const kHour = 3600;
const pks = (rows) => rows.map((row) => row.pk);
const sha256 = (text) => crypto.createHash('sha256').update(text).digest('hex');

test('HM-4 permissions: of one user, of a resource, and all of a user by type', async () => {
  const table = await tables.seed('permission');
  await table.putAll([
    {pk: 'workspaces/1', sk: 'users/ann', resourceType: 'workspaces', type: 3},
    {pk: 'workspaces/1', sk: 'users/bob', resourceType: 'workspaces', type: 1},
    {pk: 'workspaces/2', sk: 'users/ann', resourceType: 'workspaces', type: 2},
    {pk: 'subscriptions/1', sk: 'users/ann', resourceType: 'subscriptions', type: 3},
  ]);
  assert.equal((await table.get(['workspaces/1', 'users/bob'])).type, 1);
  assert.deepEqual((await table.query('pk = :r', {':r': 'workspaces/1'})).map((row) => row.sk), ['users/ann', 'users/bob']);
  const ofAnn = await table.query('resourceType = :t AND sk = :u', {':t': 'workspaces', ':u': 'users/ann'}, {IndexName: 'byResourceTypeAndEntityId'});
  // Amazon does not define the order of equal index keys; here it is that of the base key.
  const order = tables.endpoint.can('tieOrder') ? pks(ofAnn) : pks(ofAnn).sort();
  assert.deepEqual(order, ['workspaces/1', 'workspaces/2']);
});

test('HM-4 ensuring a permission raises and never lowers', async () => {
  const table = await tables.seed('permission');
  const ensure = (type) => table.update(['workspaces/1', 'users/ann'], 'SET #t = :t, resourceType = :r', {':t': type, ':r': 'workspaces'},
                                        {ConditionExpression: 'attribute_not_exists(#t) OR #t < :t', names: {'#t': 'type'}});
  await ensure(2);
  await failsCondition(ensure(1));
  await failsCondition(ensure(2));
  await ensure(3);
  assert.equal((await table.get(['workspaces/1', 'users/ann'])).type, 3);
});

test('HM-4 of two owners who leave at once, one stays', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.seed('permission');
  const owner = (user) => ({pk: 'workspaces/1', sk: `users/${user}`, resourceType: 'workspaces', type: 3});
  await table.putAll([owner('ann'), owner('bob'), {pk: 'workspaces/1', sk: 'OWNERS', count: 2}]);
  const leave = (user) => transactUntilTaken(tables.db, async () => {
    const {count} = await table.get(['workspaces/1', 'OWNERS']);
    if (count <= 1) return {left: false};
    return {left: true, steps: [
      step('Delete', table, {Key: ['workspaces/1', `users/${user}`], ConditionExpression: 'attribute_exists(pk)'}),
      step('Update', table, {Key: ['workspaces/1', 'OWNERS'], UpdateExpression: 'ADD #c :m', ConditionExpression: '#c > :one',
                             names: {'#c': 'count'}, values: {':m': -1, ':one': 1}}),
    ]};
  });
  const left = await Promise.all([leave('ann'), leave('bob')]);
  assert.equal(left.filter((outcome) => outcome.left).length, 1);
  assert.equal((await table.query('pk = :r', {':r': 'workspaces/1'})).filter((row) => row.type === 3).length, 1);
});

for (const [id, name, index, hash, sk] of [
  ['HM-5', 'agent', 'byWorkspaceId', 'workspaceId', 'agent'],
  ['HM-6', 'agent-key', 'byAgentId', 'agentId', 'key'],
  ['HM-8', 'workspace-document', 'byWorkspaceId', 'workspaceId', 'document'],
  ['HM-9', 'output_channel', 'byWorkspaceId', 'workspaceId', 'channel'],
  ['HM-13', 'email-connection', 'byWorkspaceId', 'workspaceId', 'connection'],
  ['HM-14', 'mcp-server', 'byWorkspaceId', 'workspaceId', 'server'],
]) {
  test(`${id} ${name}: get one, list by ${hash} in order of pk`, async () => {
    const table = await tables.seed(name);
    const config = {nested: {list: [1, {deep: null}], flag: true}, empty: {}, none: []};
    await table.putAll([['b', 'w'], ['a', 'w'], ['c', 'v']].map(([id, parent]) => ({pk: `${name}s/${parent}/${id}`, sk, [hash]: parent, name: id, config})));
    const list = await table.query('#h = :w', {':w': 'w'}, {IndexName: index, names: {'#h': hash}});
    assert.deepEqual(list.map((row) => row.name), ['a', 'b']);
    assert.deepEqual((await table.get([`${name}s/v/c`, sk])).config, config, 'maps come back as they were');
  });
}

test('HM-8 an empty folder path is an ordinary value in a filter', async () => {
  const table = await tables.seed('workspace-document');
  await table.putAll(['', 'notes', 'notes/old'].map((folderPath, i) => ({pk: `d/${i}`, sk: 'document', workspaceId: 'w', folderPath})));
  const inFolder = (folder) => table.query('workspaceId = :w', {':w': 'w', ':f': folder}, {IndexName: 'byWorkspaceId', FilterExpression: 'folderPath = :f'});
  assert.deepEqual(pks(await inFolder('')), ['d/0']);
  assert.deepEqual(pks(await inFolder('notes')), ['d/1']);
});

test('HM-7 a workspace\'s own key exists or not', async () => {
  const table = await tables.seed('workspace-api-key');
  await table.put({pk: 'workspace-api-keys/w', sk: 'key', workspaceId: 'w', key: 'secret', provider: 'google'});
  assert.equal((await table.get(['workspace-api-keys/w', 'key'])).provider, 'google');
  assert.equal(await table.get(['workspace-api-keys/v', 'key']), undefined);
  assert.equal((await table.query('workspaceId = :w', {':w': 'w'}, {IndexName: 'byWorkspaceId'})).length, 1);
});

test('HM-10 a conversation of an agent grows, keeps its order, and renews its expiry', async () => {
  const table = await tables.seed('agent-conversations');
  const key = ['conversations/w/a/c1'];
  const expires = seconds() + 30 * 24 * kHour;
  await table.create({pk: key[0], workspaceId: 'w', agentId: 'a', conversationId: 'c1', conversationType: 'test', messages: [], expires: seconds() + 60});
  for (let i = 0; i < 5; i += 1) {
    await table.update(key, 'SET messages = list_append(messages, :m), expires = :e', {':m': [{role: 'user', content: `m${i}`}], ':e': expires});
  }
  const row = await table.get(key);
  assert.deepEqual(row.messages.map((message) => message.content), ['m0', 'm1', 'm2', 'm3', 'm4']);
  assert.equal(row.expires, expires);
  assert.deepEqual(pks(await table.query('agentId = :a', {':a': 'a'}, {IndexName: 'byAgentId'})), key);
});

test('HM-10 an item above 400 KB is refused and the old one stays', async () => {
  const table = await tables.seed('agent-conversations');
  await table.put({pk: 'c', messages: ['x'.repeat(200_000)]});
  await assert.rejects(table.update(['c'], 'SET messages = list_append(messages, :m)', {':m': ['y'.repeat(220_000)]}),
                       {name: 'ValidationException', message: /[Ii]tem size/});
  assert.equal((await table.get(['c'])).messages.length, 1);
});

test('HM-12 aggregates of a workspace, an agent or a user between two days, both included', async () => {
  const table = await tables.seed('token-usage-aggregates');
  const day = (i) => `2026-03-0${i}`;
  const row = (i, more) => ({pk: `aggregates/w/${day(i)}`, sk: 'workspace:m:google:platform', date: day(i), workspaceId: 'w', totalTokens: i, ...more});
  await table.putAll([...[1, 2, 3, 4, 5].map((i) => row(i)), row(2, {sk: 'a1:m:google:byok', agentId: 'a1'}), row(3, {sk: 'x', workspaceId: undefined, userId: 'u'})]);
  const between = (index, hash, id, from, to) => table.query('#h = :id AND #d BETWEEN :from AND :to', {':id': id, ':from': day(from), ':to': day(to)},
                                                             {IndexName: index, names: {'#h': hash, '#d': 'date'}});
  assert.deepEqual((await between('byWorkspaceIdAndDate', 'workspaceId', 'w', 2, 4)).map((r) => r.date), [2, 2, 3, 4].map(day));
  assert.deepEqual((await between('byAgentIdAndDate', 'agentId', 'a1', 1, 5)).map((r) => r.sk), ['a1:m:google:byok']);
  assert.deepEqual((await between('byUserIdAndDate', 'userId', 'u', 1, 5)).map((r) => r.sk), ['x']);
});

test('HM-12 the records of one day are a query by pk, and a job that runs again changes nothing', async () => {
  const table = await tables.seed('token-usage-aggregates');
  const rows = ['a1:m:google:byok', 'workspace:m:google:platform'].map((sk) => ({pk: 'aggregates/w/2026-03-01', sk, date: '2026-03-01', workspaceId: 'w', totalTokens: 5}));
  await table.putAll(rows);
  await table.putAll(rows);
  assert.deepEqual(await table.query('pk = :pk', {':pk': 'aggregates/w/2026-03-01'}), rows);
});

test('HM-15 a trial request is made once and approved from the version that was read', async () => {
  const records = new Records(await tables.seed('trial-credit-requests'));
  const row = {pk: 'trial-credit-requests/w', sk: 'request', workspaceId: 'w', status: 'pending'};
  const read = await records.create(row);
  await failsCondition(records.create(row));
  const outcomes = await Promise.all(['approved', 'rejected'].map((status) => taken(records.update(read, {status}))));
  assert.equal(outcomes.filter(Boolean).length, 1, 'approved and rejected at once: one of them');
});

test('HM-16 a subscription by id and by user', async () => {
  const table = await tables.seed('subscription');
  await table.put({pk: 'subscriptions/s', sk: 'subscription', userId: 'u', plan: 'free'});
  assert.equal((await table.get(['subscriptions/s', 'subscription'])).plan, 'free');
  assert.deepEqual(pks(await table.query('userId = :u', {':u': 'u'}, {IndexName: 'byUserId'})), ['subscriptions/s']);
});

const kCounts = rounds('E2E_COUNTS', {daily: 1_000, nightly: 10_000});

test(`HM-17a ${kCounts} requests counted in parallel are exactly ${kCounts}`, async () => {
  const table = await tables.seed('llm-request-buckets');
  const key = ['llm-request-buckets/s/2026-03-01T10:00:00.000Z'];
  await inParallel(kCounts, () => table.update(key, 'ADD #c :one SET subscriptionId = :s', {':one': 1, ':s': 's'}, {names: {'#c': 'count'}}), 64);
  assert.equal((await table.get(key)).count, kCounts);
});

test('HM-17b the last 24 hours of a subscription, both ends included', async () => {
  const table = await tables.seed('llm-request-buckets');
  const hour = (i) => new Date(Date.UTC(2099, 2, 1) + i * kHour * 1000).toISOString();
  await table.putAll(Array.from({length: 30}, (_, i) => ({pk: `llm-request-buckets/s/${hour(i)}`, subscriptionId: 's', hourTimestamp: hour(i), count: i})));
  const rows = await table.query('subscriptionId = :s AND hourTimestamp BETWEEN :a AND :b', {':s': 's', ':a': hour(4), ':b': hour(27)},
                                 {IndexName: 'bySubscriptionIdAndHour'});
  assert.deepEqual(rows.map((row) => row.count), Array.from({length: 24}, (_, i) => i + 4));
});

test('HM-17 an expired bucket has left the index too', async (t) => {
  if (tables.needs(t, 'expiry')) return;
  const table = await tables.seed('llm-request-buckets');
  const bucket = (hourTimestamp, expires) => ({pk: `b/${hourTimestamp}`, subscriptionId: 's', hourTimestamp, count: 1, expires});
  await table.putAll([bucket('2026-01-01T00:00:00.000Z', seconds() - 1), bucket('2026-01-01T01:00:00.000Z', seconds() + 25 * kHour)]);
  const page = await table.page('subscriptionId = :s', {':s': 's'}, {IndexName: 'bySubscriptionIdAndHour'});
  assert.deepEqual(pks(page.items), ['b/2026-01-01T01:00:00.000Z']);
  await table.update(['b/2026-01-01T00:00:00.000Z'], 'ADD #c :one SET expires = :e', {':one': 1, ':e': seconds() + kHour}, {names: {'#c': 'count'}});
  assert.equal((await table.get(['b/2026-01-01T00:00:00.000Z'])).count, 1, 'counting begins anew after the expired bucket');
});

test('HM-18 invites of a workspace are listed, and accepting one grants in the same transaction, once', async (t) => {
  const invites = await tables.seed('workspace-invite');
  await invites.putAll([1, 2].map((i) => ({pk: `workspace-invites/w/${i}`, sk: 'invite', workspaceId: 'w', email: `u${i}@x.test`, permissionLevel: 2,
                                           expires: seconds() + 7 * 24 * kHour})));
  assert.equal((await invites.query('workspaceId = :w', {':w': 'w'}, {IndexName: 'byWorkspaceId'})).length, 2);
  if (tables.needs(t, 'transactions')) return;
  const permissions = await tables.seed('permission');
  const accept = (user) => transact(tables.db, [
    step('Update', invites, {Key: ['workspace-invites/w/1', 'invite'], UpdateExpression: 'SET acceptedBy = :u',
                             ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(acceptedBy)', values: {':u': user}}),
    step('Put', permissions, {Item: {pk: 'workspaces/w', sk: `users/${user}`, resourceType: 'workspaces', type: 2}}),
  ]);
  const outcomes = await inParallel(8, (i) => taken(accept(`u${i}`)), 8);
  assert.equal(outcomes.filter(Boolean).length, 1);
  const {acceptedBy} = await invites.get(['workspace-invites/w/1', 'invite']);
  assert.deepEqual((await permissions.query('pk = :w', {':w': 'workspaces/w'})).map((row) => row.sk), [`users/${acceptedBy}`]);
});

test('HM-18 an expired invite does not block a new one, a pending one does', async (t) => {
  if (tables.needs(t, 'expiry')) return;
  const table = await tables.seed('workspace-invite');
  const guard = (expires) => ({pk: 'workspace-invites/w/PENDING#ann@x.test', sk: 'guard', workspaceId: 'w', expires});
  await table.put(guard(seconds() - 1));
  await table.create(guard(seconds() + 60));
  await failsCondition(table.create(guard(seconds() + 60)));
});

test('HM-19 a stream configuration is read, rotated and deleted', async () => {
  const table = await tables.seed('agent-stream-servers');
  const key = ['stream-servers/w/a', 'config'];
  await table.put({pk: key[0], sk: key[1], secret: 'a/b+c==', allowedOrigins: ['*']});
  const old = await table.update(key, 'SET secret = :s', {':s': 'd/e+f=='}, {ReturnValues: 'UPDATED_OLD'});
  assert.deepEqual(old, {secret: 'a/b+c=='});
  await table.delete(key);
  assert.equal(await table.get(key), undefined);
});

test('HM-20 200 authentications with one key at once are 200 successes', async () => {
  const table = await tables.seed('user-api-key');
  const keyLookupHash = sha256('hmat_1');
  await table.putAll([{pk: 'user-api-keys/u', sk: 'k1', userId: 'u', keyLookupHash, keyPrefix: 'hmat_1'}, {pk: 'user-api-keys/u', sk: 'k2', userId: 'u', keyLookupHash: sha256('x')}]);
  const authenticate = async () => {
    const [row] = await table.query('keyLookupHash = :h', {':h': keyLookupHash}, {IndexName: 'byKeyHash'});
    if (!row) return false;
    await table.update(row, 'SET lastUsedAt = :t', {':t': new Date().toISOString()}, {ConditionExpression: 'attribute_exists(pk)'});
    return true;
  };
  assert.equal((await inParallel(200, authenticate, 50)).filter(Boolean).length, 200);
  assert.deepEqual((await table.query('pk = :u', {':u': 'user-api-keys/u'})).map((row) => row.sk), ['k1', 'k2']);
  await table.delete(['user-api-keys/u', 'k1']);
  assert.equal(await authenticate(), false);
});

test('HM-21 one of 20 simultaneous rotations of a refresh token succeeds', async (t) => {
  if (tables.needs(t, 'transactions')) return;
  const table = await tables.seed('user-refresh-token');
  const token = (id) => ({pk: 'user-refresh-tokens/u', sk: id, userId: 'u', tokenLookupHash: sha256(id), expiresAt: '2099-01-01T00:00:00.000Z'});
  await table.put(token('t0'));
  const rotate = (i) => transact(tables.db, [
    step('Update', table, {Key: ['user-refresh-tokens/u', 't0'], UpdateExpression: 'SET revokedAt = :now',
                           ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revokedAt) AND expiresAt > :now', values: {':now': new Date().toISOString()}}),
    step('Put', table, {Item: token(`t${i}`), ConditionExpression: 'attribute_not_exists(pk)'}),
  ]);
  const outcomes = await inParallel(20, (i) => taken(rotate(i + 1)), 20);
  assert.equal(outcomes.filter(Boolean).length, 1);
  const rows = await table.query('pk = :u', {':u': 'user-refresh-tokens/u'});
  assert.deepEqual(rows.map((row) => row.revokedAt === undefined).sort(), [false, true]);
  const [winner] = rows.filter((row) => row.revokedAt === undefined);
  assert.equal(winner.sk, `t${outcomes.indexOf(true) + 1}`);
  assert.equal((await table.query('tokenLookupHash = :h', {':h': winner.tokenLookupHash}, {IndexName: 'byTokenHash'})).length, 1);
});

test('HM a table without a range key refuses one in the key', async () => {
  const table = await tables.seed('credit-reservations');
  await assert.rejects(tables.db.GetItem({TableName: table.name, Key: {pk: {S: 'a'}, sk: {S: 'b'}}}),
                       {name: 'ValidationException', message: /key element does not match the schema/});
});
