// Calls made from the OpenAPI document: for each operation, values that match its schemas, and the ids that it names.
const kPatterns = [['^thrd_', 'threadId'], ['^msg_', 'messageId'], ['^case_', 'caseId']];
// Ids that name nothing: callers make these up, or use them as a credential.
const kOfTheCaller = new Set(['clientId', 'refreshToken', 'cursor', 'before', 'after']);

const plain = (schema) => schema?.anyOf?.[0] ?? schema?.oneOf?.[0] ?? schema ?? {};
const typeOf = (schema) => [plain(schema).type].flat()[0];

/** A value that matches `schema`. */
export function sample(schema, name = '') {
  const {enum: names, pattern, minimum, format, properties = {}, required = [], items} = plain(schema);
  if (names) return names[0];
  if (format === 'date-time') return '2100-01-01T00:00:00.000Z';
  switch (typeOf(schema)) {
    case 'integer': return Math.max(1, minimum ?? 1);
    case 'number': return 1;
    case 'boolean': return true;
    case 'array': return [sample(items)];
    case 'string': return pattern === '^[ -~]{1,64}$' || name === 'clientId' ? `c-${Math.random()}` : 'x';
    default: return Object.fromEntries(required.map((one) => [one, sample(properties[one], one)]));
  }
}

/** The kind of id in a parameter or member, or null. */
function kindOf(name, schema, path) {
  const one = plain(schema);
  if (kOfTheCaller.has(name)) return null;
  const pattern = one.pattern ?? plain(one.items).pattern ?? '';
  for (const [start, kind] of kPatterns) if (pattern.startsWith(start)) return kind;
  if (name === 'keyId') return path.includes('/api-keys') ? 'apiKeyId' : 'keyId';
  if (name === 'eventId' && path.startsWith('/v1/ops/')) return null;  // an id of the caller's own system
  if (name === 'token' && path !== '/v1/invites/accept') return null;
  if (/(UserId|userIds)$/.test(name)) return 'userId';
  if (/Ids$/.test(name)) return name.slice(0, -1);
  return /(Id|^kid|^tenant|^resource|^email|^identity|^prefix|^token)$/.test(name) ? name : null;
}

/** The ids of an operation: [{name, kind, where: path|query|body, required, list}]. */
export function idsOf(operation) {
  const found = [];
  for (const {name, in: where, schema, required} of operation.parameters) {
    const kind = kindOf(name, schema, operation.path);
    if (kind) found.push({name, kind, where, required: required === true, list: false});
  }
  const {properties = {}, required = []} = operation.body?.schema ?? {};
  for (const [name, schema] of Object.entries(properties)) {
    const kind = kindOf(name, schema, operation.path);
    if (kind) found.push({name, kind, where: 'body', required: required.includes(name), list: typeOf(schema) === 'array'});
  }
  return found;
}

/** A request of the operation with these ids, {name: text}; its other required members are samples. → {target, body} */
export function requestOf(operation, ids, values, more = {}) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  const query = new URLSearchParams(more.query);
  const {properties = {}, required = []} = operation.body?.schema ?? {};
  const body = operation.body ? Object.fromEntries(required.map((name) => [name, sample(properties[name], name)])) : undefined;
  for (const {name, where, list} of ids) {
    if (values[name] === undefined || where === 'path') continue;
    if (where === 'query') query.set(name, values[name]);
    else body[name] = list ? [values[name]] : values[name];
  }
  return {target: query.size ? `${path}?${query}` : path, body: body && {...body, ...more.body}};
}

/** All ways to choose one or more of `all`. */
export function* choices(all) {
  for (let bits = 1; bits < 1 << all.length; bits += 1) yield all.filter((_, i) => bits & (1 << i));
}
