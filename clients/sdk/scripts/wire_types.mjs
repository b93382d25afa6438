// Generates TypeScript types from the protocol's named schemas: arguments of requests, replies and events.
import { asyncapi } from './document.mjs';

/** Fields of any type, by schema and field, whose values are maps. */
const kMaps = new Set(['MessageAction.payload', 'Card.payload', 'Tab.content', 'MessageRequest.contact']);

const { schemas, messages } = asyncapi.components;
const nameIn = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1);

/** Returns the names that `schema` refers to, directly or through others. */
function reachable(schema, found = new Set()) {
  if (typeof schema !== 'object' || schema === null) return found;
  if (schema.$ref?.startsWith('#/components/schemas/') && !found.has(nameIn(schema))) {
    found.add(nameIn(schema));
    reachable(schemas[nameIn(schema)], found);
  }
  for (const one of Object.values(schema)) reachable(one, found);
  return found;
}

const isRequest = ({ payload }) => payload.properties?.op !== undefined;
const answered = reachable(Object.values(messages).filter((one) => !isRequest(one)));

const isNullable = ({ type, anyOf }) => anyOf?.some((one) => one.type === 'null') || (Array.isArray(type) && type.includes('null'));

function typeOf(schema) {
  if (schema.$ref) return nameIn(schema);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.enum) return schema.enum.map((name) => `'${name}'`).join(' | ');
  switch (schema.type) {
    case 'integer': return 'number';
    case 'array': return `readonly ${typeOf(schema.items)}[]`;
    case 'object': return schema.additionalProperties ? `Readonly<Record<string, ${typeOf(schema.additionalProperties)}>>` : 'Fields';
    default: return schema.type ?? 'unknown';
  }
}

/**
 * Declares a nullable field as always present in answers, because the server writes null for a missing value;
 * requests may omit it.
 */
function declared(name, { properties, required = [], ...schema }) {
  if (properties === undefined) return `export type ${name} = ${typeOf(schema)};\n`;
  const fields = Object.entries(properties).map(([field, type]) => {
    const always = required.includes(field) || (answered.has(name) && isNullable(type));
    const value = kMaps.has(`${name}.${field}`) ? 'Fields' : typeOf(type);
    return `  /** ${type.description} */\n  ${field}${always ? '' : '?'}: ${value};\n`;
  });
  return `export interface ${name} {\n${fields.join('')}}\n`;
}

/** Returns one source for each group, by file name: its schemas and all they refer to, except those in earlier groups. */
export function wireTypes(groups) {
  const homes = new Map();
  return Object.fromEntries(Object.entries(groups).map(([file, names]) => {
    const wanted = [...reachable(names.map((name) => ({ $ref: `#/components/schemas/${name}` })))].sort();
    const own = wanted.filter((name) => !homes.has(name));
    const source = own.map((name) => declared(name, schemas[name])).join('\n');
    const isUsed = (name) => new RegExp(`\\b${name}\\b`).test(source.replace(/\/\*\*.*?\*\//g, ''));
    const imports = [...new Set(homes.values())].map((home) => [home, [...homes.keys()].filter((name) => homes.get(name) === home && isUsed(name)).sort()]);
    for (const name of own) homes.set(name, file);
    const lines = imports.filter(([, used]) => used.length > 0).map(([home, used]) => `import type { ${used.join(', ')} } from './${home.replace('.ts', '.js')}';\n`);
    const fields = file === 'wire_types.ts' ? 'export type Fields = Record<string, unknown>;\n\n' : '';
    return [file, `${lines.join('')}${lines.length > 0 ? '\n' : ''}${fields}${source}`];
  }));
}
