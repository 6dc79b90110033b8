/** The time zones that forms suggest, and the zone that an entry means: its name, or that of its city. */
import type { Choices } from './fields.tsx';

/**
 * `Intl` lists zones by the names that CLDR has kept, which stay valid. These have a newer name in the tz database:
 * https://github.com/unicode-org/cldr/blob/main/common/bcp47/timezone.xml (`iana`).
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Read once per process. The tz database names UTC, but does not list it as a zone. */
const LISTED: readonly string[] = Intl.supportedValuesOf('timeZone');
const NAMES: readonly string[] = [
  'UTC',
  ...[...new Set(LISTED.map((zone) => RENAMED[zone] ?? zone))].filter((zone) => zone !== 'UTC').sort(),
];

const words = (zone: string) => zone.replaceAll('_', ' ');

export const TIME_ZONES: Choices = NAMES.map((zone) => [zone, words(zone)]);

/** By city, in lower case. Null: several zones have it. */
const BY_CITY = new Map<string, string | null>();
for (const zone of new Set([...NAMES, ...LISTED])) {
  const city = words(zone.split('/').at(-1) ?? zone).toLowerCase();
  const current = RENAMED[zone] ?? zone;
  BY_CITY.set(city, BY_CITY.has(city) && BY_CITY.get(city) !== current ? null : current);
}

/** `New York`: `America/New_York`. Other texts stay as they are, and REST refuses those that are no zone. */
export function timeZoneIn(text: string): string {
  const zone = text.trim();
  const city = words(zone).replace(/\s+/g, ' ').toLowerCase();
  return BY_CITY.get(city) ?? NAMES.find((name) => words(name).toLowerCase() === city) ?? zone;
}
