import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { docsUrlOf } from './docs-url.ts';

const PUBLIC = { RINGKEY_PUBLIC_URL: 'https://pay.example.com/' };

test.each<[Record<string, string>, string | null]>([
  [{}, 'http://localhost:8080/docs'],
  [{ RINGKEY_HTTP_HOST: '::1', RINGKEY_HTTP_PORT: '81' }, 'http://localhost:81/docs'],
  [{ RINGKEY_HTTP_PORT: '0' }, null],
  [PUBLIC, 'https://pay.example.com/docs'],
  [{ ...PUBLIC, RINGKEY_DOCS_URL: 'https://docs.example.com/v1/' }, 'https://docs.example.com/v1'],
])('%j: errors point to %s', (environment, expected) => {
  expect(docsUrlOf(readConfig(environment))).toBe(expected);
});

test.each(['0.0.0.0', '::'])('listening on %s, errors point to an address that can be dialled', (host) => {
  const url = docsUrlOf(readConfig({ RINGKEY_HTTP_HOST: host }));
  expect(url).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:8080\/docs$/);
  expect(url).not.toContain('0.0.0.0');
});
