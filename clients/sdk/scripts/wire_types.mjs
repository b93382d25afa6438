// The protocol's named schemas as TypeScript: what requests take, replies answer and events hold.
import { asyncapi } from './document.mjs';

/** Values of any kind, by schema and field, that are maps. */
const kMaps = new Set(['MessageAction.payload', 'Card.payload', 'Tab.content', 'MessageRequest.contact']);

const { schemas, messages } = asyncapi.components;
const nameIn = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The names that `schema` refers to, and those that they refer to. */
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

/** The server writes null where a value is missing that its answers may have; requests may leave it out. */
function declared(name, { properties, required = [], ...schema }) {
  if (properties === undefined) return `export type ${name} = ${typeOf(schema)};\n`;
  const fields = Object.entries(properties).map(([field, type]) => {
    const always = required.includes(field) || (answered.has(name) && isNullable(type));
    const value = kMaps.has(`${name}.${field}`) ? 'Fields' : typeOf(type);
    return `  /** ${type.description} */\n  ${field}${always ? '' : '?'}: ${value};\n`;
  });
  return `export interface ${name} {\n${fields.join('')}}\n`;
}

/** → the source, of these schemas and all that they refer to. */
export function wireTypes(names) {
  const wanted = [...reachable(names.map((name) => ({ $ref: `#/components/schemas/${name}` })))].sort();
  return `export type Fields = Record<string, unknown>;\n\n${wanted.map((name) => declared(name, schemas[name])).join('\n')}`;
}
