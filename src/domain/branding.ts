/** The branding of the pay page: its colors, with their contrast by WCAG 2.2, and its links. */
import type { E164 } from './phone-number.ts';

/** The pay page's appearance, in addition to the merchant's settings. */
export interface PageBranding {
  /** For buttons, links and icons. Null: the page's own green. */
  accentColor: HexColor | null;
  /** Where payers can get help; null if not shown. */
  supportPhone: E164 | null;
  supportEmail: string | null;
  /** The terms for payers; null if not linked. */
  termsUrl: HttpsUrl | null;
  privacyUrl: HttpsUrl | null;
}

export const NO_BRANDING: PageBranding = {
  accentColor: null,
  supportPhone: null,
  supportEmail: null,
  termsUrl: null,
  privacyUrl: null,
};

/** Lower case, such as `#0b6b53`. Created by {@link parseHexColor}. */
export type HexColor = string & { readonly __kind: 'HexColor' };

/**
 * Parses `#` and six hexadecimal digits, otherwise returns null. Rejects names and `#abc`, because the color is written
 * into style sheets.
 */
export function parseHexColor(text: string): HexColor | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? (text.toLowerCase() as HexColor) : null;
}

/** Red, green and blue, 0 to 255. */
const channelsOf = (color: HexColor) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance: 0 is black, 1 is white. */
function luminance(color: HexColor): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio: 1 to 21. */
export function contrastOf(one: HexColor, other: HexColor): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param share of `other`, 0 to 1 */
export function mixed(color: HexColor, other: HexColor, share: number): HexColor {
  const others = channelsOf(other);
  const digits = channelsOf(color).map((channel, at) =>
    Math.round(channel + ((others[at] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}` as HexColor;
}

declare const brand: unique symbol;
/** A URL that a payer's browser opens: https, without a user name or password. Created by {@link parseHttpsUrl}. */
export type HttpsUrl = string & { readonly [brand]: 'https-url' };

export const MAX_HTTPS_URL_LENGTH = 2_048;

/** @returns the URL as browsers write it, so that the text shows where it leads; null if it is not one */
export function parseHttpsUrl(text: string): HttpsUrl | null {
  const plain = text.trim();
  if (plain.length > MAX_HTTPS_URL_LENGTH || !/^https:\/\/[^\s\\]+$/i.test(plain) || !URL.canParse(plain)) return null;
  const { href, username, password, hostname } = new URL(plain);
  const isWhole = username === '' && password === '' && hostname.includes('.');
  return isWhole && href.length <= MAX_HTTPS_URL_LENGTH ? (href as HttpsUrl) : null;
}
