import type { Attachment, CaseContext } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { fileFacts, fileStateWords, lookOf, withFile } from '../src/case_file.js';

const kPreview = { name: 'preview' as const, mime: 'image/webp', w: 4, h: 3, size: 9 };
const file = (change: Partial<Attachment>): Attachment =>
  ({ kind: 'file', attachmentId: 'att_1', s3Key: null, manifestRef: null, mime: 'image/png', w: 400, h: 300, size: 5_000, state: 'ready', variants: [kPreview], ...change });

describe('a file of a case', () => {
  it('has its state and band in words', () => {
    expect(fileStateWords(file({ state: 'quarantined' }))).toEqual(['In quarantine', 'not judged']);
    expect(fileStateWords(file({ nsfwBand: 2 }))).toEqual(['Released', 'mature']);
    expect(fileFacts(file({}))).toEqual(['PNG image', '400 × 300', '5.0 KB']);
  });

  it('is looked at as a picture that the server made, or downloaded', () => {
    expect(lookOf(file({ state: 'quarantined' }))).toBe('picture');
    expect(lookOf(file({ variants: [] }))).toBe('download');
    expect(lookOf(file({ state: 'scanning' }))).toBeNull();
    const { attachmentId: _, ...elsewhere } = file({ kind: 'manifest' });
    expect(lookOf(elsewhere)).toBeNull();
  });

  it('is replaced after a decision', () => {
    const context = { thread: null, participants: [], messages: [{ messageId: 'm', attachments: [file({}), file({ attachmentId: 'att_2' })] }] } as unknown as CaseContext;
    const changed = file({ state: 'quarantined' });
    expect(withFile(context, changed).messages[0]!.attachments!.map(({ state }) => state)).toEqual(['quarantined', 'ready']);
  });
});
