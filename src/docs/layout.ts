/** The layout of every page: head, menu, frame. */
import { type Html, html } from '../api/html.ts';

export interface Page {
  path: string;
  title: string;
  body: Html;
}

export const STYLE_PATH = '/docs/assets/style.css';

export const MENU: readonly (readonly [path: string, title: string])[] = [
  ['/docs', 'Start here'],
  ['/docs/quickstart', 'Quickstart'],
  ['/docs/dashboard', 'Dashboard'],
  ['/docs/voice-platforms', 'Voice platforms'],
  ['/docs/api-reference', 'API reference'],
  ['/docs/api-reference/error-codes', 'Error codes'],
  ['/docs/events', 'Events and webhooks'],
  ['/docs/sip-headers', 'SIP headers'],
  ['/docs/test-cards', 'Test cards'],
  ['/docs/screening', 'Screening'],
  ['/docs/going-live', 'Going live'],
];

export function renderPage({ path, title, body }: Page): string {
  const links = MENU.map(
    ([href, name]) => html`<li><a href="${href}"${href === path ? html` aria-current="page"` : ''}>${name}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Ringkey</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<div class="frame">
<nav aria-label="Documentation">
<a class="brand" href="/docs">Ringkey</a>
<ul>${links}</ul>
<ul><li><a href="/openapi.json">openapi.json</a></li></ul>
</nav>
<main>
${body}
</main>
</div>
</body>
</html>
`.text;
}

export function table(head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}
