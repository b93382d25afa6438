// One visible character may consist of many code points: a flag, a family, a letter with its marks. A cut inside
// breaks it.

type Segmenter = { segment(text: string): Iterable<{ segment: string }> };

const kSegmenter: Segmenter | null = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;
const kSpare = 64; // code points after a cut: enough to find the end of the character

// Fallback for browsers without Intl.Segmenter: characters that extend the one before them, by the rules for most
// text.
const kExtends = /^[\p{M}\p{Emoji_Modifier}\u200c\u200d\u{e0020}-\u{e007f}\u0e33\u0eb3\uff9e\uff9f]$/u;
const kRegional = /^\p{Regional_Indicator}$/u;
const kPictographic = /^\p{Extended_Pictographic}$/u;
const kHangul = /^[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]$/u; // jamo and syllables
const kLeadingJamo = /[\u1100-\u115f\ua960-\ua97c]$/u;
const kFollowingJamo = /^[\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const kIndicLinker = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d][\u200d\p{M}]*$/u;
const kIndicConsonant = /^[\u0915-\u0939\u0958-\u095f\u0995-\u09b9\u0a95-\u0ab9\u0b15-\u0b39\u0c15-\u0c39\u0d15-\u0d39]$/u;

function goesOn(before: string, char: string): boolean {
  if (before === '') return true;
  if (before.endsWith('\r')) return char === '\n';
  if (kExtends.test(char)) return true;
  if (before.endsWith('\u200d') && kPictographic.test(char)) return true;
  if (kRegional.test(char)) return kRegional.test(before); // a flag is a pair
  if (kHangul.test(char)) return kFollowingJamo.test(char) ? kHangul.test(before.slice(-1)) : kLeadingJamo.test(before);
  return kIndicLinker.test(before) && kIndicConsonant.test(char);
}

function* byRules(text: string): Iterable<{ segment: string }> {
  let segment = '';
  for (const char of text) {
    if (!goesOn(segment, char)) {
      yield { segment };
      segment = '';
    }
    segment += char;
  }
  if (segment !== '') yield { segment };
}

/**
 * Splits a text into visible characters. If `segmenter` is null, uses our own rules, for browsers without
 * Intl.Segmenter.
 */
export function* graphemes(text: string, segmenter: Segmenter | null = kSegmenter): Iterable<string> {
  for (const { segment } of segmenter === null ? byRules(text) : segmenter.segment(text)) yield segment;
}

/** Returns the longest beginning of whole characters that fits into `max` UTF-16 units. */
export function cutText(text: string, max: number, segmenter: Segmenter | null = kSegmenter): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const one of graphemes(text.slice(0, max + kSpare), segmenter)) {
    if (end + one.length > max) break;
    end += one.length;
  }
  return text.slice(0, end);
}

export function firstGrapheme(text: string): string {
  for (const one of graphemes(text.slice(0, kSpare))) return one;
  return '';
}
