/** Runs the commands and signature checks of the docs exactly as the pages show them. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { newId } from '../../src/domain/ids.ts';
import { newKey } from '../../src/domain/key.ts';
import {
  OUTCOME_KINDS,
  OUTCOME_REASONS,
  outcomeHeaders,
  referToUri,
  USER_TO_USER_NAMES,
} from '../../src/domain/outcome.ts';
import { EventResource } from '../../src/http/api/routes/events.ts';
import { ConnectProcessorRequest } from '../../src/http/api/routes/merchant-shapes.ts';
import {
  deliveryHeaders,
  EXAMPLE_TIME,
  eventExample,
  SIP_SECRET,
  WEBHOOK_SECRET,
} from '../../src/http/docs/examples.ts';
import { LIVE_REQUESTS } from '../../src/http/docs/generated/going-live.tsx';
import { codeOf } from '../../src/http/docs/pages.ts';
import { VERIFY_NODE, VERIFY_PYTHON, VERIFY_SNIPPETS } from '../../src/http/shared/verify-webhook.ts';
import { signatureHeaders } from '../../src/lib/http-client/signature.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { giveTestData } from '../../src/local/standalone/test-data.ts';
import { readUserToUser, verifyOutcomeHeaders } from '../support/outcome-headers.ts';
import { freePort } from '../support/ports.ts';
import { bearer, insertTestKeys, LIVE_KEY } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = 'https://docs.example.com';

const SIGNATURE_RECIPE = codeOf('sip-headers', 'signature-node');
const SIGNATURE_RECIPE_PYTHON = codeOf('sip-headers', 'signature-python');

/** The commands of the quickstart, in order. */
function quickstartCommands(place: { base_url: string; key: string }) {
  const command = (name: string) => codeOf('quickstart', name, place);
  return {
    open: command('open'),
    charge: command('charge'),
    read: command('read'),
    link: command('link'),
    decline: command('decline'),
    agentKey: command('agentKey'),
  };
}

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ demoKey: DEMO_KEY });
});
afterAll(() => api.close());

const read = async (path: string) => (await fetch(api.url + path)).text();
/** A block of code as a reader's browser shows it. */
const shown = (text: string) =>
  text.replace(/[&<"]/g, (character) => `&${{ '&': 'amp', '<': 'lt', '"': 'quot' }[character]};`);

test('runs the quickstart: a payment, a read and a decline', async () => {
  const commands = quickstartCommands({ base_url: api.url, key: DEMO_KEY });
  const page = await read('/docs/quickstart');
  for (const command of Object.values(commands)) expect(page).toContain(shown(command));
  const script = Object.values(commands).join('\necho\n');
  const { stdout } = await run('sh', ['-eu', '-c', script.replaceAll('curl -s', 'curl -s --max-time 30')]);
  const answers = stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  expect(answers).toMatchObject([
    { payment_required: 'required', amount_cents: 4250, cards: [{ instrument_id: 'card_demo_visa' }] },
    { status: 'succeeded', replay: false },
    { session_status: 'complete', charge: { status: 'succeeded' } },
    { sent: true, payment_required: 'required', short_url: expect.stringMatching(/\/p\/[a-z2-9]{12}$/) },
    { error: { code: 'card_declined', decline_code: 'insufficient_funds', agent_action: 'offer_different_card' } },
    { scope: 'agent', environment: 'test', key: expect.stringMatching(/^rk_test_/) },
  ]);
});

test('runs the quickstart with the test data of a new account', async () => {
  const accountId = newId('Account');
  const key = newKey('test');
  await insertAccount(api.database, { id: accountId, name: 'Own' });
  await insertKey(api.database, { accountId, mode: 'test', key });
  const data = await giveTestData(api.database, accountId, 'USD');
  const diner = data?.merchants.find(({ orders }) => orders.includes('order_1001'))?.merchant.id ?? '';
  const { open, charge, read: readBack } = quickstartCommands({ base_url: api.url, key });
  const script = [open, charge, readBack].join('\necho\n');
  const own = script.replaceAll('mer_demo_diner', diner).replaceAll('card_demo_visa', data?.cardId ?? '');
  const { stdout } = await run('sh', ['-eu', '-c', own.replaceAll('curl -s', 'curl -s --max-time 30')]);
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(answers).toMatchObject([
    { payment_required: 'required', amount_cents: 4250, cards: [{ instrument_id: data?.cardId }] },
    { status: 'succeeded', merchant_id: diner },
    { session_status: 'complete' },
  ]);
});

test('registers the endpoint of the page about events', async () => {
  const command = codeOf('events', 'register', { base_url: api.url, key: DEMO_KEY });
  const { stdout } = await run('sh', ['-eu', '-c', command.replaceAll('curl -s', 'curl -s --max-time 30')]);
  expect(JSON.parse(stdout)).toMatchObject({
    events: ['checkout.completed'],
    signing_secret: expect.stringMatching(/^whsec_/),
  });
});

test('accepts the requests of the go-live page', async () => {
  await insertTestKeys(api);
  const { merchant, processor, webhook } = LIVE_REQUESTS;
  const page = await read('/docs/going-live');
  for (const body of [merchant, processor, webhook]) {
    expect(page).toContain(shown(JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')));
  }
  expect((await api.post('/v1/merchants', merchant, bearer(LIVE_KEY))).status).toBe(200);
  expect((await api.post('/v1/webhook_endpoints', webhook, bearer(LIVE_KEY))).status).toBe(200);
  expect(ConnectProcessorRequest.safeParse(processor).error).toBeUndefined();
});

describe('webhooks', () => {
  test.each(EVENT_TYPES)('shows the event %s on its page exactly as it is sent', async (kind) => {
    const body = eventExample(kind, DOCS);
    expect(EventResource.strict().parse(JSON.parse(body)).type).toBe(kind);
    expect(await read('/docs/events')).toContain(shown(JSON.stringify(JSON.parse(body), null, 2)));
  });

  test('accepts our webhooks in the Node.js recipe, and rejects all others', async () => {
    const page = await read('/docs/events');
    for (const { code } of VERIFY_SNIPPETS) expect(page).toContain(shown(code));
    // In the clone, so that it finds the package; `dist` is not a source folder.
    await mkdir(join(ROOT, 'dist'), { recursive: true });
    const folder = await mkdtemp(join(ROOT, 'dist/receiver-'));
    const port = await freePort();
    await writeFile(
      join(folder, 'receiver.mjs'),
      `${VERIFY_NODE.replace(/;$/, '')}.on('listening', () => console.log('up'));`,
    );
    const env = { ...process.env, SIGNING_SECRET: WEBHOOK_SECRET, PORT: String(port) };
    const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(receiver.stdout, 'data');
      const body = eventExample('checkout.completed', DOCS);
      const post = async (headers: Record<string, string>) =>
        (await fetch(`http://127.0.0.1:${port}/ringkey`, { method: 'POST', body, headers })).status;
      const headers = signatureHeaders('evt_1', new Date(), body, [WEBHOOK_SECRET]);
      expect(await post(headers)).toBe(204);
      expect(await post({ ...headers, 'webhook-id': 'evt_2' })).toBe(401);
      expect(await post(deliveryHeaders(body))).toBe(401);
    } finally {
      receiver.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('the check for Python accepts only our signatures', async () => {
    expect(await read('/docs/events')).toContain(shown(VERIFY_PYTHON));
    const body = eventExample('checkout.completed', DOCS);
    const headers = signatureHeaders('evt_1', new Date(), body, [`whsec_${SIP_SECRET}`, WEBHOOK_SECRET]);
    const notAscii = { ...headers, 'webhook-signature': 'v1,é' };
    const requests = [headers, { ...headers, 'webhook-id': 'evt_2' }, deliveryHeaders(body), notAscii, {}];
    const calls = requests.map(
      (each) => `verify(json.loads(${py(each)}), body, ${py(WEBHOOK_SECRET, false)}) is not None`,
    );
    const script = `${VERIFY_PYTHON}\nbody = ${py(body, false)}.encode()\nprint(json.dumps([${calls.join(', ')}]))`;
    const { stdout } = await run('python3', ['-c', script]);
    expect(JSON.parse(stdout)).toEqual([true, false, false, false, false]);
  });
});

describe('SIP headers', () => {
  const facts = {
    sessionId: newId('CheckoutSession'),
    amount: { amountCents: 4_250, currency: 'USD' as const },
    orderId: 'Büro 7',
    platformCallId: null,
    outcome: { kind: 'succeeded' as const },
  };
  const signed = () => {
    const headers = outcomeHeaders(facts, SIP_SECRET, new Date());
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  };

  test('accepts our SIP headers in the Node.js recipe, and rejects all others', async () => {
    expect(await read('/docs/sip-headers')).toContain(shown(SIGNATURE_RECIPE));
    const headers = signed();
    const { isFromRingkey } = await import(`data:text/javascript,${encodeURIComponent(SIGNATURE_RECIPE)}`);
    expect(isFromRingkey(headers, SIP_SECRET)).toBe(true);
    expect(isFromRingkey({ ...headers, 'x-ringkey-amount': '1' }, SIP_SECRET)).toBe(false);
    expect(isFromRingkey(headers, SIP_SECRET, Date.now() / 1_000 + 301)).toBe(false);
    expect(isFromRingkey({}, SIP_SECRET)).toBe(false);
  });

  test('the recipe for Python accepts our events and refuses forged ones', async () => {
    expect(await read('/docs/sip-headers')).toContain(shown(SIGNATURE_RECIPE_PYTHON));
    const headers = signed();
    const requests = [headers, { ...headers, 'x-ringkey-amount': '1' }, {}];
    const calls = requests.map((each) => `is_from_ringkey(json.loads(${py(each)}), ${py(SIP_SECRET, false)})`);
    const late = `is_from_ringkey(json.loads(${py(headers)}), ${py(SIP_SECRET, false)}, time.time() + 400)`;
    const script = `import json\n${SIGNATURE_RECIPE_PYTHON}\nprint(json.dumps([${[...calls, late].join(', ')}]))`;
    const { stdout } = await run('python3', ['-c', script]);
    expect(JSON.parse(stdout)).toEqual([true, false, false, false]);
  });

  test('shows an INVITE and a REFER with valid signatures', async () => {
    const page = (await read('/docs/sip-headers')).replaceAll('&amp;', '&').replaceAll('&lt;', '<');
    const [invite = '', refer = ''] = [...page.matchAll(/<code>((?:INVITE|REFER) [\s\S]*?)<\/code>/g)].map(
      ([, text]) => text,
    );
    const lines = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/^(X-Ringkey-[\w-]+|User-to-User): (.*)$/gm)].map(([, name, value]) => [name, value]),
      );
    expect(lines(invite)).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Order': 'order_1001' });
    expect(verifyOutcomeHeaders(lines(invite), SIP_SECRET, EXAMPLE_TIME)).toBe(true);
    const repeated = readUserToUser(lines(invite)['User-to-User'] ?? '') ?? {};
    expect(verifyOutcomeHeaders(repeated, SIP_SECRET, EXAMPLE_TIME)).toBe(true);
    const inside = new URLSearchParams(/\?([^>]*)>/.exec(refer)?.[1]);
    expect(inside.get('X-Ringkey-Decline-Code')).toBe('insufficient_funds');
    for (const headers of [lines(refer), Object.fromEntries(inside)]) {
      expect(verifyOutcomeHeaders(headers, SIP_SECRET, EXAMPLE_TIME)).toBe(true);
    }
    expect([lines(refer)['User-to-User'], inside.get('User-to-User')]).toEqual([expect.any(String), null]);
  });

  /** A failure with a value for each header. */
  const failure = {
    ...facts,
    platformCallId: 'CA 1',
    outcome: {
      kind: 'failed',
      reason: 'declined',
      chargeId: newId('Charge'),
      declineCode: 'insufficient_funds',
    },
  } as const;
  const hold = {
    ...failure,
    isHold: true,
    outcome: { kind: 'succeeded', chargeId: newId('Charge'), tipCents: 765, remainingCents: 2_250 },
  } as const;
  const sentFor = (call: typeof failure | typeof hold) => outcomeHeaders(call, SIP_SECRET, new Date());
  const page = readFileSync(join(ROOT, 'src/http/docs/pages/sip-headers.md'), 'utf8');
  /** The words in the first column of the table whose head starts with these cells. */
  const firstColumn = (head: string) => {
    const [, rows = ''] = page.split(`| ${head} |`)[1]?.split(/^\|---.*$/m) ?? [];
    return [...(/^(?:\n\|.*)*/.exec(rows)?.[0] ?? '').matchAll(/^\| `([^`]+)`/gm)].map(([, word]) => word);
  };

  test('the page lists exactly the headers, outcomes and reasons that the line sends', () => {
    const sent = [...new Set(Object.keys({ ...sentFor(failure), ...sentFor(hold) }))];
    expect(firstColumn('Header').toSorted()).toEqual(sent.toSorted());
    expect(firstColumn('`X-Ringkey-Outcome` | Meaning').toSorted()).toEqual([...OUTCOME_KINDS].sort());
    expect(firstColumn('`X-Ringkey-Reason` | Why').toSorted()).toEqual([...OUTCOME_REASONS].sort());
    // Also the names that the platforms give them, such as `SipHeader_X-Ringkey-Outcome`.
    expect(sent).toEqual(expect.arrayContaining(page.match(/X-Ringkey-\w[\w-]*/g) ?? []));
  });

  test('the page lists the letters of User-to-User in the order in which they are sent', () => {
    const lettersOf = ({ 'User-to-User': hex = '' }: ReturnType<typeof sentFor>) =>
      [
        ...Buffer.from(hex.split(';')[0] ?? '', 'hex')
          .toString()
          .matchAll(/(?:^|&)(\w+)=/g),
      ].map(([, letter]) => letter);
    const all = [...Object.values(USER_TO_USER_NAMES), 't', 'v1'];
    expect(page).toContain(`\`${all.map((letter) => `${letter}=…`).join('&')}\``);
    expect(lettersOf(sentFor(failure))).toEqual(all.filter((letter) => !['h', 'p', 'm'].includes(letter)));
    expect(lettersOf(sentFor(hold))).toEqual(all.filter((letter) => letter !== 'd' && letter !== 'w'));
  });

  test('the outcome can be read from the Refer-To that FreeSWITCH shows, as the page says', async () => {
    expect(page).toContain('parse the part after `?` and percent-decode each value');
    const options = { ownHeaders: { 'X-Trace': '42' }, secret: SIP_SECRET, at: new Date() };
    const sipReferTo = `<${referToUri('sip:agent@agents.example.com', failure, options)}>`;
    const pairs = sipReferTo.slice(sipReferTo.indexOf('?') + 1, -1).split('&');
    const headers = Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [name.toLowerCase(), decodeURIComponent(value)];
      }),
    );
    expect(headers).toMatchObject({ 'x-ringkey-outcome': 'failed', 'x-ringkey-reason': 'declined', 'x-trace': '42' });
    const { isFromRingkey } = await import(`data:text/javascript,${encodeURIComponent(SIGNATURE_RECIPE)}`);
    expect(isFromRingkey(headers, SIP_SECRET)).toBe(true);
    expect(isFromRingkey({ ...headers, 'x-ringkey-outcome': 'succeeded' }, SIP_SECRET)).toBe(false);
  });
});

/** A Python string with `value`, as JSON unless it is text. */
function py(value: unknown, asJson = true): string {
  return JSON.stringify(asJson ? JSON.stringify(value) : value);
}
