/** Colors of pages: parsing, contrast by WCAG 2.2, and mixing. */

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
