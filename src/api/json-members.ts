/** The members of a JSON object as text: for what must be echoed byte for byte, and for names that come twice. */

export interface Member {
  name: string;
  /** The value's text, without the white space around it. */
  text: string;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** The members of the object in `json`, in their order, repeated ones included. `json` has been parsed: it is valid. */
export function jsonMembers(json: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let name: string | null = null;
  let valueStart = 0;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    const isEnd = depth === 1 && (token === ',' || token === '}');
    if (isEnd && name !== null) {
      members.push({ name, text: json.slice(valueStart, index).trim() });
      name = null;
    } else if (depth === 1 && name === null && token.startsWith('"')) {
      name = JSON.parse(token) as string;
    } else if (depth === 1 && token === ':') {
      valueStart = index + 1;
    }
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
  }
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
  for (const [token] of json.matchAll(TOKENS)) {
    const frame = frames.at(-1);
    if (frames.length > MAX_DEPTH) return { kind: 'deep', path: [pathOf(frames)[0] ?? ''] };
    if (token === '{') frames.push({ names: new Set(), at: '', isName: true });
    else if (token === '[') frames.push({ names: null, at: 0, isName: false });
    else if (token === '}' || token === ']') frames.pop();
    else if (frame === undefined) return null;
    else if (token === ',') nextIn(frame);
    else if (token === ':') frame.isName = false;
    else if (frame.isName && !isNew(frame, JSON.parse(token) as string))
      return { kind: 'repeated', path: pathOf(frames) };
  }
  return null;
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
