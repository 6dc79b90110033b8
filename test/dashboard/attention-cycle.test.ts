/**
 * The whole life of an attention item of each kind: from a cause in real rows to the page, the menu and the messages, set
 * aside and shown again, until the cause is gone.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { type AttentionItemResource, attentionItemResource } from '../../src/contract/attention.ts';
import { countOpenAttention, findAttentionItem } from '../../src/db/attention/attention-items.ts';
import { readFirst } from '../../src/db/pool.ts';
import { LIMIT_NAMES } from '../../src/domain/account-limits.ts';
import { ATTENTION_KINDS, type AttentionItemId } from '../../src/domain/attention.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { Mode } from '../../src/domain/session.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { DASHBOARD_URL } from '../contract/test-api.ts';
import type { Cause, CauseOfKind } from '../support/attention-causes/cause.ts';
import { CAUSES } from '../support/attention-causes/index.ts';
import { LOW_LIMITS } from '../support/attention-causes/service.ts';
import { useFixture } from '../support/fixtures.ts';
import { startAlertReaders } from './alert-readers.ts';
import { startDashboard } from './dashboard.ts';
import { BOOKS, merchantId } from './limited.ts';
import { type SignedInUser, signedInUser } from './users.ts';

const dashboard = useFixture(() => startDashboard({ accountLimits: LOW_LIMITS }));
const readers = useFixture(() => startAlertReaders(dashboard.api, LOW_LIMITS));

const ROLES = { owner: 'owner', viewer: 'viewer', support: 'support', limited: 'support' } as const;
type Reader = keyof typeof ROLES;
const users = new Map<Reader, SignedInUser>();
beforeAll(async () => {
  for (const [reader, role] of Object.entries(ROLES))
    users.set(reader as Reader, await signedInUser(dashboard.api.database, role, DEMO_ACCOUNT));
});
/** For all further requests. */
const signIn = (reader: Reader) => void Object.assign(dashboard.user, users.get(reader));

async function limitTo(merchant: string): Promise<void> {
  signIn('limited');
  const user = { accountId: DEMO_ACCOUNT, userId: dashboard.user.user.id, merchants: [merchantId(merchant)] };
  await changeMerchants(dashboard.api.database, SYSTEM, user);
}

const readable = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
const page = async (mode: Mode, path: string) => (await dashboard.get(`/${mode}${path}`)).html;
const inMenu = (html: string) =>
  Number(/Attention<span class="count" data-attention[^>]*>(\d+)\+?<\/span>/.exec(html)?.[1] ?? 0);

/** The newest item about the cause. */
async function itemOf({ kind, mode = 'test' }: CauseOfKind, { subject }: Pick<Cause, 'subject'>) {
  const { database } = dashboard.api;
  const row = await readFirst<{ id: AttentionItemId }>(
    database,
    'select id from attention_items where kind = $1 and subject = $2 order by id desc limit 1',
    [kind, subject],
  );
  const item = row && (await findAttentionItem(database, { accountId: DEMO_ACCOUNT, mode }, row.id));
  if (item === null) throw new Error('the cause has opened no item');
  return attentionItemResource(item);
}

/** The period of an item ends when its cause was last found. */
const withoutTimes = (text: string) => text.replaceAll(/since=\S+?Z\/\S+?Z/g, 'since=then');

/** What is on the page of a user, and whether the item can be set aside there. */
async function seenBy(mode: Mode, { attention_item_id: id, title, dashboard_path: path }: AttentionItemResource) {
  const html = await page(mode, '/attention');
  const items = html.slice(html.indexOf('<ul class="attention"'));
  return {
    list: readable(items).includes(title),
    link: withoutTimes(items).includes(` href="/dashboard/${mode}${withoutTimes(path).replaceAll('&', '&amp;')}">`),
    buttons: items.includes(`/attention/${id}/finish`) && items.includes(`/attention/${id}/quiet`),
  };
}
const EVERYTHING = { list: true, link: true, buttons: true };

/** Messages of the next sweep that name the item. */
async function told(mode: Mode, { title }: Pick<AttentionItemResource, 'title'>) {
  const { emails, slack } = await readers.sweep(mode);
  const named = (texts: readonly string[]) => texts.filter((text) => text.includes(title));
  return { emails: named(emails), slack: named(slack) };
}
const countsOf = ({ emails, slack }: Awaited<ReturnType<typeof told>>) => [emails.length, slack.length];

const submit = (mode: Mode, { attention_item_id: id }: AttentionItemResource, verb: string, fields = {}) =>
  dashboard.submit(`/${mode}/attention`, `/${mode}/attention/${id}/${verb}`, fields);

const nameOf = ({ kind, limit }: CauseOfKind) => limit ?? kind;

describe.each(CAUSES.map((each) => [nameOf(each), each] as const))('%s', (_name, causeOf) => {
  const { mode = 'test', kind } = causeOf;
  /** Emails, and messages in Slack. */
  const once = mode === 'test' ? [1, 1] : [1, 0];
  async function opened(): Promise<{ cause: Cause; item: AttentionItemResource; messages: string[][] }> {
    await readers.sweep(mode);
    const cause = await causeOf.start(dashboard.api);
    const { emails, slack } = await readers.sweep(mode);
    const item = await itemOf(causeOf, cause);
    return { cause, item, messages: [emails, slack] };
  }

  test('is shown and told once, can be set aside, and closes when the cause is gone', async () => {
    const { cause, item, messages } = await opened();
    const { title, detail, advice, dashboard_path: path } = item;
    const current = () => itemOf(causeOf, cause);

    expect(messages.map((each) => each.filter((text) => text.includes(title)).length)).toEqual(once);
    for (const part of [detail, advice, `${DASHBOARD_URL}/${mode}${path}`]) expect(messages[0]?.join()).toContain(part);
    expect(await readers.countEvents('attention.opened', mode, item.attention_item_id)).toBe(1);
    expect(countsOf(await told(mode, item))).toEqual([0, 0]);

    signIn('owner');
    const list = await page(mode, '/attention');
    expect(readable(list)).toContain(advice);
    expect(await seenBy(mode, item)).toEqual(EVERYTHING);
    const scope = { accountId: DEMO_ACCOUNT, mode };
    expect(readable(await page(mode, '/overview'))).toContain(title);
    expect(inMenu(list)).toBe(await countOpenAttention(dashboard.api.database, scope, 100));
    const linked = await dashboard.get(`/${mode}${path}`);
    expect(linked.status).toBe(200);
    expect(readable(linked.html)).toContain(cause.shows);

    signIn('viewer');
    expect(await seenBy(mode, item)).toEqual({ ...EVERYTHING, buttons: false });
    expect((await dashboard.get(`/${mode}${path}`)).status).toBe(200);
    for (const verb of ['finish', 'quiet', 'reopen']) expect((await submit(mode, item, verb)).status).toBe(403);

    const hasPage = !path.startsWith('/setup/');
    await limitTo(BOOKS);
    expect((await seenBy(mode, item)).list).toBe(false);
    if (cause.merchant !== null) {
      await limitTo(cause.merchant);
      expect(await seenBy(mode, item)).toEqual({ ...EVERYTHING, link: hasPage });
    }

    signIn('support');
    expect((await submit(mode, item, 'quiet', { for: '1h' })).status).toBe(303);
    await readers.agePast();
    expect(countsOf(await told(mode, item))).toEqual([0, 0]);
    expect(await seenBy(mode, item)).toMatchObject({ list: false, buttons: false });
    expect(readable(await page(mode, '/attention?status=set_aside'))).toContain(title);
    await dashboard.api.database.query(`update attention_marks set quiet_until = now() - interval '1 second'`);
    expect(countsOf(await told(mode, item))).toEqual(once);
    expect(await seenBy(mode, item)).toEqual(EVERYTHING);

    await readers.setSummary(true);
    const summary = (await readers.sweep(mode)).emails.find((text) => text.includes(': Summary of '));
    await readers.setSummary(false);
    expect(summary).toContain(title);

    expect((await submit(mode, item, 'finish')).status).toBe(303);
    await readers.agePast();
    // A late charge that is done is acknowledged, so its cause is gone.
    const isOver = kind === 'late_charge';
    expect(countsOf(await told(mode, item))).toEqual(isOver ? once : [0, 0]);
    expect(await seenBy(mode, item)).toMatchObject({ list: false, buttons: false });
    if (cause.renew !== undefined) {
      await cause.renew();
      const messages = await readers.sweep(mode);
      const renewed = await current();
      expect(renewed.attention_item_id).toBe(item.attention_item_id);
      expect(messages.emails.join()).toContain(renewed.title);
      expect(await seenBy(mode, renewed)).toEqual(EVERYTHING);
    }

    const last = await current();
    await cause.end();
    expect(countsOf(await told(mode, last))).toEqual(isOver ? [0, 0] : once);
    expect((await current()).closed_at).toMatch(/Z$/);
    expect(await readers.countEvents('attention.closed', mode, item.attention_item_id)).toBe(1);
    expect(await readers.countEvents('attention.opened', mode, item.attention_item_id)).toBe(1);
    expect(readable(await page(mode, '/attention?status=closed'))).toContain(last.title);
  });
});

test('a missing worker is found by the list, and the item closes once a worker sweeps', async () => {
  const causeOf = { kind: 'worker_missing' } as CauseOfKind;
  await readers.sweep('test');
  await dashboard.api.database.query(`update attention_sweep set swept_at = now() - interval '6 minutes'`);
  signIn('owner');
  await page('test', '/attention');
  const item = await itemOf(causeOf, { subject: 'worker' });
  expect(await seenBy('test', item)).toEqual(EVERYTHING);
  expect((await dashboard.get(`/test${item.dashboard_path}`)).status).toBe(200);
  expect(await readers.countEvents('attention.opened', 'test', item.attention_item_id)).toBe(1);
  // Only a worker sends alerts, and when one runs, the item closes.
  expect(countsOf(await told('test', item))).toEqual([0, 0]);
  expect(await seenBy('test', item)).toMatchObject({ list: false, buttons: false });
  expect(await readers.countEvents('attention.closed', 'test', item.attention_item_id)).toBe(1);
});

test('every kind and every limit of an account or process has a cause here', () => {
  expect([...new Set(CAUSES.map(({ kind }) => kind)), 'worker_missing'].sort()).toEqual([...ATTENTION_KINDS].sort());
  const limits = CAUSES.flatMap(({ limit }) => (limit === undefined ? [] : [limit]));
  expect(limits.sort()).toEqual([...LIMIT_NAMES].sort());
});
