/** The colors of the pages and emails that payers see. */
import type { HexColor } from './branding.ts';

/** A color in both themes. */
export interface Color {
  light: string;
  dark: string;
}
export type Colors = Readonly<Record<string, Color>>;

/** What the brand and the meanings look like, on every page. */
export const BRAND = {
  accent: { light: '#0b6b53', dark: '#5fd0ad' },
  /** A button under the pointer. */
  pressed: { light: '#085441', dark: '#86e0c4' },
  /** Text on both. */
  'on-accent': { light: '#ffffff', dark: '#06231a' },
  /** Behind text in the accent color. */
  tint: { light: '#e4f3ee', dark: '#12312a' },
  bad: { light: '#a32c18', dark: '#ff9d8c' },
  'bad-tint': { light: '#fcebe7', dark: '#3a1d18' },
  /** The banner of test mode. */
  test: { light: '#ffe08a', dark: '#4a3909' },
  'on-test': { light: '#3b2c00', dark: '#ffeec2' },
} as const satisfies Colors;

/** The background of the text in each theme. */
export const SLIPS = { light: '#ffffff' as HexColor, dark: '#18201c' as HexColor } as const;

/** The neutral colors are those of paper, warmer than the dashboard's. */
export const PAGE_COLORS = {
  ...BRAND,
  ground: { light: '#e9ece6', dark: '#0d110f' },
  slip: SLIPS,
  ink: { light: '#15201b', dark: '#e9efeb' },
  quiet: { light: '#55615b', dark: '#a3b1aa' },
  line: { light: '#c9d0ca', dark: '#35413b' },
  edge: { light: '#77847d', dark: '#7d8c84' },
} satisfies Colors;
