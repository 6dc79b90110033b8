/** Which rooms of src/ may import which: each only those before it in the list, so that no two import each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOMS = [
  ...['domain', 'concurrency', 'observability', 'contract', 'flow', 'vault', 'outgoing-http', 'markup'],
  ...['start-error.ts', 'config.ts', 'db', 'progress', 'speech', 'payments', 'merchants', 'cards', 'keys', 'orders'],
  ...['users', 'sms', 'screening'],
  ...['checkout', 'webhooks', 'outbox', 'api', 'page', 'dashboard', 'docs'],
  ...['phone', 'softswitch', 'scripted-caller', 'standalone'],
  ...['app', 'cli', 'main.ts'],
];

/** Rooms that import no more than this, although more is before them. */
const IMPORTS_ONLY: Record<string, RegExp> = {
  domain: /^never$/,
  concurrency: /^(domain|observability)\//,
  contract: /^domain\//,
  flow: /^domain\//,
  softswitch: /^never$/,
  // Two libraries, the settings, and data that is known to everybody. What it asks of the product goes by REST and SIP.
  'scripted-caller':
    /^(softswitch\/(sip|rtp)\/index|softswitch\/media\/sdp|config|contract\/demo|flow\/types|payments\/sandbox\/cards)\.ts$/,
};

/** Rooms that few may import. */
const IMPORTED_BY: Record<string, RegExp> = {
  softswitch: /^(scripted-caller\/|standalone\/engine\.ts)/,
  'scripted-caller': /^cli\/call\.ts/,
};

/** What knows a vendor, a daemon or a program. Rooms know the port; app/ and cli/ choose the adapter. */
const ADAPTER =
  /^(payments\/(?:sandbox|stripe|square)|phone\/(?:drachtio|freeswitch)|sms\/(?:twilio|telnyx|log)|speech\/(?:espeak|openai|google|polly|elevenlabs)|screening\/(?:twilio|telnyx|http|stir|sandbox))\//;
/** The sandbox's test cards and numbers are data, and a carrier's webhook comes in its own format. */
const OPEN_TO_ALL =
  /^payments\/sandbox\/cards\.ts$|^screening\/sandbox\/(?:numbers|calls)\.ts$|^sms\/\w+\/(reply|status)\.ts$/;

const roomOf = (file: string) => file.split('/', 1)[0] ?? file;

/** Why a file of src/ may not import another; null where it may. */
function objection(file: string, imported: string): string | null {
  const [from, to] = [roomOf(file), roomOf(imported)];
  if (from === to) return null;
  if (ROOMS.indexOf(from) < 0 || ROOMS.indexOf(to) < 0) return 'a room that the list lacks';
  if (ROOMS.indexOf(to) > ROOMS.indexOf(from)) return `${from} comes before ${to}`;
  if (IMPORTS_ONLY[from]?.test(imported) === false) return `${from} imports less`;
  if (IMPORTED_BY[to]?.test(file) === false) return `${to} is not for ${from}`;
  const isAdapter = ADAPTER.test(imported) && !OPEN_TO_ALL.test(imported);
  return isAdapter && from !== 'app' && from !== 'cli' ? 'only app/ and cli/ know adapters' : null;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(m?ts|tsx)$/.test(file));

test('rooms import only those before them, and adapters are known to app/ and cli/ alone', () => {
  const objections = files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => importsOf(file).map((imported) => [file, imported, objection(file, imported)] as const))
    .filter(([, , why]) => why !== null)
    .map(([file, imported, why]) => `${file} imports ${imported}: ${why}`);
  expect(objections).toEqual([]);
});

test.each([
  ['domain/money.ts', 'contract/errors.ts', 'domain comes before contract'],
  ['flow/table.ts', 'concurrency/retry.ts', 'flow imports less'],
  ['softswitch/main.ts', 'domain/secret.ts', 'softswitch imports less'],
  ['app/phone.ts', 'softswitch/options.ts', 'softswitch is not for app'],
  ['checkout/charge.ts', 'payments/stripe/index.ts', 'only app/ and cli/ know adapters'],
  ['api/app.ts', 'attic/box.ts', 'a room that the list lacks'],
  ['app/payments.ts', 'payments/stripe/index.ts', null],
])('%s → %s: %s', (file, imported, why) => {
  expect(objection(file, imported)).toBe(why);
});

test('imports are found', () => {
  expect(importsOf('main.ts')).toEqual(['cli/program.ts']);
  expect(importsOf('cli/call.ts')).toContain('scripted-caller/command.ts');
});
