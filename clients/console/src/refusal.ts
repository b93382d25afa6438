import { hintOf, ParleyError } from '@parley/sdk';

/** Why staff were refused. "Not allowed" alone does not say what to do instead, so the rule follows, and the case in the way. */
export function refusalOf(error: unknown): string {
  const hint = hintOf(error);
  if (!(error instanceof ParleyError) || error.code !== 'FORBIDDEN' || error.message === error.code) return hint;
  const caseId = error.details.fields?.['caseId'];
  return `${hint.replace(/\.$/, '')}: ${error.message}${caseId === undefined ? '' : ` (${caseId})`}.`;
}
