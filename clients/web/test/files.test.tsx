import type { Attachment } from '@parley/sdk';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { FileView } from '../src/file_view.js';
import { sizeText, typeText } from '@parley/shared';
import { attachmentFacts, baseName, finalFacts, tabFileFacts } from '../src/files.js';

const attachment = (change: Partial<Attachment>): Attachment => ({ kind: 'preview', s3Key: null, manifestRef: null, mime: null, w: null, h: null, ...change });

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [9_949, '9.9 KB'],
    [9_950, '10 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [2_400_000, '2.4 MB'],
    [5_000_000_000_000_000, '5000 TB'],
  ])('of %i bytes reads %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
});

describe('a media type', () => {
  it('has a name in words if it is known', () => {
    expect(['image/png', 'image/jpeg', 'video/mp4', 'application/pdf', 'application/x-odd'].map(typeText)).toEqual([
      'PNG image',
      'JPEG image',
      'MP4 video',
      'PDF',
      'application/x-odd',
    ]);
  });
});

describe('an attachment', () => {
  it('has the last part of its path as its name', () => {
    expect(attachmentFacts(attachment({ s3Key: 'threads/x/the%20plan.pdf' })).name).toBe('the plan.pdf');
    expect(attachmentFacts(attachment({})).name).toBe('File');
    expect(baseName('https://example.org/a/list.json?token=1#x')).toBe('list.json');
    expect(baseName('a/%zz')).toBe('%zz');
  });

  it('shows its type and dimensions, as far as known', () => {
    const picture = attachmentFacts(attachment({ s3Key: 'p.jpg', mime: 'image/jpeg', w: 1200, h: 800 }));
    expect(picture).toMatchObject({ facts: ['JPEG image', '1200 × 800'], sort: 'image', href: null });
    expect(attachmentFacts(attachment({ kind: 'manifest', manifestRef: 'm1' }))).toMatchObject({ facts: ['List of files'], sort: 'list' });
  });

  it('links only to targets that messages may link to', () => {
    expect(attachmentFacts(attachment({ manifestRef: 'https://example.org/m.json' })).href).toBe('https://example.org/m.json');
    for (const manifestRef of ['javascript:alert(1)', '/v1/x', 'data:text/html,x']) {
      const shown = renderToStaticMarkup(<FileView file={attachmentFacts(attachment({ manifestRef }))} testId="x" />);
      expect(shown).not.toContain('href');
    }
  });
});

describe('the files of a project', () => {
  it('have name, type and size, whatever a member wrote there', () => {
    expect(tabFileFacts({ id: 'p1', name: 'one.jpg', mime: 'image/jpeg', bytes: 5_000 })).toMatchObject({ name: 'one.jpg', facts: ['JPEG image', '5.0 KB'] });
    expect(tabFileFacts({ id: 'p1', name: 7, mime: null, bytes: -1, url: 'javascript:x' })).toMatchObject({ name: 'p1', facts: [], href: null });
    expect(finalFacts({ manifestRef: 'm/final.json', provider: 'Box', entries: [{}, {}] })).toMatchObject({ name: 'final.json', facts: ['Box', '2 files'] });
    expect(finalFacts({}).name).toBe('Delivery');
  });
});
