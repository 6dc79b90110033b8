/** The elements and attributes that the SVG of a logo can have, and the values of each attribute. */

export const ELEMENTS: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'clipPath',
  'mask',
  'linearGradient',
  'radialGradient',
  'stop',
]);

/** Left out with everything in them: no browser draws them. */
export const UNDRAWN_ELEMENTS: ReadonlySet<string> = new Set(['metadata', 'title', 'desc']);

/** @returns the value as it is written, null if it is not allowed */
type Check = (value: string) => string | null;

// No pattern can match one text in two ways, so that none takes long for a hostile value.
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value) ? value : null;

/** Numbers with units, lists of them, and path data. Without `:`, `(`, `#` and quotes there is no reference. */
const numbers = matching(/^[\w\s.,+%-]*$/);
const word = matching(/^[a-zA-Z-]+$/);
const transform = matching(/^[\s,]*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,+eE-]*\)[\s,]*)*$/);
const color = matching(/^(?:[a-zA-Z]+|#[0-9a-fA-F]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/+-]*\))$/);

const ID = /^[\w.:-]{1,100}$/;
const REFERENCE = /^url\(\s*(["']?)#([\w.:-]{1,100})\1\s*\)/;

export const parseId: Check = matching(ID);

/** `#id` in this file. */
export const parseFragment: Check = (value) => (value.startsWith('#') && ID.test(value.slice(1)) ? value : null);

/** `url(#id)` or `none`. */
const reference: Check = (value) => {
  if (value === 'none') return value;
  const match = REFERENCE.exec(value);
  return match?.[0] === value ? `url(#${match[2]})` : null;
};

/** A color, or `url(#id)`, whose fallback is left out. */
const paint: Check = (value) => {
  const match = REFERENCE.exec(value);
  if (match === null) return color(value);
  const fallback = value.slice(match[0].length).trim();
  return fallback === '' || color(fallback) !== null ? `url(#${match[2]})` : null;
};

const listed = (names: string, check: Check) => names.split(' ').map((name) => [name, check] as const);

/** The properties that attributes, `style` and style sheets can set. */
export const PROPERTIES: ReadonlyMap<string, Check> = new Map([
  ...listed('fill stroke', paint),
  ...listed('color stop-color', color),
  ...listed('clip-path mask', reference),
  ...listed('opacity fill-opacity stroke-opacity stop-opacity stroke-width stroke-miterlimit', numbers),
  ...listed('stroke-dasharray stroke-dashoffset', numbers),
  ...listed('fill-rule clip-rule stroke-linecap stroke-linejoin display visibility mask-type', word),
]);

export const ATTRIBUTES: ReadonlyMap<string, Check> = new Map([
  ...PROPERTIES,
  ...listed('d points x y width height cx cy r rx ry x1 x2 y1 y2 fx fy fr offset viewBox', numbers),
  ...listed('transform gradientTransform', transform),
  ...listed('clipPathUnits maskUnits maskContentUnits gradientUnits spreadMethod', word),
]);
