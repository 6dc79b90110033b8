/** HTML from templates: what is put in is escaped, unless it is HTML already. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + (index < parts.length ? render(parts[index]) : '')).join(''));
}

function render(part: Part | undefined): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map(({ text }) => text).join('\n');
}

/** The little Markdown that descriptions are written in: paragraphs, `code`, **bold**. */
export function prose(markdown: string): Html {
  const paragraphs = markdown.split(/\n{2,}/).map((paragraph) => {
    const inline = escapeText(paragraph)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
    return `<p>${inline}</p>`;
  });
  return new Html(paragraphs.join('\n'));
}

/** A block of code. */
export const code = (text: string) => html`<pre tabindex="0"><code>${text}</code></pre>`;
