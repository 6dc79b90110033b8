/** `/docs/search`: finds the sections of the docs that contain all words of a query. Works without JavaScript. */
import { lexer } from 'marked';
import { ERROR_CODES } from '../../contract/error-catalogue.ts';
import { errorEntry } from '../../contract/errors.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { splitHeading } from './markdown.tsx';
import { DOCS_PAGES, readPage } from './pages.ts';

export interface Section {
  title: string;
  /** The title of its page, or what else it belongs to. */
  of: string;
  href: string;
  text: string;
}

const MAX_RESULTS = 20;
const MAX_QUERY_LENGTH = 200;
const EXCERPT_LENGTH = 160;

/** Every section of the pages, every operation and every error code. */
export function docsSections(routes: readonly OperationRoute[]): Section[] {
  const operations = routes.map(({ id, method, path, summary, description }) => ({
    title: summary,
    of: `${method.toUpperCase()} ${path}`,
    href: `/docs#${id}`,
    text: `${id} ${plain(description)}`,
  }));
  const errors = ERROR_CODES.map((code) => ({
    title: code,
    of: 'Error codes',
    href: `/docs/api-reference/error-codes#${code}`,
    text: plain(errorEntry(code).message),
  }));
  return [
    ...DOCS_PAGES.flatMap(({ path, title, file }) => pageSections(path, title, readPage(file, {}))),
    ...operations,
    ...errors,
  ];
}

function pageSections(path: string, of: string, markdown: string): Section[] {
  const sections: Section[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') {
      const { title, anchor } = splitHeading(token.text as string);
      const above = sections.at(-1)?.href ?? path;
      sections.push({ title, of, href: anchor === undefined ? above : `${path}#${anchor}`, text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${plain(token.raw)}`;
    }
  }
  return sections;
}

/** Without the marks of Markdown. */
const plain = (text: string) =>
  text
    .replace(/\{\{[\w-]+\}\}|^\s*(?:- |\d+\. )|\|[-|]+\||[`*>|#]/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Every visitor can call it, so each text is read once, up to the first word that it lacks.
 * @returns the best sections first: those with the words in their title, then in the order of the menu
 */
export function searchSections(sections: readonly Section[], query: string): Section[] {
  const words = [...new Set(query.slice(0, MAX_QUERY_LENGTH).toLowerCase().split(/\s+/).filter(Boolean))];
  if (words.length === 0) return [];
  const isIn = (text: string) => {
    const lower = text.toLowerCase();
    return (word: string) => lower.includes(word);
  };
  return sections
    .filter(({ title, of, text }) => words.every(isIn(`${title} ${of} ${text}`)))
    .map((section) => ({ section, inTitle: words.filter(isIn(section.title)).length }))
    .sort((a, b) => b.inTitle - a.inTitle)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}

export function SearchPage({ query, found }: { query: string; found: readonly Section[] }) {
  return (
    <>
      <h1>Search</h1>
      <SearchForm query={query} />
      {query.trim() !== '' && found.length === 0 && <p>No section contains all of these words.</p>}
      <Results found={found} />
    </>
  );
}

/** For an address without a page. @param found by the words of the address */
export const NotFoundPage = ({ query, found }: { query: string; found: readonly Section[] }) => (
  <>
    <h1>Page not found</h1>
    <p>There is no page at this address. Choose one from the menu, or search the docs.</p>
    <SearchForm query={query} />
    <Results found={found} />
  </>
);

const Results = ({ found }: { found: readonly Section[] }) => (
  <ul class="results">
    {found.map(({ title, of, href, text }) => (
      <li key={href + title}>
        <a href={href}>{title}</a> <small>{of}</small>
        <br />
        {excerpt(text)}
      </li>
    ))}
  </ul>
);

export const SearchForm = ({ query = '' }: { query?: string }) => (
  <form class="search" action="/docs/search">
    <input
      type="search"
      name="q"
      value={query}
      aria-label="Search the docs"
      placeholder="Search"
      maxlength={MAX_QUERY_LENGTH}
    />
  </form>
);

const excerpt = (text: string) =>
  text.trim().length > EXCERPT_LENGTH ? `${text.trim().slice(0, EXCERPT_LENGTH)}…` : text.trim();
