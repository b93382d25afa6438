import { hintOf, ParleyError } from '@parley/sdk';

/** What was decided about is another by now. */
export function isStale(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'VERSION_CONFLICT';
}

/** Why staff were refused: the hint says which rule was in the way; the case follows, if there is one. */
export function refusalOf(error: unknown): string {
  if (isStale(error)) return 'The case has changed meanwhile. Look at it again, then decide.';
  const hint = hintOf(error);
  const caseId = error instanceof ParleyError ? error.details.fields?.['caseId'] : undefined;
  return caseId === undefined ? hint : `${hint.replace(/\.$/, '')} (${caseId}).`;
}
