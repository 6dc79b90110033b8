/** The layout of every page: head, menu, search, frame. */
import type { ComponentChildren } from 'preact';
import { renderDocument } from '../shared/document.tsx';
import { DOCS_PAGES, PAGES_FOLDER, PLATFORM_PAGES } from './pages.ts';
import { SearchForm } from './search.tsx';

const REFERENCE: readonly [path: string, title: string] = ['/docs/api-reference', 'API reference'];

/** Path and title of each page, with the API reference before its error codes. */
export const MENU: readonly (readonly [path: string, title: string])[] = DOCS_PAGES.flatMap(({ path, title, file }) =>
  file === 'error-codes' ? [REFERENCE, [path, title] as const] : [[path, title] as const],
);

const SUB_PATHS = new Set(PLATFORM_PAGES.map(({ path }) => path));

interface Layout {
  path: string;
  title: string;
  /** The page's file in the repository: `src/http/docs/pages/start.md`. */
  source?: string;
  content: ComponentChildren;
}

export function renderPage({ path, title, source, content }: Layout): string {
  return renderDocument({
    title: `${title} · Ringkey`,
    head: <link rel="stylesheet" href="/docs/assets/style.css" />,
    body: (
      <body>
        <div class="frame">
          <nav aria-label="Documentation">
            <a class="brand" href="/docs">
              Ringkey
            </a>
            <SearchForm />
            <ul>
              {MENU.map(([href, name]) => (
                <li key={href} class={SUB_PATHS.has(href) ? 'sub' : undefined}>
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
              <li>
                <a href="/llms.txt">llms.txt</a>
              </li>
            </ul>
          </nav>
          <main>
            {content}
            {source !== undefined && (
              <p class="source">
                To edit this page, change <code>{source}</code>. For programs:{' '}
                <a href={`${path}.md`}>this page as Markdown</a>.
              </p>
            )}
          </main>
        </div>
      </body>
    ),
  });
}

export const sourceOf = (file: string) => `${PAGES_FOLDER}/${file}.md`;
