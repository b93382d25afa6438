import { describe, expect, it } from 'vitest';
import { auditWords, changesOf } from '../src/audit_words.js';
import { localTime, timeOfLocal } from '../src/local_time.js';

describe('an entry of the audit', () => {
  it('has words, or the server’s name if it is unknown', () => {
    expect(auditWords('moderation.decide')).toBe('Decided a case');
    expect(auditWords('look.thread.open')).toBe('Read a conversation');
    expect(auditWords('moderation.user')).toBe('Changed a user’s standing');
    expect(auditWords('look.moderation.user')).toBe('Read a user’s record');
    expect(auditWords('look.tab.get')).toBe('Looked: tab.get');
    expect(auditWords('something.new')).toBe('something.new');
  });

  it('shows only the changed states', () => {
    expect(changesOf({ before: { status: 'open', band: 0 }, after: { status: 'locked', band: 0, until: null } } as never)).toEqual(['status: open → locked']);
    expect(changesOf({ before: null, after: { hash: 'sha256:1' } })).toEqual(['hash: sha256:1']);
    expect(changesOf({ before: null, after: null })).toEqual([]);
  });
});

describe('a time in a search', () => {
  it('is local in the field, and the same instant for the server', () => {
    const time = '2025-11-05T14:12:07.000Z';
    expect(timeOfLocal(localTime(time))).toBe(time);
    expect([localTime(undefined), timeOfLocal(''), timeOfLocal('soon')]).toEqual(['', null, null]);
  });
});
