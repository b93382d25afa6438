// The object mapper dynamoose from npm on a real server: it creates and changes its tables itself, and reads and writes items
// through models. Only the endpoint and the key are ours.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import dynamoose from 'dynamoose';
import {startEndpoint} from './lib/tables/endpoints.mjs';
import {seconds} from './lib/tables/suite.mjs';

const {Schema, Table, model, transaction} = dynamoose;
const kWaits = {waitForActive: {enabled: true, check: {timeout: 30_000, frequency: 20}}};

let endpoint;
before(async () => {
  endpoint = await startEndpoint('parley');
  const {accessKeyId, secretAccessKey} = endpoint.key;
  dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB({
    endpoint: endpoint.url, region: 'us-east-1', credentials: {accessKeyId, secretAccessKey}, maxAttempts: 1,
  }));
});
after(async () => {
  dynamoose.aws.ddb().destroy();
  await endpoint?.check();
  await endpoint?.stop();
});

const orderSchema = () => new Schema({
  customer: {type: String, hashKey: true},
  number: {type: Number, rangeKey: true},
  state: {type: String, index: {name: 'by-state', type: 'global', rangeKey: 'total'}, enum: ['open', 'paid', 'sent']},
  total: Number,
  lines: {type: Array, schema: [{type: Object, schema: {sku: String, count: Number}}]},
  labels: {type: Set, schema: [String]},
  proof: Buffer,
  placed: Date,
  gift: {type: Boolean, default: false},
}, {timestamps: true});

/** A model whose table is created and ready. */
async function made(name, schema, options = {}) {
  const Model = model(name, schema);
  const table = new Table(name, [Model], {throughput: 'ON_DEMAND', ...kWaits, ...options, initialize: false});
  await table.initialize();
  return Model;
}

const numbers = (items) => items.map((one) => one.number);
const described = async (name) => (await endpoint.db.DescribeTable({TableName: name})).Table;

test('a model creates its table with its keys, index, tags, class and time to live', async () => {
  const options = {expires: {ttl: 3_600_000, attribute: 'ends'}, tags: {team: 'shop'}, tableClass: 'infrequentAccess'};
  await made('orders-made', orderSchema(), options);
  const table = await described('orders-made');
  assert.deepEqual(table.KeySchema, [{AttributeName: 'customer', KeyType: 'HASH'}, {AttributeName: 'number', KeyType: 'RANGE'}]);
  assert.deepEqual(table.GlobalSecondaryIndexes.map(({IndexName, KeySchema}) => [IndexName, KeySchema.map((key) => key.AttributeName)]),
                   [['by-state', ['state', 'total']]]);
  assert.equal(table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(table.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  const {TimeToLiveDescription} = await endpoint.db.DescribeTimeToLive({TableName: 'orders-made'});
  assert.deepEqual(TimeToLiveDescription, {AttributeName: 'ends', TimeToLiveStatus: 'ENABLED'});
  // Repeating this finds everything unchanged.
  await made('orders-made', orderSchema(), options);
});

test('a table with throughput is created, and changed by a later model', async () => {
  await made('orders-billed', orderSchema(), {throughput: {read: 2, write: 3}});
  const units = async () => {
    const {ReadCapacityUnits, WriteCapacityUnits} = (await described('orders-billed')).ProvisionedThroughput;
    return [ReadCapacityUnits, WriteCapacityUnits];
  };
  assert.deepEqual(await units(), [2, 3]);
  await made('orders-billed', orderSchema(), {create: false, update: ['throughput'], throughput: {read: 5, write: 6}});
  assert.deepEqual(await units(), [5, 6]);
});

test('a later model adds an index, tags and a time to live, and removes an index', async () => {
  const plain = new Schema({id: String, state: String, city: String});
  const Before = await made('orders-grown', plain, {tags: {team: 'shop', old: 'yes'}});
  for (let i = 0; i < 30; i += 1) await Before.create({id: `${i}`, state: i % 2 ? 'open' : 'paid', city: 'Rome'});
  const later = (index) => new Schema({id: String, state: {type: String, ...(index === 'state' && {index: {name: 'by-state', type: 'global'}})},
                                       city: {type: String, ...(index === 'city' && {index: {name: 'by-city', type: 'global'}})}});
  const update = {create: false, update: true, tags: {team: 'sales'}, expires: 3_600_000};
  const Grown = await made('orders-grown', later('state'), update);
  assert.equal((await Grown.query('state').eq('open').using('by-state').all().exec()).length, 15);
  const Moved = await made('orders-grown', later('city'), update);
  assert.equal((await Moved.query('city').eq('Rome').using('by-city').limit(7).all().exec()).length, 30);
  assert.deepEqual((await described('orders-grown')).GlobalSecondaryIndexes.map((index) => index.IndexName), ['by-city']);
  assert.equal((await endpoint.db.DescribeTimeToLive({TableName: 'orders-grown'})).TimeToLiveDescription.AttributeName, 'ttl');
});

test('items are created, read, changed and deleted with all types of attributes', async () => {
  const Order = await made('orders-items', orderSchema());
  const order = {customer: 'ann', number: 1, state: 'open', total: 12.5, lines: [{sku: 'a', count: 2}], labels: new Set(['new', 'b2b']),
                 proof: Buffer.from([0, 255]), placed: new Date('2026-03-01T10:00:00.123Z')};
  await Order.create(order);
  await assert.rejects(Order.create(order), {name: 'ConditionalCheckFailedException'});
  const read = await Order.get({customer: 'ann', number: 1}, {consistent: true});
  const {createdAt, updatedAt, ...rest} = {...read};
  assert.deepEqual({...rest, proof: Buffer.from(rest.proof)}, {...order, gift: false});
  assert.ok(createdAt instanceof Date && updatedAt instanceof Date);

  const changed = await Order.update({customer: 'ann', number: 1}, {$SET: {state: 'paid'}, $ADD: {total: 2}, $REMOVE: ['proof']});
  assert.deepEqual([changed.state, changed.total, changed.proof], ['paid', 14.5, undefined]);
  const condition = new dynamoose.Condition('state').eq('open');
  await assert.rejects(Order.update({customer: 'ann', number: 1}, {total: 0}, {condition}), {name: 'ConditionalCheckFailedException'});
  read.total = 99;
  await read.save();
  assert.equal((await Order.get({customer: 'ann', number: 1})).total, 99);
  await read.delete();
  assert.equal(await Order.get({customer: 'ann', number: 1}), undefined);
});

test('queries and scans use keys, index, filter, order and pages', async () => {
  const Order = await made('orders-found', orderSchema());
  const states = ['open', 'paid', 'sent'];
  for (let n = 0; n < 12; n += 1) await Order.create({customer: n < 8 ? 'ann' : 'bob', number: n, state: states[n % 3], total: 100 - n});
  const ann = () => Order.query('customer').eq('ann');
  assert.deepEqual(numbers(await ann().exec()), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(numbers(await ann().where('number').between(2, 4).sort('descending').exec()), [4, 3, 2]);
  assert.deepEqual(numbers(await ann().filter('state').eq('paid').exec()), [1, 4, 7]);
  assert.deepEqual(numbers(await Order.query('state').eq('open').using('by-state').exec()), [9, 6, 3, 0], 'by their totals');
  assert.deepEqual(numbers(await Order.query('state').eq('open').where('total').lt(95).exec()), [9, 6], 'it finds the index by itself');
  assert.equal((await ann().count().exec()).count, 8);
  const attributes = await ann().where('number').eq(3).attributes(['total']).exec();
  assert.deepEqual([...attributes].map((one) => ({...one})), [{total: 97}]);

  const paged = [];
  let lastKey;
  do {
    let query = ann().limit(3);
    if (lastKey) query = query.startAt(lastKey);
    const page = await query.exec();
    paged.push(...numbers(page));
    ({lastKey} = page);
  } while (lastKey);
  assert.deepEqual(paged, [0, 1, 2, 3, 4, 5, 6, 7]);

  const scanned = await Order.scan('total').ge(95).and().where('customer').beginsWith('a').exec();
  assert.deepEqual(numbers(scanned).sort(), [0, 1, 2, 3, 4, 5]);
  assert.equal((await Order.scan().all().exec()).length, 12);
  assert.equal((await Order.scan().parallel(3).all().exec()).length, 12);
});

test('batches put, get and delete', async () => {
  const Order = await made('orders-batches', orderSchema());
  const orders = Array.from({length: 20}, (_, number) => ({customer: 'ann', number, total: number}));
  assert.deepEqual((await Order.batchPut(orders)).unprocessedItems, []);
  const keys = orders.map(({customer, number}) => ({customer, number}));
  const found = await Order.batchGet([...keys.slice(0, 5), {customer: 'nobody', number: 1}]);
  assert.deepEqual(numbers(found).sort(), [0, 1, 2, 3, 4]);
  assert.deepEqual((await Order.batchDelete(keys.slice(0, 15))).unprocessedItems, []);
  assert.deepEqual(numbers(await Order.query('customer').eq('ann').exec()), [15, 16, 17, 18, 19]);
});

test('a transaction is applied as a whole or not at all', async () => {
  const Order = await made('orders-together', orderSchema());
  const Stock = await made('stock-together', new Schema({sku: String, left: Number}));
  await Stock.create({sku: 'a', left: 1});
  const buy = (number) => transaction([
    Order.transaction.create({customer: 'ann', number, state: 'open'}),
    Stock.transaction.update({sku: 'a'}, {$ADD: {left: -1}}, {condition: new dynamoose.Condition('left').gt(0)}),
  ]);
  await buy(1);
  await assert.rejects(buy(2), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({Code}) => Code), ['None', 'ConditionalCheckFailed']);
    return true;
  });
  assert.equal(await Order.get({customer: 'ann', number: 2}), undefined);
  const [order, stock] = await transaction([Order.transaction.get({customer: 'ann', number: 1}), Stock.transaction.get({sku: 'a'})]);
  assert.deepEqual([order.state, stock.left], ['open', 0]);
  await transaction([Order.transaction.delete({customer: 'ann', number: 1}),
                     Stock.transaction.condition({sku: 'a'}, new dynamoose.Condition('left').eq(0))]);
  assert.equal(await Order.get({customer: 'ann', number: 1}), undefined);
});

test('an item expires at its time', async () => {
  const Session = await made('sessions', new Schema({id: String, user: String}), {expires: {ttl: 3_600_000, attribute: 'ends'}});
  const earliest = seconds() + 3600;
  await Session.create({id: 'lasting', user: 'ann'});
  const latest = seconds() + 3600;
  await Session.create({id: 'over', user: 'ann', ends: new Date(Date.now() - 60_000)});
  const {Item} = await endpoint.db.GetItem({TableName: 'sessions', Key: {id: {S: 'lasting'}}});
  assert.ok(Number(Item.ends.N) >= earliest && Number(Item.ends.N) <= latest + 1, Item.ends.N);
  assert.deepEqual((await Session.scan().exec()).map((one) => one.id), ['lasting']);
  assert.equal(await Session.get('over'), undefined);
});
