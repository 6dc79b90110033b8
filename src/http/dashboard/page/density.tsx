/** How close together the dashboard shows its rows. A cookie of the browser keeps the choice, so pages arrive in it. */
import { pageWords } from './words/index.ts';

const COMPACT = /(?:^|;\s*)ringkey-density=compact(?:;|$)/;

/** @param cookies the header `Cookie` */
export const wantsCompact = (cookies: string | undefined): boolean => cookies !== undefined && COMPACT.test(cookies);

const DENSITIES = ['comfortable', 'compact'] as const;

/** Hidden without the page's script, which sets the cookie. Phones are always comfortable (density.css). */
export function DensityChoice({ isCompact }: { isCompact: boolean }) {
  const w = pageWords();
  return (
    <fieldset class="choice-bar" aria-label={w.density} data-densities hidden>
      {DENSITIES.map((density) => (
        <button
          key={density}
          type="button"
          data-density={density}
          aria-pressed={(density === 'compact') === isCompact ? 'true' : 'false'}
        >
          {w.densities[density]}
        </button>
      ))}
    </fieldset>
  );
}
