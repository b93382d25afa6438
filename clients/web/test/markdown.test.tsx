import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { isDrawable, plainText, safeHref } from '../src/markdown.js';
import { Markdown } from '../src/markdown_view.js';

const html = (source: string): string => renderToStaticMarkup(<Markdown source={source} />).replace(/>\n</g, '><');
const link = (href: string, text: string): string => `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;

describe('a message body', () => {
  it.each([
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['__bold__ and _italic_', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['**bold with *italic* inside**', '<p><strong>bold with <em>italic</em> inside</strong></p>'],
    ['~~gone~~', '<p><del>gone</del></p>'],
    ['`a*b*c` and ``x ` y``', '<p><code>a*b*c</code> and <code>x ` y</code></p>'],
    ['two\nlines\n\nand a paragraph', '<p>two<br/>\nlines</p><p>and a paragraph</p>'],
    ['- one\n- **two**', '<ul><li>one</li><li><strong>two</strong></li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['```ts\nif (a < b) {}\n\n**x**\n```', '<pre tabindex="0"><code class="language-ts">if (a &lt; b) {}\n\n**x**\n</code></pre>'],
    ['> said\n> twice\n\nanswered', '<blockquote><p>said<br/>\ntwice</p></blockquote><p>answered</p>'],
    ['> outer\n>> inner', '<blockquote><p>outer</p><blockquote><p>inner</p></blockquote></blockquote>'],
    ['# One\n## Two\n### Three\n#### Four', '<h2 data-rank="1">One</h2><h2 data-rank="2">Two</h2><h2 data-rank="3">Three</h2><h2 data-rank="4">Four</h2>'],
    ['Under\n=====', '<h2 data-rank="1">Under</h2>'],
    ['above\n\n---\n\nbelow', '<p>above</p><hr/><p>below</p>'],
    ['~~all **of** it~~ stays', '<p><del>all <strong>of</strong> it</del> stays</p>'],
    ['\\*not italic\\*', '<p>*not italic*</p>'],
    ['fish &amp; chips &lt;b&gt;', '<p>fish &amp; chips &lt;b&gt;</p>'],
  ])('renders %j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  it('renders a table with its alignments, in a box that scrolls by keyboard', () => {
    const shown = html('| Shot | Price |\n|:-----|------:|\n| **Pier** | 12 |\n| ~~Dome~~ | `9` |');
    expect(shown).toMatch(/^<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>.*<\/table><\/div>$/s);
    expect(shown).toContain('<th style="text-align:left">Shot</th><th style="text-align:right">Price</th>');
    expect(shown).toContain('<td style="text-align:left"><strong>Pier</strong></td><td style="text-align:right">12</td>');
    expect(shown).toContain('<del>Dome</del>');
  });

  it('renders task lists read-only', () => {
    const shown = html('- [x] done\n- [ ] open');
    expect(shown.match(/<input type="checkbox" disabled=""( checked="")?\/>/g)).toHaveLength(2);
    expect(shown).toContain('checked=""/> done');
  });

  it.each(['2 * 3 * 4', 'snake_case_name', '** open', '`open', '[text](', '[x]', '_ _'])('shows %j unchanged', (source) => {
    expect(html(source)).toBe(`<p>${source}</p>`);
  });

  it('links http, https and mailto targets, named or bare', () => {
    expect(html('[site](https://example.org/a_(b))')).toBe(`<p>${link('https://example.org/a_(b)', 'site')}</p>`);
    expect(html('[mail](mailto:a@example.org)')).toBe(`<p>${link('mailto:a@example.org', 'mail')}</p>`);
    expect(html('see https://example.org/x.')).toBe(`<p>see ${link('https://example.org/x', 'https://example.org/x')}.</p>`);
    expect(html('<https://example.org/x>')).toBe(`<p>${link('https://example.org/x', 'https://example.org/x')}</p>`);
    expect(html('[a][1]\n\n[1]: https://example.org/x')).toBe(`<p>${link('https://example.org/x', 'a')}</p>`);
  });

  it.each(['[//]: # (a comment)', '[a]: https://example.org', '[^1]: a note', '#', '-', '>', '```\n```', '[](https://example.org)', '![]()', '&nbsp;', '&#8203;', '[ ](x)'])(
    'shows %j, of which nothing would be drawn, as it was typed',
    (source) => {
      expect(html(source).replaceAll('<br/>', '')).toBe(`<p>${source.replace('&', '&amp;').replace('>', '&gt;')}</p>`);
      expect(plainText(source)).toBe(source.replace(/\s+/g, ' '));
    },
  );

  it('shows unreferenced definitions, and hides referenced ones', () => {
    expect(html('hello\n\n[a]: https://example.org')).toBe('<p>hello</p><p>[a]: https://example.org</p>');
    expect(html('see [](https://example.org) there')).toBe('<p>see [](https://example.org) there</p>');
    expect(html('[a]\n\n[a]: https://example.org')).toBe(`<p>${link('https://example.org/', 'a')}</p>`);
    expect(html('> \n\nhello')).toBe('<p>&gt; </p><p>hello</p>');
    expect(html('- one\n-\n- three')).toContain('<li></li>');
    expect(html('- [ ] ')).not.toBe('');
  });

  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    'java\tscript:x',
    'java&#10;script:x',
    '&#x6a;avascript:x',
    'javascript&colon;alert(1)',
    '\u0001javascript:x',
    'data:text/html,x',
    'data:image/svg+xml;base64,AAAA',
    'vbscript:x',
    'blob:null/x',
    '//example.org',
    '/path',
    '#here',
    'file:///etc',
  ];
  it.each(refused)('never links to %j, in any spelling', (target) => {
    expect(safeHref(target)).toBeNull();
    for (const source of [`[click](${target})`, `[click](<${target}>)`, `<${target}>`, `[click][1]\n\n[1]: <${target}>`, `![click](<${target}>)`, target]) {
      const shown = html(source);
      expect(shown).not.toMatch(/href|src=|<img/i);
    }
  });

  it('shows HTML as text, and makes no element of it', () => {
    expect(html('<img src=x onerror=alert(1)> <b>x</b>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt; &lt;b&gt;x&lt;/b&gt;</p>');
    expect(html('hi <b onclick=x>there</b>')).toBe('<p>hi &lt;b onclick=x&gt;there&lt;/b&gt;</p>');
    for (const source of ['<script>alert(1)</script>', '<!-- x --><script>', '<svg><script>x</script></svg>', '<style>*{}</style>', '<![CDATA[<b>]]>', '<iframe src="https://x.org">', '<a href="javascript:x">y</a>']) {
      for (const around of [source, `text ${source}`, `> ${source}`, `- ${source}`, `**${source}**`, `| a |\n|-|\n| ${source} |`]) {
        expect(html(around)).not.toMatch(/<(script|svg|style|iframe|img|a|b)\b/i);
      }
    }
  });

  it('shows an image as a link and does not load it', () => {
    expect(html('![a cat](https://example.org/cat.png)')).toBe(`<p>${link('https://example.org/cat.png', 'a cat')}</p>`);
    expect(html('![](https://example.org/cat.png)')).toBe(`<p>${link('https://example.org/cat.png', 'https://example.org/cat.png')}</p>`);
  });

  it('is plain text if it has too many marks: 8 KiB of each render in time', () => {
    const whole = (mark: string): string => mark.repeat(8_192 / mark.length);
    for (const mark of ['[', '![', '[a](', '](', '*a_', '**', '> ', '>', '+ ', '1) ', '<', '<a ', '~~a ', '`', 'a|\n', '[^a]', '\\', 'a@b.c ', 'http://a.', '&amp;', '\t']) {
      expect(html(whole(mark)).length, mark).toBeGreaterThanOrEqual(0);
    }
    const nested = '['.repeat(4_096) + ']'.repeat(4_096);
    expect(isDrawable(nested)).toBe(false);
    expect(html(nested)).toBe(`<p>${nested}</p>`);
    for (const mark of ['>', '+ ', '1) ', '[', '*a_']) expect(html(`${mark.repeat(299)}deep`)).toContain('deep');
  });

  it('is shortened to plain text for quotes', () => {
    expect(plainText('**Hi** [you](https://example.org)\n\n- one\n- `two`')).toBe('Hi you one two');
    expect(plainText('a <b>c</b>')).toBe('a <b>c</b>');
    expect(plainText(`${'x'.repeat(2_000)}`)).toHaveLength(1_000);
    expect(plainText('['.repeat(8_192))).toHaveLength(1_000);
  });
});
