import { Fragment, memo, type ReactNode } from 'react';
import { parseMarkdown, type Block, type Inline } from './markdown.js';

function inline(nodes: Inline[]): ReactNode {
  return nodes.map((node, index) => {
    switch (node.kind) {
      case 'text':
        return <Fragment key={index}>{node.text}</Fragment>;
      case 'break':
        return <br key={index} />;
      case 'code':
        return <code key={index}>{node.text}</code>;
      case 'strong':
        return <strong key={index}>{inline(node.children)}</strong>;
      case 'em':
        return <em key={index}>{inline(node.children)}</em>;
      case 'link':
        return (
          <a key={index} href={node.href} target="_blank" rel="noopener noreferrer nofollow">
            {inline(node.children)}
          </a>
        );
    }
  });
}

function block(node: Block, index: number): ReactNode {
  switch (node.kind) {
    case 'code':
      return (
        <pre key={index}>
          <code>{node.text}</code>
        </pre>
      );
    case 'paragraph':
      return <p key={index}>{inline(node.children)}</p>;
    case 'list': {
      const items = node.items.map((item, i) => <li key={i}>{inline(item)}</li>);
      return node.ordered ? (
        <ol key={index} start={node.start}>
          {items}
        </ol>
      ) : (
        <ul key={index}>{items}</ul>
      );
    }
  }
}

export const Markdown = memo(function Markdown({ source }: { source: string }) {
  return <>{parseMarkdown(source).map(block)}</>;
});
