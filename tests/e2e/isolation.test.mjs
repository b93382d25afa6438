// Callers without access learn nothing. For each route and op of the OpenAPI document and for each id that it takes, a stranger
// of the same tenant and callers of another tenant ask about an existing and a missing thing; the two answers are equal, byte for
// byte. The same applies to cursors and to tables.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {after, before, describe, it} from 'node:test';
import {Contract, printed} from './lib/contract.mjs';
import {eventually} from './lib/deadline.mjs';
import {call} from './lib/http.mjs';
import {choices, idsOf, requestOf} from './lib/samples.mjs';
import {Server} from './lib/server.mjs';
import {Tenant} from './lib/tenants.mjs';
import {clientOf} from './lib/tables/client.mjs';
import {whenActive} from './lib/tables/suite.mjs';
import {checkStore} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

// The links of uploads and files are credentials themselves; files.test.mjs is about them.
const isLink = ({path}) => /^\/v1\/(uploads|files)\/\{attachmentId\}\/\{token\}$/.test(path);
const operations = new Contract(JSON.parse(printed('openapi'))).operations.filter((one) => !isLink(one));

// One person decides a report, so that they may also act on its subject directly.
const kSettings = {cardPorts: ['booking', 'events'], messageRequests: {enabled: true}, safety: {textPolicy: 'off', dualApproval: []}};
const kTimes = {newStart: '2100-01-02T10:00:00.000Z', newEnd: '2100-01-02T12:00:00.000Z', reason: 'rain'};

/** A text of the same form and length that names nothing. */
const none = (id) => (id.includes('@') || id.includes('.') || id.includes('/') ? id.replace(/[0-9a-z](?=[^0-9a-z])/, (c) => (c === 'x' ? 'z' : 'x'))
  : id.slice(0, -1) + (/[A-Z2-7]$/.test(id) && /^PKT/.test(id) ? (id.endsWith('A') ? 'B' : 'A') : id.endsWith('x') ? 'z' : 'x'));

/** Gives the user an avatar. */
async function haveAvatar(user) {
  const png = fs.readFileSync(new URL('../features/files/images/alpha.png', import.meta.url));
  const {uploadUrl} = await user.ok('POST', '/v1/uploads', {purpose: 'avatar', name: 'a.png', mime: 'image/png', size: png.length});
  assert.equal((await call(server, 'PUT', uploadUrl, {body: png})).status, 204);
  await eventually(async () => (await user.call('GET', `/v1/users/${user.userId}/avatar`)).status === 200, 'the avatar to be ready');
}

/** The things of `user` in `tenant`, one for each kind of id. */
async function belongings(tenant, user, friend) {
  const {key, tenantId} = tenant;
  const [lbgId, legId, slack] = [fresh('lbg'), fresh('leg'), fresh('slack')];
  await key.ok('PATCH', `/v1/users/${user.userId}`, {version: 1, channelIdentities: {slack}});
  const {apiKey} = await key.ok('POST', `/v1/users/${user.userId}/api-keys`, {name: 'scripts'});
  const {thread: {threadId}} = await key.op('thread.create', {
    kind: 'project', buyerUserId: user.userId, sellerUserId: friend.userId, lbgId, legId, clientId: fresh('c')});
  const {messageId} = await user.op('message.send', {threadId, clientId: fresh('c'), type: 'text', body: 'Hi'});
  await user.op('tab.put', {threadId, tab: 'brief', version: 0, content: {title: 'Wedding'}});
  await user.op('card.create', {threadId, clientId: fresh('c'), type: 'RESCHEDULE', payload: kTimes});
  const {items} = await key.op('outbox.list');
  await key.ok('PUT', `/v1/tenants/${tenantId}/signing-keys/${fresh('kid')}`, {alg: 'HS256', secret: 's'.repeat(32)});
  const {items: [{kid}]} = await key.ok('GET', `/v1/tenants/${tenantId}/signing-keys`);
  const tableKey = await key.ok('POST', `/v1/tenants/${tenantId}/table-keys`, {name: 'tables'});
  const resource = `albums/${fresh('album')}`;
  await key.ok('PUT', '/v1/permissions', {resource, userId: user.userId, level: 'owner'});
  const {invite, token} = await key.ok('POST', '/v1/invites', {email: `${fresh('who')}@example.com`, level: 'read', resource});
  const {attachment: {attachmentId}, uploadUrl} = await user.ok('POST', '/v1/uploads', {threadId, name: 'a.txt', mime: 'text/plain', size: 4});
  assert.equal((await call(server, 'PUT', uploadUrl, {body: 'abcd'})).status, 204);
  await eventually(async () => (await user.ok('GET', `/v1/uploads/${attachmentId}`)).attachment.state === 'ready', 'the file to be ready');
  await haveAvatar(user);
  const {eventId} = await key.ok('POST', '/v1/events', {type: 'order'});
  const {caseId} = await user.op('thread.report', {threadId, reason: 'spam'});
  const {request: {requestId}} = await (await tenant.user('gil')).op('thread.create', {
    kind: 'direct', participants: [{userId: user.userId}], firstMessage: 'Hi', clientId: fresh('c')});
  return {
    tableKey, ids: {
      tenantId, tenant: tenantId, userId: user.userId, prefix: user.userId, email: user.email, identity: `slack:${slack}`,
      apiKeyId: apiKey.keyId, keyId: tenant.keyId, kid, accessKeyId: tableKey.accessKeyId, threadId, messageId, lbgId, legId,
      traceId: `${Date.now()}`,  // a number that no trace has: traces are the operator's alone
      effectId: items[0].effectId, resource, inviteId: invite.inviteId, token, eventId, attachmentId, caseId, requestId,
    },
  };
}

/** Creates another of each listed thing, so that lists have a second page. */
async function twice(tenant, user, friend, moderator, {threadId, messageId, lbgId, resource, userId, tenantId}) {
  const {key} = tenant;
  await user.op('message.send', {threadId, clientId: fresh('c'), type: 'text', body: 'More'});
  await user.op('message.edit', {threadId, messageId, body: 'Hello'});
  await user.op('message.edit', {threadId, messageId, body: 'Hello again'});
  for (const status of ['locked', 'open']) await moderator.op('thread.setStatus', {threadId, status, reason: 'r'});
  await user.op('thread.create', {kind: 'direct', participants: [{userId: friend.userId}], clientId: fresh('c')});
  await key.op('thread.create', {kind: 'project', buyerUserId: user.userId, sellerUserId: friend.userId, lbgId, legId: fresh('leg'), clientId: fresh('c')});
  await user.op('card.create', {threadId, clientId: fresh('c'), type: 'CANCEL_REQUEST', payload: {reason: 'rain'}});
  await key.ok('PUT', `/v1/tenants/${tenantId}/signing-keys/${fresh('kid')}`, {alg: 'HS256', secret: 's'.repeat(32)});
  await key.ok('POST', `/v1/tenants/${tenantId}/keys`);
  await key.ok('POST', `/v1/tenants/${tenantId}/table-keys`);
  await key.ok('POST', `/v1/users/${userId}/api-keys`);
  await key.ok('PUT', '/v1/permissions', {resource, userId: friend.userId, level: 'read'});
  await key.ok('POST', '/v1/invites', {email: `${fresh('who')}@example.com`, level: 'read', resource});
  await key.ok('POST', '/v1/events', {type: 'order'});
  for (const label of ['pest', 'plague']) await user.op('user.block', {userId: fresh(label)});
}

let server, acme, bolt, ann, bob, moderator, theirs, callers, tableKeys, asked;
before(async () => {
  server = await Server.start({demo: false});
  [acme, bolt] = [await Tenant.of(server, 'acme', kSettings), await Tenant.of(server, 'bolt', kSettings)];
  [ann, bob] = [await acme.user('ann'), await acme.user('bob')];
  const [eve, zoe] = [await acme.user('eve'), await acme.user('zoe')];
  const [max, moe, boss] = [await bolt.user('max'), await bolt.user('moe'), await bolt.user('boss', {role: 'admin'})];
  const hers = await belongings(acme, ann, bob), his = await belongings(bolt, max, moe);
  const strangers = await belongings(acme, eve, zoe);
  theirs = hers.ids;
  asked = Object.entries(theirs).flatMap(([name, id]) => [[id, name], [none(id), name]]).sort(([a], [b]) => b.length - a.length);
  tableKeys = {acme: hers.tableKey, bolt: his.tableKey};
  moderator = await acme.user('mod', {role: 'moderator'});
  await twice(acme, ann, bob, moderator, theirs);
  callers = [
    {name: 'a stranger of the same tenant', who: eve, friend: zoe, own: strangers.ids, foreign: false},
    {name: 'a user of another tenant', who: max, friend: moe, own: his.ids, foreign: true},
    {name: 'an admin of another tenant', who: boss, friend: moe, own: his.ids, foreign: true},
    {name: 'the key of another tenant', who: bolt.key, friend: moe, own: his.ids, foreign: true},
    {name: 'the key of another tenant for its user', who: bolt.as(max.userId), friend: moe, own: his.ids, foreign: true},
  ];
});
after(async () => {
  try {
    if (server?.running) await checkStore(server);
  } finally {
    await server?.dispose();
  }
});

const kOfTheTenant = new Set(['tenant', 'tenantId']);  // a stranger belongs to the tenant itself
const kOther = new Set(['date', 'content-length', 'x-ratelimit-remaining', 'x-ratelimit-reset']);

const kMade = [  // members that a successful call creates or counts up
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'], [/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g, '<id>'], [/\b(inv|pak|prt)_[0-9a-f]{8,}/g, '<secret>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'], [/"eyJ[\w.-]+"/g, '<token>'],
  [/"[0-9a-f]{64}"/g, '"<hash>"'],
  [/"(seq|lastSeq|version)":\d+/g, '"$1":0'], [/"cursor":"[\w-]+"/g, '"cursor":""'],
];

/**
 * An answer without the parts that differ between calls: corrId, and the requested ids. A call that succeeded in the
 * caller's own tenant is reported without the things that it created.
 */
function asTold({status, headers, text, json}) {
  let answered = text.replace(/"corrId":"[^"]*"/, '"corrId":""');
  for (const [value, name] of asked) answered = answered.replaceAll(value, `<${name}>`);
  if (status < 300 || json?.error?.current) answered = kMade.reduce((so_far, [pattern, word]) => so_far.replaceAll(pattern, word), answered);
  const said = Object.entries(headers).filter(([name]) => !kOther.has(name)).map(([name, value]) => `${name}: ${value}`);
  return [status, ...said, answered].join('\n');
}

// Makes a call complete beyond its schemas' requirements, so that only its ids can be refused.
const kBodies = {
  'message.react': {emoji: '👍'}, 'thread.schedule': {meetingAt: '2100-01-02T10:00:00.000Z'}, putSigningKey: {secret: 's'.repeat(32)},
  createUpload: {name: 'a.txt', mime: 'text/plain', size: 4},
};
const kNeeded = {'thread.create': ['buyerUserId', 'sellerUserId'], 'thread.promote': ['lbgId'], createUpload: ['threadId']};
const isNeeded = (operation, {name, required}) => required || kNeeded[operation.id]?.includes(name);

async function ask(caller, operation, ids, values) {
  const {target, body} = requestOf(operation, ids, values, {body: kBodies[operation.id]});
  return asTold(await caller.who.call(operation.method, target, body));
}

/** The seller is a friend, because users cannot buy from themselves. */
const ownFor = (caller, name, kind) => (name === 'sellerUserId' ? caller.friend.userId : caller.own[kind]);

/** Asks with both kinds of ids for each choice of them; the other ids are the caller's own. → differences */
async function differencesOf(caller, operation) {
  const ids = idsOf(operation);
  const out = [];
  let looked = false;
  const foreign = ids.filter(({kind}) => caller.foreign || !kOfTheTenant.has(kind));
  for (const chosen of choices(foreign)) {
    const base = Object.fromEntries(ids.filter((one) => isNeeded(operation, one)).map(({name, kind}) => [name, ownFor(caller, name, kind)]));
    const there = Object.fromEntries(chosen.map(({name, kind}) => [name, theirs[kind]]));
    const nowhere = Object.fromEntries(chosen.map(({name, kind}) => [name, none(theirs[kind])]));
    const [one, other] = [await ask(caller, operation, ids, {...base, ...there}),
                          await ask(caller, operation, ids, {...base, ...nowhere})];
    if (one !== other) out.push({ids: Object.keys(there).join(), one, other});
    looked ||= !one.startsWith('400');
  }
  assert.ok(looked || foreign.length === 0, `${caller.name}: each call is refused for its form`);
  return out;
}

describe('the ids of the document', () => {
  it('all have a kind that this test has an example of', () => {
    const kinds = operations.flatMap((operation) => idsOf(operation).map(({name, kind}) => [`${operation}: ${name}`, kind]));
    assert.deepEqual(kinds.filter(([, kind]) => typeof theirs[kind] !== 'string'), []);
    assert.ok(kinds.length > 80, `${kinds.length} ids`);
    for (const id of Object.values(theirs)) {
      assert.notEqual(none(id), id);
      assert.equal(none(id).length, id.length);
    }
  });
});

const isRead = ({method, path: where}) => method === 'GET' || /\.(get|list|changes|history|explain|audit|byProject)$/.test(where);
const kWithoutEnd = new Set(['presence.get']);  // an offline user looks like an unknown one

describe('existing things', () => {
  for (const operation of operations.filter((one) => isRead(one) && !kWithoutEnd.has(one.id) && idsOf(one).length > 0)) {
    it(`are shown to their owner: ${operation}`, async () => {
      const holders = [acme.operator, acme.key, ann, moderator].map((who) => ({name: who.label, who, friend: bob, own: theirs, foreign: who === acme.operator}));
      const answered = await Promise.all(holders.map((holder) => differencesOf(holder, operation)));
      assert.ok(answered.some((one) => one.length > 0), 'nobody learns anything here, so the tests below would prove nothing');
    });
  }
});

const kPaged = new Set(['cursor', 'before']);
const cursorOf = ({parameters, body}) => [...parameters.map(({name}) => name), ...Object.keys(body?.schema.properties ?? {})].find((name) => kPaged.has(name));
const kListedBy = {listPermissions: 'resource', 'thread.byProject': 'lbgId'};
const page = (operation, ids, more) => (
  requestOf(operation, idsOf(operation).filter(({required, name}) => required || kListedBy[operation.id] === name), ids, more));
const inside = (operation, values) => (operation.method === 'GET' ? {query: values} : {body: values});

/**
 * The cursor at the end of a list's first page, for a caller who may see it. `limit` is one, if the operation has a
 * limit.
 */
async function firstCursor(operation, ids) {
  const limited = [...operation.parameters.map(({name}) => name), ...Object.keys(operation.body?.schema.properties ?? {})].includes('limit');
  for (const who of [acme.key, ann, moderator, acme.operator]) {
    const {target, body} = page(operation, ids, inside(operation, limited ? {limit: 1} : {}));
    const {json} = await who.call(operation.method, target, body);
    if (typeof json?.cursor === 'string') return json.cursor;
  }
  return assert.fail(`nobody has a second page of ${operation}`);
}

const kOnePage = new Set(['outbox.list']);  // its pages are longer than this test's lists

describe('cursors of others are as invalid as made-up ones', () => {
  for (const operation of operations.filter((one) => cursorOf(one) && !kOnePage.has(one.id))) {
    it(String(operation), async () => {
      const name = cursorOf(operation);
      const idsFor = (of) => Object.fromEntries(idsOf(operation).map((one) => [one.name, of[one.kind]]));
      const cursor = await firstCursor(operation, idsFor(theirs));
      const spoilt = cursor.slice(0, 8) + (cursor[8] === 'A' ? 'B' : 'A') + cursor.slice(9);
      for (const caller of callers) {
        const [one, other] = await Promise.all([cursor, spoilt].map(async (text) => {
          const {target, body} = page(operation, idsFor(caller.own), inside(operation, {[name]: text}));
          return asTold(await caller.who.call(operation.method, target, body));
        }));
        assert.equal(one, other, `${caller.name}`);
        assert.ok(Number(one.slice(0, 3)) >= 400, `${caller.name}: ${one}`);
      }
    });
  }
});

/**
 * Users of a tenant may learn each other's names and see their avatars, and the holder of an invitation learns that it is for another
 * address.
 */
const isMeant = (caller, operation) => ['user.get', 'getAvatar', 'acceptInvite'].includes(operation.id) && !caller.foreign;
/** These run last, because they bind a thread of the caller to the requested project. */
const kBinding = ['thread.create', 'thread.promote'];
const inOrder = (all) => [...all].sort((a, b) => kBinding.indexOf(a.id) - kBinding.indexOf(b.id));

describe('existing and missing things are the same to callers without access', () => {
  for (const operation of inOrder(operations.filter((one) => idsOf(one).length > 0))) {
    it(String(operation), async () => {
      const answered = [];
      for (const caller of callers.filter((one) => !isMeant(one, operation))) {
        for (const {ids, one, other} of await differencesOf(caller, operation)) {
          answered.push(`${caller.name}, ${ids}:\n> there: ${one}\n> not there: ${other}`);
        }
      }
      assert.equal(answered.length, 0, answered.join('\n\n'));
    });
  }

  it('and the callers keep their own things', async () => {
    for (const {name, who, own} of callers.filter((one) => one.own.userId === one.who.userId || one.who.headers['parley-user'])) {
      const {status, text} = await who.call('POST', '/v1/ops/thread.get', {threadId: own.threadId});
      assert.equal(status, 200, `${name}: ${text}`);
    }
  });
});

describe('tables', () => {
  const kTable = 'acme.orders', kNone = 'acme.ordars';
  let owner, outsider;
  before(async () => {
    const of = (key) => clientOf(`${server.http}/v1/dynamodb`, {key});
    [owner, outsider] = [of(tableKeys.acme), of(tableKeys.bolt)];
    const definition = {
      KeySchema: [{AttributeName: 'id', KeyType: 'HASH'}], AttributeDefinitions: [{AttributeName: 'id', AttributeType: 'S'}],
      BillingMode: 'PAY_PER_REQUEST',
    };
    await owner.CreateTable({TableName: kTable, ...definition});
    await whenActive(owner, kTable);
    await outsider.CreateTable({TableName: 'bolt.orders', ...definition});
    await whenActive(outsider, 'bolt.orders');
    await owner.PutItem({TableName: kTable, Item: {id: {S: 'there'}}});
  });
  after(() => [owner, outsider].forEach((db) => db?.close()));

  const answerOf = async (db, name, input, words) => {
    const answered = await db[name](input).catch((error) => ({error: error.name, message: error.message, reasons: error.CancellationReasons}));
    return words.reduce((text, word) => text.replaceAll(word, '<asked>'), JSON.stringify(answered)).replaceAll(/\d{10}\.\d+|"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '<time>');
  };
  const Key = {id: {S: 'there'}};
  const put = (TableName) => ({Put: {TableName, Item: Key}});
  const kOfATable = {
    GetItem: (TableName) => ({TableName, Key}),
    PutItem: (TableName) => ({TableName, Item: Key, ReturnValues: 'ALL_OLD'}),
    UpdateItem: (TableName) => ({TableName, Key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: {':a': {S: 'a'}}, ReturnValues: 'ALL_OLD'}),
    DeleteItem: (TableName) => ({TableName, Key, ReturnValues: 'ALL_OLD'}),
    Query: (TableName) => ({TableName, KeyConditionExpression: 'id = :i', ExpressionAttributeValues: {':i': {S: 'there'}}}),
    Scan: (TableName) => ({TableName}),
    BatchGetItem: (TableName) => ({RequestItems: {[TableName]: {Keys: [Key]}}}),
    BatchWriteItem: (TableName) => ({RequestItems: {[TableName]: [{PutRequest: {Item: Key}}]}}),
    TransactWriteItems: (TableName) => ({TransactItems: [put(TableName)]}),
    TransactGetItems: (TableName) => ({TransactItems: [{Get: {TableName, Key}}]}),
    DescribeTable: (TableName) => ({TableName}),
    UpdateTable: (TableName) => ({TableName, BillingMode: 'PAY_PER_REQUEST'}),
    DescribeTimeToLive: (TableName) => ({TableName}),
    UpdateTimeToLive: (TableName) => ({TableName, TimeToLiveSpecification: {Enabled: true, AttributeName: 'ttl'}}),
    DeleteTable: (TableName) => ({TableName}),
  };
  const kOfAnItem = ['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems', 'PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

  const kMadeByServer = /[0-9a-z]{26}|[0-9a-f]{8}-|^t-acme|^PKT/;  // other tenants may use the same names
  const kNobodyElseHas = ['tenantId', 'keyId', 'apiKeyId', 'accessKeyId', 'inviteId', 'eventId', 'threadId', 'messageId'];

  for (const [name, input] of Object.entries(kOfATable)) {
    it(`${name} on a table of another tenant answers like on a missing table`, async () => {
      const answered = await answerOf(outsider, name, input(kTable), [kTable, kNone]);
      assert.equal(answered, await answerOf(outsider, name, input(kNone), [kTable, kNone]));
      assert.match(answered, /ResourceNotFoundException/);
    });
  }

  for (const name of kOfAnItem) {
    it(`${name} with a key that another tenant uses answers like with an unused key`, async () => {
      for (const id of ['there', 'thare']) await outsider.DeleteItem({TableName: 'bolt.orders', Key: {id: {S: id}}});
      const asked = (key) => JSON.parse(JSON.stringify(kOfATable[name]('bolt.orders')).replaceAll('"there"', `"${key}"`));
      const answered = await answerOf(outsider, name, asked('there'), ['there', 'thare']);
      assert.equal(answered, await answerOf(outsider, name, asked('thare'), ['there', 'thare']));
    });
  }

  /** An existing item of the owner and a missing one, in the key format of a table or an index. */
  const queries = ({TableName, KeySchema, GlobalSecondaryIndexes = []}, item) => (
    [{KeySchema}, ...GlobalSecondaryIndexes].flatMap(({IndexName, KeySchema: [{AttributeName}]}) => {
      const there = item[AttributeName]?.S;
      return there === undefined ? [] : [there, none(there)].map((text) => ({
        text, input: {TableName, IndexName, KeyConditionExpression: '#h = :h', ExpressionAttributeNames: {'#h': AttributeName}, ExpressionAttributeValues: {':h': {S: text}}},
      }));
    }));

  it('keys of another tenant\'s items in declared tables answer like unused keys', async () => {
    let asked = 0;
    for (const TableName of (await owner.ListTables({})).TableNames) {
      const {Table} = await owner.DescribeTable({TableName});
      const {Items = []} = TableName === 'messaging'
        ? {Items: [{pk: {S: `THR#${theirs.threadId}`}}]} : await owner.Scan({TableName});
      const mine = JSON.stringify(await outsider.Scan({TableName}).catch(() => ''));
      for (const item of Items.slice(0, 5)) {
        const pairs = queries(Table, item).filter(({text}) => kMadeByServer.test(text));
        for (let i = 0; i < pairs.length; i += 2) {
          const words = [pairs[i].text, pairs[i + 1].text];
          if (words.some((word) => mine.includes(word))) continue;
          const [one, other] = [await answerOf(outsider, 'Query', pairs[i].input, words), await answerOf(outsider, 'Query', pairs[i + 1].input, words)];
          assert.equal(one, other, JSON.stringify(pairs[i].input));
          asked += 1;
        }
      }
    }
    assert.ok(asked >= 5, `${asked} keys`);
  });

  it('the declared tables contain only the tenant\'s own records', async () => {
    const {TableNames} = await outsider.ListTables({});
    assert.ok(TableNames.length > 10 && !TableNames.includes(kTable), String(TableNames));
    let own = 0, hers = 0;
    for (const TableName of TableNames.filter((one) => one !== 'messaging')) {
      const [mine, other] = [JSON.stringify(await outsider.Scan({TableName})), JSON.stringify(await owner.Scan({TableName}).catch(() => ({})))];
      for (const kind of kNobodyElseHas) assert.ok(!mine.includes(theirs[kind]), `${TableName} tells ${kind}: ${mine}`);
      own += Number(mine.includes('bolt'));
      hers += Number(Object.values(theirs).some((id) => other.includes(id)));
    }
    assert.ok(own > 0 && hers > 4, `${own} ${hers}`);
  });

  it('these requests changed nothing', async () => {
    assert.deepEqual((await owner.Scan({TableName: kTable})).Items, [Key]);
  });
});
