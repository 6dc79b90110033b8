/**
 * An account's accent colour on the pay page. One colour cannot be read both on white and on near-black: each theme has
 * it as dark, or as light, as WCAG 2.2 asks (1.4.3: 4.5 to 1).
 */
import { contrastOf, type HexColor, mixed, parseHexColor } from '../../../domain/colors.ts';
import { SLIPS } from './style.ts';

/** Custom properties of the style sheet. */
export interface AccentPalette {
  accent: HexColor;
  /** A button under the pointer. */
  pressed: HexColor;
  /** Text on both. */
  onAccent: HexColor;
  /** Behind text in the accent colour. */
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

/**
 * The colour as given where it can be read; else the nearest one, darker in the light theme and lighter in the dark
 * one.
 */
export function accentPalette(color: HexColor, theme: Theme): AccentPalette {
  const { towards, onAccent, tint, pressed } = THEME[theme];
  const slip = SLIPS[theme];
  for (let step = 0; ; step += 1) {
    const accent = mixed(color, towards, step / STEPS);
    const behind = mixed(accent, slip, tint);
    const isReadable = [slip, behind, onAccent].every((other) => contrastOf(accent, other) >= MIN_CONTRAST);
    // Black on white and white on near-black are the end of it.
    if (isReadable || step === STEPS) {
      return { accent, pressed: mixed(accent, towards, pressed), onAccent, tint: behind };
    }
  }
}

const propertiesOf = ({ accent, pressed, onAccent, tint }: AccentPalette) =>
  `:root{--accent:${accent};--pressed:${pressed};--on-accent:${onAccent};--tint:${tint}}`;

/**
 * What follows the style sheet of the page; empty without a colour. @param color as stored: what is none is left out
 */
export function accentStyle(color: string | null): string {
  const accent = color === null ? null : parseHexColor(color);
  if (accent === null) return '';
  const [light, dark] = THEMES.map((theme) => propertiesOf(accentPalette(accent, theme)));
  return `${light}@media (prefers-color-scheme:dark){${dark}}`;
}
