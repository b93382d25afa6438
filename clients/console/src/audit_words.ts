import type { AuditEntry } from '@parley/sdk';

const kWords: Readonly<Record<string, string>> = {
  'moderation.case': 'Opened a case',
  'moderation.decide': 'Decided a case',
  'moderation.message': 'Moderated a message',
  'moderation.user': 'Changed a user’s standing',
  'moderation.audit': 'Searched the audit',
  'moderation.resetLadder': 'Reset the text policy’s ladder',
  'moderation.threads': 'Listed conversations',
  'thread.setStatus': 'Changed a conversation’s status',
  'thread.open': 'Looked into a conversation',
  'message.list': 'Read messages',
  'message.edit': 'Edited a message',
  'message.delete': 'Deleted a message',
};

/** What was done, in words; what this client has no words for is named as the server names it. */
export function auditWords(action: string): string {
  const known = kWords[action];
  if (known !== undefined) return known;
  const looked = action.startsWith('look.') ? action.slice('look.'.length) : null;
  if (looked === null) return action;
  return kWords[looked] ?? `Looked: ${looked}`;
}

/** Each state that changed, or that only one side has: `name: before → after`. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const text = (value: unknown): string => (value === undefined || value === null || value === '' ? '–' : typeof value === 'string' ? value : JSON.stringify(value));
  return [...names].flatMap((name) => {
    const [was, is] = [text(before?.[name]), text(after?.[name])];
    if (was === is) return [];
    return [was === '–' ? `${name}: ${is}` : `${name}: ${was} → ${is}`];
  });
}
