import { expect, test } from 'vitest';
import { isDeliverable } from './order-source.ts';

test.each([
  ' https://example.com/hook',
  'https://example.com/hook ',
  'https://example.com/ho\tok',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  '//example.com',
])('%j is read in more than one way: not sent to', (url) => {
  expect(isDeliverable(url, 'test', true)).toBe(false);
  expect(isDeliverable(url, 'live', false)).toBe(false);
});

test.each([
  'https://example.com/hook',
  'HTTPS://Example.com',
  'https://example.com:8443/a?b=c',
  'https://exämple.com/',
])('%j is sent to', (url) => expect(isDeliverable(url, 'live', false)).toBe(true));
