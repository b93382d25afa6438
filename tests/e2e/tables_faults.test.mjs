// Faulty requests about tables, also sent to dynalite: the same error with the same message.
import * as sdk from '@aws-sdk/client-dynamodb';
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {startEndpoint} from './lib/tables/endpoints.mjs';

let endpoints;
before(async () => { endpoints = await Promise.all(['parley', 'dynalite'].map((name) => startEndpoint(name))); });
after(async () => { for (const endpoint of endpoints ?? []) await endpoint.stop(); });

/** Sends the body unchanged, which the SDK would not. → "Name: message" */
async function ask({db}, operation, body) {
  const command = new sdk[`${operation}Command`]({TableName: 'any'});
  const text = JSON.stringify(body);
  command.middlewareStack.add((next) => ({request, ...args}) => {
    Object.assign(request, {body: text});
    request.headers['content-length'] = `${Buffer.byteLength(text)}`;
    return next({request, ...args});
  }, {step: 'build', priority: 'low'});
  return db.client.send(command).then(() => 'taken', (error) => `${error.name}: ${error.message}`);
}

const pairs = (second) => (text) => text.split(', ').filter(Boolean).map((pair) => {
  const [AttributeName, value] = pair.split(' ');
  return {AttributeName, [second]: value};
});
const attributes = pairs('AttributeType'), keys = pairs('KeyType');
const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ReadCapacityUnits, WriteCapacityUnits});
const table = (more) => ({
  TableName: 'notes', AttributeDefinitions: attributes('a S'), KeySchema: keys('a HASH'), BillingMode: 'PAY_PER_REQUEST', ...more});
const index = (text, more) => ({IndexName: 'abc', KeySchema: keys(text), Projection: {ProjectionType: 'ALL'}, ...more});
const two = {AttributeDefinitions: attributes('a S, b S')};
const global = (...GlobalSecondaryIndexes) => table({...two, GlobalSecondaryIndexes});
const local = (...LocalSecondaryIndexes) => table({...two, KeySchema: keys('a HASH, b RANGE'), LocalSecondaryIndexes});
const many = (count, text) => Array.from({length: count}, (_, i) => index(text, {IndexName: `abc${i}`}));
const update = (more) => ({TableName: 'notes', ...more});
const indexUpdates = (...GlobalSecondaryIndexUpdates) => update({GlobalSecondaryIndexUpdates});
const provisioned = (units) => table({BillingMode: undefined, ProvisionedThroughput: units});

const kCases = {
  CreateTable: [
    {}, {TableName: 'ab'}, {TableName: 'a;c'}, {TableName: 5}, table({TableName: 'x'.repeat(256)}),
    table({AttributeDefinitions: attributes('a X')}), table({AttributeDefinitions: [{}]}), table(two),
    table({KeySchema: []}), table({KeySchema: [{}]}), table({KeySchema: {}}), table({KeySchema: 'a'}), table({KeySchema: ['a']}),
    ...['a HASHED', 'a HASH, b RANGE', 'b HASH', 'a RANGE'].map((text) => table({KeySchema: keys(text)})),
    ...['a HASH, a RANGE', 'a HASH, b HASH', 'a HASH, c RANGE'].map((text) => table({...two, KeySchema: keys(text)})),
    table({BillingMode: 'free'}), table({BillingMode: 'PROVISIONED'}), table({BillingMode: undefined}),
    table({ProvisionedThroughput: units(1, 1)}), table({ProvisionedThroughput: 'x'}), provisioned(units(0, -1)), provisioned({ReadCapacityUnits: 1}),
    provisioned(units(1_000_000_000_001, 1)), provisioned(units(1, 1_000_000_000_001)),
    local(), local({}), table({LocalSecondaryIndexes: [index('a HASH, b RANGE')]}), local(...many(6, 'a HASH, b RANGE')),
    ...['a HASH', 'b HASH, a RANGE', 'a HASH, a RANGE', 'a RANGE, b RANGE', 'a HASH, b HASH', 'a HASH, x RANGE'].map((text) => local(index(text))),
    global(), global({IndexName: 'a;'}), global(...many(21, 'b HASH')), global(index('b HASH'), index('b HASH')),
    ...['b HASH, b RANGE', 'b RANGE', 'b RANGE, a HASH', 'x HASH'].map((text) => global(index(text))),
    ...[{}, {ProjectionType: 'SOME'}, {ProjectionType: 'ALL', NonKeyAttributes: ['x']}, {NonKeyAttributes: []}].map((Projection) => global(index('b HASH', {Projection}))),
    global(index('b HASH', {ProvisionedThroughput: units(1, 1)})),
  ],
  DescribeTable: [{}, {TableName: 'ab'}, {TableName: 'none'}],
  DeleteTable: [{}, {TableName: 'none'}],
  DescribeTimeToLive: [{}, {TableName: 'none'}],
  ListTables: [{Limit: 0}, {Limit: 101}, {Limit: 'x'}, {ExclusiveStartTableName: 'a'}, {ExclusiveStartTableName: 'a;;'}],
  UpdateTable: [
    {}, update({}), update({BillingMode: 'PROVISIONED'}), update({ProvisionedThroughput: units(1, 0)}), update({ProvisionedThroughput: units(1, 1)}),
    update({TableName: 'none', BillingMode: 'PAY_PER_REQUEST'}), update({BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1_000_000_000_001, 1)}),
    indexUpdates(), indexUpdates({}), indexUpdates({Delete: {}}), indexUpdates({Update: {IndexName: 'abc'}}),
    indexUpdates({Delete: {IndexName: 'abc'}}, {Delete: {IndexName: 'abc'}}),
  ],
};

// Amazon's current message about the length of a name, which dynalite lacks: the service reports it together with all other
// faults.
const refused = (...faults) =>
  `ValidationException: ${faults.length} validation error${faults.length > 1 ? 's' : ''} detected: ${faults.join('; ')}`;
const fault = (value, member, constraint) => `Value ${value} at '${member}' failed to satisfy constraint: Member must ${constraint}`;
const short = fault("'ab'", 'tableName', 'have length greater than or equal to 3');
const kToday = new Map([
  ['CreateTable {"TableName":"ab"}', refused(fault('null', 'attributeDefinitions', 'not be null'), short, fault('null', 'keySchema', 'not be null'))],
  [`CreateTable ${JSON.stringify(table({TableName: 'x'.repeat(256)}))}`,
    refused(fault(`'${'x'.repeat(256)}'`, 'tableName', 'have length less than or equal to 255'))],
  ['DescribeTable {"TableName":"ab"}', refused(short)],
]);

test('faulty requests about tables are refused with the same messages', async () => {
  for (const endpoint of endpoints) assert.equal(await ask(endpoint, 'CreateTable', table({})), 'taken');
  for (const [operation, bodies] of Object.entries(kCases)) {
    for (const body of bodies) {
      const [ours, theirs] = await Promise.all(endpoints.map((endpoint) => ask(endpoint, operation, body)));
      assert.notEqual(theirs, 'taken', `${operation} ${JSON.stringify(body)}`);
      const request = `${operation} ${JSON.stringify(body)}`;
      assert.equal(ours, kToday.get(request) ?? theirs, request);
    }
  }
});
