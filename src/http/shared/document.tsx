/** The HTML document of the dashboard and the docs, and its blocks of code. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface HtmlDocument {
  title: string;
  /** Default: English. */
  language?: string;
  /** Default: as the system. */
  theme?: 'light' | 'dark';
  /** Styles and scripts. */
  head?: ComponentChildren;
  /** The element `body`. */
  body: ComponentChildren;
}

/** Escapes all text. Its empty icon keeps browsers from requesting one. */
export function renderDocument({ title, language = 'en', theme, head, body }: HtmlDocument): string {
  const html = (
    <html lang={language} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        {head}
      </head>
      {body}
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

export const CodeBlock = ({ text }: { text: string }) => (
  <pre tabindex={0}>
    <code>{text}</code>
  </pre>
);
