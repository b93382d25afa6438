import { Component, Fragment, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { isDrawable, safeHref, showUnseen, type Node } from './markdown.js';

/** A target that is not an allowed link stays plain text. */
function Target({ href, children }: { href: string | undefined; children: ReactNode }) {
  const safe = href === undefined ? null : safeHref(href);
  if (safe === null) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/**
 * All headings in a message have the level below the conversation's title, so that no level is skipped; the rank
 * determines only their size.
 */
const kHeadings = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 4, h6: 4 } as const;

/** A wide table scrolls by itself, also with the keyboard. */
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

/** An image is shown as a link, because loading it would reveal the reader to its host. */
const kComponents: Components = {
  ...Object.fromEntries(Object.entries(kHeadings).map(([from, rank]) => [from, heading(rank)])),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>, // long lines scroll, also with the keyboard
  table: ({ children }) => <Table>{children}</Table>,
  a: ({ href, children }) => <Target href={href}>{children}</Target>,
  img: ({ src, alt }) => <Target href={typeof src === 'string' ? src : undefined}>{alt === undefined || alt === '' ? src : alt}</Target>,
};

/** A plugin of remark that shows definitions without a reference, which would otherwise render as nothing. */
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

/** Shows the body as plain text if rendering it fails. */
class Fallback extends Component<{ source: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? <AsItIs source={this.props.source} /> : this.props.children;
  }
}

/** Renders a body's Markdown. Raw HTML is shown as text and never becomes HTML. */
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
