import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { linkBaseOf } from './link-base.ts';

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
    ...(['https://pay.example.com', 'https://pay.example.com'] as const),
  ],
  [{ RINGKEY_LINK_URL: 'http://pay.example.com' }, 'http://pay.example.com', null],
  [{ RINGKEY_LINK_URL: 'http://localhost:81' }, 'http://localhost:81', 'http://localhost:81'],
])('%j: links begin with %s in test mode, with %s in live mode', (environment, inTest, inLive) => {
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
