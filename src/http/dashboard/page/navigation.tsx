/** The navigation: all sections, in order. A section is shown if its first page exists. */
import { Icon, type IconName } from './icons.tsx';
import { pageWords } from './words/index.ts';

interface Section {
  icon: IconName;
  /** Within the mode. */
  path: `/${string}`;
}

const GROUPS = [
  {
    id: null,
    sections: {
      start: { icon: 'check', path: '/start' },
      attention: { icon: 'alert', path: '/attention' },
      now: { icon: 'now', path: '/now' },
      overview: { icon: 'overview', path: '/overview' },
    },
  },
  {
    id: 'payments',
    sections: {
      calls: { icon: 'phone', path: '/calls' },
      checkouts: { icon: 'checkout', path: '/checkouts' },
      charges: { icon: 'card', path: '/charges' },
      refunds: { icon: 'back', path: '/refunds' },
      disputes: { icon: 'flag', path: '/disputes' },
      payouts: { icon: 'bank', path: '/payouts' },
      'payout-entries': { icon: 'bank', path: '/payout-entries' },
      reports: { icon: 'report', path: '/reports' },
    },
  },
  {
    id: 'activity',
    sections: {
      events: { icon: 'bolt', path: '/events' },
      texts: { icon: 'message', path: '/texts' },
      emails: { icon: 'mail', path: '/emails' },
      requests: { icon: 'request', path: '/requests' },
      audit: { icon: 'shield', path: '/audit' },
    },
  },
  {
    id: 'account',
    sections: {
      setup: { icon: 'settings', path: '/setup' },
      try: { icon: 'play', path: '/try' },
    },
  },
] as const satisfies readonly { id: string | null; sections: Record<string, Section> }[];

type KeysOf<T> = T extends unknown ? keyof T : never;
export type SectionId = KeysOf<(typeof GROUPS)[number]['sections']>;
export type GroupId = NonNullable<(typeof GROUPS)[number]['id']>;

const groups: readonly { id: GroupId | null; sections: Partial<Record<SectionId, Section>> }[] = GROUPS;

/** The sections of a group that have a page, in order. */
const shownOf = (sections: Partial<Record<SectionId, Section>>, known: KnownPaths) =>
  (Object.entries(sections) as [SectionId, Section][]).filter(([, { path }]) => known.has(path));

/** Paths of the existing pages, within the mode. A section without a page is not shown. */
export type KnownPaths = ReadonlySet<string>;

/** The landing page: the first existing page of these, otherwise the first in the navigation. */
export function firstPage(wanted: readonly SectionId[], known: KnownPaths): string {
  const all = groups.flatMap(({ sections }) => Object.entries(sections));
  const ranked = [...wanted.flatMap((id) => all.filter(([each]) => each === id)), ...all];
  return ranked.map(([, section]) => section?.path ?? '').find((path) => known.has(path)) ?? '';
}

/** The sections that have a page, in order. */
export const knownSections = (known: KnownPaths): { id: SectionId; title: string; path: string }[] =>
  groups.flatMap(({ sections }) =>
    shownOf(sections, known).map(([id, { path }]) => ({ id, title: pageWords().sections[id], path })),
  );

interface NavigationProps {
  base: string;
  at: string | null;
  known: KnownPaths;
  /** Open attention items. */
  attention: number;
}

/** More are not counted. */
export const MOST_COUNTED = 100;

export function Navigation({ base, at, known, attention }: NavigationProps) {
  const w = pageWords();
  return (
    <nav class="menu" aria-label={w.navigation}>
      {groups.map(({ id: group, sections }) => {
        const shown = shownOf(sections, known);
        if (shown.length === 0) return null;
        return (
          <section key={group}>
            {group !== null && <h2>{w.groups[group]}</h2>}
            <ul>
              {shown.map(([id, { path, icon }]) => (
                <li key={id}>
                  <a href={base + path} aria-current={id === at ? 'page' : undefined}>
                    <Icon name={icon} />
                    {w.sections[id]}
                    {id === 'attention' && <AttentionCount of={attention} />}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

/** `3`, `99+`, or empty for none. */
export const attentionText = (open: number): string =>
  open < MOST_COUNTED ? (open === 0 ? '' : String(open)) : `${MOST_COUNTED - 1}+`;

/** The browser's script refreshes it. */
export const AttentionCount = ({ of }: { of: number }) => (
  <span class="count" data-attention hidden={of === 0}>
    {attentionText(of)}
  </span>
);
