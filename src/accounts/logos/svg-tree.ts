/** The elements of an SVG logo: their size, how much a browser has to draw, and their text. */
import { wrongLogo } from './wrong-logo.ts';

export interface Drawn {
  name: string;
  attributes: Map<string, string>;
  children: Drawn[];
}

interface Size {
  viewBox: string;
  width: number;
  height: number;
}

const LONG_SIDE = 512;
const MAX_COORDINATE = 1_000_000;

/** @throws ApiError `invalid_value` without a size */
export function sizeOf({ attributes }: Drawn): Size {
  const box = (attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const side = (name: string) => Number((attributes.get(name) ?? '').replace(/px$/, '') || Number.NaN);
  const isBox = box.length === 4 && attributes.has('viewBox');
  const [x = 0, y = 0, width = 0, height = 0] = isBox ? box : [0, 0, side('width'), side('height')];
  const isSize = (value: number) => value > 0 && value <= MAX_COORDINATE;
  if (!isSize(width) || !isSize(height) || !(Math.abs(x) <= MAX_COORDINATE) || !(Math.abs(y) <= MAX_COORDINATE)) {
    throw wrongLogo('The SVG has no size. Give it a `viewBox`.');
  }
  const scaled = (value: number) => Math.max(1, Math.round((value * LONG_SIDE) / Math.max(width, height)));
  return { viewBox: [x, y, width, height].join(' '), width: scaled(width), height: scaled(height) };
}

/** Elements that a browser draws, those that are drawn again through references included. */
const MAX_DRAWN = 5_000;

/** References can multiply: `use` of a group of `use`. @throws ApiError `invalid_value` */
export function requireDrawable(root: Drawn): void {
  const byId = new Map<string, Drawn>();
  const collect = (element: Drawn) => {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    element.children.forEach(collect);
  };
  collect(root);
  if (drawnBy(root, byId, new Map()) > MAX_DRAWN) {
    throw wrongLogo('The SVG draws too many elements through references, or refers to itself. Simplify it.');
  }
}

/** @param known null: being counted, so a reference to it is a circle */
function drawnBy(element: Drawn, byId: ReadonlyMap<string, Drawn>, known: Map<Drawn, number | null>): number {
  const counted = known.get(element);
  if (counted !== undefined) return counted ?? Number.POSITIVE_INFINITY;
  known.set(element, null);
  const targets = [...element.attributes].flatMap(([name, value]) => {
    if (name === 'href') return byId.get(value.slice('#'.length)) ?? [];
    return value.startsWith('url(#') ? (byId.get(value.slice('url(#'.length, -')'.length)) ?? []) : [];
  });
  const count = [...element.children, ...targets].reduce((sum, each) => sum + drawnBy(each, byId, known), 1);
  known.set(element, count);
  return count;
}

/** Only elements and attributes: there is no text in it. */
export function svgText(root: Drawn, { viewBox, width, height }: Size): string {
  const attributes = new Map(root.attributes);
  for (const [name, value] of Object.entries({ viewBox, width, height })) attributes.set(name, String(value));
  attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  return elementText({ ...root, attributes });
}

function elementText({ name, attributes, children }: Drawn): string {
  const written = [...attributes].map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('');
  return children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${children.map(elementText).join('')}</${name}>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML does not allow all characters that count as white space, and reads the others as spaces. */
const escaped = (value: string) =>
  value.replace(/\s/g, ' ').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
