/**
 * The little markdown that message bodies may carry, as a tree: paragraphs, lists, fenced code, and inside them bold,
 * italic, code and links. It is rendered as elements, never as HTML, so whatever is not recognised stays text.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] };

const kDepthMax = 6;
const kBullet = /^ {0,3}[-*+] +(.*)$/;
const kNumber = /^ {0,3}(\d{1,9})[.)] +(.*)$/;
const kFence = /^ {0,3}```/;

export function parseMarkdown(source: string): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i]!;
    if (kFence.test(line)) {
      flush();
      const code: string[] = [];
      while (++i < lines.length && !kFence.test(lines[i]!)) code.push(lines[i]!);
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (line.trim() === '') {
      flush();
    } else if (kBullet.test(line) || kNumber.test(line)) {
      flush();
      addItem(blocks, line, i > 0 && lines[i - 1]!.trim() !== '');
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return blocks;
}

/** Joins the list just before, if it is of the same sort. */
function addItem(blocks: Block[], line: string, adjacent: boolean): void {
  const numbered = kNumber.exec(line);
  const ordered = numbered !== null;
  const children = parseInline((numbered?.[2] ?? kBullet.exec(line)?.[1] ?? '').trim());
  const last = blocks.at(-1);
  if (adjacent && last?.kind === 'list' && last.ordered === ordered) last.items.push(children);
  else blocks.push({ kind: 'list', ordered, start: Number(numbered?.[1] ?? 1), items: [children] });
}

export function parseInline(text: string, depth = 0, inLink = false): Inline[] {
  const out: Inline[] = [];
  const scan: Scan = { text, depth, inLink, unclosed: new Set() };
  let plain = '';
  const flush = (): void => {
    if (plain !== '') out.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (let i = 0; i < text.length; ) {
    const span = depth < kDepthMax ? spanAt(scan, i) : null;
    if (span !== null) {
      flush();
      out.push(span.node);
      i = span.end;
    } else if (text[i] === '\\' && /[\\`*_[\]()]/.test(text[i + 1] ?? '')) {
      plain += text[i + 1]!;
      i += 2;
    } else if (text[i] === '\n') {
      flush();
      out.push({ kind: 'break' });
      i += 1;
    } else {
      plain += text[i]!;
      i += 1;
    }
  }
  flush();
  return out;
}

interface Scan {
  text: string;
  depth: number;
  inLink: boolean;
  /** Marks for which the rest has no end: looking again at every further one would take quadratic time. */
  unclosed: Set<string>;
}

interface Span {
  node: Inline;
  end: number;
}

function spanAt(scan: Scan, at: number): Span | null {
  switch (scan.text[at]) {
    case '`':
      return codeAt(scan.text, at);
    case '*':
    case '_':
      return emphasisAt(scan, at);
    case '[':
      return scan.inLink ? null : linkAt(scan.text, at, scan.depth);
    case 'h':
      return scan.inLink ? null : bareLinkAt(scan.text, at);
    default:
      return null;
  }
}

function codeAt(text: string, at: number): Span | null {
  let ticks = 1;
  while (text[at + ticks] === '`') ticks += 1;
  const close = text.indexOf('`'.repeat(ticks), at + ticks);
  if (close < 0) return null;
  return { node: { kind: 'code', text: text.slice(at + ticks, close) }, end: close + ticks };
}

function emphasisAt(scan: Scan, at: number): Span | null {
  const { text, depth, inLink, unclosed } = scan;
  const mark = text[at]!;
  const double = text[at + 1] === mark;
  const fence = double ? mark + mark : mark;
  const open = at + fence.length;
  if (unclosed.has(fence) || open >= text.length || /\s/.test(text[open]!)) return null;
  // snake_case is no emphasis: an underscore inside a word does not open or close.
  if (mark === '_' && /\w/.test(text[at - 1] ?? '')) return null;
  for (let close = text.indexOf(fence, open + 1); close >= 0; close = text.indexOf(fence, close + 1)) {
    if (!double && text[close + 1] === mark) {
      close += 1; // part of a double fence
      continue;
    }
    if (/\s/.test(text[close - 1]!) || (mark === '_' && /\w/.test(text[close + fence.length] ?? ''))) continue;
    const children = parseInline(text.slice(open, close), depth + 1, inLink);
    return { node: { kind: double ? 'strong' : 'em', children }, end: close + fence.length };
  }
  unclosed.add(fence);
  return null;
}

function linkAt(text: string, at: number, depth: number): Span | null {
  const match = /^\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?)\)/.exec(text.slice(at, at + 4_800));
  const href = match === null ? null : safeHref(match[2]!);
  if (match === null || href === null) return null;
  return { node: { kind: 'link', href, children: parseInline(match[1]!, depth + 1, true) }, end: at + match[0].length };
}

function bareLinkAt(text: string, at: number): Span | null {
  if (/[\w/]/.test(text[at - 1] ?? '')) return null;
  const match = /^https?:\/\/[^\s<>"'`*]{2,2000}/.exec(text.slice(at, at + 2_010));
  if (match === null) return null;
  const shown = match[0].replace(/[).,:;!?\]_]+$/, ''); // the sentence's own punctuation
  const href = safeHref(shown);
  if (href === null) return null;
  return { node: { kind: 'link', href, children: [{ kind: 'text', text: shown }] }, end: at + shown.length };
}

/** The target if it is absolute and of an allowed scheme, else null. The URL parser decides, not a pattern. */
export function safeHref(target: string): string | null {
  try {
    const url = new URL(target);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** The words only, on one line: for previews, quotes and announcements. */
export function plainText(source: string): string {
  const inline = (nodes: Inline[]): string =>
    nodes
      .map((node) => {
        if (node.kind === 'break') return ' ';
        return 'children' in node ? inline(node.children) : node.text;
      })
      .join('');
  return parseMarkdown(source)
    .map((block) => {
      if (block.kind === 'code') return block.text;
      return block.kind === 'paragraph' ? inline(block.children) : block.items.map(inline).join(', ');
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
