// Code generators make one type of each thing from the machine-readable documents: no Message1 beside Message.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import openapiTypescript, {astToString} from 'openapi-typescript';
import {FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype} from 'quicktype-core';
import ts from 'typescript';
import {printed} from './lib/contract.mjs';

const documents = ['openapi', 'asyncapi'].map((name) => ({name, text: printed(name)}));
const sorted = (names) => names.map((name) => name.toLowerCase()).sort();
const schemasOf = (text) => JSON.parse(text).components.schemas;

/** Enumerations with the same values as another one: quicktype merges the two types. */
function twins(schemas) {
  const values = Object.entries(schemas).filter(([, one]) => one.enum).map(([name, one]) => [name.toLowerCase(), one.enum.join()]);
  return new Set(values.filter(([name, one]) => values.some(([other, same]) => other !== name && same === one)).map(([name]) => name));
}

/** The parsed source, which must be valid TypeScript. */
function parse(source) {
  const {diagnostics} = ts.transpileModule(source, {reportDiagnostics: true});
  assert.deepEqual(diagnostics.map(({messageText}) => messageText), []);
  return ts.createSourceFile('generated.ts', source, ts.ScriptTarget.Latest, true);
}

const declared = (node) => node.statements
  .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isEnumDeclaration(one) || ts.isClassDeclaration(one))
  .map(({name}) => name.text);

/** The names in `interface components {schemas: {…}}`. */
function namedSchemas(file) {
  const components = file.statements.find((one) => one.name?.text === 'components');
  const schemas = components.members.find(({name}) => name.text === 'schemas');
  return schemas.type.members.map(({name}) => name.text);
}

async function byQuicktype(text) {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await input.addSource({name: 'Parley', schema: text, uris: ['#/components/schemas/']});
  const data = new InputData();
  data.addInput(input);
  const {lines} = await quicktype({inputData: data, lang: 'typescript', rendererOptions: {'just-types': 'true'}});
  return lines.join('\n');
}

for (const {name, text} of documents) {
  describe(`types made from the ${name} document`, () => {
    it('by quicktype are its named schemas', async () => {
      const names = declared(parse(await byQuicktype(text)));
      const merged = twins(schemasOf(text));
      const others = (all) => sorted(all).filter((one) => !merged.has(one));  // it spells Id and Ack as ID and ACK
      assert.deepEqual(others(names), others(Object.keys(schemasOf(text))));
    });
  });
}

describe('types made from the openapi document', () => {
  it('by openapi-typescript are its named schemas, and their members name each other', async () => {
    const source = astToString(await openapiTypescript(documents[0].text));
    const file = parse(source);
    assert.deepEqual(sorted(namedSchemas(file)), sorted(Object.keys(schemasOf(documents[0].text))));
    assert.match(source, /reactions: components\["schemas"\]\["Reaction"\]\[\]/);
    assert.match(source, /messages: components\["schemas"\]\["Message"\]\[\]/);
  });
});
