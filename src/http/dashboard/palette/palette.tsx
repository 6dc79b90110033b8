/**
 * The options of the command palette for a text: what the user may do, pages, and what the search finds. The page's own
 * buttons are added in the browser (`browser/palette.ts`), because the page knows what its object and the role allow.
 */
import type { ComponentChildren } from 'preact';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { type Role, roleCovers } from '../../../domain/user.ts';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import { mayRefund } from '../charges/actions.tsx';
import { settingsTabs } from '../form/settings.tsx';
import { renderPart, SIGN_OUT_ID } from '../page/layout.tsx';
import { callerPath, cardText } from '../page/links.tsx';
import { knownSections } from '../page/navigation.tsx';
import type { AddPages } from '../page/page-routes.ts';
import { moneyText, Time } from '../page/parts.tsx';
import { THEMES, themeButtonId } from '../page/theme.tsx';
import type { Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { callersOf, findByText, merchantPage, pageOfId } from '../search/search.tsx';
import { inLanguage } from '../words/language.ts';
import { names } from '../words/names/index.ts';
import type { PaletteWords } from './words/en.ts';
import { paletteWords } from './words/index.ts';

export const palettePages: AddPages = ({ news }) =>
  news('/palette', async (visit, reply) => {
    const text = (visit.query.q ?? '').trim();
    const groups = [...offered(visit, text), ...(await found(visit, text))];
    return reply.type('text/html; charset=utf-8').send(renderPart(<Options groups={groups} />));
  });

/** Shorter texts find no objects: a search costs a dozen queries. */
const MIN_LENGTH = 3;

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
  if (text.length < MIN_LENGTH || own.some(({ options }) => options.length > 0)) return own;
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
/** Of the newest charges. */
const MOST_REFUNDS = 2;

async function found(visit: Visit, text: string): Promise<Group[]> {
  const { base } = visit;
  const page = pageOfId(visit, text);
  const w = paletteWords();
  const { groups } = w;
  if (page !== null)
    return [{ title: groups.open, options: [{ text: <span class="id">{text}</span>, href: base + page }] }];
  if (text.length < MIN_LENGTH) return [];
  const all = await findByText(visit, text);
  const { merchants, calls, charges, checkouts } = all;
  const rows = <T,>(of: readonly T[], option: (row: T) => Option) => of.slice(0, MOST_OF_A_KIND).map(option);
  const namesMerchants = charges.length > 0 && (await hasSeveralMerchants(visit));
  const merchantOf = ({ business_name: name }: ListedChargeResource) =>
    namesMerchants && (
      <>
        <bdi>{name}</bdi>,{' '}
      </>
    );
  const refundable = charges.filter((charge) => mayRefund(visit, charge)).slice(0, MOST_REFUNDS);
  return [
    {
      title: groups.merchants,
      options: rows(merchants, (merchant) => ({
        text: (
          <>
            <bdi>{merchant.business_name}</bdi> <span class="id">{merchant.slug}</span>
          </>
        ),
        href: base + merchantPage(visit, merchant),
      })),
    },
    {
      title: groups.callers,
      options: rows(callersOf(all), (phone) => ({ text: phone, href: base + callerPath(phone) })),
    },
    {
      title: groups.charges,
      options: rows(charges, (charge) => ({
        text: (
          <>
            {moneyText(charge.amount_cents, charge.currency)}, {names().chargeStatus[charge.status].toLowerCase()},{' '}
            {cardText(charge)}, {merchantOf(charge)}
            <Time at={charge.created_at} />
          </>
        ),
        href: `${base}/charges/${charge.charge_id}`,
      })),
    },
    {
      title: groups.refund,
      options: rows(refundable, (charge) => ({
        text: (
          <>
            {w.refund(moneyText(charge.amount_cents, charge.currency), cardText(charge))}, {merchantOf(charge)}
            <Time at={charge.created_at} />
          </>
        ),
        href: `${base}/charges/${charge.charge_id}/refund`,
      })),
    },
    {
      title: groups.calls,
      options: rows(calls, ({ call_id, caller_phone, created_at }) => ({
        text: (
          <>
            {caller_phone ?? w.withheld}, <Time at={created_at} />
          </>
        ),
        href: `${base}/calls/${call_id}`,
      })),
    },
    {
      title: groups.checkouts,
      options: rows(checkouts, ({ checkout_session_id: id, amount_cents, currency, order_id, created_at }) => ({
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
