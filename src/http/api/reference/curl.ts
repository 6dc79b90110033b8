/** An operation's example as curl commands that run against the demo. */
import type { OperationRoute } from './operation.ts';

/** The service and the key of an example. */
export interface CurlPlace {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The demo's key, or the name of a shell variable. */
  key: string;
}

/** The operation's curl command, after those of the operations whose IDs it needs. */
export function curlOf(route: OperationRoute, routes: readonly OperationRoute[], place: CurlPlace): string {
  return [...preparations(route, routes, place), request(route, place)].join('\n\n');
}

function preparations(
  route: OperationRoute,
  routes: readonly OperationRoute[],
  place: CurlPlace,
  seen = new Set<string>(),
): string[] {
  return (route.example.needs ?? []).flatMap(({ name, operation, field, body, query }) => {
    if (seen.has(name)) return [];
    seen.add(name);
    const source = routes.find(({ id }) => id === operation);
    if (source === undefined) throw new Error(`the example of ${route.id} needs ${operation}, which is no operation`);
    const pick = `sed -n 's/.*"${field.split('.').at(-1)}":"\\([^"]*\\)".*/\\1/p'`;
    const example = { ...source.example, ...(body !== undefined && { body }), ...(query !== undefined && { query }) };
    const filled = { ...source, example };
    return [...preparations(source, routes, place, seen), `${name}=$(${request(filled, place)} | ${pick})`];
  });
}

function request(route: OperationRoute, { baseUrl, key }: CurlPlace): string {
  const { params = {}, query = {}, headers = {}, body, upload } = route.example;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `$${name.toUpperCase()}`);
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const url = `${baseUrl}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`;
  const method = route.method === 'get' || (route.method === 'post' && body !== undefined) ? '' : ` -X ${verb(route)}`;
  const command = curlCommand(`curl -s${method} "${url}"`, key, body, headers);
  if (upload === undefined) return command;
  return [command, `-H "Content-Type: ${upload.type}"`, `--data-binary ${quoted(upload.text)}`].join(' \\\n  ');
}

/** One request. @param start program, method and URL */
export function curlCommand(start: string, key: string, body?: object, headers: Record<string, string> = {}): string {
  const lines = [
    start,
    `-H "Authorization: Bearer ${key}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d ${quoted(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

const verb = ({ method }: OperationRoute) => method.toUpperCase();

/** In single quotes, with variables outside of them. */
function quoted(text: string): string {
  const safe = text.replaceAll("'", `'\\''`).replace(/\$[A-Z][A-Z_0-9]*/g, (variable) => `'"${variable}"'`);
  return `'${safe}'`;
}
