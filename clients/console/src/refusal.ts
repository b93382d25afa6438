import { hintOf, ParleyError } from '@parley/sdk';

/** Returns true if the case or thing changed before the decision arrived. */
export function isStale(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'VERSION_CONFLICT';
}

/**
 * Explains why the server rejected a staff action: the hint names the rule, followed by the case if the error has
 * one.
 */
export function refusalOf(error: unknown): string {
  if (isStale(error)) return 'The case has changed. Read it again, then decide.';
  const hint = hintOf(error);
  const caseId = error instanceof ParleyError ? error.details.fields?.['caseId'] : undefined;
  return caseId === undefined ? hint : `${hint.replace(/\.$/, '')} (${caseId}).`;
}
