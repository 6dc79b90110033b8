/**
 * Markdown as Preact nodes: the pages of the docs, and the descriptions that the API reference shares with them. There
 * is no raw HTML: it is shown as text. A heading can end in its anchor, `## Title {#anchor}`.
 */
import { Lexer, lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { CodeBlock } from '../shared/document.tsx';

/** What the lines `{{name}}` of a page are replaced by. */
export type Blocks = Readonly<Record<string, ComponentChildren>>;

const HEADING_ANCHOR = /\s*\{#([\w.-]+)\}$/;
const BLOCK_LINE = /^\{\{([\w-]+)\}\}$/;
const NONE: Blocks = {};

/** @throws Error for a line `{{name}}` without a block of that name */
export function Markdown({ text, blocks = NONE }: { text: string; blocks?: Blocks }) {
  return <>{lexer(text).map((token) => blockNode(token, blocks))}</>;
}

/** One line of Markdown, without paragraphs. */
export const MarkdownLine = ({ text }: { text: string }) => <>{Lexer.lexInline(text).map(inlineNode)}</>;

/** The title of a heading, and its anchor if it has one. */
export function splitHeading(text: string): { title: string; anchor: string | undefined } {
  return { title: text.replace(HEADING_ANCHOR, ''), anchor: HEADING_ANCHOR.exec(text)?.[1] };
}

function blockNode(token: Token, blocks: Blocks): ComponentChildren {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'heading':
      return headingNode(known);
    case 'paragraph':
      return BLOCK_LINE.test(known.text) ? namedBlock(known.text, blocks) : <p>{known.tokens.map(inlineNode)}</p>;
    case 'blockquote':
      return <p class="lead">{known.tokens.flatMap((each) => inlineNodes(each))}</p>;
    case 'code':
      return <CodeBlock text={known.text} />;
    case 'list':
      return listNode(known);
    case 'table':
      return tableNode(known);
    case 'space':
      return null;
    default:
      return inlineNode(known);
  }
}

function namedBlock(line: string, blocks: Blocks): ComponentChildren {
  const name = BLOCK_LINE.exec(line)?.[1] ?? '';
  if (!Object.hasOwn(blocks, name)) throw new Error(`The page has no block named "${name}".`);
  return blocks[name];
}

function headingNode({ depth, text }: Tokens.Heading): VNode {
  const { title, anchor } = splitHeading(text);
  const Level = `h${depth}` as 'h1' | 'h2' | 'h3';
  return (
    <Level id={anchor}>
      <MarkdownLine text={title} />
    </Level>
  );
}

function listNode({ ordered, items }: Tokens.List): VNode {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List>
      {items.map((item) => (
        <li key={item.raw}>{item.tokens.flatMap((each) => inlineNodes(each))}</li>
      ))}
    </List>
  );
}

const tableNode = ({ header, rows }: Tokens.Table) => (
  <Table
    head={header.map(({ text }) => <MarkdownLine key={text} text={text} />)}
    rows={rows.map((cells) => cells.map(({ text }) => text))}
  />
);

/** The inline content of a paragraph or list item. */
const inlineNodes = (token: Token): ComponentChildren[] =>
  'tokens' in token && token.tokens !== undefined ? token.tokens.map(inlineNode) : [inlineNode(token)];

function inlineNode(token: Token): ComponentChildren {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'codespan':
      return <code>{known.text}</code>;
    case 'strong':
      return <strong>{known.tokens.map(inlineNode)}</strong>;
    case 'em':
      return <em>{known.tokens.map(inlineNode)}</em>;
    case 'link':
      return <a href={known.href}>{known.tokens.map(inlineNode)}</a>;
    case 'escape':
      return known.text;
    default:
      return known.raw;
  }
}

export interface TableProps {
  head: readonly ComponentChildren[];
  /** A text cell is one line of Markdown. */
  rows: readonly (readonly ComponentChildren[])[];
}

/**
 * A table that scrolls sideways by itself, also by the keyboard (WCAG 2.1.1). On a narrow screen each row becomes a
 * paragraph.
 */
export const Table = ({ head, rows }: TableProps) => (
  <div class="scroll" tabindex={0}>
    <table>
      <thead>
        <tr>
          {head.map((name, column) => (
            <th key={column} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={column}>{typeof cell === 'string' ? <MarkdownLine text={cell} /> : cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
