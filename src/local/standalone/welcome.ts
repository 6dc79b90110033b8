/** The text that `npm start` prints at the end: the addresses of all parts, and what to try next. */
import { existsSync } from 'node:fs';
import { isRunByNpx } from '../../config/config.ts';
import { isOwnMachine } from '../../config/derived.ts';
import type { Config } from '../../config/settings.ts';
import { DEMO_KEY } from '../../contract/demo.ts';
import { browserUrl } from '../../lib/http-client/loopback-name.ts';
import type { Engine } from './engine.ts';
import type { PrivateServers } from './servers/index.ts';

/** The running parts. */
export interface RunningParts {
  config: Config;
  /** Null if both servers are external. */
  servers: PrivateServers | null;
  /** Null if the engine is external, or another process has the role `phone`. */
  engine: Engine | null;
  /** The host in `transfer_to`, with the port if it is not 5060. */
  sipDomain: string;
  /** Base URL of REST, or only of the health checks if this process lacks the role `api`. */
  httpUrl: string;
  /** The pay link of a demo checkout; null if there is none. */
  payLink: string | null;
}

/** The warning for a demo that other machines can reach. */
const PUBLIC_DEMO = [
  '  Others can reach this demo. Everything that a visitor enters is visible to all visitors. They cannot change',
  '  keys, merchants or the saved card. Webhooks go to public addresses only.',
  '',
];

/** Plain text, for a terminal of 100 columns. */
export function welcomeText(parts: RunningParts): string {
  const { config, sipDomain, payLink } = parts;
  const url = browserUrl(parts.httpUrl);
  // Passkeys and sign-ins belong to the public address.
  const dashboard = `${config.RINGKEY_PUBLIC_URL ?? url}/dashboard`;
  const rows = [
    ['Dashboard', dashboard, dashboardNote(config)],
    ['REST', url, `demo key ${DEMO_KEY}, or none`],
    ['Docs', `${url}/docs`, 'quickstart, API reference, test cards'],
    ['Texts', `${url}/demo/texts`, 'the texts that callers would get'],
    ...(payLink === null ? [] : [['Pay page', payLink, 'a checkout to pay in the browser, as from a text message']]),
    ['SIP', `sip:${sipDomain}`, `UDP and TCP, ${engineNote(parts)}`],
    ['PostgreSQL', ...serverRow(parts.servers?.postgres, 'DATABASE_URL')],
    ['Redis', ...serverRow(parts.servers?.redis, 'REDIS_URL')],
  ];
  return [
    '',
    '  Ringkey is running. Demo, test mode: no real money moves.',
    '',
    ...table(rows),
    '',
    `  Place a test call from the browser: ${dashboard}/test/try`,
    '',
    '  Or create a checkout. The response has transfer_to, the SIP address to dial:',
    '',
    `    curl -s ${url}/v1/create_checkout -H 'Content-Type: application/json' \\`,
    `      -d '{"merchant_id": "mer_demo_diner", "caller_phone": "+15550101234", "amount_cents": 4250}'`,
    '',
    '  Dial it with a softphone and enter 4242 4242 4242 4242, any future month and any security code.',
    '  Or let a scripted caller do all of it, in a second terminal:',
    '',
    `    ${callCommand()}`,
    '',
    `  Stop with Ctrl-C. Live calls have ${config.RINGKEY_DRAIN_SECONDS} s to finish.`,
    '',
    ...(isOwnMachine(config) ? [] : PUBLIC_DEMO),
  ].join('\n');
}

/** A clone has the sources, an installed package has not. */
function callCommand(): string {
  if (existsSync(new URL('../../../src', import.meta.url))) return 'npm run call';
  return isRunByNpx() ? 'npx ringkey call' : 'ringkey call';
}

/** The demo's dashboard opens without signing in only if Ringkey listens on the machine itself. */
function dashboardNote(config: Config): string {
  return isOwnMachine(config) ? 'calls, payments, setup; no sign-in needed' : 'create a user with: ringkey user create';
}

function engineNote({ engine, config }: RunningParts): string {
  return engine ? `built-in engine, RTP ${config.RINGKEY_RTP_PORTS}` : `drachtio at ${config.DRACHTIO_HOST}`;
}

function serverRow(server: { port: number; directory: string } | null | undefined, setting: string): string[] {
  return server ? [`127.0.0.1:${server.port}`, server.directory] : ['external', `see ${setting}`];
}

function table(rows: string[][]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
