import { Component, Fragment, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { isDrawable, safeHref, showUnseen, type Node } from './markdown.js';

/** What is no link to a foreign place stays the words it was made of. */
function Target({ href, children }: { href: string | undefined; children: ReactNode }) {
  const safe = href === undefined ? null : safeHref(href);
  if (safe === null) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Headings of a message stand below those of the page: the conversation's title is the first. */
const kHeadings = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' } as const;

/** A wide table scrolls by itself, with the keyboard as well. */
function Table({ children }: { children?: ReactNode }) {
  return (
    <div className="table-box" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function heading(Level: (typeof kHeadings)[keyof typeof kHeadings]): Components['h1'] {
  return function Heading({ children }) {
    return <Level>{children}</Level>;
  };
}

/** An image is a link: loading it would tell its host who reads this, and when. */
const kComponents: Components = {
  ...Object.fromEntries(Object.entries(kHeadings).map(([from, to]) => [from, heading(to)])),
  table: ({ children }) => <Table>{children}</Table>,
  a: ({ href, children }) => <Target href={href}>{children}</Target>,
  img: ({ src, alt }) => <Target href={typeof src === 'string' ? src : undefined}>{alt === undefined || alt === '' ? src : alt}</Target>,
};

/** A plugin of remark. */
function remarkShowUnseen() {
  return (tree: Node, { value }: { value: unknown }): void => showUnseen(tree, String(value));
}

const kPlugins = [remarkGfm, remarkShowUnseen, remarkBreaks];

function AsItIs({ source }: { source: string }) {
  return (
    <p>
      {source.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </p>
  );
}

/** Whatever a body does to its renderer, the page goes on. */
class Fallback extends Component<{ source: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? <AsItIs source={this.props.source} /> : this.props.children;
  }
}

/** A body as its author meant it. Raw HTML is text: nothing here makes HTML out of it. */
export const Markdown = memo(function Markdown({ source }: { source: string }) {
  if (!isDrawable(source)) return <AsItIs source={source} />;
  return (
    <Fallback source={source}>
      <ReactMarkdown remarkPlugins={kPlugins} components={kComponents} urlTransform={(url) => safeHref(url) ?? ''}>
        {source}
      </ReactMarkdown>
    </Fallback>
  );
});
