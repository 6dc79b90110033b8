import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { Parts } from '../app/roles.ts';
import { welcome } from './welcome.ts';

function said(environment: Record<string, string>): string {
  const config = readConfig({ RINGKEY_DEMO: 'on', ...environment });
  const parts = { config, servers: null, engine: null, httpUrl: 'http://127.0.0.1:8080' };
  return welcome({ ...parts, transfer: { domain: '127.0.0.1', number: null } } as Parts);
}

test('who lets strangers into the demo is told what that means, and nobody else', () => {
  expect(said({})).not.toContain('Others may reach this demo');
  expect(said({ RINGKEY_HTTP_HOST: '0.0.0.0' })).toContain('Others may reach this demo');
});

test('fits a terminal of 120 columns', () => {
  const lines = said({ RINGKEY_HTTP_HOST: '0.0.0.0' }).split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120);
});
