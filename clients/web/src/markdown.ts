/**
 * What is decided about the Markdown of bodies besides drawing it (markdown_view.tsx): where links may lead, what is
 * too much to be drawn, and the words alone. Parsing is micromark's, of the same family as react-markdown.
 */
import { cutText } from '@parley/sdk';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** The target if it is absolute and of an allowed scheme, else null. The URL parser decides, not a pattern. */
export function safeHref(target: string): string | null {
  try {
    const url = new URL(target);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Thousands of marks are no message of a person: they would nest deeper than the stack, or keep the page busy. Such a
 * body is shown as it is.
 */
const kMarksMax = 600;

export function isDrawable(source: string): boolean {
  let marks = 0;
  for (const _ of source.matchAll(/[*_~`[\]<>|+-]|\d[.)]/g)) if (++marks > kMarksMax) return false;
  return true;
}

/** How much of a body the words are taken from: they are for one line. */
const kWordsFrom = 1_000;

interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  children?: Node[];
}
const kInline = new Set(['emphasis', 'strong', 'link', 'linkReference', 'text', 'inlineCode', 'html', 'image']);

/** The words only, on one line: for quotes and announcements. */
export function plainText(source: string): string {
  const beginning = cutText(source, kWordsFrom);
  return (isDrawable(beginning) ? wordsOf(fromMarkdown(beginning) as Node) : beginning).replace(/\s+/g, ' ').trim();
}

function wordsOf(node: Node): string {
  if (node.children === undefined) return node.value ?? node.alt ?? (node.type === 'break' ? ' ' : '');
  return node.children.map((child) => wordsOf(child) + (kInline.has(child.type) ? '' : ' ')).join('');
}
