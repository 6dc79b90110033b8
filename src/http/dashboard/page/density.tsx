/** How close together the dashboard shows its rows. A cookie of the browser keeps the choice, so pages arrive in it. */
const COMPACT = /(?:^|;\s*)ringkey-density=compact(?:;|$)/;

/** @param cookies the header `Cookie` */
export const wantsCompact = (cookies: string | undefined): boolean => cookies !== undefined && COMPACT.test(cookies);

const CHOICES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;

/** Hidden without the page's script, which sets the cookie. Phones are always comfortable (density.css). */
export function DensityChoice({ isCompact }: { isCompact: boolean }) {
  return (
    <fieldset class="densities" aria-label="Density" data-densities hidden>
      {CHOICES.map(([density, name]) => (
        <button
          key={density}
          type="button"
          data-density={density}
          aria-pressed={(density === 'compact') === isCompact ? 'true' : 'false'}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
