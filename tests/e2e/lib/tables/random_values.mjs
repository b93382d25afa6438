// Random attribute values and keys from a small space, so that operations often use the same items.
import {num} from './values.mjs';

export const kTables = [
  {name: 'h', keys: {hash: {name: 'p', type: 'S'}}},
  {name: 'rs', keys: {hash: {name: 'p', type: 'S'}, range: {name: 'r', type: 'S'}}, indexes: [
    {name: 'g-n', kind: 'global', hash: {name: 'g', type: 'S'}, range: {name: 'n', type: 'N'}},
    {name: 'g-only', kind: 'global', hash: {name: 'g', type: 'S'}},
    {name: 'p-n', kind: 'local', hash: {name: 'p', type: 'S'}, range: {name: 'n', type: 'N'}},
    {name: 'p-g', kind: 'local', hash: {name: 'p', type: 'S'}, range: {name: 'g', type: 'S'}, projection: {ProjectionType: 'KEYS_ONLY'}},
  ]},
  {name: 'rn', keys: {hash: {name: 'p', type: 'S'}, range: {name: 'r', type: 'N'}}, indexes: [
    {name: 'n-p', kind: 'global', hash: {name: 'n', type: 'N'}, range: {name: 'p', type: 'S'}, projection: {ProjectionType: 'KEYS_ONLY'}},
  ]},
  {name: 'rb', keys: {hash: {name: 'p', type: 'N'}, range: {name: 'r', type: 'B'}}, indexes: [
    {name: 'b-g', kind: 'global', hash: {name: 'b', type: 'B'}, range: {name: 'g', type: 'S'},
     projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'm']}},
  ]},
];

/** Top-level attributes beside keys, by the type that they mostly have. */
export const kAttributes = {a: 'S', n: 'N', g: 'S', b: 'B', l: 'L', m: 'M', ss: 'SS', ns: 'NS', bs: 'BS', f: 'BOOL', z: 'NULL',
                            status: 'S', name: 'S', count: 'N'};
export const kReserved = new Set(['status', 'name', 'count', 'size', 'values', 'order']);

const kStrings = ['', 'a', 'b', 'ab', 'abc', 'B', 'é', 'a#1', 'zz', '\u{1f600}', '\uffff'];
const kNumbers = ['0', '1', '-1', '2', '10', '1.5', '-0.5', '100', '1e3', '-1e20', '12345678901234567890', '0.001', '7.0', '3'];
const kBytes = ['', 'a', 'ab', '\u0000', 'b'].map((text) => Buffer.from(text, 'latin1')).concat([Buffer.from([255]), Buffer.from([128, 1])]);

export class Values {
  constructor(random) {
    this.random = random;
  }

  string(nonEmpty = false) {
    return this.random.pick(nonEmpty ? kStrings.slice(1) : kStrings);
  }

  number() {
    return num(this.random.pick(kNumbers));
  }

  bytes(nonEmpty = false) {
    return this.random.pick(nonEmpty ? kBytes.slice(1) : kBytes);
  }

  /** Distinct members. */
  members(list) {
    const count = this.random.int(1, 3);
    const start = this.random.int(0, list.length - count);
    return new Set(list.slice(start, start + count));
  }

  ofType(type, depth = 2) {
    const {random} = this;
    switch (type) {
      case 'S': return this.string();
      case 'N': return this.number();
      case 'B': return this.bytes();
      case 'BOOL': return random.chance(0.5);
      case 'NULL': return null;
      case 'SS': return this.members(kStrings.slice(1));
      case 'NS': return new Set([...this.members(kNumbers)].map(num));
      case 'BS': return this.members(kBytes.slice(1));
      case 'L': return Array.from({length: random.int(0, 3)}, () => this.any(depth - 1));
      default: return this.map(depth);
    }
  }

  map(depth) {
    const out = {};
    for (const name of ['x', 'y', 'n', 'l', 'm']) {
      if (this.random.chance(0.5)) out[name] = this.ofType({n: 'N', l: 'L', m: 'M'}[name] ?? 'S', depth - 1);
      if (depth <= 0 && Object.keys(out).length > 0) break;
    }
    return out;
  }

  any(depth = 2) {
    const types = ['S', 'S', 'N', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS'];
    return this.ofType(this.random.pick(depth > 0 ? [...types, 'L', 'M', 'M'] : types), depth);
  }

  /** A value for an attribute: of its usual type, now and then of another. */
  attribute(name) {
    return this.random.chance(0.06) ? this.any() : this.ofType(kAttributes[name] ?? 'S');
  }

  keyPart({name, type}) {
    if (type === 'N') return num(this.random.pick(name === 'p' ? ['1', '2'] : ['-10', '-1', '0', '0.5', '1', '2', '10', '1e2']));
    if (type === 'B') return this.random.pick(kBytes.slice(1));
    return this.random.pick(name === 'p' ? ['p1', 'p2', 'p3'] : ['a', 'ab', 'b', 'B', 'é', '\uffff', '\u{10000}', 'a#1']);
  }

  key(table) {
    const {hash, range} = table.keys;
    return {[hash.name]: this.keyPart(hash), ...(range && {[range.name]: this.keyPart(range)})};
  }

  /** Attributes of index keys usually have their types, so that most writes succeed. */
  item(table) {
    const out = this.key(table);
    const indexed = new Map((table.indexes ?? []).flatMap(({hash, range}) => [hash, range].filter(Boolean).map((one) => [one.name, one.type])));
    for (const name of Object.keys(kAttributes)) {
      if (!this.random.chance(indexed.has(name) || name === 'm' || name === 'l' ? 0.7 : 0.35)) continue;
      out[name] = indexed.has(name) && !this.random.chance(0.02) ? this.indexed(indexed.get(name)) : this.attribute(name);
    }
    return out;
  }

  indexed(type) {
    if (type === 'S') return this.random.pick(['a', 'b', 'ab']);
    if (type === 'N') return num(this.random.pick(['0', '1', '2', '10', '-1', '1.5']));
    return this.bytes(true);
  }
}
