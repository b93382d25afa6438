import { capitalized } from '@parley/shared';
import type { CaseAction, CaseOrigin, CaseStatus, ConductState, Decision, MessageModeration, Severity } from '@parley/sdk';

export const kStatusWords: Readonly<Record<CaseStatus, string>> = {
  pending: 'Pending',
  awaiting_second_approval: 'Awaiting second approval',
  escalated: 'Escalated',
  resolved: 'Resolved',
  rejected: 'Rejected',
};

export const kSeverityWords: Readonly<Record<Severity, string>> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' };

export const kDecisionWords: Readonly<Record<Decision, { verb: string; done: string; means: string }>> = {
  approve: { verb: 'Approve', done: 'Approved', means: 'The report is right; the actions below are carried out.' },
  reject: { verb: 'Reject', done: 'Rejected', means: 'Nothing is wrong; the case ends without actions.' },
  escalate: { verb: 'Escalate', done: 'Escalated', means: 'A more senior person has to decide; the context is no longer masked.' },
  override: { verb: 'Override', done: 'Overridden', means: 'Ends the case with the actions below, whatever was reported.' },
};

export const kActionWords: Readonly<Record<CaseAction, string>> = {
  redact: 'Redact the message',
  warn: 'Warn the user',
  mute: 'Mute the user',
  shadow: 'Shadow-mute the user',
  suspend: 'Suspend the user',
  lock: 'Lock the conversation',
};

export const kConductWords: Readonly<Record<ConductState, string>> = {
  ok: 'In good standing',
  warned: 'Warned',
  shadow: 'Shadow-muted',
  muted: 'Muted',
  suspended: 'Suspended',
};

export const kModerationWords: Readonly<Record<MessageModeration, string>> = {
  clean: 'Clean',
  flagged: 'Flagged',
  blocked: 'Blocked',
  redacted: 'Redacted',
};

/** awaiting_second_approval → Awaiting second approval: a fallback for values without words of their own. */
export function plain(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.]+/g, ' ').trim().toLowerCase();
  return capitalized(words);
}

const kOriginWords: Readonly<Record<CaseOrigin, string>> = {
  report: 'A report',
  safety: 'A safety card',
  dispute: 'A dispute card',
  policy: 'The text policy',
};

export function originWords(origin: CaseOrigin | undefined): string {
  return kOriginWords[origin ?? 'report'];
}

export function statusWords(status: string): string {
  return (kStatusWords as Record<string, string | undefined>)[status] ?? plain(status);
}
