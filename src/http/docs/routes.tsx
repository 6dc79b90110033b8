/**
 * `/`, `/openapi.json`, `/docs` and the texts for programs: rendered at the first request, and kept; only the service's address is put in each
 * time.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { ATTENTION_EVENT_TYPES } from '../../domain/attention.ts';
import { CALL_EVENT_TYPES } from '../../domain/call-progress.ts';
import { openApiDocument } from '../api/reference/document.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { assetRoutes, readFromPackage, type StaticAsset, staticAsset } from '../shared/static-assets.ts';
import { docsBlocks, docsWords } from './blocks.tsx';
import { attentionEventExample, callEventExample, eventExample } from './examples.ts';
import { textsForPrograms } from './for-programs.ts';
import { FrontPage } from './front.tsx';
import { WHEN_CALLED, WHEN_FOUND, WHEN_SENT } from './generated/events.tsx';
import type { DescribedProcessor } from './generated/processors.tsx';
import { renderPage, sourceOf } from './layout.tsx';
import { Markdown } from './markdown.tsx';
import { DOCS_PAGES, readPage } from './pages.ts';
import { referencePage, startScript } from './reference.tsx';
import { docsSections, NotFoundPage, SearchPage, type Section, searchSections } from './search.tsx';
import { STYLE } from './style.ts';

interface DocsDeps {
  /** The key in the examples; null where the demo is off: they have a shell variable then. */
  demoKey?: string | null;
  docsUrl: string | null;
  processors: readonly DescribedProcessor[];
}

const VERSION = '1';
/** Placeholder for the address that the reader used. */
const BASE = 'https://base-url.invalid';
const KEY_VARIABLE = '$RINGKEY_KEY';
const HOST = /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** Content-Security-Policy: only the service's own scripts, styles and requests. */
const PAGE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'",
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join('; ');
/** Scalar writes its styles into the page. */
const REFERENCE_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  'img-src data:',
  "img-src 'self' data: blob:; font-src 'self' data:",
);

/** @param routes complete once the app is ready */
export function docsRoutes(app: FastifyInstance, routes: readonly OperationRoute[], deps: DocsDeps): void {
  const place = { baseUrl: BASE, key: deps.demoKey ?? KEY_VARIABLE };
  const docsUrl = deps.docsUrl ?? `${BASE}/docs`;
  serveText(app, '/openapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(openApiDocument(routes, { ...place, docsUrl, version: VERSION, events: events(docsUrl) })),
  );
  const tools = {
    baseUrl: BASE,
    key: deps.demoKey ?? 'YOUR_RINGKEY_KEY',
    merchant: deps.demoKey == null ? 'YOUR_MERCHANT_ID' : 'mer_demo_diner',
  };
  const content = { routes, place, docsUrl, tools, processors: deps.processors };
  serveText(
    app,
    '/',
    HTML,
    () => {
      const front = <FrontPage routes={routes} place={place} isDemo={deps.demoKey != null} />;
      return renderPage({ path: '/', title: 'Payments on the phone', content: front });
    },
    PAGE_POLICY,
  );
  for (const { path, title, file } of DOCS_PAGES) {
    const render = () => {
      const page = <Markdown text={readPage(file, docsWords(place))} blocks={docsBlocks(content)} />;
      return renderPage({ path, title, source: sourceOf(file), content: page });
    };
    serveText(app, path, HTML, render, PAGE_POLICY);
  }
  for (const { path, type, make } of textsForPrograms(content)) serveText(app, path, type, make);
  searchRoutes(app, routes);
  serveText(app, '/docs/api-reference', HTML, referencePage, REFERENCE_POLICY);
  assetRoutes(app, docsAssets(deps.demoKey ?? null));
}

/** The search, and what a browser gets at an address without a page. Programs get the error object. */
function searchRoutes(app: FastifyInstance, routes: readonly OperationRoute[]): void {
  let sections: readonly Section[] | undefined;
  const find = (words: string) => {
    sections ??= docsSections(routes);
    return searchSections(sections, words);
  };
  const send = (reply: FastifyReply, page: string) =>
    reply.header('content-security-policy', PAGE_POLICY).type(HTML).send(page);
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async ({ query }, reply) => {
    const words = [query.q ?? ''].flat().join(' ');
    const content = <SearchPage query={words} found={find(words)} />;
    return send(reply, renderPage({ path: '/docs/search', title: 'Search', content }));
  });
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params, headers }, reply) => {
    if (headers.accept?.includes('text/html') !== true) return reply.callNotFound();
    const words = params['*']
      .replace(/\.md$/, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const content = <NotFoundPage query={words} found={find(words)} />;
    return send(reply.code(404), renderPage({ path: '', title: 'Page not found', content }));
  });
}

const events = (docsUrl: string) => [
  ...EVENT_TYPES.map((type) => ({
    type,
    description: WHEN_SENT[type],
    example: JSON.parse(eventExample(type, docsUrl)) as unknown,
  })),
  ...ATTENTION_EVENT_TYPES.map((type) => ({
    type,
    description: WHEN_FOUND[type],
    example: JSON.parse(attentionEventExample(type, docsUrl)) as unknown,
  })),
  ...CALL_EVENT_TYPES.map((type) => ({ type, description: WHEN_CALLED[type], example: callEventExample(type) })),
];

const HTML = 'text/html; charset=utf-8';

function serveText(app: FastifyInstance, path: string, type: string, make: () => string, policy?: string): void {
  let cached: string | undefined;
  app.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
    cached ??= make();
    if (policy !== undefined) reply.header('content-security-policy', policy);
    return reply.type(type).send(cached.replaceAll(BASE, baseUrlOf(request)));
  });
}

/** The address that the reader used (that of a trusted proxy, where there is one); ours where that is no address. */
function baseUrlOf({ protocol, host, server }: FastifyRequest): string {
  if (HOST.test(host)) return `${protocol}://${host}`;
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : BASE;
}

const FOLDER = '/docs/assets';

/** @param demoKey the key that the API reference fills in; null: the reader enters one */
const docsAssets = (demoKey: string | null): StaticAsset[] => [
  staticAsset(FOLDER, 'style.css', Buffer.from(STYLE)),
  staticAsset(FOLDER, 'reference.js', Buffer.from(startScript(demoKey))),
  staticAsset(FOLDER, 'scalar.js', readFromPackage('@scalar/fastify-api-reference', 'js/standalone.js')),
];
