/**
 * Light, dark, or as the system. A cookie of the browser keeps the choice, so pages arrive in it, the sign-in pages too.
 */
import { pageWords } from './words/index.ts';

/** The first one is the default. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = /(?:^|;\s*)ringkey-theme=(light|dark)(?:;|$)/;

/** @param cookies the header `Cookie` */
export const themeOf = (cookies: string | undefined): Theme => (COOKIE.exec(cookies ?? '')?.[1] as Theme) ?? 'system';

/** The ID of a button in the user menu. The palette leads to it. */
export const themeButtonId = (theme: Theme) => `theme-${theme}`;

/** Hidden without the page's script, which sets the cookie. */
export function ThemeChoice({ theme }: { theme: Theme }) {
  const w = pageWords();
  return (
    <fieldset class="choice-bar" aria-label={w.theme} data-themes hidden>
      {THEMES.map((each) => (
        <button
          key={each}
          id={themeButtonId(each)}
          type="button"
          data-theme={each}
          aria-pressed={each === theme ? 'true' : 'false'}
        >
          {w.themes[each]}
        </button>
      ))}
    </fieldset>
  );
}
