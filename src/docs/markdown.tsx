/** The Markdown of texts that the reference has, too: paragraphs, lists of `- `, `code`, **bold**. */
import type { ComponentChildren, VNode } from 'preact';

export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/);
  return blocks.map((block, at) =>
    block.startsWith('- ') ? (
      <MarkedList key={at} items={block.slice('- '.length).split(/\n- /)} />
    ) : (
      <p key={at}>{marked(block)}</p>
    ),
  );
}

export const MarkedList = ({ items }: { items: readonly string[] }) => (
  <ul>
    {items.map((item) => (
      <li key={item}>{marked(item)}</li>
    ))}
  </ul>
);

/** One line of that Markdown. */
export function marked(line: string): ComponentChildren {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(markedPart);
}

function markedPart(part: string, at: number): VNode | string {
  if (at % 2 === 0) return part;
  return part.startsWith('`') ? (
    <code key={at}>{part.slice(1, -1)}</code>
  ) : (
    <strong key={at}>{part.slice(2, -2)}</strong>
  );
}
