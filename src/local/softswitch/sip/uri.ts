/** SIP URIs, name-addr headers and Via (RFC 3261 19.1, 20.10, 20.42), read tolerantly and in linear time. */
import { isIP } from 'node:net';

/** Parameter names are in lower case; a parameter without a value is an empty string. */
export interface SipUri {
  scheme: 'sip' | 'sips';
  user?: string;
  /** Without the brackets of an IPv6 literal. */
  host: string;
  port?: number;
  params: Record<string, string>;
  /** The part after `?`, undecoded. */
  headers?: string;
}

/** `"display" <uri>;params`: the parameters are the header's, not the URI's. */
interface NameAddr {
  display?: string;
  uri: string;
  params: Record<string, string>;
}

/** One Via value: the sender and its transport, in lower case. */
interface Via {
  transport: string;
  host: string;
  port?: number;
  params: Record<string, string>;
}

/** Undefined if the text is no sip: or sips: URI. */
export function parseSipUri(text: string): SipUri | undefined {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, Math.max(0, colon)).toLowerCase();
  if (scheme !== 'sip' && scheme !== 'sips') return undefined;
  const question = text.indexOf('?', colon);
  const beforeHeaders = text.slice(colon + 1, question < 0 ? undefined : question);
  const at = beforeHeaders.lastIndexOf('@');
  const [hostport = '', ...params] = beforeHeaders.slice(at + 1).split(';');
  const place = parseHostPort(hostport);
  if (!place) return undefined;
  const user = at < 0 ? undefined : (beforeHeaders.slice(0, at).split(':')[0] ?? '');
  return {
    scheme,
    ...(user === undefined ? {} : { user }),
    ...place,
    params: toParams(params),
    ...(question < 0 ? {} : { headers: text.slice(question + 1) }),
  };
}

function parseHostPort(text: string): { host: string; port?: number } | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))\s*(?::\s*(\d{1,5}))?$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  if (host === undefined) return undefined;
  const port = match?.[3] === undefined ? undefined : Number(match[3]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return port === undefined ? { host } : { host, port };
}

function toParams(parts: string[]): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name !== '') params[name] = equals < 0 ? '' : part.slice(equals + 1).trim();
  }
  return params;
}

/** From, To, Contact, Route, Refer-To …: one address with its header parameters. */
export function parseNameAddr(value: string): NameAddr | undefined {
  const open = indexOutsideQuotes(value, '<');
  if (open < 0) {
    const [uri = '', ...params] = value.split(';');
    return uri.trim() === '' ? undefined : { uri: uri.trim(), params: toParams(params) };
  }
  const close = value.indexOf('>', open);
  if (close < 0) return undefined;
  const display = value.slice(0, open).trim();
  const params = toParams(value.slice(close + 1).split(';'));
  return { ...(display === '' ? {} : { display }), uri: value.slice(open + 1, close).trim(), params };
}

function indexOutsideQuotes(value: string, wanted: string): number {
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    if (quoted && value[at] === '\\') at++;
    else if (value[at] === '"') quoted = !quoted;
    else if (!quoted && value[at] === wanted) return at;
  }
  return -1;
}

/** The tag of a From or To value; undefined if it has none. */
export function tagOf(value: string | undefined): string | undefined {
  const tag = value === undefined ? undefined : parseNameAddr(value)?.params.tag;
  return tag === '' ? undefined : tag;
}

/** A From or To value without its header parameters, in brackets so that parameters can follow. */
export function withoutParams(value: string): string {
  const address = parseNameAddr(value);
  if (!address) return value;
  return address.display === undefined ? `<${address.uri}>` : `${address.display} <${address.uri}>`;
}

/** Undefined if the value is no Via of SIP/2.0. */
export function parseVia(value: string): Via | undefined {
  const [head = '', ...params] = value.split(';');
  const match = /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z]+)\s+(\S.*)$/i.exec(head.trim());
  const place = match?.[2] === undefined ? undefined : parseHostPort(match[2]);
  if (!match?.[1] || !place) return undefined;
  return { transport: match[1].toLowerCase(), ...place, params: toParams(params) };
}

/** Puts IPv6 literals in brackets. */
export function hostInUri(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
