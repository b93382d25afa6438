// Random requests of every operation on items, as the SDK takes them. Each is made from a seeded random, so that one number
// replays all.
import {Expressions} from './random_expressions.mjs';
import {LegacyConditions} from './random_legacy.mjs';
import {mistaken} from './random_mistakes.mjs';
import {kAttributes, kTables, Values} from './random_values.mjs';
import {expressed} from './table.mjs';
import {item} from './values.mjs';

/**
 * A request: `name` of the operation, `input`, `walk` if all its pages are read, `index` the definition of the index
 * that it reads, `segments` of a parallel scan, `needs` the required ability of a server, `mistaken` if it contains a
 * mistake.
 */
export class Operations {
  constructor(random, prefix) {
    Object.assign(this, {random, prefix, values: new Values(random)});
  }

  tableName(table) {
    return this.prefix + table.name;
  }

  next() {
    const {random} = this;
    const table = random.pick(kTables);
    const kinds = [
      [14, 'put'], [24, 'update'], [7, 'delete'], [6, 'get'], [18, 'query'], [8, 'scan'], [4, 'batchWrite'], [4, 'batchGet'],
      [6, 'transactWrite'], [2, 'transactGet'],
    ];
    let at = random.int(1, kinds.reduce((sum, [weight]) => sum + weight, 0));
    const [, kind] = kinds.find(([weight]) => (at -= weight) <= 0);
    const request = this[kind](table);
    return random.chance(0.08) ? mistaken(random, request, table) : request;
  }

  /** A condition in either spelling, for a write. → [members of the input, Expressions] */
  condition(table, expressions, probability = 0.5) {
    const {random} = this;
    if (!random.chance(probability)) return {};
    return {ConditionExpression: expressions.condition(), ...(random.chance(0.4) && {ReturnValuesOnConditionCheckFailure: 'ALL_OLD'})};
  }

  write(name, table, members, ReturnValues) {
    const {random} = this;
    const input = expressed({TableName: this.tableName(table), ...members, ...(random.chance(0.6) && {ReturnValues: random.pick(ReturnValues)}),
                             ...(random.chance(0.15) && {ReturnConsumedCapacity: random.pick(['TOTAL', 'INDEXES', 'NONE'])})});
    return {name, table, input};
  }

  /** A condition in either spelling, with its substitutions. */
  guard(table) {
    const {random} = this;
    if (random.chance(0.12)) return new LegacyConditions(random, this.values).expected();
    const expressions = new Expressions(random, this.values, table);
    return expressions.complete(this.condition(table, expressions));
  }

  put(table) {
    return this.write('PutItem', table, {Item: item(this.values.item(table)), ...this.guard(table)}, ['NONE', 'ALL_OLD', 'ALL_OLD']);
  }

  delete(table) {
    return this.write('DeleteItem', table, {Key: item(this.values.key(table)), ...this.guard(table)}, ['NONE', 'ALL_OLD', 'ALL_OLD']);
  }

  update(table) {
    const {random} = this;
    const Key = item(this.values.key(table));
    const returned = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'ALL_NEW'];
    if (random.chance(0.14)) {
      const legacy = new LegacyConditions(random, this.values);
      return this.write('UpdateItem', table, {Key, ...legacy.updates(), ...(random.chance(0.3) && legacy.expected())}, returned);
    }
    const expressions = new Expressions(random, this.values, table);
    const members = {...(random.chance(0.97) && {UpdateExpression: expressions.update()}), ...this.condition(table, expressions, 0.3)};
    return this.write('UpdateItem', table, {Key, ...expressions.complete(members)}, returned);
  }

  get(table) {
    const {random} = this;
    const expressions = new Expressions(random, this.values, table);
    const projection = random.chance(0.1) ? {AttributesToGet: this.attributes(table)}
      : random.chance(0.5) ? expressions.complete({ProjectionExpression: expressions.projection()}) : {};
    return {name: 'GetItem', table, input: expressed({
      TableName: this.tableName(table), Key: item(this.values.key(table)), ConsistentRead: true, ...projection,
      ...(random.chance(0.2) && {ReturnConsumedCapacity: 'TOTAL'})})};
  }

  attributes(table) {
    const names = [...Object.keys(kAttributes), 'p', 'r'];
    return [...new Set(Array.from({length: this.random.int(1, 3)}, () => this.random.pick(names)))];
  }

  query(table) {
    const {random} = this;
    const index = table.indexes && random.chance(0.6) ? random.pick(table.indexes) : undefined;
    const keys = index ?? table.keys;
    const common = {
      TableName: this.tableName(table), ...(index && {IndexName: index.name}), ...(random.chance(0.4) && {ScanIndexForward: random.chance(0.5)}),
      ...(random.chance(0.4) && {Limit: random.int(1, 5)}), ...(random.chance(0.12) && {Select: random.pick(['COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'])}),
      ...(random.chance(0.15) && {ConsistentRead: true}), ...(random.chance(0.1) && {ReturnConsumedCapacity: random.pick(['TOTAL', 'INDEXES'])}),
      ...(random.chance(0.1) && {ExclusiveStartKey: this.start(table, index)})};
    return {name: 'Query', table, index, walk: true, input: expressed({...common, ...this.reading(table, keys, 'QueryFilter')})};
  }

  /** A key to continue after, of an item that may never have existed. */
  start(table, index) {
    const keys = [index?.hash, index?.range].filter(Boolean);
    const indexed = Object.fromEntries(keys.map((part) => [part.name, this.values.indexed(part.type)]));
    return item({...indexed, ...this.values.key(table)});
  }

  /** Key condition (of a query), filter and projection, in either spelling. */
  reading(table, keys, legacyFilter) {
    const {random} = this;
    if (random.chance(0.12)) {
      const legacy = new LegacyConditions(random, this.values);
      return {...(keys && {KeyConditions: legacy.keyConditions(keys)}), ...(random.chance(0.4) && {[legacyFilter]: legacy.filter(keys ?? table.keys)}),
              ...(random.chance(0.2) && {AttributesToGet: this.attributes(table)})};
    }
    const expressions = new Expressions(random, this.values, table);
    return expressions.complete({
      ...(keys && {KeyConditionExpression: expressions.keyCondition(keys)}),
      ...(random.chance(0.4) && {FilterExpression: expressions.condition()}),
      ...(random.chance(0.2) && {ProjectionExpression: expressions.projection()})});
  }

  scan(table) {
    const {random} = this;
    const index = table.indexes && random.chance(0.5) ? random.pick(table.indexes) : undefined;
    const TotalSegments = random.chance(0.3) ? random.int(1, 4) : undefined;
    const input = expressed({
      TableName: this.tableName(table), ...(index && {IndexName: index.name}), ...(random.chance(0.4) && {Limit: random.int(1, 7)}),
      ...(random.chance(0.1) && {Select: 'COUNT'}), ...(random.chance(0.1) && {ReturnConsumedCapacity: 'TOTAL'}), ...this.reading(table, undefined, 'ScanFilter')});
    return {name: 'Scan', table, index, walk: true, segments: TotalSegments, input};
  }

  /** Keys of several tables, by table and without duplicates. */
  severalKeys(count) {
    const found = new Map();
    for (let i = 0; i < count; i += 1) {
      const table = this.random.pick(kTables);
      const key = this.values.key(table);
      found.set(table.name + JSON.stringify(comparableKey(table, key)), {table, key});
    }
    return [...found.values()];
  }

  batchWrite() {
    const keys = this.severalKeys(this.random.int(1, 6));
    const RequestItems = {};
    for (const {table, key} of keys) {
      const request = this.random.chance(0.6) ? {PutRequest: {Item: item({...this.values.item(table), ...key})}} : {DeleteRequest: {Key: item(key)}};
      (RequestItems[this.tableName(table)] ??= []).push(request);
    }
    return {name: 'BatchWriteItem', input: {RequestItems}};
  }

  batchGet() {
    const {random} = this;
    const RequestItems = {};
    for (const {table, key} of this.severalKeys(random.int(1, 6))) {
      const name = this.tableName(table);
      if (!RequestItems[name]) {
        const expressions = new Expressions(random, this.values, table);
        RequestItems[name] = expressed({Keys: [], ConsistentRead: true, ...(random.chance(0.3) && expressions.complete({ProjectionExpression: expressions.projection()}))});
      }
      RequestItems[name].Keys.push(item(key));
    }
    return {name: 'BatchGetItem', input: {RequestItems}};
  }

  transactWrite() {
    const {random} = this;
    const keys = this.severalKeys(random.int(1, 4));
    const TransactItems = keys.map(({table, key}) => {
      const expressions = new Expressions(random, this.values, table);
      const TableName = this.tableName(table);
      const Key = item(key);
      const kind = random.pick(['Put', 'Update', 'Update', 'Delete', 'ConditionCheck']);
      const own = {Put: () => ({Item: item({...this.values.item(table), ...key})}), Update: () => ({Key, UpdateExpression: expressions.update()}),
                   Delete: () => ({Key}), ConditionCheck: () => ({Key})}[kind]();
      const guarded = kind === 'ConditionCheck' ? this.condition(table, expressions, 1) : this.condition(table, expressions, 0.3);
      return {[kind]: expressed({TableName, ...expressions.complete({...own, ...guarded})})};
    });
    return {name: 'TransactWriteItems', needs: 'transactions', input: {TransactItems}};
  }

  transactGet() {
    const {random} = this;
    const TransactItems = this.severalKeys(random.int(1, 4)).map(({table, key}) => {
      const expressions = new Expressions(random, this.values, table);
      return {Get: expressed({TableName: this.tableName(table), Key: item(key),
                              ...(random.chance(0.3) && expressions.complete({ProjectionExpression: expressions.projection()}))})};
    });
    return {name: 'TransactGetItems', needs: 'transactions', input: {TransactItems}};
  }
}

/** Equal for equal keys: '1e2' and '100' are one number. */
export function comparableKey(table, key) {
  return [table.keys.hash, table.keys.range].filter(Boolean).map(({name, type}) => {
    const value = key[name];
    if (type === 'N') return Number(value?.text ?? value);
    return type === 'B' && value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
}
