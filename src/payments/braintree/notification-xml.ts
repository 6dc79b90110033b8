/** Reads the XML of Braintree's notifications: elements and texts, without a document type. */

/** A text, the items of an element with the type `array`, or the elements by name. Null: `nil="true"`. */
type XmlValue = string | null | XmlValue[] | { [name: string]: XmlValue };

interface Open {
  name: string;
  isArray: boolean;
  isNil: boolean;
  text: string;
  children: [string, XmlValue][];
}

const ATTRIBUTES = /\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')/;
/** The declaration, a tag, or a text. */
const TOKEN = new RegExp(
  `<\\?xml[^>]*\\?>|<(?<end>/?)(?<name>[\\w-]+)(?<attributes>(?:${ATTRIBUTES.source})*)\\s*(?<empty>/?)>|(?<text>[^<]+)`,
  'y',
);
/** Far more than any notification has. */
const MOST_DEPTH = 20;

/** @returns the root element, by its name; null if it is malformed */
export function readXml(xml: string): { [name: string]: XmlValue } | null {
  const root = opened('', '');
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const groups = TOKEN.exec(xml)?.groups;
    const current = open.at(-1);
    if (groups === undefined || current === undefined) return null;
    const { name, attributes = '', end, empty, text } = groups;
    if (text !== undefined) current.text += text;
    if (name === undefined) continue;
    if (end !== '/') open.push(opened(name, attributes));
    if (end === '/' || empty === '/') {
      const closed = open.pop();
      if (closed?.name !== name || closed === root) return null;
      open.at(-1)?.children.push([name, contentOf(closed)]);
    }
    if (open.length > MOST_DEPTH) return null;
  }
  const isWhole = open.length === 1 && root.children.length === 1 && root.text.trim() === '';
  return isWhole ? Object.fromEntries(root.children) : null;
}

const opened = (name: string, attributes: string): Open => ({
  name,
  isArray: /\stype\s*=\s*["']array["']/.test(attributes),
  isNil: /\snil\s*=\s*["']true["']/.test(attributes),
  text: '',
  children: [],
});

function contentOf({ isArray, isNil, text, children }: Open): XmlValue {
  if (isNil) return null;
  if (isArray) return children.map(([, value]) => value);
  return children.length > 0 ? Object.fromEntries(children) : unescaped(text);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
