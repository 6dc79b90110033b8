/**
 * Rewrites an uploaded SVG from shapes, groups, gradients, clips and masks: only elements and attributes of
 * `svg-values.ts`, each value checked. What could run, load or animate is refused, other unknown attributes are left out.
 */
import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';
import type { LogoFile } from '../../domain/logo.ts';
import { classNames, parseDeclarations, parseStyleSheet, type Rules } from './svg-style.ts';
import { type Drawn, requireDrawable, sizeOf, svgText } from './svg-tree.ts';
import { ATTRIBUTES, ELEMENTS, parseFragment, parseId, UNDRAWN_ELEMENTS } from './svg-values.ts';
import { MAX_LOGO_BYTES, shownName, wrongLogo } from './wrong-logo.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
/** No entities but XML's own five. */
const XML = { xmlns: true, strictEntities: true };
const MAX_ELEMENTS = 1_000;
const MAX_DEPTH = 30;
/** Each makes the parser slower. */
const MAX_NAMESPACES = 100;
const REFERRING = new Set(['use', 'linearGradient', 'radialGradient']);

/** @throws ApiError `invalid_value` for a file that is not an SVG, or has what a logo must not have */
export function rewriteSvg(file: Buffer): LogoFile {
  const root = drawingOf(textOf(file));
  const size = sizeOf(root);
  requireDrawable(root);
  const bytes = Buffer.from(svgText(root, size));
  if (bytes.length > MAX_LOGO_BYTES) throw wrongLogo('The SVG is too large. Simplify its paths and styles.');
  return { type: 'image/svg+xml', bytes, width: size.width, height: size.height };
}

function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw wrongLogo('The SVG must be UTF-8.');
  }
}

/** An element as it was read: its styles are applied once all style sheets are known. */
interface Read {
  drawn: Drawn;
  classes: readonly string[];
  style: string;
}

function drawingOf(text: string): Drawn {
  const reading = new Reading();
  const xml = sax.parser(true, XML);
  xml.ondoctype = () => {
    throw wrongLogo('The SVG must not have a DOCTYPE. Remove it.');
  };
  xml.onerror = () => {
    throw wrongLogo('The SVG is not well-formed XML.');
  };
  xml.onopennamespace = () => reading.openNamespace();
  xml.onopentag = (tag) => reading.openTag(tag as QualifiedTag);
  xml.onclosetag = () => reading.closeTag();
  xml.ontext = (part) => reading.text(part);
  xml.oncdata = (part) => reading.text(part);
  xml.write(text).close();
  applyStyles(reading.all, parseStyleSheet(reading.sheet));
  const [root] = reading.all;
  if (root === undefined) throw noSvg();
  return root.drawn;
}

class Reading {
  /** In document order: the root first. */
  readonly all: Read[] = [];
  /** The text of all style sheets. */
  sheet = '';
  private readonly open: Drawn[] = [];
  /** Open elements within one that is left out. */
  private skipped = 0;
  private isInSheet = false;
  private namespaces = 0;

  openNamespace(): void {
    this.namespaces += 1;
    if (this.namespaces > MAX_NAMESPACES)
      throw wrongLogo('The SVG has too many namespaces. Export it without metadata.');
  }

  openTag({ local, uri, attributes }: QualifiedTag): void {
    if (this.isInSheet) throw wrongLogo('The SVG must not have elements in its style sheet. Remove them.');
    const parent = this.open.at(-1);
    if (parent === undefined && (uri !== SVG || local !== 'svg')) throw noSvg();
    if (this.skipped > 0 || uri !== SVG || UNDRAWN_ELEMENTS.has(local)) {
      this.skipped += 1;
    } else if (local === 'style') {
      this.isInSheet = true;
    } else {
      this.requireAllowed(local);
      const read = readElement(local, Object.values(attributes));
      parent?.children.push(read.drawn);
      this.open.push(read.drawn);
      this.all.push(read);
    }
  }

  closeTag(): void {
    if (this.isInSheet) this.isInSheet = false;
    else if (this.skipped > 0) this.skipped -= 1;
    else this.open.pop();
  }

  text(part: string): void {
    if (this.isInSheet) this.sheet += part;
  }

  private requireAllowed(local: string): void {
    const isRoot = this.open.length === 0;
    if (!ELEMENTS.has(local) || (!isRoot && local === 'svg')) {
      throw wrongLogo(`The SVG must not have the element${shownName(local)}. ${ADVICE[local] ?? 'Remove it.'}`);
    }
    if (this.all.length === MAX_ELEMENTS) {
      throw wrongLogo(`The SVG has more than ${MAX_ELEMENTS} elements. Simplify it.`);
    }
    if (this.open.length === MAX_DEPTH) throw wrongLogo('The SVG is nested too deeply.');
  }
}

const noSvg = () => wrongLogo(`The file is not an SVG: its root must be \`svg\` with xmlns="${SVG}".`);

const ADVICE: Readonly<Record<string, string>> = {
  text: 'Convert text to outlines.',
  tspan: 'Convert text to outlines.',
  image: 'Use shapes, or send a PNG.',
  filter: 'Remove effects, or send a PNG.',
  pattern: 'Remove patterns, or send a PNG.',
};

function readElement(name: string, attributes: readonly QualifiedAttribute[]): Read {
  const drawn: Drawn = { name, attributes: new Map(), children: [] };
  const read: Read = { drawn, classes: [], style: '' };
  for (const { local, prefix, uri, value } of attributes) {
    // Browsers that read the file as HTML would run them, whatever their namespace.
    if (/^on/i.test(local)) throw wrongLogo(`The SVG must not have the attribute${shownName(local)}. Remove it.`);
    if (local === 'href' && (uri === '' || uri === XLINK)) setReference(drawn, value);
    else if (uri !== '' || prefix !== '') continue;
    else if (local === 'class') read.classes = classNames(value);
    else if (local === 'style') read.style = value;
    else if (local === 'id') setChecked(drawn, local, parseId(value) ?? undefined);
    else if (ATTRIBUTES.has(local)) setChecked(drawn, local, checkedValue(local, value));
  }
  return read;
}

function setReference(drawn: Drawn, value: string): void {
  if (!REFERRING.has(drawn.name) || parseFragment(value) === null) {
    throw wrongLogo('The SVG must not have links or references to other files. Remove them.');
  }
  drawn.attributes.set('href', value);
}

function setChecked({ attributes }: Drawn, name: string, value: string | undefined): void {
  if (value !== undefined) attributes.set(name, value);
}

function checkedValue(name: string, value: string): string {
  const checked = ATTRIBUTES.get(name)?.(value.trim()) ?? null;
  if (checked !== null) return checked;
  throw wrongLogo(`The SVG has a value of \`${name}\` that a logo must not have.`);
}

/** As browsers do: a style sheet overrides attributes, and `style` overrides both. */
function applyStyles(all: readonly Read[], rules: Rules): void {
  for (const { drawn, classes, style } of all) {
    for (const [names, declarations] of rules) {
      if (!names.some((name) => classes.includes(name))) continue;
      for (const [property, value] of declarations) drawn.attributes.set(property, value);
    }
    for (const [property, value] of parseDeclarations(style)) drawn.attributes.set(property, value);
  }
}
