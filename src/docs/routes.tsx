/** `/`, `/openapi.json` and `/docs`: rendered at the first request, and kept; only the service's address is put in each time. */
import type { VNode } from 'preact';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from '../api/reference/document.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { EVENT_TYPES } from '../db/events/events.ts';
import { assetRoutes } from './assets.ts';
import { DashboardPage } from './dashboard.tsx';
import { ErrorCodesPage } from './error-codes.tsx';
import { EventsPage, WHEN_SENT } from './events.tsx';
import { FrontPage } from './front.tsx';
import { GoingLivePage } from './going-live.tsx';
import { renderPage } from './layout.tsx';
import { QuickstartPage } from './quickstart.tsx';
import { referencePage } from './reference.tsx';
import { ScreeningPage } from './screening.tsx';
import { SipHeadersPage } from './sip-headers.tsx';
import { StartPage } from './start.tsx';
import { eventExample } from './story.ts';
import { TestCardsPage } from './test-cards.tsx';
import { VoicePlatformsPage } from './voice-platforms.tsx';

export interface DocsDeps {
  /** The key in the examples; null where the demo is off: they have a shell variable then. */
  demoKey?: string | null;
  docsUrl: string | null;
}

const VERSION = '1';
/** Placeholder for the address that the reader used. */
const BASE = 'https://base-url.invalid';
const KEY_VARIABLE = '$RINGKEY_KEY';
const HOST = /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** Content-Security-Policy: only the service's own scripts, styles and requests. */
const PAGE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
  const pages: Record<string, VNode> = {
    '/': <FrontPage routes={routes} place={place} isDemo={deps.demoKey != null} />,
    '/docs': <StartPage routes={routes} place={place} />,
    '/docs/quickstart': <QuickstartPage place={place} />,
    '/docs/dashboard': <DashboardPage />,
    '/docs/voice-platforms': <VoicePlatformsPage routes={routes} place={place} />,
    '/docs/api-reference/error-codes': <ErrorCodesPage routes={routes} docsUrl={docsUrl} />,
    '/docs/events': <EventsPage docsUrl={docsUrl} />,
    '/docs/sip-headers': <SipHeadersPage />,
    '/docs/test-cards': <TestCardsPage />,
    '/docs/screening': <ScreeningPage />,
    '/docs/going-live': <GoingLivePage />,
  };
  for (const [path, page] of Object.entries(pages)) {
    serveText(app, path, HTML, () => renderPage(path, page), PAGE_POLICY);
  }
  serveText(app, '/docs/api-reference', HTML, referencePage, REFERENCE_POLICY);
  assetRoutes(app, deps.demoKey ?? null);
}

const events = (docsUrl: string) =>
  EVENT_TYPES.map((type) => ({
    type,
    description: WHEN_SENT[type],
    example: JSON.parse(eventExample(type, docsUrl)) as unknown,
  }));

const HTML = 'text/html; charset=utf-8';

function serveText(app: FastifyInstance, path: string, type: string, make: () => string, policy?: string): void {
  let kept: string | undefined;
  app.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
    kept ??= make();
    if (policy !== undefined) reply.header('content-security-policy', policy);
    return reply.type(type).send(kept.replaceAll(BASE, baseUrlOf(request)));
  });
}

/** The address that the reader used (that of a trusted proxy, where there is one); ours where that is no address. */
function baseUrlOf({ protocol, host, server }: FastifyRequest): string {
  if (HOST.test(host)) return `${protocol}://${host}`;
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : BASE;
}
