import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { welcomeText } from './welcome.ts';

function welcomed(environment: Record<string, string>): string {
  const config = readConfig({ RINGKEY_DEMO: 'on', ...environment });
  return welcomeText({
    ...{ config, servers: null, engine: null },
    ...{ httpUrl: 'http://127.0.0.1:8080', sipDomain: '127.0.0.1' },
  });
}

test('a demo that others can reach says what that means, and no other', () => {
  expect(welcomed({})).not.toContain('Others may reach this demo');
  expect(welcomed({ RINGKEY_HTTP_HOST: '0.0.0.0' })).toContain('Others may reach this demo');
});

test('fits a terminal of 120 columns', () => {
  const lines = welcomed({ RINGKEY_HTTP_HOST: '0.0.0.0' }).split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120);
});
