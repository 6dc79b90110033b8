/** After signing in a user is never sent to another site. */
import { expect, test } from 'vitest';
import { FRONT_PAGE, nextPage, signInPage } from './next-page.ts';

test.each(['/dashboard', '/dashboard/calls', '/dashboard/calls/call_abc?from=2026-01-01T00:00:00Z&status=a%20b'])(
  'signing in leads back to %s',
  (page) => {
    expect(nextPage(page)).toBe(page);
  },
);

test.each([
  'https://evil.example',
  '//evil.example/dashboard',
  '/\\evil.example',
  '/dashboard//evil.example',
  '/dashboard/..//evil.example',
  '/dashboard/%2e%2e/v1/keys',
  '/dashboard\\@evil.example',
  '/dashboard@evil.example',
  '/dashboardx',
  '/dashboard/calls\r\nset-cookie: a=b',
  '/dashboard\t/calls',
  'javascript:alert(1)',
  '/v1/keys',
  '/dashboard/sign-in',
  '/dashboard/sign-out',
  `/dashboard?${'a'.repeat(3_000)}`,
  '',
  undefined,
  ['/dashboard/calls', '//evil.example'],
])('signing in does not lead to %j', (text) => {
  expect(nextPage(text)).toBe(FRONT_PAGE);
});

test('the sign-in page leads back to the page and its query', () => {
  expect(signInPage('/dashboard')).toBe('/dashboard/sign-in');
  const page = signInPage('/dashboard/calls?status=paid&x=1', true);
  const query = new URL(page, 'https://ours.example').searchParams;
  expect([nextPage(query.get('next')), query.get('again')]).toEqual(['/dashboard/calls?status=paid&x=1', '1']);
});

test('signing in leads back to a page without a query that has card data', () => {
  expect(nextPage('/dashboard/test/search?q=4242+4242+4242+4242')).toBe('/dashboard/test/search');
  expect(nextPage('/dashboard/test/search?q=4242%204242%204242%204242')).toBe('/dashboard/test/search');
  expect(nextPage('/dashboard/test/search?q=4242+4242+4242+4242&q=x')).toBe('/dashboard/test/search');
  expect(nextPage('/dashboard/test/search?q=x?4242+4242+4242+4242')).toBe('/dashboard/test/search');
  expect(nextPage('/dashboard/test/search?q=4242&q=4242&q=4242&q=4242')).toBe('/dashboard/test/search');
});
