/**
 * The docs for programs: each page as `.md`, `/llms.txt` and `/llms-full.txt` (https://llmstxt.org), and the tools of
 * agents as `/agent-tools/<platform>.json`.
 */
import { FORMATS } from '../agent-tools/formats.ts';
import { agentTools } from '../agent-tools/tools.ts';
import { type DocsContent, docsBlocks, docsWords } from './blocks.tsx';
import { DOCS_PAGES, type DocsPage, readPage } from './pages.ts';
import { plainMarkdown } from './plain-markdown.ts';

/** A text at a path. Made at the first request. */
interface DocsText {
  path: string;
  type: string;
  make: () => string;
}

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const markdownPath = ({ path }: Pick<DocsPage, 'path'>) => `${path}.md`;

export function textsForPrograms(content: DocsContent): readonly DocsText[] {
  const pageText = ({ file }: DocsPage) => plainMarkdown(readPage(file, docsWords(content.place)), docsBlocks(content));
  return [
    ...DOCS_PAGES.map((page) => ({ path: markdownPath(page), type: MARKDOWN, make: () => pageText(page) })),
    { path: '/llms.txt', type: PLAIN, make: () => index(content.place.baseUrl, docsWords(content.place)) },
    { path: '/llms-full.txt', type: PLAIN, make: () => DOCS_PAGES.map(pageText).join('\n\n') },
    ...Object.keys(FORMATS).map((name) => ({
      path: `/agent-tools/${name}.json`,
      type: JSON_TYPE,
      make: () => definitions(name, content),
    })),
  ];
}

function definitions(name: string, { routes, tools }: DocsContent): string {
  return `${JSON.stringify(FORMATS[name]?.(agentTools(routes), tools), null, 2)}\n`;
}

const SUMMARY =
  'Takes a card payment during a phone call: REST in, SIP in, keypad capture, the merchant’s own processor, outcome back to the voice agent.';

function index(baseUrl: string, words: Readonly<Record<string, string>>): string {
  const pages = DOCS_PAGES.map((page) => link(page.title, `${baseUrl}${markdownPath(page)}`, leadOf(page, words)));
  const tools = Object.keys(FORMATS).map((name) => link(name, `${baseUrl}/agent-tools/${name}.json`));
  return `# Ringkey

> ${SUMMARY}

## Docs

${pages.join('\n')}

## API

${link('OpenAPI 3.1', `${baseUrl}/openapi.json`, 'Every operation, field, error and event.')}
${link('MCP', `${baseUrl}/mcp`, 'The operations for agents as tools, by streamable HTTP.')}
${link('All pages in one file', `${baseUrl}/llms-full.txt`)}

## Tools of agents

${tools.join('\n')}
`;
}

const link = (title: string, url: string, about = '') => `- [${title}](${url})${about === '' ? '' : `: ${about}`}`;

/** The paragraph under the title of a page. */
const leadOf = ({ file }: DocsPage, words: Readonly<Record<string, string>>) =>
  /^> (.+)$/m.exec(readPage(file, words))?.[1] ?? '';
