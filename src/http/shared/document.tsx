/** What every HTML document has: its head, and nothing that a browser would ask for by itself. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

export interface HtmlDocument {
  title: string;
  /** Of the head: styles and scripts. */
  head?: ComponentChildren;
  /** The element `body`. */
  body: ComponentChildren;
}

/** All text in it is escaped. */
export function renderDocument({ title, head, body }: HtmlDocument): string {
  const html = (
    <html lang="en">
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
