// Random expressions with their substitutions, mostly valid. One Expressions object belongs to one request: it collects the
// names and values that the request's expressions use.
import {kAttributes, kReserved} from './random_values.mjs';

const kComparators = ['=', '<>', '<', '<=', '>', '>='];
const kTypes = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'];

export class Expressions {
  constructor(random, values, table) {
    Object.assign(this, {random, values, table, names: {}, bound: {}});
  }

  /** The members with the substitutions of their expressions. Omits unused ones. */
  complete(members) {
    const texts = Object.entries(members).filter(([name, text]) => name.endsWith('Expression') && typeof text === 'string').map(([, text]) => text).join(' ');
    const used = (map) => Object.fromEntries(Object.entries(map).filter(([name]) => new RegExp(`${name}(?![\\w])`).test(texts)));
    const names = used(this.names);
    const values = used(this.bound);
    return {...members, ...(Object.keys(names).length > 0 && {names}), ...(Object.keys(values).length > 0 && {values})};
  }

  value(value) {
    const name = `:v${Object.keys(this.bound).length}`;
    this.bound[name] = value;
    return name;
  }

  attribute(name) {
    if (!kReserved.has(name) && !this.random.chance(0.2)) return name;
    const alias = `#${name}`;
    this.names[alias] = name;
    return alias;
  }

  keyNames() {
    return [this.table.keys.hash.name, this.table.keys.range?.name].filter(Boolean);
  }

  /** [text, the attribute's name] */
  topLevel(keys = 0.08) {
    const name = this.random.chance(keys) ? this.random.pick(this.keyNames()) : this.random.pick(Object.keys(kAttributes));
    return [this.attribute(name), name];
  }

  path(keys) {
    if (this.random.chance(0.6)) return this.topLevel(keys)[0];
    let text = this.attribute(this.random.pick(['m', 'l', 'm']));
    for (let i = this.random.int(1, 2); i > 0; i -= 1) {
      text += this.random.chance(0.4) || text.endsWith('l') ? `[${this.random.int(0, 3)}]` : `.${this.attribute(this.random.pick(['x', 'y', 'n', 'l', 'm']))}`;
    }
    return text;
  }

  /** An operand for comparing with the attribute `name`. */
  comparable(name) {
    if (this.random.chance(0.08)) return this.path();
    if (this.random.chance(0.04)) return `size(${this.path()})`;
    return this.value(this.random.chance(0.1) ? this.values.any(1) : this.values.attribute(name));
  }

  condition(depth = 2) {
    const {random} = this;
    if (depth > 0 && random.chance(0.4)) {
      const kind = random.int(0, 4);
      if (kind === 0) return `NOT ${this.predicate()}`;
      if (kind === 1) return `(${this.condition(depth - 1)})`;
      return `${this.condition(depth - 1)} ${random.pick(['AND', 'OR', 'and', 'Or'])} ${this.condition(depth - 1)}`;
    }
    return this.predicate();
  }

  predicate() {
    const {random} = this;
    const [text, name] = this.topLevel();
    switch (random.int(0, 9)) {
      case 0: return `attribute_exists(${this.path()})`;
      case 1: return `attribute_not_exists(${this.path()})`;
      case 2: return `attribute_type(${this.path()}, ${this.value(random.chance(0.95) ? random.pick(kTypes) : 'X')})`;
      case 3: return `begins_with(${text}, ${this.value(random.chance(0.9) ? this.values.ofType(random.pick(['S', 'B'])) : this.values.any(0))})`;
      case 4: return `contains(${this.path()}, ${this.value(this.values.any(0))})`;
      case 5: return `size(${this.path()}) ${random.pick(kComparators)} ${this.value(this.values.number())}`;
      case 6: return this.between(text, name);
      case 7: return `${text} IN (${Array.from({length: random.int(1, 3)}, () => this.comparable(name)).join(', ')})`;
      default: return random.chance(0.9) ? `${text} ${random.pick(kComparators)} ${this.comparable(name)}`
        : `${this.path()} ${random.pick(kComparators)} ${this.comparable(name)}`;
    }
  }

  between(text, name) {
    return `${text} BETWEEN ${this.comparable(name)} AND ${this.comparable(name)}`;
  }

  projection() {
    return Array.from({length: this.random.int(1, 3)}, () => this.path()).join(', ');
  }

  keyCondition({hash, range}) {
    const {random} = this;
    const equal = `${this.attribute(hash.name)} = ${this.value(this.values.keyPart(hash))}`;
    if (!range || random.chance(0.3)) return equal;
    const name = this.attribute(range.name);
    const part = () => this.value(this.indexedPart(range));
    let second;
    switch (random.int(0, 3)) {
      case 0: second = range.type === 'N' && random.chance(0.95) ? `${name} = ${part()}` : `begins_with(${name}, ${part()})`; break;
      case 1: second = `${name} BETWEEN ${part()} AND ${part()}`; break;
      default: second = `${name} ${random.pick(['=', '<', '<=', '>', '>='])} ${part()}`;
    }
    return random.chance(0.85) ? `${equal} AND ${second}` : `${second} AND (${equal})`;
  }

  indexedPart(range) {
    return this.keyNames().includes(range.name) ? this.values.keyPart(range) : this.values.indexed(range.type);
  }

  update() {
    const {random} = this;
    const clauses = [];
    if (random.chance(0.75)) clauses.push(`SET ${this.several(() => this.assignment())}`);
    if (random.chance(0.35)) clauses.push(`REMOVE ${this.several(() => this.path(0.01))}`);
    if (random.chance(0.25)) clauses.push(`ADD ${this.several(() => this.addition())}`);
    if (random.chance(0.15)) clauses.push(`DELETE ${this.several(() => this.subtraction())}`);
    if (clauses.length === 0) clauses.push(`SET ${this.assignment()}`);
    return random.chance(0.8) ? clauses.join(' ') : clauses.reverse().join(' ');
  }

  several(make) {
    return Array.from({length: this.random.chance(0.7) ? 1 : 2}, make).join(', ');
  }

  assignment() {
    if (this.random.chance(0.25)) return `${this.path(0.01)} = ${this.setOperand('a')}`;
    const [text, name] = this.topLevel(0.01);
    return `${text} = ${this.setOperand(name)}`;
  }

  setOperand(name) {
    const {random} = this;
    const one = () => this.value(this.values.attribute(name));
    const number = () => (random.chance(0.5) ? this.value(this.values.number()) : this.attribute(random.pick(['n', 'count'])));
    switch (random.int(0, 9)) {
      case 0: return `if_not_exists(${this.path()}, ${one()})`;
      case 1: return `${number()} ${random.pick(['+', '-'])} ${number()}`;
      case 2: return `if_not_exists(${this.attribute('n')}, ${this.value(this.values.number())}) ${random.pick(['+', '-'])} ${number()}`;
      case 3: return `list_append(${this.list()}, ${this.list()})`;
      case 4: return this.path();
      default: return one();
    }
  }

  list() {
    const {random} = this;
    switch (random.int(0, 3)) {
      case 0: return this.attribute('l');
      case 1: return `if_not_exists(${this.attribute('l')}, ${this.value([])})`;
      default: return this.value(random.chance(0.95) ? this.values.ofType('L') : this.values.any());
    }
  }

  addition() {
    const name = this.random.pick(['n', 'count', 'ss', 'ns', 'bs', 'n']);
    return `${this.attribute(name)} ${this.value(this.values.attribute(name))}`;
  }

  subtraction() {
    const name = this.random.pick(['ss', 'ns', 'bs']);
    return `${this.attribute(name)} ${this.value(this.values.attribute(name))}`;
  }
}
