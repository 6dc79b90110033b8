import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { apiCallText, ShellVariable } from './api-call.tsx';

const VISIT = { origin: 'http://127.0.0.1:8080' };

/** The arguments of the command, as a shell passes them to curl. */
function argumentsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, 'printf "%s\\0"')], {
    encoding: 'utf8',
    env: { RINGKEY_KEY: 'the-key', SECRET_KEY: 'the-secret', PATH: '/usr/bin:/bin' },
  });
  return printed.split('\0').slice(0, -1);
}

test('A shell passes every text of a form to curl unchanged, and expands nothing in it', () => {
  const body = { business_name: `O'Neil's "$HOME" $(id) \`id\` \\ \n !!`, tip_percentages: [15, 18], voice: null };
  const command = apiCallText(VISIT, { method: 'PATCH', path: '/v1/merchants/mer_1', body });
  const [, , , address, , key, , type, , sent] = argumentsOf(command);
  expect([address, key, type]).toEqual([
    'http://127.0.0.1:8080/v1/merchants/mer_1',
    'Authorization: Bearer the-key',
    'Content-Type: application/json',
  ]);
  expect(JSON.parse(sent ?? '')).toEqual(body);
});

test('A secret is a variable of the shell', () => {
  const body = { processor: 'stripe', credentials: { secret_key: new ShellVariable('SECRET_KEY') } };
  const command = apiCallText(VISIT, { method: 'POST', path: '/v1/merchants/mer_1/processor', body });
  expect(command).toContain('$SECRET_KEY');
  expect(JSON.parse(argumentsOf(command).at(-1) ?? '')).toEqual({
    processor: 'stripe',
    credentials: { secret_key: 'the-secret' },
  });
});

test('A request without a body has only its address and the key', () => {
  expect(apiCallText(VISIT, { path: '/v1/account' })).toBe(
    `curl -s 'http://127.0.0.1:8080/v1/account' \\\n  -H "Authorization: Bearer $RINGKEY_KEY"`,
  );
});
