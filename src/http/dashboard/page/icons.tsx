/** The dashboard's drawings, 16 px: beside words that say the same, so that screen readers pass them over. */

const PATHS = {
  now: 'M2 8h2.500l2-5 3 10 2-5H14',
  overview: 'M2.500 13.500v-4M6.200 13.500v-8M9.800 13.500v-6M13.500 13.500v-11',
  phone:
    'M4.500 2h2l1 3-1.500 1.200a8 8 0 0 0 3.800 3.800L11 8.500l3 1v2a1.500 1.500 0 0 1-1.700 1.500A11.500 11.500 0 0 1 3 3.700 1.500 1.500 0 0 1 4.500 2z',
  checkout: 'M3.500 2h9v12l-2.200-1.500L8 14l-2.300-1.500L3.500 14zM6 5.500h4M6 8.500h4',
  card: 'M2 4.500A1.500 1.500 0 0 1 3.500 3h9A1.500 1.500 0 0 1 14 4.500v7a1.500 1.500 0 0 1-1.500 1.500h-9A1.500 1.500 0 0 1 2 11.500zM2 6.500h12M4.500 10h2',
  back: 'M6 3 2.500 6.500 6 10M2.500 6.500h7a4 4 0 0 1 0 8H7',
  bolt: 'M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z',
  mail: 'M2.500 3.500h11v9h-11zM2.500 4.500l5.500 4.500 5.500-4.500',
  message: 'M2.500 3.500h11v8H7l-3 2.500v-2.500H2.500z',
  request: 'M5.500 4 2 8l3.500 4M10.500 4 14 8l-3.500 4',
  shield: 'M8 1.500 13 3.500v4c0 3.200-2 5.500-5 7-3-1.500-5-3.800-5-7v-4z',
  settings: 'M2 5h7M13 5h1M2 11h1M7 11h7M11 5m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M5 11m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  play: 'M4.500 2.500v11l9-5.500z',
  keypad: 'M4 3.500v.1M8 3.500v.1M12 3.500v.1M4 8v.1M8 8v.1M12 8v.1M4 12.500v.1M8 12.500v.1M12 12.500v.1',
  check: 'M3 8.500 6.500 12 13 4.500',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9M10.500 10.500 14 14',
  copy: 'M6 5.500h7.500v8H6zM10 5.500v-3H2.500v8H6',
  download: 'M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11',
  menu: 'M2 4h12M2 8h12M2 12h12',
  book: 'M8 4.500C6.500 3 4 3 2.500 3.500v9C4 12 6.500 12 8 13.500c1.500-1.500 4-1.500 5.500-1v-9C12 3 9.500 3 8 4.500zM8 4.500v9',
  bank: 'M2 6 8 2.500 14 6zM3.500 6v6M6.500 6v6M9.500 6v6M12.500 6v6M2 13.500h12',
  flag: 'M3.500 14V2.500M3.500 3h8.500l-2 3 2 3H3.500',
  alert: 'M8 2 14.500 13.500h-13zM8 6.500v3M8 11.500v.1',
  report: 'M3.500 2h6l3 3v9h-9zM9.500 2v3h3M5.500 8h5M5.500 11h5',
  print: 'M4.500 6V2.500h7V6M4.500 11.500h-2V6h11v5.500h-2M4.500 9.500h7v4h-7z',
  lock: 'M3.500 7h9v6.500h-9zM5.500 7V5a2.500 2.500 0 0 1 5 0v2',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width={size > 16 ? 1.1 : 1.4}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
