// The table `messaging` through Amazon's SDK: messages sent by Parley's own operations are read as items.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {isInvalid, refused} from './lib/tables/client.mjs';
import {startEndpoint} from './lib/tables/endpoints.mjs';
import {Session} from './lib/client.mjs';
import {demoToken} from './lib/http.mjs';
import {upload} from './lib/file_calls.mjs';
import {pdf} from './lib/uploads.mjs';
import {fresh} from './lib/world.mjs';

let endpoint, db, ann, bob;
before(async () => {
  endpoint = await startEndpoint('parley');
  db = endpoint.db;
  [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => Session.as(endpoint.server, fresh(name))));
});
after(async () => {
  await Promise.all([ann?.drop(), bob?.drop()]);
  await endpoint?.check();
  await endpoint?.stop();
});

const TableName = 'messaging';
const kInbox = {IndexName: 'GSI1', hash: 'GSI1PK'};
const kProject = {IndexName: 'GSI2', hash: 'GSI2PK'};

/** All items of a partition, in pages of `Limit`. */
async function rows(value, {IndexName, hash = 'pk', begins, Limit = 100, ...more} = {}) {
  const items = [];
  let ExclusiveStartKey;
  do {
    const page = await db.Query({
      TableName, IndexName, Limit, ExclusiveStartKey, ...more,
      KeyConditionExpression: `${hash} = :h${begins ? ' AND begins_with(sk, :b)' : ''}`,
      ExpressionAttributeValues: {':h': {S: value}, ...(begins && {':b': {S: begins}})}});
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

let threads = 0;
async function project(more = {}) {
  threads += 1;
  const {thread} = await ann.request('thread.create', {
    kind: 'project', buyerUserId: ann.userId, sellerUserId: bob.userId, clientId: `t${threads}`, ...more});
  return thread;
}
const say = (who, {threadId}, body) => who.request('message.send', {threadId, clientId: body, type: 'text', body});
const sorts = (items) => items.map((item) => item.sk.S);
const ids = (items) => items.map((item) => item.pk.S.replace('THR#', ''));

test('MSG-1 MSG-2 MSG-3 a thread is read with all its items', async () => {
  const thread = await project({city: 'Houston'});
  const pk = `THR#${thread.threadId}`;
  const said = [];
  for (const body of ['one', 'two', 'three']) said.push(await say(ann, thread, body));
  const keys = said.map(({createdAt, messageId}) => `MSG#${createdAt}#${messageId}`);
  const all = await rows(pk);
  assert.deepEqual(sorts(all), [...keys, ...[ann, bob].map((who) => `PART#${who.userId}`).sort(), 'THR']);
  const head = all.at(-1);
  assert.deepEqual([head.kind, head.city, head.status, head.lbgId, head.createdAt, head.lastMessageAt],
                   [{S: 'project'}, {S: 'Houston'}, {S: 'open'}, {NULL: true}, {S: thread.createdAt}, {S: said[2].createdAt}]);
  for (const Limit of [1, 2, 3, 4]) assert.deepEqual(await rows(pk, {Limit}), all);
  assert.deepEqual(await rows(pk, {ScanIndexForward: false, Limit: 2}), [...all].reverse());
  assert.deepEqual(sorts(await rows(pk, {begins: 'PART#'})), sorts(all).slice(3, 5));
  const some = await db.Query({
    TableName, KeyConditionExpression: 'pk = :h AND sk BETWEEN :a AND :b', ProjectionExpression: 'body',
    ExpressionAttributeValues: {':h': {S: pk}, ':a': {S: keys[0]}, ':b': {S: keys[1]}}});
  assert.deepEqual(some.Items, [{body: {S: 'one'}}, {body: {S: 'two'}}]);
  const {Item} = await db.GetItem({TableName, Key: {pk: {S: pk}, sk: {S: keys[2]}}});
  assert.deepEqual([Item.body, Item.authorUserId], [{S: 'three'}, {S: ann.userId}]);
});

/**
 * Waits until the clock has left the millisecond of the newest thread: within one millisecond an inbox is ordered by
 * thread id.
 */
async function aMomentAfter({createdAt}) {
  while (Date.now() <= Date.parse(createdAt)) await new Promise(setImmediate);
}

test('an upload is an attachment as other readers know it, with its own fields beside', async () => {
  const {threadId} = await project();
  const pk = `THR#${threadId}`;
  const token = await demoToken(endpoint.server, ann.userId);
  const attachmentId = await upload(endpoint.server, token, {threadId, name: 'plan.pdf', mime: 'application/pdf'}, pdf(3000));
  await ann.request('message.send', {threadId, clientId: 'file', type: 'asset', body: '', attachments: [
    {attachmentId}, {manifestRef: 'https://a.example/m', mime: 'application/json'}]});
  const [message] = await rows(pk, {begins: 'MSG#'});
  const [file, manifest] = message.attachments.L.map(({M}) => M);
  assert.deepEqual([file.kind, file.s3Key, file.mime], [{S: 'preview'}, {S: attachmentId}, {S: 'application/pdf'}]);
  assert.deepEqual([file.attachmentId, file.name, file.size, file.state, file.by],
                   [{S: attachmentId}, {S: 'plan.pdf'}, {N: '3000'}, {S: 'ready'}, {S: ann.userId}]);
  assert.match(file.sha256.S, /^[0-9a-f]{64}$/);
  assert.deepEqual(manifest, {kind: {S: 'manifest'}, manifestRef: {S: 'https://a.example/m'}, mime: {S: 'application/json'}});
  await ann.request('tab.put', {threadId, tab: 'moodboard', version: 0, content: {pins: [{id: 'p', attribution: 'me', attachmentId}]}});
  const [tab] = await rows(pk, {begins: 'TAB#moodboard'});
  assert.deepEqual(tab.snapshot.M.pins.L[0].M.attachment.M.state, {S: 'ready'});
});

test('MSG-4 an inbox is read newest first, as soon as a message is acknowledged', async () => {
  const made = [await project(), await project(), await project()];
  await aMomentAfter(made[2]);
  for (const thread of [made[1], made[0], made[2], made[0]]) {
    await say(bob, thread, `m${threads += 1}`);
    const [first] = await rows(`PARTICIPANT#${ann.userId}`, {...kInbox, Limit: 1});
    assert.equal(first.pk.S, `THR#${thread.threadId}`);
  }
  const items = await rows(`PARTICIPANT#${ann.userId}`, kInbox);
  assert.deepEqual(ids(items).slice(0, 3), [made[0], made[2], made[1]].map((thread) => thread.threadId));
  const keys = items.map((item) => item.GSI1SK.S);
  assert.deepEqual(keys, [...keys].sort());
  assert.deepEqual(await rows(`PARTICIPANT#${ann.userId}`, {...kInbox, Limit: 1}), items);
});

test('MSG-5 threads are found by their booking group and by their leg', async () => {
  const [lbgId, legId] = [fresh('lbg'), fresh('leg')];
  const made = [await project({lbgId}), await project({lbgId, legId})];
  assert.deepEqual(ids(await rows(`LBG#${lbgId}`, kProject)), made.map((thread) => thread.threadId));
  assert.deepEqual(ids(await rows(`LEG#${legId}`, kProject)), [made[1].threadId]);
});

test('the view cannot be written or scanned', async () => {
  const {threadId} = await project();
  const Key = {pk: {S: `THR#${threadId}`}, sk: {S: 'THR'}};
  await refused(db.PutItem({TableName, Item: Key}), 'AccessDeniedException');
  await refused(db.DeleteItem({TableName, Key}), 'AccessDeniedException');
  await isInvalid(db.Scan({TableName}), /Query it by pk/);
});
