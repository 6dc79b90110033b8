/** The settings pages: their tabs, their heading, and the page that shows a secret once. */
import type { ComponentChildren } from 'preact';
import type { AddPages, View } from '../page/page-routes.ts';
import { CopyButton, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { FormState } from './fields.tsx';

const TABS = {
  merchants: { title: 'Merchants', path: '/setup/merchants' },
  keys: { title: 'API keys', path: '/setup/keys' },
  webhooks: { title: 'Webhook endpoints', path: '/setup/webhooks' },
  alerts: { title: 'Alerts', path: '/setup/alerts' },
  account: { title: 'Account', path: '/setup/account' },
  users: { title: 'Users', path: '/setup/users' },
  go_live: { title: 'Go live', path: '/setup/go-live' },
} as const;
export type SettingsTab = keyof typeof TABS;

/** The path of the tab's first page, within the mode. */
export const settingsPath = (tab: SettingsTab) => TABS[tab].path;

/** The tabs, in order. */
export const SETTINGS_TABS: readonly { title: string; path: string }[] = Object.values(TABS);

/** `/setup` redirects to the first tab. */
export const settingsPages: AddPages = ({ page }) => page('/setup', async () => ({ to: TABS.merchants.path }));

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
        <nav class="tabs" aria-label="Settings">
          {Object.entries(TABS).map(([id, { title: name, path }]) => (
            <a key={id} href={visit.base + path} aria-current={id === tab ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {body}
      </>
    ),
  };
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
  /** What it is: "key", "signing secret". */
  name: string;
  secret: string;
  /** What it is for. */
  what: ComponentChildren;
  /** The page after this one, within the mode. */
  next: string;
  /** Below the secret. */
  more?: ComponentChildren;
}

/** A page with a value that is shown only once: a key, a signing secret, a link. */
export function secretPage(visit: Visit, { name, secret, what, next, more, ...page }: SecretPage): View {
  return settingsPage(visit, {
    ...page,
    children: (
      <>
        <Notice tone="wait" title={`Copy the ${name} now`}>
          <p>{what} You won’t be able to see it again.</p>
          <p class="with-copy secret">
            <code>{secret}</code> <CopyButton text={secret} what={`the ${name}`} />
          </p>
        </Notice>
        {more}
        <p>
          <a class="button" href={visit.base + next}>
            I have copied it
          </a>
        </p>
      </>
    ),
  });
}
