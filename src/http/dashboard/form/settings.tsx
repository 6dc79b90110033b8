/** The settings pages: their tabs, their heading, and the page that shows a secret once. */
import type { ComponentChildren } from 'preact';
import type { AddPages, View } from '../page/page-routes.ts';
import { CopyButton, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { FormState } from './fields.tsx';
import { formWords } from './words/index.ts';

const TABS = {
  merchants: '/setup/merchants',
  keys: '/setup/keys',
  webhooks: '/setup/webhooks',
  alerts: '/setup/alerts',
  account: '/setup/account',
  users: '/setup/users',
  go_live: '/setup/go-live',
} as const;
export type SettingsTab = keyof typeof TABS;

/** The path of the tab's first page, within the mode. */
export const settingsPath = (tab: SettingsTab) => TABS[tab];

/** The tabs, in order. */
export const settingsTabs = (): { id: SettingsTab; title: string; path: string }[] =>
  (Object.keys(TABS) as SettingsTab[]).map((id) => ({ id, title: formWords().tabs[id], path: TABS[id] }));

/** `/setup` redirects to the first tab. */
export const settingsPages: AddPages = ({ page }) => page('/setup', async () => ({ to: TABS.merchants }));

/** A page of the settings. @param page its body has its own heading */
export function settingsView(
  visit: Visit,
  { tab, title, body }: { tab: SettingsTab; title: string; body: ComponentChildren },
): View {
  return {
    title,
    section: 'setup',
    body: (
      <>
        <Tabs visit={visit} tab={tab} />
        {body}
      </>
    ),
  };
}

/** A strip; on phones, where it would take three rows, a menu of one row. Styles show one of them. */
function Tabs({ visit, tab }: { visit: Visit; tab: SettingsTab }) {
  const w = formWords();
  const links = () =>
    settingsTabs().map(({ id, title, path }) => (
      <a key={id} href={visit.base + path} aria-current={id === tab ? 'page' : undefined}>
        {title}
      </a>
    ));
  return (
    <>
      <nav class="tabs" aria-label={w.settings}>
        {links()}
      </nav>
      <details class="tab-menu" data-closes>
        <summary>
          <span class="quiet">{w.settings}</span> {w.tabs[tab]}
        </summary>
        <nav aria-label={w.settings}>{links()}</nav>
      </details>
    </>
  );
}

interface SettingsPage {
  tab: SettingsTab;
  /** The title of the window. */
  title: string;
  /** Default: `title`. */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  /** The forms of the page. It is sent with 422 if one of them has an error. */
  forms?: readonly FormState[];
  children: ComponentChildren;
}

/** A page of the settings with a heading. */
export function settingsPage(visit: Visit, { tab, title, heading = title, lead, forms, children }: SettingsPage): View {
  const body = (
    <>
      <PageHead title={heading} lead={lead} />
      {children}
    </>
  );
  const isRefused = forms?.some(({ error }) => error !== null) === true;
  return { ...settingsView(visit, { tab, title, body }), ...(isRefused && { status: 422 }) };
}

interface SecretPage extends Omit<SettingsPage, 'children'> {
  /** "Copy the key now", and "Copy the key" for the button. */
  copyNow: string;
  copy: string;
  secret: string;
  /** What it is for. */
  what: ComponentChildren;
  /** The page after this one, within the mode. */
  next: string;
  /** Below the secret. */
  more?: ComponentChildren;
}

/** A page with a value that is shown only once: a key, a signing secret, a link. */
export function secretPage(visit: Visit, { copyNow, copy, secret, what, next, more, ...page }: SecretPage): View {
  return settingsPage(visit, {
    ...page,
    children: (
      <>
        <Notice tone="wait" title={copyNow}>
          <p>
            {what} {formWords().shownOnce}
          </p>
          <p class="with-copy secret">
            <code>{secret}</code> <CopyButton text={secret} label={copy} />
          </p>
        </Notice>
        {more}
        <p>
          <a class="button" href={visit.base + next}>
            {formWords().copied}
          </a>
        </p>
      </>
    ),
  });
}
