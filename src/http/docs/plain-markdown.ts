/**
 * The pages as Markdown for programs: generated parts are written as Markdown, too. Components are plain functions
 * without state, so they are called to see what they consist of.
 */
import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { CodeBlock } from '../shared/document.tsx';
import { type Blocks, Markdown, MarkdownLine, Table, type TableProps } from './markdown.tsx';

const BLOCK_LINE = /^\{\{([\w-]+)\}\}$/gm;
/** At the end of a heading: `## Title {#anchor}`. */
const ANCHOR = /^(#+ .*?)\s*\{#[\w.-]+\}$/gm;

/** @param text of a page, with its words filled in */
export function plainMarkdown(text: string, blocks: Blocks): string {
  const filled = text.replace(BLOCK_LINE, (_, name: string) => written(blocks[name]).trim());
  return `${filled
    .replace(ANCHOR, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function written(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(written).join('');
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  return isValidElement(node) ? writtenElement(node) : String(node);
}

type Element = VNode<{ text?: string; href?: string; children?: ComponentChildren }>;

function writtenElement({ type, props }: Element): string {
  if (type === CodeBlock) return `\n\n\`\`\`\n${props.text}\n\`\`\`\n\n`;
  if (type === Markdown) return `\n\n${props.text}\n\n`;
  if (type === MarkdownLine) return props.text ?? '';
  if (type === Table) return writtenTable(props as unknown as TableProps);
  if (typeof type === 'function') return written((type as (given: object) => ComponentChildren)(props));
  const text = written(props.children);
  return (ELEMENTS[type] ?? asIs)(text, props.href);
}

const asIs = (text: string) => text;
const block = (text: string) => `\n\n${text}\n\n`;

const ELEMENTS: Readonly<Record<string, (text: string, href?: string) => string>> = {
  a: (text, href = '') => (href.startsWith('#') ? text : `[${text}](${href})`),
  blockquote: (text) => block(`> ${text}`),
  code: (text) => `\`${text}\``,
  h3: (text) => block(`### ${text}`),
  li: (text) => `- ${text}\n`,
  p: block,
  small: (text) => `${text}: `,
  span: (text) => `${text} `,
  strong: (text) => `**${text}**`,
  summary: (text) => block(`#### ${text.trim()}`),
  ul: block,
};

function writtenTable({ head, rows }: TableProps): string {
  const line = (cells: readonly ComponentChildren[]) =>
    `| ${cells.map((cell) => written(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return block([line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n'));
}
