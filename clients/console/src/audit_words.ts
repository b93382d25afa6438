import type { AuditEntry } from '@parley/sdk';

const kActs: Readonly<Record<string, string>> = {
  'card.act': 'Acted on a card',
  'card.create': 'Opened a card',
  'case.end': 'Ended a case',
  'case.open': 'Opened a case',
  'message.delete': 'Deleted a message',
  'message.edit': 'Edited a message',
  'moderation.decide': 'Decided a case',
  'moderation.file': 'Decided about a file',
  'moderation.lock': 'Locked a conversation',
  'moderation.message': 'Moderated a message',
  'moderation.redact': 'Redacted a message',
  'moderation.release': 'Reopened a thread after the decision of its case',
  'policy.block': 'Wrote a text that the text policy rejects',
  'policy.stop': 'Was stopped by the text policy',
  'moderation.resetLadder': 'Reset the text policy’s strikes',
  'moderation.user': 'Changed a user’s standing',
  'tenant.change': 'Changed the settings',
  'tenant.create': 'Created the tenant',
  'tenant.status': 'Changed the tenant’s status',
  'thread.setStatus': 'Changed a conversation’s status',
  'user.block': 'Blocked a user',
  'user.delete': 'Deleted a user',
  'user.unblock': 'Unblocked a user',
};

// Reads whose entry has the same name as the change they prepare.
const kLooks: Readonly<Record<string, string>> = {
  'files.get': 'Fetched a file',
  'files.getQuarantined': 'Fetched a file in quarantine',
  'message.history': 'Read a message’s history',
  'message.list': 'Read messages',
  'moderation.audit': 'Searched the audit',
  'moderation.case': 'Read a case',
  'moderation.threads': 'Listed conversations',
  'moderation.user': 'Read a user’s record',
  'session.hello': 'Resumed reading a conversation',
  'thread.audit': 'Read a conversation’s audit',
  'thread.open': 'Read a conversation',
};

/** Describes an entry in words; falls back to the server's name for an unknown action. */
export function auditWords(action: string): string {
  if (!action.startsWith('look.')) return kActs[action] ?? action;
  const op = action.slice('look.'.length);
  return kLooks[op] ?? `Looked: ${op}`;
}

/** Each state that changed or that only one side has: `name: before → after`. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const text = (value: unknown): string => (value === undefined || value === null || value === '' ? '–' : typeof value === 'string' ? value : JSON.stringify(value));
  return [...names].flatMap((name) => {
    const [was, is] = [text(before?.[name]), text(after?.[name])];
    if (was === is) return [];
    return [was === '–' ? `${name}: ${is}` : `${name}: ${was} → ${is}`];
  });
}
