/** The layout of every page: head, menu, frame. */
import type { ComponentChildren } from 'preact';
import { renderDocument } from '../markup/document.tsx';
import { marked } from './markdown.tsx';

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

const TITLES: ReadonlyMap<string, string> = new Map([...MENU, ['/', 'Payments on the phone']]);

/** @param path of the page, which the menu marks and names */
export function renderPage(path: string, content: ComponentChildren): string {
  return renderDocument({
    title: `${TITLES.get(path) ?? path} · Ringkey`,
    head: <link rel="stylesheet" href={STYLE_PATH} />,
    body: (
      <body>
        <div class="frame">
          <nav aria-label="Documentation">
            <a class="brand" href="/docs">
              Ringkey
            </a>
            <ul>
              {MENU.map(([href, name]) => (
                <li key={href}>
                  <a href={href} aria-current={href === path ? 'page' : undefined}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
            <ul>
              <li>
                <a href="/openapi.json">openapi.json</a>
              </li>
            </ul>
          </nav>
          <main>{content}</main>
        </div>
      </body>
    ),
  });
}

/** Text of a cell is Markdown of one line ({@link marked}). */
export function Table({ head, rows }: { head: readonly string[]; rows: readonly (readonly ComponentChildren[])[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{typeof cell === 'string' ? marked(cell) : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
