/** `/agent-tools/*.json`, `/llms.txt` and the docs as Markdown. Each platform's definitions are used as the platform would. */
import { expect, test } from 'vitest';
import { DOCS_PAGES } from '../../src/http/docs/pages.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { PlatformTools } from '../support/platform-tools.ts';
import { CALLER } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ demoKey: DEMO_KEY, docsUrl: null }));

const NAMES = ['create_checkout', 'get_checkout', 'send_link', 'charge_saved_card'];

async function definitions<T>(platform: string): Promise<T[]> {
  const response = await fetch(`${api.url}/agent-tools/${platform}.json`);
  expect(response.headers.get('content-type')).toContain('application/json');
  return (await response.json()) as T[];
}

test.each(['vapi', 'retell', 'elevenlabs'] as const)('takes a payment with the tools of %s', async (platform) => {
  const call = { caller: CALLER, id: 'call-1', returnTo: 'sip:agent@agents.example.com' };
  const tools = await PlatformTools.load(api.url, platform, call);
  // The model cannot choose merchant and caller.
  const chosen = { amount_cents: 4250, merchant_id: 'mer_other', caller_phone: '+1' };
  const checkout = await tools.use('create_checkout', chosen);
  expect(checkout).toMatchObject({ merchant_id: 'mer_demo_diner', amount_cents: 4250, payment_required: 'required' });
  expect(tools.variables.transfer_to).toMatch(/^sip:cs_/);
  expect(await tools.use('send_link')).toMatchObject({ sent: true, platform_call_id: 'call-1' });
  const charge = await tools.use('charge_saved_card', { instrument_id: 'card_demo_visa' });
  expect(charge).toMatchObject({ status: 'succeeded' });
  expect(await tools.use('get_checkout')).toMatchObject({ session_status: 'complete', caller_phone: CALLER });
});

test.each(['openai', 'anthropic', 'livekit'])(
  'defines functions for %s whose model chooses the order only',
  async (platform) => {
    const tools = await definitions<{
      name: string;
      description: string;
      parameters?: { properties: object; required: string[] };
      input_schema?: { properties: object; required: string[] };
    }>(platform);
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    const chosen = tools.map(({ parameters, input_schema }) =>
      Object.keys((parameters ?? input_schema)?.properties ?? {}),
    );
    expect(chosen).toEqual([['order_id', 'amount_cents'], [], [], ['instrument_id']]);
    for (const { description } of tools) expect(description.length).toBeGreaterThan(50);
  },
);

test('lists every page for programs, and serves it as Markdown without placeholders', async () => {
  const index = await (await fetch(`${api.url}/llms.txt`)).text();
  expect(index).toMatch(/^# Ringkey\n\n> /);
  expect(index).not.toContain('{{');
  const links = [...index.matchAll(/\]\((http[^)]+)\)/g)].map(([, url = '']) => url);
  expect(links).toContain(`${api.url}/openapi.json`);
  for (const url of links.filter((each) => !each.endsWith('/mcp'))) {
    expect((await fetch(url)).status, url).toBe(200);
  }
  const all = await (await fetch(`${api.url}/llms-full.txt`)).text();
  for (const { path } of DOCS_PAGES) {
    const response = await fetch(`${api.url}${path}.md`);
    expect(response.headers.get('content-type'), path).toContain('text/markdown');
    const text = await response.text();
    expect(text, path).toMatch(/^# /);
    expect(text, path).not.toMatch(/^\{\{|\{#|\[object|base-url\.invalid|<\w+ class=/m);
    expect(all, path).toContain(text.trim());
  }
});

test('writes generated tables, commands and sections as Markdown', async () => {
  const codes = await (await fetch(`${api.url}/docs/api-reference/error-codes.md`)).text();
  expect(codes).toContain('### card_declined');
  expect(codes).toContain('| `send_link` |');
  const start = await (await fetch(`${api.url}/docs.md`)).text();
  expect(start).toContain(`curl -s`);
  expect(start).toContain(`Bearer ${DEMO_KEY}`);
});
