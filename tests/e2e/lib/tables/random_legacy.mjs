// The parameters that preceded expressions: Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter.
import {kAttributes} from './random_values.mjs';
import {av} from './values.mjs';

const kOperators = ['EQ', 'NE', 'LE', 'LT', 'GE', 'GT', 'NOT_NULL', 'NULL', 'CONTAINS', 'NOT_CONTAINS', 'BEGINS_WITH', 'IN', 'BETWEEN'];

export class LegacyConditions {
  constructor(random, values) {
    Object.assign(this, {random, values});
  }

  some(names, make) {
    const chosen = new Set(Array.from({length: this.random.int(1, 2)}, () => this.random.pick(names)));
    return Object.fromEntries([...chosen].map((name) => [name, make(name)]));
  }

  condition(name, value = () => this.values.attribute(name)) {
    const {random} = this;
    const ComparisonOperator = random.pick(kOperators);
    const count = {NOT_NULL: 0, NULL: 0, IN: random.int(1, 3), BETWEEN: 2}[ComparisonOperator] ?? 1;
    if (count === 0) return {ComparisonOperator};
    return {ComparisonOperator, AttributeValueList: Array.from({length: random.chance(0.97) ? count : count + 1}, () => av(value()))};
  }

  expected() {
    const {random} = this;
    const Expected = this.some(Object.keys(kAttributes), (name) => {
      switch (random.int(0, 3)) {
        case 0: return {Value: av(this.values.attribute(name))};
        case 1: return {Exists: false};
        case 2: return {Exists: true, Value: av(this.values.attribute(name))};
        default: return this.condition(name);
      }
    });
    return {Expected, ...(random.chance(0.3) && {ConditionalOperator: random.pick(['AND', 'OR'])})};
  }

  updates() {
    return {AttributeUpdates: this.some(Object.keys(kAttributes), (name) => {
      const Action = this.random.pick(['PUT', 'PUT', 'ADD', 'DELETE']);
      if (Action === 'DELETE' && this.random.chance(0.6)) return {Action};
      return {Action, Value: av(this.values.attribute(name))};
    })};
  }

  keyConditions({hash, range}) {
    const {random} = this;
    const conditions = {[hash.name]: {ComparisonOperator: 'EQ', AttributeValueList: [av(this.values.keyPart(hash))]}};
    if (!range || random.chance(0.4)) return conditions;
    const part = () => (['p', 'r'].includes(range.name) ? this.values.keyPart(range) : this.values.indexed(range.type));
    const ComparisonOperator = random.pick(['EQ', 'LE', 'LT', 'GE', 'GT', 'BETWEEN', 'BEGINS_WITH']);
    return {...conditions, [range.name]: {ComparisonOperator, AttributeValueList: Array.from({length: ComparisonOperator === 'BETWEEN' ? 2 : 1}, () => av(part()))}};
  }

  filter({hash, range}) {
    const names = Object.keys(kAttributes).filter((name) => name !== hash.name && name !== range?.name);
    return this.some(names, (name) => this.condition(name));
  }
}
