import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { dashboardUrlOf, docsUrlOf, linkBaseOf } from './addresses.ts';

const PUBLIC = { RINGKEY_PUBLIC_URL: 'https://pay.example.com/' };

test.each<[Record<string, string>, string | null]>([
  [{}, 'http://localhost:8080/docs'],
  [{ RINGKEY_HTTP_HOST: '::1', RINGKEY_HTTP_PORT: '81' }, 'http://localhost:81/docs'],
  [{ RINGKEY_HTTP_PORT: '0' }, null],
  [PUBLIC, 'https://pay.example.com/docs'],
  [{ ...PUBLIC, RINGKEY_DOCS_URL: 'https://docs.example.com/v1/' }, 'https://docs.example.com/v1'],
])('with %j, doc_url begins with %s', (environment, expected) => {
  expect(docsUrlOf(readConfig(environment))).toBe(expected);
});

test.each(['0.0.0.0', '::'])('when REST listens on %s, doc_url has an address that clients can reach', (host) => {
  const url = docsUrlOf(readConfig({ RINGKEY_HTTP_HOST: host }));
  expect(url).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:8080\/docs$/);
  expect(url).not.toContain('0.0.0.0');
});

test.each<[Record<string, string>, string | null]>([
  [{}, 'http://localhost:8080/dashboard'],
  [{ RINGKEY_HTTP_HOST: '::1', RINGKEY_HTTP_PORT: '81' }, 'http://localhost:81/dashboard'],
  [{ RINGKEY_HTTP_PORT: '0' }, null],
  [{ RINGKEY_HTTP_HOST: '192.0.2.7' }, 'http://192.0.2.7:8080/dashboard'],
  [{ RINGKEY_PUBLIC_URL: 'https://pay.example.com/' }, 'https://pay.example.com/dashboard'],
])('with %j, the dashboard is at %s', (environment, expected) => {
  expect(dashboardUrlOf(readConfig(environment))).toBe(expected);
});

const DEMO = { RINGKEY_DEMO: 'on' };

test.each<[Record<string, string>, string | null, string | null]>([
  [{}, null, null],
  [DEMO, 'http://localhost:8080', 'http://localhost:8080'],
  [{ ...DEMO, RINGKEY_HTTP_HOST: '::1' }, 'http://localhost:8080', 'http://localhost:8080'],
  [{ ...DEMO, RINGKEY_HTTP_PORT: '0' }, null, null],
  [{ RINGKEY_PUBLIC_URL: 'https://rest.example.com/' }, 'https://rest.example.com', 'https://rest.example.com'],
  [{ ...DEMO, RINGKEY_PUBLIC_URL: 'https://rest.example.com' }, 'https://rest.example.com', 'https://rest.example.com'],
  [
    { RINGKEY_PUBLIC_URL: 'https://rest.example.com', RINGKEY_LINK_URL: 'https://pay.example.com/' },
    'https://pay.example.com',
    'https://pay.example.com',
  ],
  [{ RINGKEY_LINK_URL: 'http://pay.example.com' }, 'http://pay.example.com', null],
  [{ RINGKEY_LINK_URL: 'http://localhost:81' }, 'http://localhost:81', 'http://localhost:81'],
])('with %j, pay links begin with %s in test mode and with %s in live mode', (environment, inTest, inLive) => {
  const linkBase = linkBaseOf(readConfig(environment));
  expect([linkBase('test'), linkBase('live')]).toEqual([inTest, inLive]);
});

test.each([
  'pay.example.com',
  'ftp://pay.example.com',
  'https://a:b@pay.example.com',
  'https://pay.example.com/shop',
  'https://pay.example.com/?a=b',
  'https://pay.example.com/#a',
])('RINGKEY_LINK_URL cannot be %s', (url) => {
  expect(() => readConfig({ RINGKEY_LINK_URL: url })).toThrow(/RINGKEY_LINK_URL/);
});
