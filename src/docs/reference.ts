/** `/docs/api-reference`: the OpenAPI document, drawn by Scalar in the browser. All of it is served by ourselves. */
import { html } from './html.ts';

export const SCALAR_PATH = '/docs/assets/scalar.js';
export const START_PATH = '/docs/assets/reference.js';

/** Nothing is asked of Scalar's own hosts: no fonts, no proxy, no telemetry; the page's policy would refuse it besides. */
const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: true,
  metaData: { title: 'API reference · Ringkey' },
};

/** Scalar's lines are as high as their letters, and hide what hangs below them. */
const LINES = '.markdown-summary { line-height: 1.5 !important }';
/** The demo's key is no secret: Scalar would put dots in its place, and no sample could be copied. */
const SHOWN_KEY =
  '.scalar-app .credential .credential-value { color: inherit; font-size: inherit } .scalar-app .credential::after { content: none }';

/** @param demoKey what requests that a reader tries are sent with; null: what the reader puts in */
export function startScript(demoKey: string | null): string {
  const authentication = { preferredSecurityScheme: 'key', securitySchemes: { key: { token: demoKey } } };
  const forDemo = { authentication, customCss: `${LINES} ${SHOWN_KEY}` };
  const configuration = { ...CONFIGURATION, ...(demoKey === null ? { customCss: LINES } : forDemo) };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
}

export function referencePage(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Ringkey</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page is drawn by JavaScript. <a href="/docs">All operations</a> can be read without, and
<a href="/openapi.json">openapi.json</a> is the document itself.</noscript>
<div id="reference"></div>
<script src="${SCALAR_PATH}"></script>
<script src="${START_PATH}"></script>
</body>
</html>
`.text;
}
