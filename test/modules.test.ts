/** Which modules of src/ can import which: each only those before it in the list, so that no two import each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULES = [
  'domain',
  'languages',
  'contract',
  'flow',
  'lib',
  'config',
  'db',
  'speech',
  'payments',
  'accounts',
  'screening',
  'notifications',
  'checkout',
  'attention',
  'alerts',
  'http',
  'phone',
  'clients',
  'local',
  'app',
  'cli',
  'main.ts',
];

/** The parts of a module that have an order of their own. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  lib: ['start-error.ts', 'redis', 'concurrency', 'observability', 'vault', 'http-client'],
  payments: [
    ...['port', 'vendor-api', 'browser', 'rules', 'shared'],
    // The processors.
    ...['sandbox', 'stripe', 'square', 'authorizenet', 'checkoutcom', 'braintree', 'hyperswitch', 'worldpay', 'adyen'],
    'payconnector',
    ...['refunds', 'holds', 'charges', 'notifications', 'reconciliation', 'manual', 'observability'],
  ],
  accounts: ['merchants', 'logos', 'keys', 'users'],
  notifications: ['render-each.ts', 'progress', 'sms', 'email', 'webhooks', 'outbox'],
  http: ['shared', 'api', 'agent-tools', 'mcp', 'pay-page', 'dashboard', 'docs'],
  local: ['softswitch', 'scripted-caller', 'standalone'],
};

/** Modules and parts that import no more than this, although more is before them. */
const IMPORTS_ONLY: Readonly<Record<string, RegExp>> = {
  domain: /^never$/,
  languages: /^domain\//,
  contract: /^(domain|languages)\//,
  flow: /^domain\//,
  // Packages of their own: they reach the product by REST.
  clients: /^never$/,
  'local/softswitch': /^never$/,
  // Two libraries, the settings, and public data. It reaches the product by REST and SIP.
  'local/scripted-caller':
    /^(local\/softswitch\/(sip|rtp)\/index|local\/softswitch\/media\/sdp|config\/settings|contract\/demo|flow\/terms|payments\/sandbox\/(bank-accounts|cards))\.ts$/,
};

/** Parts that few can import. */
const IMPORTED_BY: Readonly<Record<string, RegExp>> = {
  'local/softswitch': /^local\/(scripted-caller\/|standalone\/engine\.ts)/,
  'local/scripted-caller': /^cli\/call(-cards)?\.ts/,
};

/** What knows a vendor, a daemon or a program. Modules know the port; app/ and cli/ choose the adapter. */
const ADAPTER =
  /^(payments\/(?:sandbox|stripe|square|authorizenet|checkoutcom|braintree|hyperswitch|worldpay|adyen|payconnector)|phone\/(?:drachtio|freeswitch)|notifications\/sms\/(?:twilio|telnyx|log)|notifications\/email\/(?:smtp|log)|speech\/(?:espeak|openai|google|polly|elevenlabs)|screening\/(?:twilio|telnyx|http|stir|sandbox))\//;
/** The sandbox's test cards and numbers are data, and a carrier's webhook comes in its own format. */
const OPEN_TO_ALL =
  /^payments\/sandbox\/(?:bank-accounts|cards)\.ts$|^screening\/sandbox\/(?:numbers|calls)\.ts$|^notifications\/sms\/\w+\/incoming\.ts$/;

const moduleOf = (file: string) => file.split('/', 1)[0] ?? file;
const partOf = (file: string) => file.split('/')[1] ?? '';
/** The part, of a module that has parts; else the module. */
const placeOf = (file: string) => (moduleOf(file) in PARTS ? `${moduleOf(file)}/${partOf(file)}` : moduleOf(file));

/** Why a file of src/ cannot import another; null if it can. */
function objection(file: string, imported: string): string | null {
  const [from, to] = [placeOf(file), placeOf(imported)];
  if (from === to) return null;
  const disorder = orderObjection(file, imported);
  if (disorder !== null) return disorder;
  if (IMPORTS_ONLY[from]?.test(imported) === false) return `${from} imports less`;
  if (IMPORTED_BY[to]?.test(file) === false) return `${to} is not for ${moduleOf(file)}`;
  const isAdapter = ADAPTER.test(imported) && !OPEN_TO_ALL.test(imported) && moduleOf(file) !== moduleOf(imported);
  return isAdapter && !['app', 'cli'].includes(moduleOf(file)) ? 'only app/ and cli/ import adapters' : null;
}

function orderObjection(file: string, imported: string): string | null {
  const [from, to] = [moduleOf(file), moduleOf(imported)];
  const list = from === to ? (PARTS[from] ?? []) : MODULES;
  const [own, other] = from === to ? [partOf(file), partOf(imported)] : [from, to];
  if (!list.includes(own) || !list.includes(other)) return 'a module that the list lacks';
  return list.indexOf(other) > list.indexOf(own) ? `${own} comes before ${other}` : null;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(m?ts|tsx)$/.test(file));

test('modules import only those before them, and only app/ and cli/ import adapters', () => {
  const objections = files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => importsOf(file).map((imported) => [file, imported, objection(file, imported)] as const))
    .filter(([, , why]) => why !== null)
    .map(([file, imported, why]) => `${file} imports ${imported}: ${why}`);
  expect(objections).toEqual([]);
});

test.each([
  ['domain/money.ts', 'contract/errors.ts', 'domain comes before contract'],
  ['flow/table.ts', 'contract/errors.ts', 'flow imports less'],
  ['local/softswitch/main.ts', 'domain/secret.ts', 'local/softswitch imports less'],
  ['app/phone.ts', 'local/softswitch/options.ts', 'local/softswitch is not for app'],
  ['checkout/charge.ts', 'payments/stripe/index.ts', 'only app/ and cli/ import adapters'],
  ['http/api/app.ts', 'attic/box.ts', 'a module that the list lacks'],
  ['http/api/app.ts', 'http/dashboard/visit.ts', 'api comes before dashboard'],
  ['payments/stripe/index.ts', 'payments/charges/settle-charge.ts', 'stripe comes before charges'],
  ['app/payments.ts', 'payments/stripe/index.ts', null],
])('%s importing %s: %s', (file, imported, why) => {
  expect(objection(file, imported)).toBe(why);
});

test('the test finds imports', () => {
  expect(importsOf('main.ts')).toEqual(['cli/program.ts']);
  expect(importsOf('cli/call.ts')).toContain('local/scripted-caller/command.ts');
});
