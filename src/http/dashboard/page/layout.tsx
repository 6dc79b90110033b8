/** The layout of every page: head, navigation, mode, search, user menu. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Mode } from '../../../domain/session.ts';
import { renderDocument } from '../../shared/document.tsx';
import { dashboardAssets } from '../assets.ts';
import { PaletteButton, PaletteDialog, ShortcutsButton, ShortcutsDialog } from '../palette/dialogs.tsx';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import { DensityChoice } from './density.tsx';
import { Icon } from './icons.tsx';
import { Navigation } from './navigation.tsx';
import type { View } from './page-routes.ts';
import type { Visit } from './visit.ts';

const MODES = ['test', 'live'] as const;
const MODE_NAMES: Record<Mode, string> = { test: 'Test', live: 'Live' };
const MODE_WORDS: Record<Mode, string> = {
  test: 'Test mode: no real money moves',
  live: 'Live mode: real cards, real money',
};

/** htmx must not evaluate code, write styles or store pages in the browser. */
const HTMX = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  selfRequestsOnly: true,
  scrollIntoViewOnBoost: false,
  timeout: 15_000,
});

/** The dashboard's own scripts. */
const OWN = /\/(dashboard|palette)\.js$/;

/** @param body the element `body` */
function renderWhole(title: string, body: VNode): string {
  const { style, scripts } = dashboardAssets();
  const head = (
    <>
      <meta name="htmx-config" content={HTMX} />
      <link rel="stylesheet" href={style.path} />
      {scripts.map(({ path }) => (
        // Modules run after the page is parsed, in order with the deferred scripts.
        <script key={path} src={path} {...(OWN.test(path) ? { type: 'module' } : { defer: true })} />
      ))}
    </>
  );
  return renderDocument({ title, head, body });
}

/** @param attention how many attention items are open */
export function renderPage(visit: Visit, view: View, attention = 0): string {
  const { mode } = visit;
  const title = `${view.title} · ${MODE_NAMES[mode]} · Ringkey`;
  return renderWhole(title, view.isWholeScreen ? wholeScreen(visit, view) : framed(visit, view, attention));
}

const wholeScreen = ({ mode }: Visit, { body }: View) => (
  <body data-mode={mode}>
    <main id="main" class="whole-screen" tabindex={-1}>
      {body}
    </main>
    <p class="unseen" role="status" id="status" />
  </body>
);

function framed(visit: Visit, { section, body }: View, attention: number) {
  const { mode, isCompact } = visit;
  return (
    <body data-mode={mode} data-density={isCompact ? 'compact' : undefined}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <Side visit={visit} section={section} attention={attention} />
        <div class="page">
          <header>
            <p class={`strip ${mode}`}>{MODE_WORDS[mode]}</p>
            <div class="bar">
              <SearchBox visit={visit} />
              <p class="zone">
                Times in <span data-zone>UTC</span>
              </p>
              <UserMenu visit={visit} />
            </div>
          </header>
          <main id="main" tabindex={-1}>
            {body}
          </main>
        </div>
      </div>
      <p class="unseen" role="status" id="status" />
      <PaletteDialog base={visit.base} />
      <ShortcutsDialog base={visit.base} known={visit.knownPaths} />
    </body>
  );
}

/** A page without navigation, for sign-in and for errors before sign-in. */
export function renderBarePage(title: string, body: ComponentChildren): string {
  return renderWhole(
    `${title} · Ringkey`,
    <body>
      <main class="bare">
        <p class="brand">Ringkey</p>
        {body}
      </main>
    </body>,
  );
}

/** A part of a page that htmx inserts. */
export const renderPart = (part: VNode) => renderToString(part);

function Side({ visit, section, attention }: { visit: Visit; section: string | null; attention: number }) {
  const { base, mode, knownPaths } = visit;
  const menu = <Navigation base={base} at={section} known={knownPaths} attention={attention} />;
  return (
    <section class="side" aria-label="Ringkey">
      <a class="brand" href={base}>
        Ringkey{' '}
        <span class="account" title={visit.user.accountName}>
          {visit.user.accountName}
        </span>
      </a>
      <nav class="modes" aria-label="Mode">
        {MODES.filter((each) => visit.user.mode === undefined || visit.user.mode === each).map((each) => (
          <a key={each} class={each} href={inMode(visit, each)} aria-current={each === mode ? 'true' : undefined}>
            {MODE_NAMES[each]}
          </a>
        ))}
      </nav>
      <details class="burger" data-closes>
        <summary aria-label="Menu">
          <Icon name="menu" />
        </summary>
        {menu}
      </details>
      {menu}
      <p class="elsewhere">
        <a href="/docs">Documentation</a>
      </p>
    </section>
  );
}

/**
 * The same list in the other mode. An object's page links to the list, because the object belongs to this mode. Saved
 * views have no list of their own.
 */
function inMode({ base, path, knownPaths }: Visit, mode: Mode): string {
  const [section = ''] = path.slice(base.length + 1).split('/', 1);
  return `/dashboard/${mode}${knownPaths.has(`/${section}`) ? `/${section}` : ''}`;
}

function SearchBox({ visit: { base, path, query } }: { visit: Visit }) {
  return (
    <search class="search">
      <form action={`${base}/search`} method="get">
        <Icon name="search" />
        <input
          name="q"
          type="search"
          aria-label="Search"
          placeholder="ID, phone number, order or last 4"
          value={path === `${base}/search` ? query.q : undefined}
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
          data-search
        />
        <PaletteButton />
      </form>
    </search>
  );
}

function UserMenu({ visit: { user, csrf, base, isCompact } }: { visit: Visit }) {
  const { name, email, role, accountName, isDemo } = user;
  return (
    <details class="user" data-closes>
      <summary aria-label={`Signed in as ${name}`}>{name.slice(0, 1).toUpperCase()}</summary>
      <div class="sheet">
        <p>
          <strong>{name}</strong>
          {!isDemo && <span class="quiet">{email}</span>}
        </p>
        <p class="quiet">
          {isDemo ? (
            'The demo account. No sign-in is needed on this machine.'
          ) : (
            <>
              <bdi>{accountName}</bdi>, role: {role}
            </>
          )}
        </p>
        <p class="quiet">
          Times in <span data-zone>UTC</span>
        </p>
        <DensityChoice isCompact={isCompact} />
        {!isDemo && (
          <p>
            <a href={`${base}/your-alerts`}>Your alerts</a>
            <a href={`${base}/your-sign-in`}>Your sign-in</a>
          </p>
        )}
        <ShortcutsButton />
        {!isDemo && <SignOut csrf={csrf} />}
      </div>
    </details>
  );
}

export function SignOut({ csrf }: { csrf: string }) {
  return (
    <form class="actions" method="post" action="/dashboard/sign-out">
      <input type="hidden" name={FORM_TOKEN_FIELD} value={csrf} />
      <button type="submit">Sign out</button>
      <button type="submit" name="everywhere" value="1">
        Sign out everywhere
      </button>
    </form>
  );
}
