/**
 * The colors and base rules that the pay page, the dashboard and the docs share, as CSS custom properties. Each page adds
 * its own.
 */
import type { Color, Colors } from '../../domain/page-colors.ts';

type Theme = keyof Color;

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
