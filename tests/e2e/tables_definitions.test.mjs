// Definitions of tables with one mistake each, at our server, dynalite and dynoxide: refused with the same error or accepted by
// all, except for the listed differences.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {createInput} from './lib/tables/declarations.mjs';
import {dynoxideBinary, startEndpoint} from './lib/tables/endpoints.mjs';
import {kTables} from './lib/tables/random_values.mjs';

const servers = [];
before(async () => {
  servers.push(...await Promise.all(['parley', 'dynalite', ...(dynoxideBinary() ? ['dynoxide'] : [])].map((name) => startEndpoint(name))));
});
after(async () => {
  await servers[0]?.check();
  await Promise.all(servers.map((server) => server.stop()));
});

const definition = kTables.find((table) => table.name === 'rs');
const global = (input, i = 0) => input.GlobalSecondaryIndexes[i];
const local = (input, i = 0) => input.LocalSecondaryIndexes[i];
const key = (AttributeName, KeyType) => ({AttributeName, KeyType});
const many = (count, make) => Array.from({length: count}, (_, i) => make(i));
const index = (IndexName, hash = 'g') => ({IndexName, KeySchema: [key(hash, 'HASH')], Projection: {ProjectionType: 'ALL'}});

/** [what, change(input), {server that deviates from DynamoDB: how}] */
const kMistakes = [
  ['nothing wrong', () => {}],
  ['no table name', (input) => { delete input.TableName; }],
  ['a short name', (input) => { input.TableName = 'ab'; }],
  ['a long name', (input) => { input.TableName = 'a'.repeat(256); }],
  ['a name with a space', (input) => { input.TableName = 'a b c'; }],
  ['no key schema', (input) => { delete input.KeySchema; }],
  ['an empty key schema', (input) => { input.KeySchema = []; }],
  ['three keys', (input) => { input.KeySchema.push(key('g', 'RANGE')); }],
  ['the range first', (input) => { input.KeySchema.reverse(); }],
  ['two hashes', (input) => { input.KeySchema[1].KeyType = 'HASH'; }],
  ['the same attribute twice', (input) => { input.KeySchema[1].AttributeName = 'p'; }],
  ['a type of key that is none', (input) => { input.KeySchema[0].KeyType = 'OTHER'; }],
  ['no attribute definitions', (input) => { delete input.AttributeDefinitions; }],
  ['a key that is not defined', (input) => { input.KeySchema[0].AttributeName = 'q'; }],
  ['an attribute that no key uses', (input) => { input.AttributeDefinitions.push({AttributeName: 'q', AttributeType: 'S'}); }, {dynalite: 'counts no attributes'}],
  ['an attribute defined twice', (input) => { input.AttributeDefinitions.push({AttributeName: 'p', AttributeType: 'S'}); }, {dynalite: 'counts no attributes'}],
  ['an attribute of a type that no key has', (input) => { input.AttributeDefinitions[0].AttributeType = 'BOOL'; }],
  ['no billing mode and no throughput', (input) => { delete input.BillingMode; }, {dynoxide: 'asks for neither'}],
  ['throughput with requests that are paid each', (input) => { input.ProvisionedThroughput = {ReadCapacityUnits: 1, WriteCapacityUnits: 1}; }],
  ['provisioned without throughput', (input) => { input.BillingMode = 'PROVISIONED'; }],
  ['a billing mode that is none', (input) => { input.BillingMode = 'FREE'; }],
  ['an empty list of global indexes', (input) => { input.GlobalSecondaryIndexes = []; }],
  ['an empty list of local indexes', (input) => { input.LocalSecondaryIndexes = []; }],
  ['two indexes of one name', (input) => { global(input, 1).IndexName = global(input).IndexName; }],
  ['one name for a global and a local index', (input) => { local(input).IndexName = global(input).IndexName; }],
  ['an index without a projection', (input) => { delete global(input).Projection; }],
  ['an index without keys', (input) => { delete global(input).KeySchema; }],
  ['a projection that is none', (input) => { global(input).Projection = {ProjectionType: 'SOME'}; }],
  ['an included list without attributes', (input) => { global(input).Projection = {ProjectionType: 'INCLUDE'}; }, {dynalite: 'lets the list be missing'}],
  ['attributes beside everything', (input) => { global(input).Projection = {ProjectionType: 'ALL', NonKeyAttributes: ['a']}; }],
  ['an index over an attribute that is not defined', (input) => { global(input).KeySchema[0].AttributeName = 'q'; }],
  ['a local index with another hash', (input) => { local(input).KeySchema[0].AttributeName = 'g'; }],
  ['a local index without a range', (input) => { local(input).KeySchema.pop(); }],
  ['21 global indexes', (input) => { input.GlobalSecondaryIndexes.push(...many(19, (i) => index(`more-${i}`))); }],
  ['6 local indexes', (input) => {
    input.LocalSecondaryIndexes.push(...many(4, (i) => ({IndexName: `more-${i}`, KeySchema: [key('p', 'HASH'), key('n', 'RANGE')], Projection: {ProjectionType: 'ALL'}})));
  }],
  ['a local index on a table without a range', (input) => { input.KeySchema.pop(); input.AttributeDefinitions = input.AttributeDefinitions.filter((one) => one.AttributeName !== 'r'); }],
];

/** Returns 'taken' or the name of the error. */
async function outcome(server, input) {
  try {
    await server.db.CreateTable(input);
    return 'taken';
  } catch (error) {
    return error.name;
  }
}

for (const [i, [what, change, known = {}]] of kMistakes.entries()) {
  test(`a table with ${what} has the same outcome`, async () => {
    const outcomes = {};
    for (const server of servers) {
      const input = structuredClone(createInput(`definition.${i}`, definition));
      change(input);
      outcomes[server.name] = await outcome(server, input);
    }
    const {parley, ...others} = outcomes;
    for (const [name, theirs] of Object.entries(others)) {
      if (!known[name]) assert.equal(parley, theirs, `${name}: ${JSON.stringify(outcomes)}`);
    }
  });
}
