/** `/docs/api-reference`: the OpenAPI document, shown by Scalar in the browser. Nothing is loaded from elsewhere. */
import { renderDocument } from '../shared/document.tsx';

const SCALAR_PATH = '/docs/assets/scalar.js';
const START_PATH = '/docs/assets/reference.js';

/**
 * No request goes to Scalar's hosts (fonts, proxy, telemetry); the page's Content-Security-Policy would refuse it, too.
 */
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

/** Scalar's lines cut off the lower ends of letters. */
const LINES = '.markdown-summary { line-height: 1.5 !important }';
/** Shows the demo's key, which is no secret: Scalar would show dots, and no sample could be copied. */
const SHOWN_KEY =
  '.scalar-app .credential .credential-value { color: inherit; font-size: inherit } .scalar-app .credential::after { content: none }';

/** @param demoKey the key of requests that are tried on the page; null: the reader puts one in */
export function startScript(demoKey: string | null): string {
  const authentication = { preferredSecurityScheme: 'key', securitySchemes: { key: { token: demoKey } } };
  const forDemo = { authentication, customCss: `${LINES} ${SHOWN_KEY}` };
  const configuration = { ...CONFIGURATION, ...(demoKey === null ? { customCss: LINES } : forDemo) };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
}

export const referencePage = () =>
  renderDocument({
    title: 'API reference · Ringkey',
    body: (
      <body>
        <noscript>
          This page is drawn by JavaScript. <a href="/docs">All operations</a> can be read without, and{' '}
          <a href="/openapi.json">openapi.json</a> is the document itself.
        </noscript>
        <div id="reference" />
        <script src={SCALAR_PATH} />
        <script src={START_PATH} />
      </body>
    ),
  });
