/**
 * The options of the command palette and the search field for a text: what the user may do, pages, and what the search
 * finds. The browser adds the page's own buttons to the palette (`browser/palette.ts`), because the page knows what its
 * object and the role allow.
 */
import type { FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { dialedText } from '../../../domain/caller-search.ts';
import { type Role, roleCovers } from '../../../domain/user.ts';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import { containsCardData } from '../../api/card-data.ts';
import { mayRefund } from '../charges/actions.tsx';
import { takenCents } from '../charges/taken.ts';
import { settingsTabs } from '../form/settings.tsx';
import { cardDataFault, DashboardFault } from '../page/faults.ts';
import { renderPart, SIGN_OUT_ID } from '../page/layout.tsx';
import { callerPath, cardText } from '../page/links.tsx';
import { knownSections } from '../page/navigation.tsx';
import type { AddPages } from '../page/page-routes.ts';
import { moneyText, Time } from '../page/parts.tsx';
import { THEMES, themeButtonId } from '../page/theme.tsx';
import type { Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { callersOf, type Found, findByText, isEmpty } from '../search/find.ts';
import { merchantPage, pageOfId } from '../search/search.tsx';
import { inLanguage } from '../words/language.ts';
import { names } from '../words/names/index.ts';
import { SHORTEST_SEARCH } from './dialogs.tsx';
import type { PaletteWords } from './words/en.tsx';
import { paletteWords } from './words/index.ts';

export const palettePages: AddPages = ({ news }) =>
  news('/palette', async (visit, reply) => {
    const text = (textInHeader(reply.request) ?? visit.query.q ?? '').trim();
    const groups = [...offered(visit, text), ...(await found(visit, text))];
    return reply.type('text/html; charset=utf-8').send(renderPart(<Options groups={groups} />));
  });

/**
 * What is typed, URL-encoded. The browser sends it after each pause, so it can be a part of a card number, which no check
 * recognizes. Proxies log addresses, not this header.
 */
const TEXT_HEADER = 'x-ringkey-text';

/** Null without the header. @throws DashboardFault if it has card data */
function textInHeader({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const encoded = headers[TEXT_HEADER];
  if (typeof encoded !== 'string') return null;
  try {
    const text = decodeURIComponent(encoded);
    if (!containsCardData({ q: text })) return text;
  } catch {
    throw new DashboardFault('refused');
  }
  throw cardDataFault();
}

interface Option {
  text: ComponentChildren;
  href: string;
}
interface Group {
  title: string;
  options: readonly Option[];
}

interface Command {
  name: keyof PaletteWords['commands'];
  /** Within the mode. */
  path: string;
  role: Role;
}

const COMMANDS: readonly Command[] = [
  { name: 'testCall', path: '/try', role: 'developer' },
  { name: 'merchant', path: '/setup/merchants/new', role: 'developer' },
  { name: 'key', path: '/setup/keys/new', role: 'developer' },
  { name: 'endpoint', path: '/setup/webhooks/new', role: 'developer' },
  { name: 'alert', path: '/setup/alerts/new', role: 'developer' },
  { name: 'user', path: '/setup/users/new', role: 'owner' },
];

const otherPages = () => [
  { title: paletteWords().pages.wall, path: '/wall' },
  { title: paletteWords().pages.tail, path: '/tail' },
  { title: pageWords().yourAlerts, path: '/your-alerts' },
  { title: pageWords().yourSignIn, path: '/your-sign-in' },
];

interface Entry {
  title: string;
  /** Within the mode, or a fragment of the page. */
  path: string;
  /** Found, but not shown. */
  keywords?: string;
}

function commandsFor({ knownPaths, user }: Visit): Entry[] {
  const { commands, keywords } = paletteWords();
  const own = COMMANDS.filter(({ role, path }) => roleCovers(user.role, role) && knownPaths.has(path));
  const signOut = { title: pageWords().signOut, path: `#${SIGN_OUT_ID}`, keywords: keywords.signOut };
  return [
    ...own.map(({ name, path }) => ({ title: commands[name], path })),
    ...themes(),
    ...(user.isDemo ? [] : [signOut]),
  ];
}

function themes(): Entry[] {
  const { theme, keywords } = paletteWords();
  const { themes: themeNames } = pageWords();
  return THEMES.map((each) => ({
    title: theme(themeNames[each]),
    path: `#${themeButtonId(each)}`,
    keywords: keywords.theme,
  }));
}

function pagesFor({ knownPaths, user }: Visit): Entry[] {
  const others = otherPages().filter(({ path }) => !user.isDemo || !path.startsWith('/your-'));
  return [...knownSections(knownPaths), ...settingsTabs(), ...others].filter(({ path }) => knownPaths.has(path));
}

/** Commands and pages whose words begin with the words of the text. If there are none, also by words of other languages. */
function offered(visit: Visit, text: string): Group[] {
  const own = groupsIn(visit, (entries) => entries().filter((entry) => isFoundBy(entry, text)));
  if (text.length < SHORTEST_SEARCH || own.some(({ options }) => options.length > 0)) return own;
  return groupsIn(visit, (entries) => {
    const translated = LANGUAGE_TAGS.map((tag) => inLanguage(tag, entries));
    return entries().filter((_, place) => translated.some((all) => isFoundBy(all[place], text)));
  });
}

/** @param find calls `entries`, once for each language */
function groupsIn(visit: Visit, find: (entries: () => Entry[]) => Entry[]): Group[] {
  const option = ({ title, path }: Entry) => ({ text: title, href: path.startsWith('#') ? path : visit.base + path });
  const docs = find(() => [{ title: pageWords().documentation, path: '/docs' }]);
  const { groups } = paletteWords();
  return [
    { title: groups.commands, options: find(() => commandsFor(visit)).map(option) },
    {
      title: groups.pages,
      options: [
        ...find(() => pagesFor(visit)).map(option),
        ...docs.map(({ title, path }) => ({ text: title, href: path })),
      ],
    },
  ];
}

const isFoundBy = (entry: Entry | undefined, text: string): boolean =>
  entry !== undefined && hasWords(`${entry.title} ${entry.keywords ?? ''}`, text);

/** @param text its words can be the beginnings of words */
function hasWords(title: string, text: string): boolean {
  const words = title.toLowerCase().split(' ');
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

const MOST_OF_A_KIND = 5;
/** Of the newest charges, unless all are of one caller. */
const MOST_REFUNDS = 2;
/** Merchants that have more options than their page. */
const MOST_DETAILED = 2;

async function found(visit: Visit, text: string): Promise<Group[]> {
  const { base } = visit;
  const page = pageOfId(visit, text);
  const { groups, allResults } = paletteWords();
  if (page !== null)
    return [{ title: groups.open, options: [{ text: <span class="id">{text}</span>, href: base + page }] }];
  if (text.length < SHORTEST_SEARCH) return [];
  const all = await findByText(visit, text);
  const search = { text: allResults, href: `${base}/search?${new URLSearchParams({ q: text })}` };
  return [...(await foundGroups(visit, text, all)), { title: groups.search, options: isEmpty(all) ? [] : [search] }];
}

const first = <T,>(rows: readonly T[], option: (row: T) => Option) => rows.slice(0, MOST_OF_A_KIND).map(option);

async function foundGroups(visit: Visit, text: string, all: Found): Promise<Group[]> {
  const { base } = visit;
  const { merchants, calls, charges, checkouts } = all;
  const { groups, withheld } = paletteWords();
  const isOfCaller = dialedText(text) !== null && callersOf({ calls: [], charges, checkouts: [] }).length === 1;
  const ofCharges = await chargeGroups(visit, charges, isOfCaller);
  return [
    {
      title: groups.merchants,
      options: merchants.slice(0, MOST_OF_A_KIND).flatMap((each) => merchantOptions(visit, each, merchants.length)),
    },
    {
      title: groups.callers,
      options: first(callersOf(all), (phone) => ({ text: phone, href: base + callerPath(phone) })),
    },
    ...(isOfCaller ? [ofCharges.refund] : []),
    ofCharges.charges,
    ...(isOfCaller ? [] : [ofCharges.refund]),
    {
      title: groups.calls,
      options: first(calls, ({ call_id, caller_phone, created_at }) => ({
        text: (
          <>
            {caller_phone ?? withheld}, <Time at={created_at} />
          </>
        ),
        href: `${base}/calls/${call_id}`,
      })),
    },
    {
      title: groups.checkouts,
      options: first(checkouts, ({ checkout_session_id: id, amount_cents, currency, order_id, created_at }) => ({
        text: (
          <>
            {moneyText(amount_cents, currency)}
            {order_id !== null && `, ${order_id}`}, <Time at={created_at} />
          </>
        ),
        href: `${base}/checkouts/${id}`,
      })),
    },
  ];
}

/** The merchant's page. If few merchants are found, also its charges and its report, without those that the user may not see. */
function merchantOptions(visit: Visit, merchant: MerchantResource, count: number): Option[] {
  const { merchant_id: id, business_name, slug } = merchant;
  const w = paletteWords();
  const name = <bdi>{business_name}</bdi>;
  const page = {
    text: (
      <>
        {name} <span class="id">{slug}</span>
      </>
    ),
    path: merchantPage(visit, merchant),
  };
  const details = [
    { text: w.chargesOf(name), path: `/charges?merchant_id=${id}` },
    { text: w.reportOf(name), path: `/reports?merchant_id=${id}` },
  ];
  return [page, ...(count <= MOST_DETAILED ? details : [])]
    .filter(({ path }, place) => place === 0 || (path !== page.path && visit.knownPaths.has(path.replace(/\?.*/, ''))))
    .map(({ text, path }) => ({ text, href: visit.base + path }));
}

/** Those that took money first: a payment often follows several failed charges. */
const paidFirst = (charges: readonly ListedChargeResource[]) => [
  ...charges.filter(({ status }) => status === 'succeeded'),
  ...charges.filter(({ status }) => status !== 'succeeded'),
];

async function chargeGroups(
  visit: Visit,
  found: readonly ListedChargeResource[],
  isOfCaller: boolean,
): Promise<Record<'charges' | 'refund', Group>> {
  const { groups } = paletteWords();
  const charges = paidFirst(found);
  const namesMerchants = charges.length > 0 && (await hasSeveralMerchants(visit));
  const refundable = charges.filter((charge) => mayRefund(visit, charge));
  const option = (charge: ListedChargeResource, what: string, path: string) => ({
    text: (
      <>
        {what}, {cardText(charge)},{' '}
        {namesMerchants && (
          <>
            <bdi>{charge.business_name}</bdi>,{' '}
          </>
        )}
        <Time at={charge.created_at} />
      </>
    ),
    href: `${visit.base}/charges/${charge.charge_id}${path}`,
  });
  return {
    charges: {
      title: groups.charges,
      options: first(charges, (charge) => {
        const status = names().chargeStatus[charge.status].toLowerCase();
        return option(charge, `${moneyText(charge.amount_cents, charge.currency)}, ${status}`, '');
      }),
    },
    refund: {
      title: groups.refund,
      options: first(refundable.slice(0, isOfCaller ? MOST_OF_A_KIND : MOST_REFUNDS), (charge) =>
        option(charge, refundText(charge), '/refund'),
      ),
    },
  };
}

/** With what is left of the charge. */
function refundText(charge: ListedChargeResource): string {
  const w = paletteWords();
  const taken = takenCents(charge);
  const all = moneyText(taken, charge.currency);
  if (charge.refunded_cents === 0) return w.refund(all);
  return w.refundRest(moneyText(taken - charge.refunded_cents, charge.currency), all);
}

/** Of those that the user may see. With one, its name would only take room. */
async function hasSeveralMerchants(visit: Visit): Promise<boolean> {
  const asked = { path: '/v1/merchants', query: { limit: '2' } };
  const { merchants } = await visit.ask<{ merchants: MerchantResource[] }>(asked);
  return merchants.length > 1;
}

function Options({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      {groups
        .filter(({ options }) => options.length > 0)
        .map(({ title, options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox may have groups, and no fieldsets.
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true">{title}</p>
            {options.map(({ text, href }, place) => (
              <a key={place} role="option" aria-selected="false" tabindex={-1} href={href}>
                {text}
              </a>
            ))}
          </div>
        ))}
    </>
  );
}
