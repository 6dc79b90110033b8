/** The layout of every page: head, navigation, mode, search, user menu. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Mode } from '../../../domain/session.ts';
import { renderDocument } from '../../shared/document.tsx';
import { dashboardAssets } from '../assets.ts';
import { PaletteButton, PaletteDialog, SearchResults, ShortcutsButton, ShortcutsDialog } from '../palette/dialogs.tsx';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import { language } from '../words/language.ts';
import { names } from '../words/names/index.ts';
import { DensityChoice } from './density.tsx';
import { Icon } from './icons.tsx';
import { AttentionCount, Navigation } from './navigation.tsx';
import type { View } from './page-routes.ts';
import { TimeZoneName } from './parts.tsx';
import { type Theme, ThemeChoice } from './theme.tsx';
import type { Visit } from './visit.ts';
import { pageWords } from './words/index.ts';

const MODES = ['test', 'live'] as const;

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
const OWN = /\/(dashboard|palette|keys)\.js$/;

/**
 * @param theme named before the styles are loaded, so that no page flashes in the other one
 * @param body the element `body`
 */
function renderWhole(title: string, theme: Theme, body: VNode): string {
  const { style, scripts } = dashboardAssets();
  const head = (
    <>
      <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
      <meta name="htmx-config" content={HTMX} />
      <link rel="stylesheet" href={style.path} />
      {scripts.map(({ path }) => (
        // Modules run after the page is parsed, in order with the deferred scripts.
        <script key={path} src={path} {...(OWN.test(path) ? { type: 'module' } : { defer: true })} />
      ))}
    </>
  );
  return renderDocument({ title, language: language(), head, body, ...(theme !== 'system' && { theme }) });
}

/** For the page's scripts. */
const browserWords = () => JSON.stringify(pageWords().browser);

/** @param attention how many attention items are open */
export function renderPage(visit: Visit, view: View, attention = 0): string {
  const { mode } = visit;
  const title = `${view.title} · ${pageWords().modes[mode]} · Ringkey`;
  return renderWhole(
    title,
    visit.theme,
    view.isWholeScreen ? wholeScreen(visit, view) : framed(visit, view, attention),
  );
}

const wholeScreen = ({ mode }: Visit, { body }: View) => (
  <body data-mode={mode} data-words={browserWords()}>
    <main id="main" class="whole-screen" tabindex={-1}>
      {body}
    </main>
    <p class="unseen" role="status" id="status" />
  </body>
);

function framed(visit: Visit, { section, body }: View, attention: number) {
  const { mode, isCompact } = visit;
  const w = pageWords();
  return (
    <body
      data-mode={mode}
      data-density={isCompact ? 'compact' : undefined}
      data-base={visit.base}
      data-words={browserWords()}
    >
      <a class="skip" href="#main">
        {w.skip}
      </a>
      <div class="frame">
        <Side visit={visit} section={section} attention={attention} />
        <div class="page">
          <header>
            <p class={`strip ${mode}`}>{w.modeNotes[mode]}</p>
            <div class="bar">
              <SearchBox visit={visit} />
              <p class="zone" id="time-zone">
                {w.timesIn(<TimeZoneName />)}
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
export function renderBarePage(title: string, theme: Theme, body: ComponentChildren): string {
  return renderWhole(
    `${title} · Ringkey`,
    theme,
    <body data-words={browserWords()}>
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
  const w = pageWords();
  const menu = <Navigation base={base} at={section} known={knownPaths} attention={attention} />;
  return (
    <section class="side" aria-label="Ringkey">
      <a class="brand" href={base}>
        Ringkey{' '}
        <span class="account" title={visit.user.accountName}>
          {visit.user.accountName}
        </span>
      </a>
      <nav class="modes" aria-label={w.mode}>
        {MODES.filter((each) => visit.user.mode === undefined || visit.user.mode === each).map((each) => (
          <a key={each} class={each} href={inMode(visit, each)} aria-current={each === mode ? 'true' : undefined}>
            {w.modes[each]}
          </a>
        ))}
      </nav>
      <details class="burger" data-closes>
        <summary>
          <Icon name="menu" />
          <span class="unseen">{w.menu}</span> <AttentionCount of={attention} />
        </summary>
        {menu}
      </details>
      {menu}
      <p class="elsewhere">
        <a href="/docs">{w.documentation}</a>
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
  const w = pageWords();
  return (
    <search class="search">
      <form action={`${base}/search`} method="get">
        <Icon name="search" />
        <input
          name="q"
          type="search"
          aria-label={w.search}
          placeholder={w.searchHint}
          value={path === `${base}/search` ? query.q : undefined}
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
          data-search
        />
        <PaletteButton />
      </form>
      <SearchResults base={base} />
    </search>
  );
}

function UserMenu({ visit: { user, csrf, base, isCompact, theme } }: { visit: Visit }) {
  const { name, email, role, accountName, isDemo } = user;
  const w = pageWords();
  return (
    <details class="user" data-closes>
      <summary aria-label={w.signedInAs(name)}>{name.slice(0, 1).toUpperCase()}</summary>
      <div class="sheet">
        <p>
          <strong>{name}</strong>
          {!isDemo && <span class="quiet">{email}</span>}
        </p>
        <p class="quiet">{isDemo ? w.demo : w.inRole(<bdi>{accountName}</bdi>, names().role[role])}</p>
        <p class="quiet" id="time-zone-in-menu">
          {w.timesIn(<TimeZoneName />)}
        </p>
        <DensityChoice isCompact={isCompact} />
        <ThemeChoice theme={theme} />
        {!isDemo && (
          <p>
            {user.merchants === null && <a href={`${base}/your-alerts`}>{w.yourAlerts}</a>}
            <a href={`${base}/your-sign-in`}>{w.yourSignIn}</a>
          </p>
        )}
        <ShortcutsButton />
        {!isDemo && <SignOut csrf={csrf} id={SIGN_OUT_ID} />}
      </div>
    </details>
  );
}

/** Of the button in the user menu. The palette leads to it. */
export const SIGN_OUT_ID = 'sign-out';

export function SignOut({ csrf, id }: { csrf: string; id?: string }) {
  const w = pageWords();
  return (
    <form class="actions" method="post" action="/dashboard/sign-out">
      <input type="hidden" name={FORM_TOKEN_FIELD} value={csrf} />
      <button type="submit" id={id}>
        {w.signOut}
      </button>
      <button type="submit" name="everywhere" value="1">
        {w.signOutEverywhere}
      </button>
    </form>
  );
}
