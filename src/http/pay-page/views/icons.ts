/** The page's icons. They repeat the text beside them, so screen readers skip them. */
import { Html } from '../../../lib/html.ts';

const drawn = (size: number, paths: string) =>
  new Html(
    `<svg viewBox="0 0 24 24" width="${size}" height="${size}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`,
  );

export const ICONS = {
  check: drawn(32, '<path d="M5 12.5l4.5 4.5L19 7.5"/>'),
  cross: drawn(32, '<path d="M7 7l10 10M17 7L7 17"/>'),
  clock: drawn(32, '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>'),
  phone: drawn(
    32,
    '<path d="M6 3.5h3l1.5 4-2 1.5a11 11 0 0 0 6.5 6.5l1.5-2 4 1.500v3a2 2 0 0 1-2.200 2A16.500 16.500 0 0 1 4 5.700 2 2 0 0 1 6 3.500z"/>',
  ),
  bank: drawn(32, '<path d="M4 10l8-5 8 5M5.500 10v8M10 10v8M14 10v8M18.500 10v8M4 19.500h16"/>'),
  link: drawn(
    32,
    '<path d="M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1"/>',
  ),
  smallClock: drawn(16, '<circle cx="12" cy="12" r="8.500"/><path d="M12 7.500V12l3 2"/>'),
  lock: drawn(
    16,
    '<rect x="5" y="10.500" width="14" height="9.500" rx="2"/><path d="M8 10.500V8a4 4 0 0 1 8 0v2.500"/>',
  ),
} as const;
