/** The forms of all pages by role: a page offers no form that the user's role does not cover. */
import { expect, test } from 'vitest';
import type { Role } from '../../src/domain/user.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';

const dashboard = useFixture(() => startFilledDashboard());
const LIMIT_MS = 600_000;

/** Pages whose form depends on the query. */
const MORE = [
  '/callers?number=%2B15550101234',
  '/charges/:id/refund?amount=1.00',
  '/setup/merchants/:id/processor?processor=stripe',
];

const decoded = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** An attribute of a start tag; null without it. */
const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag);
  return found === null ? null : decoded(found[1] ?? '');
};

/** The entries that a browser sends for the HTML of a form. */
function entriesIn(form: string): Record<string, string> {
  const inputs = (form.match(/<input\b[^>]*>/g) ?? []).filter(
    (tag) => !/type="(?:radio|checkbox)"/.test(tag) || attribute(tag, 'checked') !== null,
  );
  const selects = [...form.matchAll(/(<select\b[^>]*>)(.*?)<\/select>/gs)].map(([, tag = '', options = '']) => {
    const all = options.match(/<option\b[^>]*>/g) ?? [];
    const chosen = all.find((option) => attribute(option, 'selected') !== null) ?? all[0] ?? '';
    return [attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? ''] as const;
  });
  const typed = inputs.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const);
  return Object.fromEntries([...typed, ...selects].filter(([name]) => name !== '' && name !== 'form_token'));
}

interface Target {
  page: string;
  /** Within `/dashboard`. */
  action: string;
  fields: Record<string, string>;
}

/** Where the page's forms, buttons and scripts send entries. */
function targetsIn(page: string, html: string): Target[] {
  const forms = [...html.matchAll(/(<form\b[^>]*>)(.*?)<\/form>/gs)]
    .filter(([, tag = '']) => attribute(tag, 'method') === 'post')
    .map(([, tag = '', body = '']) => ({ action: attribute(tag, 'action') ?? '', fields: entriesIn(body) }));
  const others = ['formaction', 'hx-post'].flatMap((name) =>
    (html.match(new RegExp(`<[^>]*\\s${name}="[^>]*>`, 'g')) ?? []).map((tag) => ({
      action: attribute(tag, name) ?? '',
      fields: {},
    })),
  );
  return [...forms, ...others]
    .filter(({ action }) => action.startsWith('/dashboard/test/'))
    .map(({ action, fields }) => ({ page, action: action.slice('/dashboard'.length).replace(/#.*/, ''), fields }));
}

/** Of all pages, each action once. */
async function targets(): Promise<Target[]> {
  const paths = [...dashboard.pathsOf('GET').filter((path) => !isStream(path)), ...MORE];
  const found = new Map<string, Target>();
  for (const path of paths) {
    const [above = '', query] = path.split('?', 2);
    const page = `/test${filledPath(above, dashboard.ids)}${query === undefined ? '' : `?${query}`}`;
    const { status, html } = await dashboard.get(page);
    if (status >= 400 || !html.includes('<body data-mode')) continue;
    for (const target of targetsIn(page, html)) if (!found.has(target.action)) found.set(target.action, target);
  }
  return [...found.values()];
}

async function refused(role: Role): Promise<{ count: number; refusals: string[] }> {
  await dashboard.as(role);
  const all = await targets();
  const refusals: string[] = [];
  for (const { page, action, fields } of all) {
    const { status } = await dashboard.submit('/test/calls', action, fields);
    if (status === 403) refusals.push(`${role}: ${action} on ${page}`);
  }
  return { count: all.length, refusals };
}

test(
  'no page offers a form that is refused to the role of the user',
  async () => {
    // In this order, because developers delete what is shown.
    const viewer = await refused('viewer');
    const support = await refused('support');
    const developer = await refused('developer');
    expect([...viewer.refusals, ...support.refusals, ...developer.refusals]).toEqual([]);
    expect(viewer.count).toBeGreaterThan(0);
    expect(support.count).toBeGreaterThan(viewer.count + 3);
    expect(developer.count).toBeGreaterThan(support.count + 20);
  },
  LIMIT_MS,
);

test('a viewer reads the settings in fields that cannot be changed, with a note who can', async () => {
  await dashboard.as('viewer');
  for (const path of ['/test/setup/account', `/test/setup/merchants/${dashboard.ids['/setup/merchants']}`]) {
    const { html } = await dashboard.get(path);
    expect(html, path).toContain('<fieldset class="form" disabled>');
    expect(html, path).toContain('Only owners and developers can do this.');
    expect(html, path).not.toContain('id="values"');
  }
});

test('lists have no button to create an object for roles that cannot', async () => {
  for (const list of ['merchants', 'keys', 'webhooks', 'alerts']) {
    const link = `href="/dashboard/test/setup/${list}/new"`;
    await dashboard.as('support');
    expect((await dashboard.get(`/test/setup/${list}`)).html, list).not.toContain(link);
    await dashboard.as('developer');
    expect((await dashboard.get(`/test/setup/${list}`)).html, list).toContain(link);
  }
});

test('a viewer cannot place test calls, and sees who can', async () => {
  await dashboard.as('viewer');
  const { html } = await dashboard.get('/test/try');
  expect(html).toContain('Only owners and developers can do this.');
  expect(html).not.toContain('class="try-form"');
});
