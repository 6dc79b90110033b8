/** The texts that a reader sees or hears on a page: text nodes and attributes. */

const TOKEN = /<!.*?>|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|[^>"])*)>|([^<]+)/gis;
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'path', 'rect', 'circle', 'line']);
/** Elements without words of the dashboard: code, keys of the keyboard, times, names that users have chosen. */
const SKIPPED = new Set(['script', 'style', 'code', 'pre', 'kbd', 'time', 'bdi', 'textarea', 'iframe']);
const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label']);
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const decoded = (text: string) =>
  text
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Elements marked as English, and IDs, are not among them. */
export function shownTexts(html: string): string[] {
  const texts: string[] = [];
  const add = (text: string) => {
    const shown = decoded(text);
    if (/\p{L}/u.test(shown)) texts.push(shown);
  };
  /** The depth of elements within a skipped one, it included. */
  let skipped = 0;
  for (const [, slash, tag = '', attributes = '', text] of html.matchAll(TOKEN)) {
    if (text !== undefined) {
      if (skipped === 0) add(text);
      continue;
    }
    const name = tag.toLowerCase();
    if (name === '') continue;
    const isVoid = VOID.has(name) || attributes.endsWith('/');
    if (slash === '/') {
      if (skipped > 0) skipped -= 1;
      continue;
    }
    const isSkipped = SKIPPED.has(name) || (name !== 'html' && /\slang="en(?:-US)?"|\sclass="id"/.test(attributes));
    if (!isVoid && (skipped > 0 || isSkipped)) skipped += 1;
    if (skipped === 0) for (const spoken of attributesOf(attributes)) add(spoken);
  }
  return [...new Set(texts)];
}

const attributesOf = (attributes: string): string[] =>
  [...attributes.matchAll(/\s([a-z-]+)="([^"]*)"/g)].flatMap(([, name = '', value = '']) =>
    SPOKEN.has(name) ? [value] : [],
  );
