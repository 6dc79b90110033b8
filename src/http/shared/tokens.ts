/**
 * The colors and base rules that the pay page, the dashboard and the docs share, as CSS custom properties. Each page adds
 * its own.
 */

/** A color in both themes. */
interface Color {
  light: string;
  dark: string;
}
type Colors = Readonly<Record<string, Color>>;
type Theme = keyof Color;

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

/** The neutral colors of the dashboard and the docs. */
export const NEUTRALS = {
  paper: { light: '#ffffff', dark: '#15181c' },
  raised: { light: '#f3f4f6', dark: '#1d2127' },
  line: { light: '#e4e7eb', dark: '#2a2f37' },
  edge: { light: '#868e9a', dark: '#707a88' },
  ink: { light: '#1b1f26', dark: '#e6e9ee' },
  quiet: { light: '#59626f', dark: '#9ba5b3' },
} as const satisfies Colors;

export const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** Rules of every page. `.unseen` is for screen readers only. */
export const BASE = `*{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

/** Custom properties by `light-dark()`. For the dashboard and the docs, whose readers have current browsers. */
export function lightDark(colors: Colors): string {
  const properties = Object.entries(colors).map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark});`);
  return `:root{color-scheme:light dark;${properties.join('')}--sans:${SANS};--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}\n`;
}

/** Custom properties by a media query. For the pay page, which old browsers open too. */
export function byTheme(colors: Colors): string {
  return `:root{${propertiesIn(colors, 'light')}}\n@media (prefers-color-scheme:dark){:root{${propertiesIn(colors, 'dark')}}}\n`;
}

function propertiesIn(colors: Colors, theme: Theme): string {
  const properties = Object.entries(colors).map(([name, color]) => `--${name}:${color[theme]}`);
  return [...properties, `color-scheme:${theme}`].join(';');
}
