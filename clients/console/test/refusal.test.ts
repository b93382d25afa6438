import { ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../src/refusal.js';

describe('a refusal', () => {
  it('names the rule and the case', () => {
    const refused = (hint: string, fields?: Record<string, string>) =>
      new ParleyError('FORBIDDEN', 'x', hint, fields === undefined ? {} : { fields });
    expect(refusalOf(refused('You reported this, so somebody else decides.'))).toBe('You reported this, so somebody else decides.');
    expect(refusalOf(refused('A case is open.', { caseId: 'case_1' }))).toBe('A case is open (case_1).');
  });

  it('of an outdated decision asks to read the case again', () => {
    expect(refusalOf(new ParleyError('VERSION_CONFLICT', 'the case has changed meanwhile', 'Try again.'))).toContain('Read it again');
  });

  it('of another kind is the error’s hint', () => {
    expect(refusalOf(new ParleyError('NOT_FOUND', 'no such case', 'This item does not exist.'))).toBe('This item does not exist.');
    expect(refusalOf(new TypeError('x'))).toContain('Something went wrong');
  });
});
