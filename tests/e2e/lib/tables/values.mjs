// Converts attribute values of the DynamoDB protocol from and to plain ones. Numbers travel as decimal text: a plain number
// becomes N, and N returns as a number if a double is exact, otherwise as `Num`.

/** A number that JavaScript cannot represent: 38 digits, or a certain spelling. */
export class Num {
  constructor(text) {
    this.text = String(text);
  }
}
export const num = (text) => new Num(text);

export function av(value) {
  if (value === null) return {NULL: true};
  switch (typeof value) {
    case 'string': return {S: value};
    case 'number': case 'bigint': return {N: String(value)};
    case 'boolean': return {BOOL: value};
    default:
  }
  if (value instanceof Num) return {N: value.text};
  if (value instanceof Uint8Array) return {B: value};
  if (value instanceof Set) return set([...value]);
  if (Array.isArray(value)) return {L: value.map(av)};
  return {M: item(value)};
}

function set(members) {
  if (typeof members[0] === 'string') return {SS: members};
  if (members[0] instanceof Uint8Array) return {BS: members};
  return {NS: members.map((member) => av(member).N)};
}

/** A map of attribute values; omits undefined members. */
export function item(plain) {
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, av(value)]));
}

export function plain(value) {
  const [[type, content]] = Object.entries(value);
  switch (type) {
    case 'N': return number(content);
    case 'NULL': return null;
    case 'L': return content.map(plain);
    case 'M': return plainItem(content);
    case 'SS': case 'BS': return new Set(content);
    case 'NS': return new Set(content.map(number));
    default: return content;
  }
}

function number(text) {
  return String(Number(text)) === text ? Number(text) : num(text);
}

/** → undefined for a missing item */
export function plainItem(map) {
  return map && Object.fromEntries(Object.entries(map).map(([name, value]) => [name, plain(value)]));
}
