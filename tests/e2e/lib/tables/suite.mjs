// Shared by the test files about tables: one server, and tables made from the server's declarations.
import {after, before} from 'node:test';
import {eventually} from '../deadline.mjs';
import {createInput, declaration} from './declarations.mjs';
import {kChosen, startEndpoint} from './endpoints.mjs';
import {Table} from './table.mjs';

let made = 0;
const run = Math.random().toString(36).slice(2, 7);

export function freshName(label) {
  made += 1;
  return `t${run}.${made}.${label}`.slice(0, 200);
}

/** Creates a table and waits until it is active. → Table */
export async function createTable(db, definition, {label = definition.name ?? 'table', ttl = false} = {}) {
  const name = freshName(label);
  await db.CreateTable(createInput(name, definition));
  await whenActive(db, name);
  if (ttl && definition.ttl) {
    await db.UpdateTimeToLive({TableName: name, TimeToLiveSpecification: {Enabled: true, AttributeName: definition.ttl}});
  }
  return new Table(db, name, definition);
}

export function whenActive(db, name) {
  return eventually(async () => {
    const {Table: described} = await db.DescribeTable({TableName: name});
    const indexes = described.GlobalSecondaryIndexes ?? [];
    return described.TableStatus === 'ACTIVE' && indexes.every((index) => index.IndexStatus === 'ACTIVE') && described;
  }, `the table ${name}`);
}

/**
 * Call once in a file, outside tests. → a context with `endpoint` and `db` while its tests run, and
 *   seed(name): an empty table like the declared one; made(definition): any other
 *   needs(t, ability): skips the test with a message if another server lacks the ability. Ours never skips.
 */
export function withTables(options = {}) {
  const context = {endpoint: null, db: null};
  before(async () => {
    context.endpoint = await startEndpoint(kChosen, options);
    context.db = context.endpoint.db;
  });
  after(async () => {
    try {
      await context.endpoint?.check();
    } finally {
      await context.endpoint?.stop();
    }
  });
  context.made = (definition, more = {}) => createTable(context.db, definition, {ttl: context.endpoint.can('ttl'), ...more});
  context.seed = (name) => context.made(declaration(name));
  context.needs = (t, ability) => {
    if (context.endpoint.can(ability)) return false;
    t.skip(`${context.endpoint.name} has no ${ability}`);
    return true;
  };
  return context;
}

/** Calls work(0) … work(count - 1), `width` at a time. → the results in order */
export async function inParallel(count, work, width = 32) {
  const results = new Array(count);
  let next = 0;
  const runner = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      results[i] = await work(i);
    }
  };
  await Promise.all(Array.from({length: Math.min(width, count)}, runner));
  return results;
}

export const seconds = (ms = Date.now()) => Math.floor(ms / 1000);
