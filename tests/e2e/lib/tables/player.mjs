// Plays one request to several servers and compares their outcomes: canonical text of items, error names, counts, pages, and the
// items stored afterwards under the touched keys.
import {eventually} from '../deadline.mjs';
import {createInput} from './declarations.mjs';
import {kTables} from './random_values.mjs';

const kPagesMax = 60;

/** Sorted members, bytes as text: equal text for equal values. */
export function canonical(value) {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('base64')}`;
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, ['SS', 'NS', 'BS'].includes(name) && Array.isArray(value[name])
    ? value[name].map(canonical).sort() : canonical(value[name])]));
}
const text = (value) => JSON.stringify(canonical(value));

/** The keys that a request writes, as in its input: [{table, Key}] */
export function touchedBy({input}, prefix) {
  const touched = [];
  const add = (name, attributes) => {
    const table = kTables.find((one) => prefix + one.name === name);
    if (!table || !attributes) return;
    const Key = Object.fromEntries([table.keys.hash, table.keys.range].filter(Boolean).map((part) => [part.name, attributes[part.name]]));
    if (Object.values(Key).every((part) => part !== undefined)) touched.push({table, TableName: name, Key});
  };
  add(input.TableName, input.Item ?? input.Key);
  for (const [name, requests] of Object.entries(input.RequestItems ?? {})) {
    if (Array.isArray(requests)) requests.forEach((one) => add(name, one.PutRequest?.Item ?? one.DeleteRequest?.Key));
  }
  for (const step of input.TransactItems ?? []) {
    const [[, one]] = Object.entries(step);
    add(one.TableName, one.Item ?? one.Key);
  }
  return touched;
}

const kWrites = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);
export const isWrite = (request) => kWrites.has(request.name);

export async function makeTables(server, prefix) {
  for (const table of kTables) {
    const TableName = prefix + table.name;
    await server.db.CreateTable(createInput(TableName, table));
    await eventually(async () => (await server.db.DescribeTable({TableName})).Table.TableStatus === 'ACTIVE', `${TableName} at ${server.name}`);
  }
}

/** → {error, message, reasons} or {value}; undefined if the server lacks a needed ability */
export async function outcomeAt(server, request) {
  if (request.needs && !server.can(request.needs)) return undefined;
  try {
    return {value: request.walk ? await walk(server.db, request) : answered(await server.db[request.name](request.input))};
  } catch (error) {
    return {error: error.name, message: error.message, reasons: error.CancellationReasons?.map((reason) => reason.Code).join(),
            item: error.Item && text(error.Item)};
  }
}

function answered(answer) {
  const {Responses, ConsumedCapacity, ...rest} = answer;
  const value = {...canonical(rest), ...(Responses && {Responses: responses(Responses)})};
  return {...value, capacity: capacity(ConsumedCapacity)};
}

// Answers by table have no defined order of tables.
function responses(list) {
  if (Array.isArray(list)) return canonical(list);
  return Object.fromEntries(Object.keys(list).sort().map((table) => [table, list[table].map(text).sort()]));
}

function capacity(consumed) {
  const amount = (part) => part && (part.CapacityUnits ?? part);
  if (!consumed || Array.isArray(consumed)) return undefined;
  return text({total: consumed.CapacityUnits, table: amount(consumed.Table), global: consumed.GlobalSecondaryIndexes, local: consumed.LocalSecondaryIndexes});
}

/** All pages: [{items, count, scanned, last}] */
async function walk(db, {name, input, segments}) {
  const pages = [];
  for (let Segment = 0; Segment < (segments ?? 1); Segment += 1) {
    let {ExclusiveStartKey} = input;
    do {
      const answer = await db[name]({...input, ...(segments && {Segment, TotalSegments: segments}), ...(ExclusiveStartKey && {ExclusiveStartKey})});
      ExclusiveStartKey = answer.LastEvaluatedKey;
      pages.push({items: answer.Items?.map(text), count: answer.Count, scanned: answer.ScannedCount, last: ExclusiveStartKey && text(ExclusiveStartKey),
                  capacity: capacity(answer.ConsumedCapacity)});
    } while (ExclusiveStartKey && pages.length < kPagesMax);
  }
  return {pages};
}

/** The raw items stored under the touched keys. An invalid key has none. */
export function storedAt(server, touched) {
  return Promise.all(touched.map(({TableName, Key}) => (
    server.db.GetItem({TableName, Key, ConsistentRead: true}).then(({Item}) => Item, () => undefined))));
}

export const storedText = (items) => items.map((one) => (one ? text(one) : 'nothing')).join('\n');

/** Makes the server store the items of another one. */
export async function repair(server, touched, items) {
  for (let i = 0; i < touched.length; i += 1) {
    const {TableName, Key} = touched[i];
    if (items[i]) await server.db.PutItem({TableName, Item: items[i]});
    else await server.db.DeleteItem({TableName, Key}).catch(() => {});
  }
}

// Messages are undefined, except these, which programs search for. If a request has several faults, each server may report another.
const kMessages = [
  /^The conditional request failed/, /^Requested resource not found/, /provided key element does not match the schema/, /contains duplicates/,
  /multiple operations on one item/, /[Ii]tem size/, /Transaction cancelled/,
];

/** The names of the differences between the outcomes `theirs` and `mine`. */
export function differences(request, mine, theirs, server) {
  if (mine.error || theirs.error) {
    if (mine.error !== theirs.error) return ['error'];
    if (mine.reasons !== theirs.reasons) return ['reasons'];
    if (kMessages.some((pattern) => pattern.test(theirs.message) && !pattern.test(mine.message))) return ['message'];
    return mine.item !== theirs.item && server.can('conditionItem') ? ['item of the failure'] : [];
  }
  if (request.walk) return pageDifferences(request, mine.value.pages, theirs.value.pages, server);
  const {capacity: a, ...left} = mine.value;
  const {capacity: b, ...right} = theirs.value;
  return [...(text(left) !== text(right) ? ['answer'] : []), ...(a !== b ? ['capacity'] : [])];
}

const sum = (pages, name) => pages.reduce((total, page) => total + (page[name] ?? 0), 0);

function pageDifferences(request, mine, theirs, server) {
  const found = [];
  const flat = (pages) => pages.flatMap((page) => page.items ?? []);
  if (mine.every((page) => page.items) !== theirs.every((page) => page.items) || text(flat(mine).sort()) !== text(flat(theirs).sort())) found.push('items');
  if (sum(mine, 'count') !== sum(theirs, 'count')) found.push('count');
  if (sum(mine, 'scanned') !== sum(theirs, 'scanned')) found.push('scanned');
  if (!request.segments && mine.length !== theirs.length) found.push('pages');
  // The order of a scan over hash keys is undefined, and with it every page.
  const ordered = request.name === 'Query' && (!request.index || server.can('tieOrder'));
  if (ordered && found.length === 0 && text(mine.map(({capacity: _, ...page}) => page)) !== text(theirs.map(({capacity: _, ...page}) => page))) found.push('order');
  if (ordered && found.length === 0 && text(mine) !== text(theirs)) found.push('capacity');
  return found;
}
