/**
 * The options of the command palette for a text: what the user may do, pages, and what the search finds. The page's own
 * buttons are added in the browser (`browser/palette.ts`), because the page knows what its object and the role allow.
 */
import type { ComponentChildren } from 'preact';
import { type Role, roleCovers } from '../../../domain/user.ts';
import { mayRefund } from '../charges/actions.tsx';
import { SETTINGS_TABS } from '../form/settings.tsx';
import { renderPart } from '../page/layout.tsx';
import { callerPath, cardText } from '../page/links.tsx';
import { knownSections } from '../page/navigation.tsx';
import type { AddPages } from '../page/page-routes.ts';
import { moneyText, Time, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { callersOf, findByText, pageOfId } from '../search/search.tsx';

export const palettePages: AddPages = ({ news }) =>
  news('/palette', async (visit, reply) => {
    const text = (visit.query.q ?? '').trim();
    const groups = [...offered(visit, text), ...(await found(visit, text))];
    return reply.type('text/html; charset=utf-8').send(renderPart(<Options groups={groups} />));
  });

interface Option {
  text: ComponentChildren;
  href: string;
}
interface Group {
  title: string;
  options: readonly Option[];
}

interface Command {
  title: string;
  /** Within the mode. */
  path: string;
  role: Role;
}

const COMMANDS: readonly Command[] = [
  { title: 'Place a test call', path: '/try', role: 'developer' },
  { title: 'Add merchant', path: '/setup/merchants/new', role: 'developer' },
  { title: 'Create API key', path: '/setup/keys/new', role: 'developer' },
  { title: 'Add webhook endpoint', path: '/setup/webhooks/new', role: 'developer' },
  { title: 'Add alert', path: '/setup/alerts/new', role: 'developer' },
  { title: 'Invite user', path: '/setup/users/new', role: 'owner' },
];

const OTHER_PAGES = [
  { title: 'Wall board', path: '/wall' },
  { title: 'Live tail', path: '/tail' },
  { title: 'Your alerts', path: '/your-alerts' },
  { title: 'Your sign-in', path: '/your-sign-in' },
];

/** Commands and pages whose words begin with the words of the text. */
function offered({ base, knownPaths, user }: Visit, text: string): Group[] {
  const matches = ({ title, path }: { title: string; path: string }) => knownPaths.has(path) && hasWords(title, text);
  const option = ({ title, path }: { title: string; path: string }) => ({ text: title, href: base + path });
  const commands = COMMANDS.filter(({ role }) => roleCovers(user.role, role));
  const others = OTHER_PAGES.filter(({ path }) => !user.isDemo || !path.startsWith('/your-'));
  const pages = [...knownSections(knownPaths), ...SETTINGS_TABS, ...others].filter(matches).map(option);
  const docs = hasWords('Documentation', text) ? [{ text: 'Documentation', href: '/docs' }] : [];
  return [
    { title: 'Commands', options: commands.filter(matches).map(option) },
    { title: 'Go to', options: [...pages, ...docs] },
  ];
}

/** @param text its words can be the beginnings of words */
function hasWords(title: string, text: string): boolean {
  const words = title.toLowerCase().split(' ');
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** Shorter texts find nothing: a search costs a dozen queries. */
const MIN_LENGTH = 3;
const MOST_OF_A_KIND = 5;
/** Of the newest charges. */
const MOST_REFUNDS = 2;

async function found(visit: Visit, text: string): Promise<Group[]> {
  const { base } = visit;
  const page = pageOfId(visit, text);
  if (page !== null) return [{ title: 'Open', options: [{ text: <span class="id">{text}</span>, href: base + page }] }];
  if (text.length < MIN_LENGTH) return [];
  const all = await findByText(visit, text);
  const { calls, charges, checkouts } = all;
  const rows = <T,>(of: readonly T[], option: (row: T) => Option) => of.slice(0, MOST_OF_A_KIND).map(option);
  const refundable = charges.filter((charge) => mayRefund(visit, charge)).slice(0, MOST_REFUNDS);
  return [
    { title: 'Callers', options: rows(callersOf(all), (phone) => ({ text: phone, href: base + callerPath(phone) })) },
    {
      title: 'Charges',
      options: rows(charges, (charge) => ({
        text: (
          <>
            {moneyText(charge.amount_cents, charge.currency)}, {words(charge.status).toLowerCase()}, {cardText(charge)},{' '}
            <Time at={charge.created_at} />
          </>
        ),
        href: `${base}/charges/${charge.charge_id}`,
      })),
    },
    {
      title: 'Refund',
      options: rows(refundable, (charge) => ({
        text: (
          <>
            Refund {moneyText(charge.amount_cents, charge.currency)}, {cardText(charge)},{' '}
            <Time at={charge.created_at} />
          </>
        ),
        href: `${base}/charges/${charge.charge_id}/refund`,
      })),
    },
    {
      title: 'Calls',
      options: rows(calls, ({ call_id, caller_phone, created_at }) => ({
        text: (
          <>
            {caller_phone ?? 'Number withheld'}, <Time at={created_at} />
          </>
        ),
        href: `${base}/calls/${call_id}`,
      })),
    },
    {
      title: 'Checkouts',
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
