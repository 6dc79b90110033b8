import { expect, test } from 'vitest';
import { returnLinkOf } from './return-link.ts';

const linkOf = (returnTo: string | null, mode: 'test' | 'live', isPublicDemo = false) =>
  returnLinkOf({ returnTo, mode }, isPublicDemo);

test('a web address is a link that shows its host, port and all', () => {
  expect(linkOf('https://shop.example.com:8443/done?x=1', 'live')).toEqual({
    url: 'https://shop.example.com:8443/done?x=1',
    host: 'shop.example.com:8443',
  });
  expect(linkOf('HTTPS://Shop.Example.com', 'live')).toEqual({
    url: 'https://shop.example.com/',
    host: 'shop.example.com',
  });
});

test('http only in test mode', () => {
  expect(linkOf('http://127.0.0.1:3000/', 'test')).toMatchObject({ host: '127.0.0.1:3000' });
  expect(linkOf('http://shop.example.com/', 'live')).toBeNull();
});

test.each([
  'https://bank.example@evil.example/',
  'https://bank.example:x@evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'sip:agent@example.com',
  'tel:+15550109999',
  '',
])('%s leads nowhere', (returnTo) => {
  expect(linkOf(returnTo, 'test')).toBeNull();
});

test('nothing leads out of a public demo', () => {
  expect(linkOf('https://shop.example.com/', 'test', true)).toBeNull();
  expect(linkOf(null, 'test')).toBeNull();
});
