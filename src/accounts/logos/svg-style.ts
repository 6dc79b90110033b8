/** Style sheets and `style` attributes of SVG logos: rules for classes, as drawing programs write them. */
import { PROPERTIES } from './svg-values.ts';
import { shownName, wrongLogo } from './wrong-logo.ts';

export type Declarations = ReadonlyMap<string, string>;
/** In order: a later one wins. */
export type Rules = readonly (readonly [classes: readonly string[], declarations: Declarations])[];

const MAX_RULES = 200;
const MAX_SELECTORS = 1_000;
const MAX_CLASSES = 20;
const MAX_VALUE_LENGTH = 200;
const CLASS = /^\.[\w-]{1,100}$/;

export const classNames = (text: string) => text.split(/\s+/).slice(0, MAX_CLASSES);

/** @throws ApiError `invalid_value` for anything but rules for classes: at-rules, comments, other selectors */
export function parseStyleSheet(sheet: string): Rules {
  const blocks = sheet.split('}');
  if (blocks.pop()?.trim() !== '') throw wrongSheet();
  if (blocks.length > MAX_RULES || sheet.split(',').length > MAX_SELECTORS) {
    throw wrongLogo('The style sheet of the SVG is too large. Export it with presentation attributes.');
  }
  return blocks.map((block) => {
    const [selectors = '', declarations, ...more] = block.split('{');
    if (declarations === undefined || more.length > 0) throw wrongSheet();
    const names = selectors.split(',').map((selector) => selector.trim());
    if (!names.every((name) => CLASS.test(name))) throw wrongSheet();
    return [names.map((name) => name.slice(1)), parseDeclarations(declarations)] as const;
  });
}

const wrongSheet = () =>
  wrongLogo('The style sheet of the SVG can only have rules for classes. Export it with presentation attributes.');

/** Properties that shapes do not need are left out. @throws ApiError `invalid_value` for a value that is not allowed */
export function parseDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const [name = '', ...parts] = declaration.split(':');
    const property = name.trim().toLowerCase();
    const value = parts.join(':').trim();
    const check = PROPERTIES.get(property);
    const checked = value.length > MAX_VALUE_LENGTH ? null : (check?.(value) ?? null);
    if (checked !== null) declarations.set(property, checked);
    else if (check !== undefined || /url|[\\@]/i.test(declaration)) {
      throw wrongLogo(`The SVG has a style${shownName(property)} that a logo must not have.`);
    }
  }
  return declarations;
}
