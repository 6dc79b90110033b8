/** Follows every link and form of every page, for each role and for visitors of a public demo: none is dead. */
import { expect, test } from 'vitest';
import { ROLES } from '../../src/domain/user.ts';
import { useFixture } from '../support/fixtures.ts';
import { runningTestCall, startFilledDashboard } from './addresses.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { endedCall, paidCharge } from './objects.ts';

const LIMIT_MS = 120_000;
const dashboard = useFixture(() => startFilledDashboard(runningTestCall(), { logsRequests: true }));
const publicDemo = useFixture(() => startDashboard({ logsRequests: true, isPublicDemo: true }));

/** Statuses that a link must not lead to. 403: the page should not have shown the link. */
const DEAD: ReadonlySet<number> = new Set([403, 404, 405, 500]);
/** The status of an existing form without its token. */
const FORGED = 403;

interface Found {
  address: string;
  isForm: boolean;
  from: string;
}

/** Links of one kind differ only in IDs, cursors and values. */
const kindOf = ({ address, isForm }: Found): string => {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const path = pathname.replaceAll(/\/(?:[a-z]+_[\w-]{1,}|[\w-]{26,})(?=\/|$)/g, '/:id');
  return `${isForm ? 'POST' : 'GET'} ${path}?${[...new Set(searchParams.keys())].sort()}`;
};

function linksIn(html: string, from: string): Found[] {
  const text = (value: string) => value.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  const links = [...html.matchAll(/<(?:a|link|script|audio|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)];
  const forms = [...html.matchAll(/<(?:form|button)\b[^>]*?\s(?:form)?action="([^"]*)"[^>]*>/g)];
  return [
    // Fragments stay on the page.
    ...links
      .filter(([, to = '']) => !to.startsWith('#'))
      .map(([, to = '']) => ({ address: text(to), isForm: false, from })),
    ...forms.map(([tag, to = '']) => ({ address: text(to), isForm: !/method="get"/.test(tag), from })),
  ].map((found) => ({ ...found, address: new URL(found.address, `http://localhost${from}`).href }));
}

/** Follows one link of each kind, starting at these pages. @returns the number of kinds, and the dead links */
async function crawl({ api, user }: TestDashboard, starts: readonly string[]) {
  const seen = new Set<string>();
  const dead: string[] = [];
  const queue: Found[] = starts.map((path) => ({
    address: `http://localhost${path}`,
    isForm: false,
    from: 'the start',
  }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { origin, pathname, search } = new URL(next.address);
    const kind = kindOf(next);
    // Skips other sites, streams, and signing out.
    if (origin !== 'http://localhost' || seen.has(kind) || /\/events$|sign-out/.test(pathname)) continue;
    seen.add(kind);
    const answer = await fetch(api.url + pathname + search, {
      method: next.isForm ? 'POST' : 'GET',
      headers: { cookie: user.cookie },
      redirect: 'follow',
      ...(next.isForm && { body: new URLSearchParams() }),
    });
    const html = await answer.text();
    if (next.isForm ? answer.status !== FORGED : DEAD.has(answer.status)) {
      dead.push(`${answer.status} ${kind} on ${next.from}`);
    } else if (pathname.startsWith('/dashboard') && answer.headers.get('content-type')?.startsWith('text/html')) {
      queue.push(...linksIn(html, new URL(answer.url).pathname));
    }
  }
  return { kinds: seen.size, dead };
}

const STARTS = ['/dashboard', '/dashboard/test/overview', '/dashboard/live/overview'];

test.each(ROLES)('shows no dead link to the role %s', { timeout: LIMIT_MS }, async (role) => {
  await dashboard.as(role);
  const pages = dashboard.pathsOf('GET');
  const withPage = Object.entries(dashboard.ids).filter(([path]) => pages.includes(`${path}/:id`));
  const objects = withPage.map(([path, id]) => `/dashboard/test${path}/${id}`);
  const { kinds, dead } = await crawl(dashboard, [...STARTS, ...objects]);
  expect(dead).toEqual([]);
  expect(kinds).toBeGreaterThan(60);
});

test('shows no dead link to visitors of a public demo', { timeout: LIMIT_MS }, async () => {
  await publicDemo.as('owner');
  const { session } = await paidCharge(publicDemo.api);
  await endedCall(publicDemo.api, session);
  const { kinds, dead } = await crawl(publicDemo, STARTS);
  expect(dead).toEqual([]);
  expect(kinds).toBeGreaterThan(60);
});

test('tells visitors of a public demo that they may not see a list, instead of calling it empty', async () => {
  await publicDemo.as('owner');
  for (const page of ['/test/audit', '/test/requests']) {
    const { status, html } = await publicDemo.get(page);
    expect(status).toBe(200);
    expect(html).toContain('Visitors of the public demo cannot do this');
    expect(html).not.toMatch(/Export CSV|Nothing was changed yet|No requests yet/);
  }
  expect((await publicDemo.get('/test/calls')).html).toContain('Export CSV');
});
