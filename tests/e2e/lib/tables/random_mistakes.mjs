// Requests with one mistake, so that refusals are compared too.

const expressionsOf = ['ConditionExpression', 'UpdateExpression', 'FilterExpression', 'ProjectionExpression', 'KeyConditionExpression'];

/** Changes a copy of the input; `change` may return false if it does not apply. */
const kMistakes = [
  // Members of the request.
  (random, input) => { delete input[random.pick(Object.keys(input))]; },
  (random, input) => input.TableName && (input.TableName += random.pick(['.none', '!', 'x'.repeat(260)])),
  (random, input) => input.TableName && (input.TableName = random.pick(['ab', 'a', ''])),
  (random, input) => { input.Limit = random.pick([0, -1]); },
  (random, input) => { input.Select = random.pick(['NOTHING', 'SPECIFIC_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES']); },
  (random, input) => { input.ReturnValues = random.pick(['ALL_NEW', 'UPDATED_OLD', 'SOME']); },
  (random, input) => { input.ReturnConsumedCapacity = 'SOME'; },
  (random, input) => { input.IndexName = random.pick(['none', 'x', 'g-n', 'p-n']); },
  (random, input) => { Object.assign(input, {Segment: random.int(0, 3), TotalSegments: random.pick([0, 2, 1])}); },
  (random, input) => { input.TotalSegments = 3; },
  (random, input) => { input.ConsistentRead = true; },
  (random, input) => { input.ConditionalOperator = 'OR'; },
  (random, input) => { input.AttributesToGet = random.pick([['a'], ['a', 'a'], []]); },
  (random, input) => { input.Expected = random.pick([{a: {Exists: true}}, {a: {Exists: false, Value: {S: 'a'}}}, {a: {Value: {S: 'a'}}}]); },
  // Substitutions.
  (random, input) => { input.ExpressionAttributeNames = {...input.ExpressionAttributeNames, '#unused': 'a'}; },
  (random, input) => { input.ExpressionAttributeValues = {...input.ExpressionAttributeValues, ':unused': {S: 'a'}}; },
  (random, input) => { input.ExpressionAttributeNames = random.pick([{}, {bad: 'a'}, {'#': 'a'}]); },
  (random, input) => { input.ExpressionAttributeValues = random.pick([{}, {bad: {S: 'a'}}, {':': {S: 'a'}}]); },
  (random, input) => dropOne(random, input.ExpressionAttributeNames),
  (random, input) => dropOne(random, input.ExpressionAttributeValues),
  // Values.
  (random, input) => spoil(random, input.ExpressionAttributeValues),
  (random, input) => spoil(random, input.Item),
  (random, input) => spoil(random, input.Key),
  (random, input) => dropOne(random, input.Key),
  (random, input) => dropOne(random, input.Item),
  (random, input) => input.Key && (input.Key.more = {S: 'a'}),
  // Texts of expressions.
  (random, input) => inExpression(random, input, (text) => text.slice(0, random.int(0, text.length - 1))),
  (random, input) => inExpression(random, input, (text) => text.slice(0, random.int(0, text.length)) + random.pick(['(', ')', ',', ' AND ', ' :v0', '.', '[0]', '$', '#a', '  ', '-']) + text.slice(-3)),
  (random, input) => inExpression(random, input, (text) => text.replace(/\w+\(/, random.pick(['nothing(', 'size(', 'contains(', 'ATTRIBUTE_EXISTS(']))),
  (random, input) => inExpression(random, input, (text) => text.replace(/[<>=]+/, random.pick(['==', '!=', '=>', '><']))),
  (random, input) => inExpression(random, input, (text) => `${text} ${random.pick(['SET a = :v0', 'REMOVE a', 'a', 'OR a = a', ', a', ', p'])}`),
  (random, input) => inExpression(random, input, (text) => text.replace(/\b[abgn]\b/, random.pick(['name', 'size', 'p', 'r', 'm.x', 'l[0]', 'x'.repeat(300)]))),
];

function dropOne(random, map) {
  if (!map || Object.keys(map).length === 0) return false;
  delete map[random.pick(Object.keys(map))];
  return true;
}

const kBadValues = [
  {N: 'x'}, {N: ''}, {N: '1e200'}, {N: '1'.repeat(39)}, {SS: []}, {SS: ['a', 'a']}, {NS: ['1', '1.0']}, {NS: ['1', 'x']}, {BS: []}, {S: 'a', N: '1'}, {}, {NULL: false},
  {SS: ['']}, {L: [{N: 'x'}]}, {M: {x: {}}}, {S: ''}, {N: '0'}, {BOOL: true}, {B: Buffer.from('')},
];

function spoil(random, map) {
  if (!map || Object.keys(map).length === 0) return false;
  map[random.pick(Object.keys(map))] = random.pick(kBadValues);
  return true;
}

function inExpression(random, input, change) {
  const found = expressionsOf.filter((name) => typeof input[name] === 'string');
  if (found.length === 0) return false;
  const name = random.pick(found);
  input[name] = change(input[name]);
  return true;
}

/** A copy of the request with one mistake, in the whole or in one of its parts. */
export function mistaken(random, request) {
  const input = structuredClone(request.input);
  const parts = [input, ...(input.TransactItems ?? []).map((step) => Object.values(step)[0])];
  const batch = Object.values(input.RequestItems ?? {});
  if (batch.length > 0) spoilBatch(random, input);
  else {
    const target = random.pick(parts);
    for (let tries = 0; tries < 10 && random.pick(kMistakes)(random, target) === false;) tries += 1;
  }
  return {...request, input, mistaken: true};
}

function spoilBatch(random, input) {
  const [name, requests] = random.pick(Object.entries(input.RequestItems));
  const list = Array.isArray(requests) ? requests : requests.Keys;
  switch (random.int(0, 4)) {
    case 0: list.push(structuredClone(random.pick(list))); break;
    case 1: input.RequestItems[`${name}.none`] = structuredClone(requests); break;
    case 2: list.length = 0; break;
    case 3: input.RequestItems = {}; break;
    default: {
      const one = random.pick(list);
      spoil(random, one.PutRequest?.Item ?? one.DeleteRequest?.Key ?? one);
    }
  }
}
