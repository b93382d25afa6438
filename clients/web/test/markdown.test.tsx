import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { plainText, safeHref } from '../src/markdown.js';
import { Markdown } from '../src/markdown_view.js';

const html = (source: string): string => renderToStaticMarkup(<Markdown source={source} />);
const link = (href: string, text: string): string => `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;

describe('a message body', () => {
  it.each([
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['__bold__ and _italic_', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['**bold with *italic* inside**', '<p><strong>bold with <em>italic</em> inside</strong></p>'],
    ['`a*b*c` and ``x ` y``', '<p><code>a*b*c</code> and <code>x ` y</code></p>'],
    ['two\nlines\n\nand a paragraph', '<p>two<br/>lines</p><p>and a paragraph</p>'],
    ['- one\n- **two**', '<ul><li>one</li><li><strong>two</strong></li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['```ts\nif (a < b) {}\n\n**x**\n```', '<pre><code>if (a &lt; b) {}\n\n**x**</code></pre>'],
    ['```\nnever closed', '<pre><code>never closed</code></pre>'],
    ['\\*not italic\\*', '<p>*not italic*</p>'],
  ])('renders %j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  it.each(['2 * 3 * 4', 'snake_case_name', '** open', '`open', '*', '[text](', '[x]', '_ _', '****'])('leaves %j as it is', (source) => {
    expect(html(source)).toBe(`<p>${source}</p>`);
  });

  it('links http, https and mailto targets, named or bare', () => {
    expect(html('[site](https://example.org/a_(b))')).toBe(`<p>${link('https://example.org/a_(b)', 'site')}</p>`);
    expect(html('[mail](mailto:a@example.org)')).toBe(`<p>${link('mailto:a@example.org', 'mail')}</p>`);
    expect(html('see https://example.org/x.')).toBe(`<p>see ${link('https://example.org/x', 'https://example.org/x')}.</p>`);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', ' javascript:x', 'vbscript:x', '//example.org', '/path', 'file:///etc'])(
    'never links to %j',
    (target) => {
      expect(safeHref(target)).toBeNull();
      expect(html(`[click](${target})`)).not.toContain('<a');
    },
  );

  it('shows HTML as text', () => {
    expect(html('<img src=x onerror=alert(1)> <b>x</b>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt; &lt;b&gt;x&lt;/b&gt;</p>');
    expect(html('[<img src=x>](https://example.org)')).toBe(`<p>${link('https://example.org/', '&lt;img src=x&gt;')}</p>`);
  });

  it('is shortened to its words for previews', () => {
    expect(plainText('**Hi** [you](https://example.org)\n\n- one\n- `two`')).toBe('Hi you one, two');
  });
});
