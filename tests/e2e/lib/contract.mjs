// The OpenAPI document as a contract: finds the operation of a call, checks request and answer against its schemas, and records
// which operations were accepted and refused. The validator is independent of the server.
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {kParleyd} from './server.mjs';

const kMethods = ['get', 'put', 'post', 'patch', 'delete'];
const kJson = 'application/json';

/** A machine-readable document printed by the server: `openapi` or `asyncapi`. */
export const printed = (name) => execFileSync(kParleyd, [`--${name}`], {encoding: 'utf8', maxBuffer: 1 << 26});

/** The schema with its references resolved. */
function inFull(document, schema) {
  if (Array.isArray(schema)) return schema.map((one) => inFull(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const {$ref, ...own} = schema;
  const referred = $ref ? inFull(document, document.components.schemas[$ref.split('/').at(-1)]) : {};
  return {...referred, ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, inFull(document, one)]))};
}

function compiler(document) {
  const ajv = new Ajv2020.default({strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true});
  addFormats.default(ajv);
  ajv.addKeyword('components');  // kept for the references
  return (schema) => ajv.compile({...schema, components: document.components});
}

/** Converts a parameter's text to its schema's type. */
function typed(schema, text) {
  if (schema.type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

class Operation {
  constructor(method, path, described, compile, full) {
    const optional = described.security.some((one) => Object.keys(one).length === 0);
    Object.assign(this, {
      method: method.toUpperCase(), path, id: described.operationId, needsCredential: described.security.length > 0 && !optional,
    });
    this.words = path.split('/').filter((word) => word && !word.startsWith('{')).length;
    this.pattern = new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    this.parameters = (described.parameters ?? []).map((one) => ({...one, schema: full(one.schema), valid: compile(one.schema)}));
    const body = described.requestBody;
    const schemaOf = ({content}) => Object.values(content)[0].schema;
    this.body = body && {required: body.required === true, schema: full(schemaOf(body)), valid: compile(schemaOf(body))};
    this.answers = Object.fromEntries(Object.entries(described.responses).map(([status, one]) => (
      [status, {media: one.content && Object.keys(one.content)[0], valid: one.content && compile(schemaOf(one))}])));
    this.success = Object.keys(this.answers).find((status) => /^(1|2)/.test(status));
    this.refuses = this.answers.default !== undefined;
    this.isOurs = this.answers.default?.media === kJson;  // refusals have our format
    this.taken = [];  // requests
    this.refusedWith = new Set();
  }

  toString() {
    return `${this.method} ${this.path}`;
  }

  /** Returns the fault of a request, or null. */
  faultOf(target, body) {
    const url = new URL(target, 'http://x');
    const inPath = this.pattern.exec(url.pathname).groups ?? {};
    const known = new Set(this.parameters.filter((one) => one.in === 'query').map((one) => one.name));
    for (const name of url.searchParams.keys()) if (!known.has(name)) return `unknown parameter ${name}`;
    for (const {name, in: where, required, schema, valid} of this.parameters.filter((one) => one.in !== 'header')) {
      const text = where === 'path' ? decodeURIComponent(inPath[name]) : url.searchParams.get(name);
      if (text === null || text === undefined) {
        if (required) return `${name} is missing`;
        continue;
      }
      if (!valid(typed(schema, text))) return `${name}: ${valid.errors[0].message}`;
    }
    if (body === undefined) return this.body?.required ? 'the body is missing' : null;
    if (!this.body) return Object.keys(body).length ? 'there is a body' : null;
    return this.body.valid(body) ? null : JSON.stringify(this.body.valid.errors);
  }

  checkAnswer(answer, note) {
    const what = `${note}: ${answer.status} ${answer.text}`;
    const described = this.answers[answer.status] ?? this.answers.default ?? assert.fail(`${what}: not described`);
    if (!described.valid) return assert.equal(answer.text, '', what);
    assert.equal((answer.headers['content-type'] ?? '').split(';')[0], described.media, what);
    const content = described.media.startsWith('text/') ? answer.text : answer.json;
    assert.ok(described.valid(content), `${what}\n${JSON.stringify(described.valid.errors, null, 1)}`);
    if (!this.answers[answer.status]) assert.ok(answer.status >= 400, `${what}: a status that the document does not know`);
  }
}

export class Contract {
  constructor(document) {
    const compile = compiler(document);
    const full = (schema) => inFull(document, schema);
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) => (
      Object.entries(methods).filter(([method]) => kMethods.includes(method))
        .map(([method, described]) => new Operation(method, path, described, compile, full))));
  }

  /** Fixed words take precedence over parameters: /v1/events/ack is not an event. */
  find(method, target) {
    const {pathname} = new URL(target, 'http://x');
    const fitting = this.operations.filter((one) => one.method === method && one.pattern.test(pathname));
    fitting.sort((a, b) => b.words - a.words);
    return fitting[0] ?? assert.fail(`the document has no ${method} ${target}`);
  }

  /** A call that must be accepted; request and answer must match the document. → the answer's JSON. */
  async ok(caller, method, target, body, headers) {
    const operation = this.find(method, target);
    const answer = await caller.call(method, target, body, headers);
    const note = `${caller.label}: ${method} ${target} ${JSON.stringify(body)}`;
    assert.equal(String(answer.status), operation.success, `${note}: ${answer.status} ${answer.text}`);
    operation.checkAnswer(answer, note);
    assert.equal(operation.faultOf(target, body), null, `${note}: taken, although the document forbids it`);
    operation.taken.push({caller, target, body});
    return answer.json;
  }

  /** A call whose answer must have this documented status. */
  async reported(caller, status, method, target, body, headers) {
    const operation = this.find(method, target);
    const answer = await caller.call(method, target, body, headers);
    const note = `${caller.label}: ${method} ${target} ${JSON.stringify(body)}`;
    assert.equal(answer.status, status, `${note}: ${answer.text}`);
    operation.checkAnswer(answer, note);
    operation.refusedWith.add(status);
  }

  /** Records a call that was accepted without `ok`. */
  taken(method, target, {status, headers}) {
    const operation = this.find(method, target);
    assert.equal(String(status), operation.success, `${operation}`);
    const {media} = operation.answers[operation.success];
    if (media) assert.equal(headers['content-type'].split(';')[0], media, `${operation}`);
    operation.taken.push({target});
  }

  /** A call that must be refused with `code`, as documented. → the error. */
  async refused(caller, code, method, target, body, headers) {
    const operation = this.find(method, target);
    const answer = await caller.call(method, target, body, headers);
    const note = `${caller.label}: ${method} ${target} ${JSON.stringify(body)}`;
    assert.equal(answer.json?.error?.code, code, `${note}: ${answer.status} ${answer.text}`);
    operation.checkAnswer(answer, note);
    operation.refusedWith.add(code);
    return answer.json.error;
  }
}

/** Bodies with one fault each, made from a valid one: a member that is missing, of another type, or unknown. */
export function* faulty(operation, body) {
  const {schema, valid} = operation.body;
  yield {...body, noSuchMember: 1};
  for (const name of schema.required ?? []) yield Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
  for (const name of Object.keys(schema.properties ?? {})) {
    for (const wrong of [7.5, 'ä\u0000', [[]], {'': {}}, true]) {
      const changed = {...body, [name]: wrong};
      if (!valid(changed)) yield changed;
    }
  }
}
