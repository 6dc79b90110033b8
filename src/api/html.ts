/** HTML templates: values are escaped, unless they are HTML already. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Null: nothing. */
type Part = Html | string | number | readonly Html[] | null;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + (index < parts.length ? render(parts[index]) : '')).join(''));
}

function render(part: Part | undefined): string {
  if (part === undefined || part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map(({ text }) => text).join('\n');
}

/** The Markdown of descriptions: paragraphs, lists of `- `, `code`, **bold**. */
export function prose(markdown: string): Html {
  const blocks = markdown.split(/\n{2,}/).map((block) => {
    if (!block.startsWith('- ')) return `<p>${inline(block)}</p>`;
    const items = block.slice('- '.length).split(/\n- /);
    return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}</ul>`;
  });
  return new Html(blocks.join('\n'));
}

/** One line of that Markdown. */
export const marked = (markdown: string) => new Html(inline(markdown));

function inline(markdown: string): string {
  return escapeText(markdown)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

/** A block of code. */
export const code = (text: string) => html`<pre tabindex="0"><code>${text}</code></pre>`;
