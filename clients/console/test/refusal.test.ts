import { ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../src/refusal.js';

describe('a refusal', () => {
  it('says which rule was in the way, and which case', () => {
    const refused = (message: string, fields?: Record<string, string>) =>
      new ParleyError('FORBIDDEN', message, 'You are not allowed to do this.', fields === undefined ? {} : { fields });
    expect(refusalOf(refused('you reported it'))).toBe('You are not allowed to do this: you reported it.');
    expect(refusalOf(refused('a case about them is open', { caseId: 'case_1' }))).toBe('You are not allowed to do this: a case about them is open (case_1).');
    expect(refusalOf(refused('FORBIDDEN'))).toBe('You are not allowed to do this.');
  });

  it('of a case that changed meanwhile says to look again', () => {
    expect(refusalOf(new ParleyError('VERSION_CONFLICT', 'the case has changed meanwhile', 'Try again.'))).toContain('Look at it again');
  });

  it('is any other error’s hint', () => {
    expect(refusalOf(new ParleyError('NOT_FOUND', 'no such case', 'This item does not exist.'))).toBe('This item does not exist.');
    expect(refusalOf(new TypeError('x'))).toContain('Something went wrong');
  });
});
