import { hintOf, ParleyError } from '@parley/sdk';

/** What was decided about is another by now. */
export function isStale(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'VERSION_CONFLICT';
}

/** Why staff were refused. "Not allowed" alone does not say what to do instead, so the rule follows, and the case in the way. */
export function refusalOf(error: unknown): string {
  if (isStale(error)) return 'The case has changed meanwhile. Look at it again, then decide.';
  const hint = hintOf(error);
  if (!(error instanceof ParleyError) || error.code !== 'FORBIDDEN' || error.message === error.code) return hint;
  const caseId = error.details.fields?.['caseId'];
  return `${hint.replace(/\.$/, '')}: ${error.message}${caseId === undefined ? '' : ` (${caseId})`}.`;
}
