import { describe, expect, it } from 'vitest';
import { cutText, firstGrapheme, graphemes } from '../src/graphemes.js';

// Each text is one visible character.
const kWhole: readonly [what: string, text: string][] = [
  ['a flag', '🇩🇪'],
  ['a flag of tags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a tone of skin', '👍🏽'],
  ['a heart of text and selector', '❤️'],
  ['a key', '1️⃣'],
  ['a letter and its marks', 'e\u0301\u0323'],
  ['Hebrew marks', 'שָׁ'],
  ['Arabic marks', 'بَّ'],
  ['Thai', 'กำ'],
  ['decomposed Hangul', '한'],
  ['Devanagari', 'क्षि'],
  ['a line break', '\r\n'],
];

describe.each([
  ['the browser', undefined],
  ['our own rules', null],
] as const)('characters by %s', (_, segmenter) => {
  it.each(kWhole)('are whole: %s', (_what, one) => {
    expect([...graphemes(`x${one}y`, segmenter)].join('|')).toBe(`x|${one}|y`);
    const text = `ab${one}${one}`;
    for (let max = 0; max <= text.length; ++max) {
      const cut = cutText(text, max, segmenter);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(['', 'a', 'ab', `ab${one}`, text]).toContain(cut);
    }
  });

  it('are as many as there are', () => {
    expect([...graphemes('🇩🇪🇫🇷🇪', segmenter)]).toEqual(['🇩🇪', '🇫🇷', '🇪']);
    expect([...graphemes('한국말', segmenter)]).toHaveLength(3);
    expect([...graphemes('', segmenter)]).toEqual([]);
  });

  it('are cut in steps that the cut bounds, not the text', () => {
    expect(cutText('👍🏽'.repeat(100_000), 9, segmenter)).toBe('👍🏽👍🏽');
  });
});

describe('the first character', () => {
  it('is whole', () => {
    expect(['👨‍👩‍👧 family', 'Zoë', ''].map(firstGrapheme)).toEqual(['👨‍👩‍👧', 'Z', '']);
  });
});
