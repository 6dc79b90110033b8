/** The members of a JSON object as text: for what must be echoed byte for byte, and for names that come twice. */

/** One `"name": value` of an object. */
export interface Member {
  name: string;
  /** The value's text, without the white space around it. */
  text: string;
}

/** What JSON is made of beside numbers, words and white space. A string's `kind` is its quotation mark. */
type Visit = (kind: string, start: number, end: number) => void;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const STRUCTURE = new Set('{}[],:'.split('').map((mark) => mark.charCodeAt(0)));

/** `json` has been parsed: it is valid. By character codes: every body is read so, and an expression makes an object a token. */
function eachToken(json: string, visit: Visit): void {
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOfString(json, start);
      visit('"', start, at + 1);
    } else if (STRUCTURE.has(code)) visit(json.charAt(at), at, at + 1);
  }
}

/** Where the string that begins at `start` has its last quotation mark. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  throw new Error('a string without an end: this text was never parsed');
}

/** The string that stands there, quotation marks included. */
function stringAt(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(json.slice(start, end)) as string) : text;
}

/** The members of the object in `json`, in their order, repeated ones included. `json` has been parsed: it is valid. */
export function jsonMembers(json: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let name: string | null = null;
  let valueStart = 0;
  eachToken(json, (kind, start, end) => {
    const isEnd = depth === 1 && (kind === ',' || kind === '}');
    if (isEnd && name !== null) {
      members.push({ name, text: json.slice(valueStart, start).trim() });
      name = null;
    } else if (depth === 1 && name === null && kind === '"') {
      name = stringAt(json, start, end);
    } else if (depth === 1 && kind === ':') {
      valueStart = end;
    }
    if (kind === '{' || kind === '[') depth += 1;
    if (kind === '}' || kind === ']') depth -= 1;
  });
  return members;
}

/** An object or a list that the reader is inside of. */
interface Frame {
  /** Null for a list. */
  names: Set<string> | null;
  /** Of the member or element that is being read. */
  at: string | number;
  isName: boolean;
}

/** Far more than any of our requests has. */
const MAX_DEPTH = 32;

/** What is wrong with valid JSON, and where. */
export interface JsonFault {
  kind: 'repeated' | 'deep';
  /** Names and places of a list, from the outside. */
  path: string[];
}

/**
 * A name that is given twice in one object, at any depth: JSON leaves open which of them counts (RFC 8259, 4); or a value
 * nested deeper than {@link MAX_DEPTH}. Null where there is neither. `json` has been parsed: it is valid.
 */
export function jsonFault(json: string): JsonFault | null {
  const frames: Frame[] = [];
  let fault: JsonFault | null = null;
  eachToken(json, (kind, start, end) => {
    const frame = frames.at(-1);
    if (fault !== null) return;
    if (frames.length > MAX_DEPTH) fault = { kind: 'deep', path: [pathOf(frames)[0] ?? ''] };
    else if (kind === '{') frames.push({ names: new Set(), at: '', isName: true });
    else if (kind === '[') frames.push({ names: null, at: 0, isName: false });
    else if (kind === '}' || kind === ']') frames.pop();
    else if (frame === undefined) return;
    else if (kind === ',') nextIn(frame);
    else if (kind === ':') frame.isName = false;
    else if (frame.isName && !isNew(frame, stringAt(json, start, end)))
      fault = { kind: 'repeated', path: pathOf(frames) };
  });
  return fault;
}

function pathOf(frames: readonly Frame[]): string[] {
  return frames.map(({ at }) => String(at));
}

function nextIn(frame: Frame): void {
  if (frame.names !== null) frame.isName = true;
  else frame.at = Number(frame.at) + 1;
}

function isNew(frame: Frame, name: string): boolean {
  frame.at = name;
  if (frame.names?.has(name) !== false) return false;
  frame.names.add(name);
  return true;
}
