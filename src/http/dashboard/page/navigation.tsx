/** The navigation: all sections, in order. A section is shown if its first page exists. */
import { Icon, type IconName } from './icons.tsx';

interface Section {
  title: string;
  icon: IconName;
  /** Within the mode. */
  path: `/${string}`;
}

const GROUPS = [
  {
    title: null,
    sections: {
      start: { title: 'Getting started', icon: 'check', path: '/start' },
      attention: { title: 'Attention', icon: 'alert', path: '/attention' },
      now: { title: 'Now', icon: 'now', path: '/now' },
      overview: { title: 'Overview', icon: 'overview', path: '/overview' },
    },
  },
  {
    title: 'Payments',
    sections: {
      calls: { title: 'Calls', icon: 'phone', path: '/calls' },
      checkouts: { title: 'Checkouts', icon: 'checkout', path: '/checkouts' },
      charges: { title: 'Charges', icon: 'card', path: '/charges' },
      refunds: { title: 'Refunds', icon: 'back', path: '/refunds' },
      disputes: { title: 'Disputes', icon: 'flag', path: '/disputes' },
      payouts: { title: 'Payouts', icon: 'bank', path: '/payouts' },
      'payout-entries': { title: 'Payout entries', icon: 'bank', path: '/payout-entries' },
      reports: { title: 'Reports', icon: 'report', path: '/reports' },
    },
  },
  {
    title: 'Activity',
    sections: {
      events: { title: 'Events', icon: 'bolt', path: '/events' },
      texts: { title: 'Texts', icon: 'message', path: '/texts' },
      requests: { title: 'Requests', icon: 'request', path: '/requests' },
      audit: { title: 'Audit', icon: 'shield', path: '/audit' },
    },
  },
  {
    title: 'Your account',
    sections: {
      setup: { title: 'Settings', icon: 'settings', path: '/setup' },
      try: { title: 'Try it', icon: 'play', path: '/try' },
    },
  },
] as const satisfies readonly { title: string | null; sections: Record<string, Section> }[];

type KeysOf<T> = T extends unknown ? keyof T : never;
export type SectionId = KeysOf<(typeof GROUPS)[number]['sections']>;

const groups: readonly { title: string | null; sections: Partial<Record<string, Section>> }[] = GROUPS;

/** Paths of the existing pages, within the mode. A section without a page is not shown. */
export type KnownPaths = ReadonlySet<string>;

/** The landing page: the first existing page of these, otherwise the first in the navigation. */
export function firstPage(wanted: readonly SectionId[], known: KnownPaths): string {
  const all = groups.flatMap(({ sections }) => Object.entries(sections));
  const ranked = [...wanted.flatMap((id) => all.filter(([each]) => each === id)), ...all];
  return ranked.map(([, section]) => section?.path ?? '').find((path) => known.has(path)) ?? '';
}

/** The sections that have a page, in order. */
export const knownSections = (known: KnownPaths): { id: string; title: string; path: string }[] =>
  groups.flatMap(({ sections }) =>
    Object.entries(sections).flatMap(([id, section]) =>
      section !== undefined && known.has(section.path) ? [{ id, title: section.title, path: section.path }] : [],
    ),
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
  return (
    <nav class="menu" aria-label="Dashboard">
      {groups.map(({ title, sections }) => {
        const shown = Object.entries(sections).filter(([, section]) => section && known.has(section.path));
        if (shown.length === 0) return null;
        return (
          <section key={title}>
            {title !== null && <h2>{title}</h2>}
            <ul>
              {shown.map(
                ([id, section]) =>
                  section && (
                    <li key={id}>
                      <a href={base + section.path} aria-current={id === at ? 'page' : undefined}>
                        <Icon name={section.icon} />
                        {section.title}
                        {id === 'attention' && attention > 0 && <Count of={attention} />}
                      </a>
                    </li>
                  ),
              )}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

const Count = ({ of }: { of: number }) => <span class="count">{of < MOST_COUNTED ? of : `${MOST_COUNTED - 1}+`}</span>;
