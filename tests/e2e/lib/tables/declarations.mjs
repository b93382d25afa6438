// The server's own declarations (storage/declarations/*.json) as inputs of CreateTable, so that a test's table equals the
// declared one. Without a declaration, seed_tables.mjs is used.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {kSeedTables} from './seed_tables.mjs';

const folder = fileURLToPath(new URL('../../../../storage/declarations', import.meta.url));

export const kDeclared = declared();

function declared() {
  if (!fs.existsSync(folder)) return kSeedTables;
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  const tables = files.flatMap((name) => {
    const {system, tables: listed = []} = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
    return listed.map((table) => ({system, indexes: [], ...table}));
  });
  return tables.length > 0 ? tables : kSeedTables;
}

/** The declaration of a table that every tenant has. */
export function declaration(name) {
  const found = kDeclared.find((table) => table.name === name);
  if (!found) throw new Error(`no table ${name} is declared`);
  return found;
}

/** In the form of declarations, {projection: "INCLUDE", include: [...]}, or in Amazon's. */
function projection({projection: declared = 'ALL', include}) {
  return typeof declared === 'string' ? {ProjectionType: declared, NonKeyAttributes: include} : declared;
}

/** A CreateTable input for a declaration or a definition in its form. */
export function createInput(name, {keys, indexes = []}) {
  const types = {};
  const schema = ({hash, range}) => [[hash, 'HASH'], [range, 'RANGE']].filter(([key]) => key).map(([key, KeyType]) => {
    types[key.name] = key.type;
    return {AttributeName: key.name, KeyType};
  });
  const KeySchema = schema(keys);
  const of = (kind) => indexes.filter((index) => (index.kind ?? 'global') === kind).map((index) => ({
    IndexName: index.name, KeySchema: schema(index), Projection: projection(index)}));
  const global = of('global');
  const local = of('local');
  return {
    TableName: name,
    KeySchema,
    ...(global.length > 0 && {GlobalSecondaryIndexes: global}),
    ...(local.length > 0 && {LocalSecondaryIndexes: local}),
    AttributeDefinitions: Object.entries(types).map(([AttributeName, AttributeType]) => ({AttributeName, AttributeType})),
    BillingMode: 'PAY_PER_REQUEST',
  };
}
