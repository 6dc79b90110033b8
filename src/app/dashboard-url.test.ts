import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { dashboardUrlOf } from './dashboard-url.ts';

test.each<[Record<string, string>, string | null]>([
  [{}, 'http://localhost:8080/dashboard'],
  [{ RINGKEY_HTTP_HOST: '::1', RINGKEY_HTTP_PORT: '81' }, 'http://localhost:81/dashboard'],
  [{ RINGKEY_HTTP_PORT: '0' }, null],
  [{ RINGKEY_HTTP_HOST: '192.0.2.7' }, 'http://192.0.2.7:8080/dashboard'],
  [{ RINGKEY_PUBLIC_URL: 'https://pay.example.com/' }, 'https://pay.example.com/dashboard'],
])('%j: users reach the dashboard at %s', (environment, expected) => {
  expect(dashboardUrlOf(readConfig(environment))).toBe(expected);
});
