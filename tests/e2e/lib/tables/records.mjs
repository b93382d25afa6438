// Versioned records of back ends (HM-B1…B7 of docs/tables.md), implemented with nothing but the protocol.
import {step, transact} from './table.mjs';

const kTries = 200;  // the programs try four times with pauses; without pauses many writers need more

export class Records {
  constructor(table) {
    this.table = table;
  }

  async create(values) {
    const record = {version: 1, createdAt: new Date().toISOString(), ...values};
    await this.table.create(record);
    return record;
  }

  /** Merges `changes` into a record as read; refused if it has changed since. */
  async update(read, changes) {
    const record = this.next(read, changes);
    await this.table.put(record, this.condition(read));
    return record;
  }

  next(read, changes) {
    return {...read, ...changes, version: read.version + 1, updatedAt: new Date().toISOString()};
  }

  condition(read) {
    return {ConditionExpression: '#v = :v', names: {'#v': 'version'}, values: {':v': read.version}};
  }

  /** read → change(record or undefined) → conditional write, repeated after a conflict. `change` may throw. */
  async atomicUpdate(key, change) {
    for (let i = 0; i < kTries; i += 1) {
      const read = await this.table.get(key);
      const changes = change(read);
      try {
        return read ? await this.update(read, changes) : await this.create(changes);
      } catch (error) {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      }
    }
    throw new Error('outdated: too many others');
  }

  /** The step of a transaction that replaces `read`. */
  replacing(read, changes) {
    return step('Put', this.table, {Item: this.next(read, changes), ...this.condition(read)});
  }
}

/**
 * Runs `decide()` → steps in one transaction, repeated after a conflict. → the value that `decide` returned beside
 * `steps`
 */
export async function transactUntilTaken(db, decide) {
  for (let i = 0; i < kTries; i += 1) {
    const {steps, ...rest} = await decide();
    if (steps === undefined) return rest;
    try {
      await transact(db, steps);
      return rest;
    } catch (error) {
      if (error.name !== 'TransactionCanceledException' && error.name !== 'TransactionConflictException') throw error;
    }
  }
  throw new Error('too many others');
}
