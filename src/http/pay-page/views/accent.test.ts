import { describe, expect, it, test } from 'vitest';
import { accentPalette, accentStyle, THEMES } from '../../../domain/accent.ts';
import { contrastOf, type HexColor, mixed, parseHexColor } from '../../../domain/branding.ts';
import { SLIPS } from '../../../domain/page-colors.ts';
import { STYLE } from './style.ts';

const hex = (text: string): HexColor => {
  const color = parseHexColor(text);
  if (color === null) throw new Error(`${text} is no colour`);
  return color;
};

/** 6 × 6 × 6 colours, from black to white. */
const LEVELS = ['00', '33', '66', '99', 'cc', 'ff'];
const COLOURS = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => hex(`#${red}${green}${blue}`))));

describe('contrast', () => {
  // https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, and values that are often cited.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.478],
    ['#767676', '#ffffff', 4.542],
    ['#ff0000', '#ffffff', 3.998],
  ])('of %s and %s is %f', (one, other, ratio) => {
    expect(contrastOf(hex(one), hex(other))).toBeCloseTo(ratio, 3);
    expect(contrastOf(hex(other), hex(one))).toBeCloseTo(ratio, 3);
  });

  it('of a mixture lies between', () => {
    expect(mixed(hex('#000000'), hex('#ffffff'), 0.5)).toBe('#808080');
    expect(mixed(hex('#123456'), hex('#ffffff'), 0)).toBe('#123456');
  });
});

describe.each(THEMES)('an accent in the %s theme', (theme) => {
  it('can be read wherever the page has it, whatever was chosen', () => {
    const faults = COLOURS.flatMap((color) => {
      const { accent, pressed, onAccent, tint } = accentPalette(color, theme);
      const pairs = [
        [accent, SLIPS[theme]],
        [accent, tint],
        [accent, onAccent],
        [pressed, onAccent],
      ] as const;
      return pairs.filter(([one, other]) => contrastOf(one, other) < 4.5).map((pair) => [color, ...pair]);
    });
    expect(faults).toEqual([]);
  });
});

test.each([
  ['light', '#24569b'],
  ['light', '#a32c18'],
  ['dark', '#8fbcff'],
  ['dark', '#f0c36a'],
] as const)('in the %s theme %s is left as it is', (theme, color) => {
  expect(accentPalette(hex(color), theme).accent).toBe(color);
});

test.each([null, 'red', 'red;}', '#fff', '#12345g', '#123456;}body{display:none', '</style><script>', ''])(
  'the stored colour %j changes nothing',
  (color) => {
    expect(accentStyle(color)).toBe('');
  },
);

test('the style holds six digits and nothing of the text', () => {
  expect(accentStyle('#24569B')).toMatch(
    /^:root\{(--[a-z-]+:#[0-9a-f]{6};?){4}\}@media \(prefers-color-scheme:dark\)\{:root\{(--[a-z-]+:#[0-9a-f]{6};?){4}\}\}$/,
  );
});

test('the style sheet has the slips that contrast is measured on', () => {
  expect(STYLE).toContain(`--slip:${SLIPS.light};`);
  expect(STYLE).toContain(`--slip:${SLIPS.dark};`);
});
