/**
 * Rules for the Markdown of bodies: allowed link targets, the limit of marks, and plain text;
 * markdown_view.tsx renders it. micromark parses it, as in react-markdown.
 */
import { cutText } from '@parley/sdk';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** Returns the target if it is absolute and has an allowed scheme, else null. The URL parser decides, not a pattern. */
export function safeHref(target: string): string | null {
  try {
    const url = new URL(target);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * No person types thousands of marks; they would overflow the stack or block the page. Such a body is shown as plain
 * text.
 */
const kMarksMax = 600;

export function isDrawable(source: string): boolean {
  let marks = 0;
  for (const _ of source.matchAll(/[*_~`[\]<>|+-]|\d[.)]/g)) if (++marks > kMarksMax) return false;
  return true;
}

/** How much of a body the words are taken from: they are for one line. */
const kWordsFrom = 1_000;

export interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  url?: string;
  identifier?: string;
  checked?: boolean | null;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}
const kInline = new Set(['emphasis', 'strong', 'link', 'linkReference', 'text', 'inlineCode', 'html', 'image']);

/** The words only, on one line: for quotes and announcements. */
export function plainText(source: string): string {
  const beginning = cutText(source, kWordsFrom);
  const words = isDrawable(beginning) ? wordsOf(fromMarkdown(beginning) as Node) : beginning;
  return (hasInk(words) ? words : beginning).replace(/\s+/g, ' ').trim();
}

function wordsOf(node: Node): string {
  if (node.children === undefined) return node.value ?? node.alt ?? (node.type === 'break' ? ' ' : '');
  return node.children.map((child) => wordsOf(child) + (kInline.has(child.type) ? '' : ' ')).join('');
}

// Blanks, controls and what is there without being seen.
const kInkless = /[\s\p{C}\p{Z}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f]/gu;

function hasInk(text: string): boolean {
  return text.replace(kInkless, '') !== '';
}

/** Whether a reader sees anything of it. */
function isSeen(node: Node): boolean {
  switch (node.type) {
    case 'thematicBreak':
    case 'footnoteReference':
      return true;
    case 'definition':
    case 'footnoteDefinition':
      return false;
    case 'image':
      return hasInk(node.alt ?? '') || hasInk(node.url ?? '');
    default:
      if (typeof node.checked === 'boolean') return true; // a task has its box
      return node.children === undefined ? hasInk(node.value ?? node.alt ?? '') : node.children.some(isSeen);
  }
}

const kBlocks = new Set(['paragraph', 'heading', 'blockquote', 'list', 'code', 'table', 'definition', 'footnoteDefinition']);
const kPhrases = new Set(['link', 'linkReference', 'image', 'imageReference', 'emphasis', 'strong', 'delete', 'inlineCode']);

/**
 * What would be drawn as nothing is shown as it was typed: a definition that nobody refers to, a link without words, a lone `#`.
 * Changes the tree, which is that of `source`.
 */
export function showUnseen(tree: Node, source: string): void {
  const referred = new Set<string>();
  const refers = ({ type, identifier, children }: Node): void => {
    if (/Reference$/.test(type) && identifier !== undefined) referred.add(identifier);
    children?.forEach(refers);
  };
  refers(tree);
  const asTyped = ({ type, position }: Node): Node => {
    const text = { type: 'text', value: source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0) };
    return kBlocks.has(type) ? { type: 'paragraph', children: [text] } : text;
  };
  const replace = (node: Node): Node => {
    const defines = node.type === 'definition' || node.type === 'footnoteDefinition';
    if (defines && referred.has(node.identifier ?? '')) return node;
    if ((kBlocks.has(node.type) || kPhrases.has(node.type)) && !isSeen(node)) return asTyped(node);
    if (node.children !== undefined) node.children = node.children.map(replace);
    return node;
  };
  replace(tree);
}
