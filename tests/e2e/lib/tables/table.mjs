// One table of a test, used with plain values.
import {item, plain, plainItem} from './values.mjs';

/** An input with `names` and `values` in place of ExpressionAttributeNames and -Values. */
export function expressed({names, values, ...input}) {
  return {...input, ExpressionAttributeNames: names, ExpressionAttributeValues: values && item(values)};
}

export class Table {
  constructor(db, name, definition) {
    Object.assign(this, {db, name, definition});
    this.keyNames = [definition.keys.hash.name, definition.keys.range?.name].filter(Boolean);
  }

  /** The key of a plain item, or of values in the order of the key's attributes. */
  key(...parts) {
    if (typeof parts[0] === 'object' && !(parts[0] instanceof Uint8Array)) {
      return item(Object.fromEntries(this.keyNames.map((name) => [name, parts[0][name]])));
    }
    return item(Object.fromEntries(this.keyNames.map((name, i) => [name, parts[i]])));
  }

  on(db) {
    return new Table(db, this.name, this.definition);
  }

  put(values, options = {}) {
    return this.db.PutItem(expressed({TableName: this.name, Item: item(values), ...options}));
  }

  /** Puts only if no item has the key. */
  create(values, options = {}) {
    return this.put(values, {ConditionExpression: 'attribute_not_exists(#hash)', names: {'#hash': this.keyNames[0]}, ...options});
  }

  async putAll(list) {
    for (let i = 0; i < list.length; i += 25) {
      const writes = list.slice(i, i + 25).map((values) => ({PutRequest: {Item: item(values)}}));
      const {UnprocessedItems} = await this.db.BatchWriteItem({RequestItems: {[this.name]: writes}});
      if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('items were left unprocessed');
    }
  }

  async get(key, options = {}) {
    const answer = await this.db.GetItem(expressed({TableName: this.name, Key: this.key(...[key].flat()), ConsistentRead: true, ...options}));
    return plainItem(answer.Item);
  }

  /** → the attributes requested by ReturnValues */
  async update(key, expression, values, options = {}) {
    const answer = await this.db.UpdateItem(expressed({
      TableName: this.name, Key: this.key(...[key].flat()), UpdateExpression: expression, values, ...options}));
    return plainItem(answer.Attributes);
  }

  async delete(key, options = {}) {
    const answer = await this.db.DeleteItem(expressed({TableName: this.name, Key: this.key(...[key].flat()), ...options}));
    return plainItem(answer.Attributes);
  }

  /** One page: {items, count, scanned, last} */
  async page(condition, values, options = {}) {
    const answer = await this.db.Query(expressed({TableName: this.name, KeyConditionExpression: condition, values, ...options}));
    return pageOf(answer);
  }

  /** All pages. → the items */
  async query(condition, values, options = {}) {
    const all = [];
    for await (const page of this.pages(condition, values, options)) all.push(...page.items);
    return all;
  }

  async* pages(condition, values, options = {}) {
    let ExclusiveStartKey;
    do {
      const page = await this.page(condition, values, {...options, ExclusiveStartKey});
      yield page;
      ExclusiveStartKey = page.last;
    } while (ExclusiveStartKey);
  }

  async scan(options = {}) {
    const all = [];
    let ExclusiveStartKey;
    do {
      const page = pageOf(await this.db.Scan(expressed({TableName: this.name, ...options, ExclusiveStartKey})));
      all.push(...page.items);
      ExclusiveStartKey = page.last;
    } while (ExclusiveStartKey);
    return all;
  }
}

function pageOf(answer) {
  return {
    items: answer.Items?.map(plainItem),
    count: answer.Count,
    scanned: answer.ScannedCount,
    last: answer.LastEvaluatedKey,
    lastPlain: answer.LastEvaluatedKey && Object.fromEntries(
      Object.entries(answer.LastEvaluatedKey).map(([name, value]) => [name, plain(value)])),
  };
}

/** A request of TransactWriteItems, with plain values. */
export function step(kind, table, {names, values, ...rest}) {
  const request = expressed({TableName: table.name, names, values, ...rest});
  if (request.Item) request.Item = item(request.Item);
  if (request.Key) request.Key = table.key(...[request.Key].flat());
  return {[kind]: request};
}

/** All or nothing. */
export function transact(db, steps, options = {}) {
  return db.TransactWriteItems({TransactItems: steps, ...options});
}
