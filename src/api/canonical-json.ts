/** One text for all ways to write the same JSON value: members sorted, no white space. */

const MAX_DEPTH = 50;

/** Null for a value nested too deep to be one of our requests. */
export function canonicalJson(value: unknown, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'none';
  const isList = Array.isArray(value);
  const parts: string[] = [];
  for (const [name, member] of isList ? value.entries() : membersOf(value)) {
    const text = canonicalJson(member, depth + 1);
    if (text === null) return null;
    parts.push(isList ? text : `${JSON.stringify(name)}:${text}`);
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** By UTF-16 code units, as RFC 8785 (3.2.3) sorts. */
function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
