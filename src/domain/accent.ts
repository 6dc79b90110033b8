/**
 * An account's accent color on the pay page. No color is readable on both white and near-black, so each theme darkens or
 * lightens it to the contrast that WCAG 2.2 requires (1.4.3: 4.5 to 1).
 */
import { contrastOf, type HexColor, mixed, parseHexColor } from './branding.ts';
import { SLIPS } from './page-colors.ts';

/** Custom properties; see shared/tokens.ts. */
interface AccentPalette {
  accent: HexColor;
  /** A button under the pointer. */
  pressed: HexColor;
  /** Text on both. */
  onAccent: HexColor;
  /** Behind text in the accent color. */
  tint: HexColor;
}

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const MIN_CONTRAST = 4.5;
const STEPS = 50;
const [BLACK, WHITE] = ['#000000' as HexColor, '#ffffff' as HexColor];
const THEME: Readonly<Record<Theme, { towards: HexColor; onAccent: HexColor; tint: number; pressed: number }>> = {
  light: { towards: BLACK, onAccent: WHITE, tint: 0.9, pressed: 0.2 },
  dark: { towards: WHITE, onAccent: '#0b0f0d' as HexColor, tint: 0.86, pressed: 0.3 },
};

/** The color itself if it is readable, otherwise the nearest readable one: darker in the light theme, lighter in the dark. */
export function accentPalette(color: HexColor, theme: Theme): AccentPalette {
  const { towards, onAccent, tint, pressed } = THEME[theme];
  const slip = SLIPS[theme];
  for (let step = 0; ; step += 1) {
    const accent = mixed(color, towards, step / STEPS);
    const behind = mixed(accent, slip, tint);
    const isReadable = [slip, behind, onAccent].every((other) => contrastOf(accent, other) >= MIN_CONTRAST);
    // The last step is black on white, or white on near-black.
    if (isReadable || step === STEPS) {
      return { accent, pressed: mixed(accent, towards, pressed), onAccent, tint: behind };
    }
  }
}

const propertiesOf = ({ accent, pressed, onAccent, tint }: AccentPalette) =>
  `:root{--accent:${accent};--pressed:${pressed};--on-accent:${onAccent};--tint:${tint}}`;

/** Overrides for the style sheet. Empty without a color. @param color as stored. Invalid colors are ignored */
export function accentStyle(color: string | null): string {
  const accent = color === null ? null : parseHexColor(color);
  if (accent === null) return '';
  const [light, dark] = THEMES.map((theme) => propertiesOf(accentPalette(accent, theme)));
  return `${light}@media (prefers-color-scheme:dark){${dark}}`;
}
