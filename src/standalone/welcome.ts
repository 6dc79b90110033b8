/** The text that `npm start` ends with: what runs where, and what to try next. */
import { type Config, isOwnMachine } from '../config.ts';
import { DEMO_KEY } from '../contract/demo.ts';
import { browserUrl } from '../outgoing-http/loopback-name.ts';
import type { Engine } from './engine.ts';
import type { PrivateServers } from './servers/index.ts';

/** What runs. */
export interface RunningParts {
  config: Config;
  /** Null where both servers are outside ones. */
  servers: PrivateServers | null;
  /** Null where the engine is an outside one, or the phone is another process. */
  engine: Engine | null;
  /** Host, and port where it is not 5060, in `transfer_to`. */
  sipDomain: string;
  /** Base of the HTTP surface: the whole API, or the health checks alone where this process has not that role. */
  httpUrl: string;
  /** Of a checkout that was opened for it; null where none can be made. */
  payLink: string | null;
}

/** For a demo that others can reach. */
const PUBLIC_DEMO = [
  '  Others may reach this demo: what its visitors type, all of them can read; keys, merchants and the saved card',
  '  stay as they are, and webhooks go to public addresses only.',
  '',
];

/** Plain text, for a terminal of 100 columns. */
export function welcomeText(parts: RunningParts): string {
  const { config, sipDomain, payLink } = parts;
  const url = browserUrl(parts.httpUrl);
  // Its users' passkeys and sessions are of the public address.
  const dashboard = `${config.RINGKEY_PUBLIC_URL ?? url}/dashboard`;
  const rows = [
    ['Dashboard', dashboard, dashboardNote(config)],
    ['REST', url, `demo key ${DEMO_KEY}, or none`],
    ['Docs', `${url}/docs`, 'quickstart, API reference, test cards'],
    ['Texts', `${url}/demo/texts`, 'what the caller would get'],
    ...(payLink === null ? [] : [['Pay page', payLink, 'a checkout to pay in the browser, as from a text']]),
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
    '  Or create a checkout (prints transfer_to, the SIP address to dial):',
    '',
    `    curl -s ${url}/v1/create_checkout -H 'Content-Type: application/json' \\`,
    `      -d '{"merchant_id": "mer_demo_diner", "caller_phone": "+15550101234", "amount_cents": 4250}'`,
    '',
    '  Dial it with a softphone and key 4242 4242 4242 4242, any month to come, any code;',
    '  or let a scripted caller do it all, in a second terminal:',
    '',
    '    npm run call',
    '',
    `  Stop with Ctrl-C (calls may finish for ${config.RINGKEY_DRAIN_SECONDS} s).`,
    '',
    ...(isOwnMachine(config) ? [] : PUBLIC_DEMO),
  ].join('\n');
}

/** Only on its own machine the demo's dashboard opens by itself. */
function dashboardNote(config: Config): string {
  return isOwnMachine(config) ? 'calls, payments, set-up: opens without signing in' : 'sign in: ringkey user create';
}

function engineNote({ engine, config }: RunningParts): string {
  return engine ? `built-in engine, RTP ${config.RINGKEY_RTP_PORTS}` : `drachtio at ${config.DRACHTIO_HOST}`;
}

function serverRow(server: { port: number; directory: string } | null | undefined, setting: string): string[] {
  return server ? [`127.0.0.1:${server.port}`, server.directory] : ['elsewhere', `as ${setting} says`];
}

function table(rows: string[][]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
