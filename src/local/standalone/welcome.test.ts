import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { welcomeText } from './welcome.ts';

function welcomed(environment: Record<string, string>, payLink: string | null = null): string {
  const config = readConfig({ RINGKEY_DEMO: 'on', ...environment });
  return welcomeText({
    config,
    servers: null,
    engine: null,
    httpUrl: 'http://127.0.0.1:8080',
    sipDomain: '127.0.0.1',
    payLink,
  });
}

test('only a demo that other machines can reach warns about it', () => {
  expect(welcomed({})).not.toContain('Others can reach this demo');
  expect(welcomed({ RINGKEY_HTTP_HOST: '0.0.0.0' })).toContain('Others can reach this demo');
});

test('the text names the dashboard first, and says who can sign in', () => {
  const rows = welcomed({})
    .split('\n')
    .filter((line) => line.includes('http://'));
  expect(rows[0]).toMatch(/^ +Dashboard +http:\/\/localhost:8080\/dashboard +.*no sign-in needed$/);
  expect(welcomed({ RINGKEY_HTTP_HOST: '0.0.0.0' })).toMatch(/Dashboard .*create a user with: ringkey user create/);
});

test('all links for a browser have the same host, so that one session works for all of them', () => {
  expect(welcomed({}, 'http://localhost:8080/p/u4jhvmgnzged').match(/https?:\/\/[^/\s]+/g)).toEqual(
    Array.from({ length: 7 }, () => 'http://localhost:8080'),
  );
  const behindProxy = welcomed({ RINGKEY_PUBLIC_URL: 'https://pay.example.com' });
  expect(behindProxy).toMatch(
    /Dashboard +https:\/\/pay\.example\.com\/dashboard .*create a user with: ringkey user create/,
  );
  expect(behindProxy).toContain('browser: https://pay.example.com/dashboard/test/try');
});

test('the text shows the pay link of a checkout if there is one', () => {
  const link = 'http://localhost:8080/p/u4jhvmgnzged';
  expect(welcomed({}, link)).toMatch(new RegExp(`^ +Pay page +${link}  `, 'm'));
  expect(welcomed({})).not.toContain('Pay page');
});

test('the text fits a terminal of 120 columns', () => {
  const lines = welcomed({ RINGKEY_HTTP_HOST: '0.0.0.0' }, 'http://192.168.100.100:8080/p/u4jhvmgnzged').split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120);
});
