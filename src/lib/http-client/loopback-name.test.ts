/** Links for browsers name loopback. */
import { expect, test } from 'vitest';
import { browserUrl } from './loopback-name.ts';

test.each([
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://[::1]:8080', 'http://localhost:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['http://127.0.0.2:8080', 'http://127.0.0.2:8080'],
  ['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ['https://pay.example.com/', 'https://pay.example.com'],
])('%s is %s to browsers', (url, expected) => {
  expect(browserUrl(url)).toBe(expected);
});
