// Accepted differences between servers. `kKnown`: the other server deviates from DynamoDB, with the evidence. `kDeliberate`: ours
// deviates on purpose; docs/tables.md lists each with its reason. Amazon's documentation decided, and where it is silent, public
// tests that others run against the real service. Each entry is as narrow as possible; a run prints how often each was used.

const messages = ({mine, theirs}) => `${mine.message ?? ''}\n${theirs.message ?? ''}`;
const oneSays = (pattern) => (difference) => difference.mine.message !== difference.theirs.message && pattern.test(messages(difference));
const only = (...names) => ({differs}) => differs.every((name) => names.includes(name));
const expressionsOf = ({input}) => [input, ...(input.TransactItems ?? []).map((step) => Object.values(step)[0])].flatMap((part) => (
  ['ConditionExpression', 'FilterExpression', 'UpdateExpression', 'ProjectionExpression', 'KeyConditionExpression'].map((name) => [name, part[name], part])
    .filter(([, text]) => typeof text === 'string')));

/**
 * Whether operands are compared that are paths, or values that a careless comparison confuses: empty, false, nested.
 */
function comparesLoosely(request) {
  return expressionsOf(request).some(([name, text, part]) => {
    if (name === 'UpdateExpression' || name === 'ProjectionExpression') return false;
    const operands = [...text.matchAll(/[<>=]+\s*([^\s()]+)/g), ...text.matchAll(/BETWEEN\s+(\S+)\s+AND\s+([^\s)]+)/gi), ...text.matchAll(/IN \(([^()]*)\)/gi),
                      ...text.matchAll(/contains\([^,]+, ([^\s()]+)\)/g)]
      .flatMap(([, ...all]) => all.flatMap((list) => list.split(/,\s*/)));
    return operands.some((operand) => {
      const [[type, value]] = Object.entries(part.ExpressionAttributeValues?.[operand] ?? {path: 1});
      return !['S', 'N', 'B'].includes(type) || value.length === 0;
    });
  });
}
/** An update that sets or adds nothing. */
function onlyRemoves({input}) {
  if (input.AttributeUpdates) return Object.values(input.AttributeUpdates).every(({Action}) => Action === 'DELETE');
  return input.UpdateExpression !== undefined && !/\b(SET|ADD)\b/i.test(input.UpdateExpression);
}
/** Whether all reasons are equal, except that `fewer` may lack some of `more`. */
function reasonsWithin(fewer, more) {
  const all = more.split(',');
  return fewer.split(',').every((reason, i) => reason === all[i] || reason === 'None');
}
const hasCommon = (text, name) => new RegExp(`\\b${name}\\b`, 'i').test(text ?? '');

export const kKnown = [
  {server: 'dynoxide', why: 'dynoxide returns the key as ALL_OLD of an item that was not there',
   when: (one) => only('answer')(one) && one.request.input.ReturnValues === 'ALL_OLD' && one.before === 'nothing'},
  {server: 'dynoxide', why: 'dynoxide repeats the page of a table without a range key for ever',
   when: ({request}) => request.name === 'Query' && request.table.name === 'h' && (request.input.Limit ?? request.input.ExclusiveStartKey) !== undefined},
  {server: 'dynoxide', why: 'dynoxide does not compare the constant bounds of BETWEEN with each other', when: oneSays(/The BETWEEN operator requires/)},
  {server: 'dynoxide', why: 'dynoxide takes document paths of which one indexes what the other names into', when: oneSays(/Two document paths conflict/)},
  {server: 'dynoxide', why: 'dynoxide checks that a key is not updated after the condition, not before', when: oneSays(/Cannot update attribute .* part of the key/)},
  {server: 'dynoxide', why: 'dynoxide finds no key in parentheses, or behind the range condition', when: oneSays(/Query condition missed key schema element/)},
  {server: 'dynoxide', why: 'dynoxide ignores the removal of a path into an attribute that is not there',
   when: (one) => one.before !== 'nothing' && oneSays(/document path provided in the update expression is invalid/)(one)},
  {server: 'dynoxide', why: 'dynoxide ignores, in a transaction, updates of paths into attributes that are not there',
   when: ({request, mine}) => request.name === 'TransactWriteItems' && /ValidationError/.test(mine.reasons)
     && expressionsOf(request).some(([name, text]) => name === 'UpdateExpression' && /[.\[]/.test(text))},
  {why: 'both others read no more than its own projection from a local index',
   when: ({request, differs}) => request.index?.kind === 'local' && request.index.projection && differs.join() === 'items' && request.input.ProjectionExpression !== undefined},
  {why: 'both others make an item by an update that only removes, in a transaction too',
   when: (one) => one.request.name === 'TransactWriteItems' && one.differs.join() === 'stored' && one.before.includes('nothing')
     && one.request.input.TransactItems.some(({Update}) => Update && onlyRemoves({input: Update}))},
  {why: 'whether ConditionalOperator may stand beside an expression', when: oneSays(/Can not use both expression and non-expression.*\{ConditionalOperator\}/)},
  {why: 'which of several faults is named, and how in a batch', when: ({request, differs}) => /^Batch/.test(request.name) && differs.join() === 'message'},
  {server: 'dynoxide', why: 'dynoxide tells numbers in sets apart by their spelling',
   when: ({request}) => /"NS":\[[^\]]*"(7\.0|-?1e\d+)"/.test(JSON.stringify(request.input)) && /DELETE|ADD|contains|CONTAINS/.test(JSON.stringify(request.input))},
  {server: 'dynoxide', why: 'dynoxide takes any text as the name of a type', when: oneSays(/Invalid attribute type name found/)},
  {server: 'dynoxide', why: 'dynoxide does not check lengths and ranges of some members of the request',
   when: oneSays(/at '(attributesToGet|limit|returnConsumedCapacity|returnItemCollectionMetrics)' failed to satisfy constraint/)},
  {server: 'dynoxide', why: 'dynoxide does not compare the type of a key in a condition with the table', when: oneSays(/Condition parameter type does not match schema type/)},
  {server: 'dynoxide', why: 'dynoxide takes values of several types for one legacy operator', when: oneSays(/AttributeValueList must be of same type/)},
  {server: 'dynoxide', why: 'dynoxide ignores case in begins_with of a key',
   when: ({request}) => request.name === 'Query' && (hasCommon(request.input.KeyConditionExpression, 'begins_with') || /BEGINS_WITH/.test(JSON.stringify(request.input.KeyConditions)))},
  {server: 'dynoxide', why: 'dynoxide returns the whole attribute where an element of a list was updated',
   when: (one) => only('answer', 'capacity')(one) && /^UPDATED_/.test(one.request.input.ReturnValues) && /\[/.test(one.request.input.UpdateExpression)},
  {server: 'dynalite', why: 'dynalite reads in one clause of an update what another one wrote',
   when: (one) => only('answer', 'stored')(one) && expressionsOf(one.request).some(([name, text]) => name === 'UpdateExpression' && /SET/i.test(text) && /ADD|DELETE|REMOVE/i.test(text))},
  {why: 'both others make an item by an update that only removes from one that is not there', when: (one) => one.before === 'nothing' && onlyRemoves(one.request)},
  {server: 'dynoxide', why: 'dynoxide goes on after any key, also one that the query cannot have returned',
   when: oneSays(/The provided starting key|cannot be restarted/)},
  {server: 'dynoxide', why: 'dynoxide fills a list with nulls up to an index beyond its end',
   when: (one) => only('answer', 'stored')(one) && expressionsOf(one.request).some(([name, text]) => name === 'UpdateExpression' && /\[\d+\]\s*=/.test(text))},
  {server: 'dynoxide', why: 'dynoxide moves an item whose key an update in a transaction sets',
   when: ({request}) => request.name === 'TransactWriteItems' && expressionsOf(request).some(([name, text]) => name === 'UpdateExpression' && /#?\b(pk|sk|[pr])\b/.test(text))},
  {server: 'dynoxide', why: 'dynoxide names only the failed conditions of a transaction, not the updates that cannot be done beside them',
   when: ({differs, mine, theirs}) => differs.join() === 'reasons' && /ConditionalCheckFailed|ValidationError/.test(theirs.reasons) && reasonsWithin(theirs.reasons, mine.reasons)},
  {server: 'dynoxide', why: 'dynoxide takes overlapping paths and operands of wrong types in a transaction', when: (one) => one.request.name === 'TransactWriteItems' && oneSays(/Two document paths overlap|Incorrect operand type/)(one)},
  {server: 'dynoxide', why: 'dynoxide lets a path be compared with itself', when: oneSays(/first operand must be distinct/)},
  {server: 'dynoxide', why: 'dynoxide does not compare the bounds of a legacy BETWEEN', when: oneSays(/The BETWEEN condition was provided a range/)},
  {server: 'dynoxide', why: 'dynoxide finds unused names and values only where it evaluates the whole expression', when: oneSays(/unused in expressions/)},
  {server: 'dynoxide', why: 'dynoxide takes a path as the type of attribute_type', when: oneSays(/Incorrect operand type .*attribute_type/)},
  {server: 'dynoxide', why: 'dynoxide takes values in legacy conditions of types that the operator does not know',
   when: oneSays(/ComparisonOperator (?!EQ|NE)\w+ is not valid for \w+ AttributeValue type/)},
  {server: 'dynalite', why: 'dynalite knows no legacy EQ and NE of lists, maps and nulls', when: oneSays(/ComparisonOperator (EQ|NE) is not valid for \w+ AttributeValue type/)},
  {why: 'both others remove the elements of a list one after the other, so that the second index is another element',
   when: ({request}) => expressionsOf(request).some(([name, text]) => name === 'UpdateExpression' && (text.match(/\]/g) ?? []).length > 1 && /REMOVE/i.test(text))},
  {server: 'dynalite', why: 'dynalite refuses to remove a nested path from an item that is not there',
   when: (one) => one.before === 'nothing' && oneSays(/document path provided in the update expression is invalid/)(one)},
  {server: 'dynalite', why: 'dynalite leaves indexes and empty reads out of the consumed capacity', when: only('capacity')},
  {server: 'dynalite', why: 'dynalite compares loosely: missing operands, empty and false ones, sets, lists, maps',
   when: ({request, mine, theirs}) => comparesLoosely(request) && ![mine, theirs].some(({message}) => message?.startsWith('Invalid '))},
  {why: 'both others order values of types that have no order', when: (one) => comparesLoosely(one.request) && oneSays(/Incorrect operand type/)(one)},
  {server: 'dynoxide', why: 'dynoxide answers an item of which the projection leaves nothing as if it were missing, in a transaction',
   when: ({request, differs}) => request.name === 'TransactGetItems' && differs.join() === 'answer' && JSON.stringify(request.input).includes('ProjectionExpression')},
  {why: 'whether a nested path can be removed from an item that is not there, in an update that also sets something',
   when: (one) => one.before.includes('nothing') && !onlyRemoves(one.request) && oneSays(/document path provided in the update expression is invalid|^$/)(one)
     && expressionsOf(one.request).some(([name, text]) => name === 'UpdateExpression' && /REMOVE.*[.\[]/i.test(text))},
  {server: 'dynalite', why: 'dynalite lets legacy operators have values of any type in Expected',
   when: (one) => one.request.input.Expected !== undefined && oneSays(/ComparisonOperator \w+ is not valid for/)(one)},
  {why: 'both others let NOT_CONTAINS hold of an attribute that is not there',
   when: ({request, mine, theirs}) => /NOT_CONTAINS/.test(JSON.stringify(request.input)) && !/Validation/.test(`${mine.error}${theirs.error}`)},
  {why: 'whether the first operand of IN and BETWEEN may be among the others', when: oneSays(/first operand must be distinct.*operator: (IN|BETWEEN)/)},
  {server: 'dynalite', why: 'dynalite compares text by UTF-16 units', when: (one) => /[\u{10000}-\u{10ffff}\uffff]/u.test(JSON.stringify(one.request.input))
     && oneSays(/BETWEEN operator requires|BETWEEN condition|starting key does not match/)(one)},
  {server: 'dynalite', why: 'dynalite orders equal keys of an index by a hash, and so goes on elsewhere',
   when: ({request}) => request.index !== undefined && request.input.ExclusiveStartKey !== undefined},
  {server: 'dynalite', why: 'dynalite compares loosely in Expected, and knows no OR of what should exist',
   when: ({request, mine, theirs}) => request.input.Expected !== undefined && ![mine, theirs].some(({message}) => /^(Invalid |One or more)/.test(message))},
  {why: 'dynalite compares Select with no other parameter, dynoxide not with AttributesToGet',
   when: oneSays(/Cannot specify the \w+ when choosing to get|ALL_PROJECTED_ATTRIBUTES can be used only|Must specify the AttributesToGet or Projection/)},
  {why: 'both others let a read of a global index ask for attributes that it does not project',
   when: ({request: {index}, mine, theirs, differs}) => {
     const lacks = /Global secondary index \S+ does not project \[(.*)\]$/.exec(mine.message ?? '')?.[1].split(', ');
     return differs.join() === 'error' && theirs.error === undefined && lacks !== undefined && index?.kind === 'global' && Boolean(index.projection)
       && !lacks.some((name) => index.include?.includes(name));
   }},
  {server: 'dynalite', why: 'dynalite answers no attributes with an empty map',
   when: ({mine, theirs, differs}) => only('answer', 'capacity')({differs}) && [mine, theirs].some(({value}) => JSON.stringify(value?.Attributes) === '{}')},
  {server: 'dynalite', why: 'dynalite takes empty bytes in the key of an index', when: oneSays(/cannot contain an empty (binary|string) value/)},
  {server: 'dynalite', why: 'dynalite takes empty text and bytes for nothing in functions',
   when: (one) => !/Validation/.test(`${one.mine.error}${one.theirs.error}`)
     && expressionsOf(one.request).some(([name, text]) => /Filter|Condition/.test(name) && /(size|attribute_type|attribute_exists|attribute_not_exists|contains|begins_with)\s*\(/.test(text))},
  {server: 'dynalite', why: 'dynalite does not check what a deletion may return', when: oneSays(/at 'returnValues' failed|ReturnValues can only be/)},
  {server: 'dynalite', why: 'dynalite reads global indexes consistently', when: oneSays(/Consistent reads are not supported on global/)},
  {why: 'the order of checks: the type of an index key, and the condition', when: (one) => only('error')(one) && oneSays(/Type mismatch for Index Key/)(one)},
  {why: 'the error for a table name that no table can have', when: ({request, differs}) => differs.join() === 'error' && !/^[\w.-]{3,255}$/.test(request.input.TableName ?? '')},
];

/**
 * Empty so far: the deliberate differences (immediate expiry, indexes that are never late) only show with a clock or
 * a race.
 */
export const kDeliberate = [
];
