import { ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { unknownPeople } from '../src/new_thread.js';

function refusal(...fields: string[]): ParleyError {
  return new ParleyError('NOT_FOUND', 'x', 'x', { fields: Object.fromEntries(fields.map((field) => [field, 'there is no such user'])) });
}

describe('users that the tenant does not know', () => {
  it('are named as they were typed, in every kind of thread', () => {
    expect(unknownPeople(refusal('participants.1.userId'), ['a', 'b'], 'group')).toBe('No user here has the id b.');
    expect(unknownPeople(refusal('participants.0.userId'), ['a'], 'direct')).toBe('No user here has the id a.');
    expect(unknownPeople(refusal('sellerUserId', 'participants.0.userId'), ['a', 'b', 'c'], 'project')).toBe('No user here has the id a, b.');
  });

  it('are not blamed for anything else', () => {
    expect(unknownPeople(refusal(), ['a'], 'group')).toBeNull();
    expect(unknownPeople(refusal('subject'), ['a'], 'group')).toBeNull();
    expect(unknownPeople(new ParleyError('FORBIDDEN', 'x', 'x'), ['a'], 'group')).toBeNull();
    expect(unknownPeople(null, ['a'], 'group')).toBeNull();
  });
});
