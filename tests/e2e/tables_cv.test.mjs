// Seed 004's access patterns (CV-…) through Amazon's SDK: conversations on many channels, four global and four local indexes.
// Sending, signatures and the assistant's runs belong to the services and are not tested here.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {failsCondition, isInvalid, taken} from './lib/tables/client.mjs';
import {inParallel, seconds, withTables} from './lib/tables/suite.mjs';
import {av} from './lib/tables/values.mjs';

const tables = withTables();
const kTel = '+447123456789';
const kCompany = '+447588713814';

const row = (id, more) => ({
  primary_channel: kTel, conversation_id: `ci-1#pi-1#${id}#447588713814`, recipient_tel: kTel, company_id: 'ci-1', project_id: 'pi-1',
  channel_method: 'whatsapp', conversation_status: 'processing', request_id: id, messages: [], created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:00:00.000Z', task_complete: 0, comms_consent: true, function_call: false, hand_off_to_human: false,
  gsi_recipient_tel: kTel, gsi_company_whatsapp_number: kCompany, ...more});
const requests = (rows) => rows.map((one) => one.request_id);
const byLocal = (table, index, name, value, options = {}) => table.query('primary_channel = :p AND #n = :v', {':p': kTel, ':v': value},
  {IndexName: index, names: {'#n': name}, ConsistentRead: true, ...options});
const kAllIndexes = ['company-id-project-id-index', 'company-whatsapp-number-recipient-tel-index', 'created-at-index', 'task-complete-index',
                     'conversation-status-index', 'channel-method-index'];

test('CV-1 a conversation is started once; the same request again is a duplicate', async () => {
  const table = await tables.seed('conversations-dev');
  const start = (more) => table.create(row('r1', more), {names: {'#hash': 'conversation_id'}});
  const outcomes = await inParallel(10, (i) => taken(start({router_version: `${i}`})), 10);
  assert.equal(outcomes.filter(Boolean).length, 1);
  assert.equal((await table.get(row('r1'))).router_version, `${outcomes.indexOf(true)}`);
});

test('CV-1 an error of the store can be distinguished from a duplicate', async () => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  await failsCondition(table.create(row('r1')));
  await isInvalid(table.create({...row('r1'), primary_channel: undefined}), /[Mm]issing the key|validation/i);
  await assert.rejects(tables.db.PutItem({TableName: `${table.name}-gone`, Item: {primary_channel: av('a'), conversation_id: av('b')}}),
                       {name: 'ResourceNotFoundException'});
});

test('CV-2 messages and status change in one write, from an absent list too, and many writers lose none', async () => {
  const table = await tables.seed('conversations-dev');
  const {messages, ...bare} = row('r1');
  assert.deepEqual(messages, []);
  await table.put(bare);
  const append = (i) => table.update(bare, 'SET messages = list_append(if_not_exists(messages, :none), :new), conversation_status = :s, updated_at = :t', {
    ':none': [], ':new': [{message_id: `u${i}`, role: 'user'}, {message_id: `a${i}`, role: 'assistant', total_tokens: i}], ':s': 'reply_sent', ':t': `${i}`});
  await inParallel(40, append, 8);
  const stored = await table.get(bare);
  assert.equal(stored.messages.length, 80);
  stored.messages.forEach((message, i) => i % 2 === 1 && assert.equal(message.message_id.slice(1), stored.messages[i - 1].message_id.slice(1)));
  assert.equal(stored.conversation_status, 'reply_sent');
});

test('CV-3 one of many who lock a conversation succeeds; the last write checks that it still has the lock', async () => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  const lock = () => taken(table.update(row('r1'), 'SET conversation_status = :l', {':l': 'processing_reply'},
    {ConditionExpression: 'attribute_not_exists(conversation_status) OR conversation_status <> :l'}));
  assert.equal((await inParallel(10, lock, 10)).filter(Boolean).length, 1);
  const finish = () => table.update(row('r1'), 'SET conversation_status = :d', {':d': 'reply_sent', ':l': 'processing_reply'},
                                    {ConditionExpression: 'conversation_status = :l'});
  await finish();
  await failsCondition(finish());
  assert.equal(await lock(), true, 'a status that was released can be locked again');
  await table.update(row('r1'), 'REMOVE conversation_status');
  assert.equal(await lock(), true, 'and so can an absent one');
});

test('CV-4 a conversation is found by both its keys', async () => {
  const table = await tables.seed('conversations-dev');
  const full = row('r1', {project_data: {job_ref: 'JR123'}, email_id: null, allowed_channels: ['whatsapp', 'email'], processing_time_ms: 1500});
  await table.put(full);
  assert.deepEqual(await table.get(full), full);
  assert.deepEqual(await table.get(full, {ProjectionExpression: 'project_data.job_ref, allowed_channels[1], nothing'}),
                   {project_data: {job_ref: 'JR123'}, allowed_channels: ['email']});
});

test('CV-5 all conversations of a recipient in order of their ids', async () => {
  const table = await tables.seed('conversations-dev');
  await table.putAll([row('r3'), row('r1'), row('r2'), row('r0', {primary_channel: '+44700'})]);
  assert.deepEqual(requests(await table.query('primary_channel = :p', {':p': kTel})), ['r1', 'r2', 'r3']);
});

test('CV-6 conversations of a recipient between two times, in both directions', async () => {
  const table = await tables.seed('conversations-dev');
  await table.putAll([1, 2, 3, 4, 5].map((day) => row(`r${6 - day}`, {created_at: `2026-03-0${day}T10:00:00.000Z`})));
  const between = (options) => table.query('primary_channel = :p AND created_at BETWEEN :a AND :b',
    {':p': kTel, ':a': '2026-03-02T10:00:00.000Z', ':b': '2026-03-04T10:00:00.000Z'}, {IndexName: 'created-at-index', ...options});
  assert.deepEqual(requests(await between()), ['r4', 'r3', 'r2']);
  assert.deepEqual(requests(await between({ScanIndexForward: false})), ['r2', 'r3', 'r4']);
});

test('CV-7 open and finished conversations by number', async (t) => {
  if (tables.needs(t, 'tieOrder')) return;
  const table = await tables.seed('conversations-dev');
  await table.putAll([row('r2'), row('r1'), row('r3', {task_complete: 1})]);
  assert.deepEqual(requests(await byLocal(table, 'task-complete-index', 'task_complete', 0)), ['r1', 'r2'], 'then by id');
  assert.deepEqual(requests(await byLocal(table, 'task-complete-index', 'task_complete', 1)), ['r3']);
  await table.update(row('r1'), 'SET task_complete = :one', {':one': 1});
  assert.deepEqual(requests(await byLocal(table, 'task-complete-index', 'task_complete', 1)), ['r1', 'r3']);
});

test('CV-7 a local index with a number orders 0 < 1 < 2 < 10, not as text', async () => {
  const table = await tables.seed('conversations-dev');
  const numbers = [10, 2, 0, 1, -3, 0.5, 1e20, -1e20, 9];
  await table.putAll(numbers.map((task_complete, i) => row(`r${i}`, {task_complete})));
  const sorted = [...numbers].sort((a, b) => a - b);
  const list = (options) => table.query('primary_channel = :p', {':p': kTel}, {IndexName: 'task-complete-index', ...options});
  assert.deepEqual((await list()).map((one) => Number(one.task_complete.text ?? one.task_complete)), sorted);
  assert.deepEqual((await list({ScanIndexForward: false})).map((one) => Number(one.task_complete.text ?? one.task_complete)), [...sorted].reverse());
  const above = await table.query('primary_channel = :p AND task_complete > :one', {':p': kTel, ':one': 1}, {IndexName: 'task-complete-index', Limit: 3});
  assert.deepEqual(above.map((one) => Number(one.task_complete.text ?? one.task_complete)), [2, 9, 10, 1e20]);
});

test('CV-8 a change of status moves the entry, a channel is found by its name', async (t) => {
  if (tables.needs(t, 'tieOrder')) return;
  const table = await tables.seed('conversations-dev');
  await table.putAll([row('r1'), row('r2', {channel_method: 'sms'})]);
  const of = async (status) => requests(await byLocal(table, 'conversation-status-index', 'conversation_status', status));
  assert.deepEqual(await of('processing'), ['r1', 'r2']);
  await table.update(row('r1'), 'SET conversation_status = :s', {':s': 'failed_unknown'});
  assert.deepEqual([await of('processing'), await of('failed_unknown')], [['r2'], ['r1']]);
  const failed = await table.query('primary_channel = :p AND begins_with(conversation_status, :f)', {':p': kTel, ':f': 'failed_'}, {IndexName: 'conversation-status-index'});
  assert.deepEqual(requests(failed), ['r1']);
  assert.deepEqual(requests(await byLocal(table, 'channel-method-index', 'channel_method', 'sms')), ['r2']);
});

test('CV-9 conversations of a company, and of one of its projects', async () => {
  const table = await tables.seed('conversations-dev');
  await table.putAll([row('r1', {project_id: 'pi-2'}), row('r2'), row('r3', {company_id: 'ci-2'})]);
  const list = (condition, values) => table.query(condition, values, {IndexName: 'company-id-project-id-index'});
  assert.deepEqual((await list('company_id = :c', {':c': 'ci-1'})).map((one) => one.project_id), ['pi-1', 'pi-2']);
  assert.deepEqual(requests(await list('company_id = :c AND project_id = :p', {':c': 'ci-1', ':p': 'pi-2'})), ['r1']);
});

test('CV-10 a reply is added to the newest open conversation of the pair', async () => {
  const table = await tables.seed('conversations-dev');
  await table.putAll([
    row('r1', {created_at: '2026-03-01T10:00:00.000Z'}),
    row('r2', {created_at: '2026-03-03T10:00:00.000Z', task_complete: 1}),
    row('r3', {created_at: '2026-03-02T10:00:00.000Z'}),
    row('r4', {gsi_recipient_tel: '+440', created_at: '2026-03-09T10:00:00.000Z'}),
  ]);
  const match = async (tel) => {
    const open = await table.query('gsi_company_whatsapp_number = :c AND gsi_recipient_tel = :r', {':c': kCompany, ':r': tel, ':open': 0},
                                   {IndexName: 'company-whatsapp-number-recipient-tel-index', FilterExpression: 'task_complete = :open'});
    return open.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]?.request_id;
  };
  assert.equal(await match(kTel), 'r3');
  assert.equal(await match('+441'), undefined);
});

test('CV-10 a binding is found only by its own channel: the other indexes are sparse', async () => {
  const table = await tables.seed('conversations-dev');
  const sms = {gsi_company_whatsapp_number: undefined, gsi_company_sms_number: kCompany, channel_method: 'sms'};
  const email = {gsi_company_whatsapp_number: undefined, gsi_recipient_tel: undefined, gsi_company_email: 'c@x.test', gsi_recipient_email: 'r@x.test', channel_method: 'email'};
  await table.putAll([row('r1'), row('r2', sms), row('r3', email)]);
  const all = async (IndexName) => requests(await table.scan({IndexName}));
  assert.deepEqual(await all('company-whatsapp-number-recipient-tel-index'), ['r1']);
  assert.deepEqual(await all('company-sms-number-recipient-tel-index'), ['r2']);
  assert.deepEqual(await all('company-email-recipient-email-index'), ['r3']);
});

test('CV a row is in the SMS index while its number is set', async () => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  const listed = async () => requests(await table.query('gsi_company_sms_number = :c', {':c': kCompany}, {IndexName: 'company-sms-number-recipient-tel-index'}));
  assert.deepEqual(await listed(), []);
  await table.update(row('r1'), 'SET gsi_company_sms_number = :c', {':c': kCompany});
  assert.deepEqual(await listed(), ['r1']);
  await table.update(row('r1'), 'REMOVE gsi_company_sms_number');
  assert.deepEqual(await listed(), []);
});

test('CV null, another type or an empty value in an attribute of an index key is refused', async (t) => {
  if (tables.needs(t, 'indexKeyTypes')) return;
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  for (const wrong of [null, 7, '', ['x'], {a: 1}]) {
    await isInvalid(table.put(row('r2', {gsi_company_sms_number: wrong})));
    await isInvalid(table.update(row('r1'), 'SET gsi_company_sms_number = :w', {':w': wrong}));
  }
  await isInvalid(table.put(row('r2', {task_complete: '0'})));
  assert.equal(await table.get(row('r2')), undefined);
  assert.deepEqual(await table.get(row('r1')), row('r1'));
});

/** The companion tables of the programs that use conversations. */
const kStage = {name: 'stage', keys: {hash: {name: 'conversation_id', type: 'S'}, range: {name: 'message_sid', type: 'S'}}, ttl: 'expires_at'};
const kLock = {name: 'lock', keys: {hash: {name: 'conversation_id', type: 'S'}}, ttl: 'expires_at'};

test('CV-11 a fragment that comes twice is one row', async () => {
  const stage = await tables.made(kStage);
  const fragment = {conversation_id: 'c', message_sid: 'SM1', body: 'hello', received_at: '2026-03-01T10:00:00.000Z', expires_at: seconds() + 70};
  await stage.put(fragment);
  await stage.put(fragment);
  assert.equal((await stage.query('conversation_id = :c', {':c': 'c'}, {ConsistentRead: true})).length, 1);
});

test('CV-12 one of simultaneous fragments schedules the batch; an expired lock does not block the next', async (t) => {
  const lock = await tables.made(kLock);
  const schedule = (until) => taken(lock.create({conversation_id: 'c', expires_at: until}));
  assert.equal((await inParallel(20, () => schedule(seconds() + 70), 20)).filter(Boolean).length, 1);
  if (tables.needs(t, 'expiry')) return;
  await lock.put({conversation_id: 'c', expires_at: seconds() - 1});
  assert.equal(await schedule(seconds() + 70), true);
});

test('CV-13 a batch is read consistently, in order of time and then of id, and deleted as a whole', async () => {
  const stage = await tables.made(kStage);
  const fragments = Array.from({length: 30}, (_, i) => ({conversation_id: 'c', message_sid: `SM${(i * 7) % 30}`, received_at: `2026-03-01T10:00:${String(i % 10).padStart(2, '0')}.000Z`, expires_at: seconds() + 70}));
  await inParallel(fragments.length, (i) => stage.put(fragments[i]), 8);
  const batch = await stage.query('conversation_id = :c', {':c': 'c'}, {ConsistentRead: true});
  assert.equal(batch.length, fragments.length);
  const late = {conversation_id: 'c', message_sid: 'LATE', received_at: '2026-03-01T10:00:11.000Z', expires_at: seconds() + 70};
  await stage.put(late);
  for (let i = 0; i < batch.length; i += 25) {
    await tables.db.BatchWriteItem({RequestItems: {[stage.name]: batch.slice(i, i + 25).map((one) => ({DeleteRequest: {Key: stage.key(one)}}))}});
  }
  assert.deepEqual(await stage.query('conversation_id = :c', {':c': 'c'}, {ConsistentRead: true}), [late], 'what came after the reading stays');
});

test('CV-14 a failure is a status with its reason', async () => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  const after = await table.update(row('r1'), 'SET conversation_status = :s, failure_reason = :r, updated_at = :t',
    {':s': 'failed_to_send_message', ':r': 'timeout', ':t': '2026-03-01T11:00:00.000Z'}, {ReturnValues: 'ALL_NEW'});
  assert.deepEqual(after, {...row('r1'), conversation_status: 'failed_to_send_message', failure_reason: 'timeout', updated_at: '2026-03-01T11:00:00.000Z'});
});

test('CV-15 an expired conversation has left all its indexes', async (t) => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1', {ttl: seconds() + 3600}));
  for (const IndexName of kAllIndexes) assert.equal((await table.scan({IndexName})).length, 1, IndexName);
  if (tables.needs(t, 'expiry')) return;
  await table.update(row('r1'), 'SET #t = :past', {':past': seconds() - 1}, {names: {'#t': 'ttl'}});
  for (const IndexName of kAllIndexes) assert.equal((await table.scan({IndexName})).length, 0, IndexName);
});

test('CV-15 a deleted conversation has left all its indexes', async () => {
  const table = await tables.seed('conversations-dev');
  await table.put(row('r1'));
  await table.delete(row('r1'));
  for (const IndexName of kAllIndexes) assert.equal((await table.scan({IndexName})).length, 0, IndexName);
});
