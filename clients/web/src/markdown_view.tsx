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

/** Headings of a message all stand right below the conversation's title, so that no level is skipped; how large one is drawn says its rank. */
const kHeadings = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 4, h6: 4 } as const;

/** A wide table scrolls by itself, with the keyboard as well. */
function Table({ children }: { children?: ReactNode }) {
  return (
    <div className="table-box" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function heading(rank: number): Components['h1'] {
  return function Heading({ children }) {
    return <h2 data-rank={rank}>{children}</h2>;
  };
}

/** An image is a link: loading it would tell its host who reads this, and when. */
const kComponents: Components = {
  ...Object.fromEntries(Object.entries(kHeadings).map(([from, rank]) => [from, heading(rank)])),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>, // long lines scroll, with the keyboard as well
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
