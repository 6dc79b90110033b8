/** `ringkey mcp`, started as a program by the MCP client of the SDK, against a running service. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test } from 'vitest';
import { DEMO_KEY } from '../../../src/local/standalone/demo-data.ts';
import { startTestApi } from '../../contract/test-api.ts';
import { useFixture } from '../../support/fixtures.ts';
import { runCommand } from '../../support/run-command.ts';

const api = useFixture(() => startTestApi());

const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

async function connect(env: Record<string, string>, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  const command = { command: process.execPath, args: ['dist/main.js', 'mcp', ...args] };
  await client.connect(new StdioClientTransport({ ...command, env: { PATH: process.env.PATH ?? '', ...env } }));
  return client;
}

test('offers the tools of the service by standard input and output', async () => {
  const client = await connect({ RINGKEY_URL: api.url, RINGKEY_KEY: DEMO_KEY });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('create_checkout');
  const checkout = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };
  const { structuredContent } = await client.callTool({ name: 'create_checkout', arguments: checkout });
  expect(structuredContent).toMatchObject({ merchant_id: 'mer_demo_diner', amount_cents: 4250 });
  const refused = await client.callTool({ name: 'send_link', arguments: {} });
  expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
    true,
    expect.stringContaining('missing_checkout'),
  ]);
});

test('reports a wrong key, and a service that does not answer, to the client', async () => {
  const wrong = await connect({ RINGKEY_URL: api.url, RINGKEY_KEY: 'rk_test_0123456789abcdef0123' });
  await expect(wrong.listTools()).rejects.toThrow('This test key does not exist');
  // Port 9 (discard) has no service: https://www.rfc-editor.org/rfc/rfc863.
  const away = await connect({ RINGKEY_KEY: DEMO_KEY }, '--url', 'http://127.0.0.1:9');
  await expect(away.listTools()).rejects.toThrow('No valid answer from http://127.0.0.1:9/mcp');
});

test.each(['ftp://x.example', 'x.example', 'http://x.example/?a=b'])('rejects the address %s', async (address) => {
  const { code, err } = await runCommand(`mcp --url ${address}`, {});
  expect([code, err]).toEqual([2, expect.stringContaining('http(s) address')]);
});
