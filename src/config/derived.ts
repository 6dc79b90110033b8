/** Values derived from settings, such as defaults that depend on other settings. */
import type { AccountLimits } from '../domain/account-limits.ts';
import type { SipCredentials } from '../domain/sip-credentials.ts';
import type { TextLimits } from '../domain/texts.ts';
import { parseOwnedNumber, type TransferNumbers } from '../domain/transfer-number.ts';
import { isLoopbackHost } from '../lib/http-client/public-addresses.ts';
import type { Config } from './settings.ts';

/** Whether this is a demo that only its own machine can reach, not even through a proxy. */
export function isOwnMachine(config: Config): boolean {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL } = config;
  const isProxied =
    RINGKEY_TRUSTED_PROXIES.length > 0 || RINGKEY_PUBLIC_URL !== undefined || config.RINGKEY_LINK_URL !== undefined;
  return RINGKEY_DEMO && isLoopbackHost(RINGKEY_HTTP_HOST) && !isProxied;
}

/**
 * Host names, in addition to loopback, that a demo on loopback accepts. Null means every host: a proxy in
 * `RINGKEY_TRUSTED_PROXIES` can use any.
 */
export function allowedHosts(config: Config): string[] | null {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL } = config;
  if (!RINGKEY_DEMO || !isLoopbackHost(RINGKEY_HTTP_HOST) || RINGKEY_TRUSTED_PROXIES.length > 0) return null;
  return [RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]));
}

const SHUTDOWN_DELAY_SECONDS = 5;

/** How long load balancers have to notice a shutdown. 0 on one's own machine, and in a process without REST. */
export function shutdownDelayMs(config: Config): number {
  if (!config.RINGKEY_ROLES.includes('api')) return 0;
  const seconds = config.RINGKEY_SHUTDOWN_DELAY_SECONDS ?? (isOwnMachine(config) ? 0 : SHUTDOWN_DELAY_SECONDS);
  return seconds * 1_000;
}

/** The base URL of the REST service that runs with these settings. */
export function serviceUrl(config: Config): string {
  return `http://${config.RINGKEY_HTTP_HOST}:${config.RINGKEY_HTTP_PORT}`;
}

/** PostgreSQL itself, not a pooler. Undefined means the private server. */
export function directDatabaseUrl(
  config: Pick<Config, 'DATABASE_URL' | 'RINGKEY_DATABASE_DIRECT_URL'>,
): string | undefined {
  return config.RINGKEY_DATABASE_DIRECT_URL ?? config.DATABASE_URL;
}

/** The event sockets of the FreeSWITCH servers that the settings name: each once, and at least one, unless DNS names them. */
export function mediaServersOf(
  config: Pick<Config, 'FREESWITCH_HOST' | 'FREESWITCH_HOSTS' | 'FREESWITCH_PORT' | 'FREESWITCH_SRV'>,
): HostPort[] {
  const { FREESWITCH_HOSTS: hosts, FREESWITCH_SRV: srvName } = config;
  if (srvName !== undefined && hosts.length === 0) return [];
  const servers = hostPortsOf(hosts, config.FREESWITCH_HOST, config.FREESWITCH_PORT);
  const places = servers.map(({ address, port }) => `${address}:${port}`);
  return servers.filter((_, place) => places.indexOf(places[place] ?? '') === place);
}

/** The drachtio-servers: at least one. */
export function sipServersOf(config: Pick<Config, 'DRACHTIO_HOST' | 'DRACHTIO_HOSTS' | 'DRACHTIO_PORT'>): HostPort[] {
  return hostPortsOf(config.DRACHTIO_HOSTS, config.DRACHTIO_HOST, config.DRACHTIO_PORT);
}

interface HostPort {
  address: string;
  port: number;
}

function hostPortsOf(hosts: readonly string[], onlyHost: string, defaultPort: number): HostPort[] {
  return (hosts.length > 0 ? hosts : [onlyHost]).map((host) => {
    const [address = host, port] = host.split(':');
    return { address, port: port === undefined ? defaultPort : Number(port) };
  });
}

/** Whether integrators' URLs of test mode can lead to this machine and its network. */
export function allowsPrivateTargets(config: Config): boolean {
  const setting = config.RINGKEY_PRIVATE_TARGETS;
  return setting === undefined ? isOwnMachine(config) : setting === 'on';
}

/** Whether the dashboard can place test calls, for which a caller on this machine dials the payment line. */
export function allowsTestCalls({ RINGKEY_TEST_CALLS, RINGKEY_ENGINE }: Config): boolean {
  return RINGKEY_TEST_CALLS === undefined ? RINGKEY_ENGINE === 'builtin' : RINGKEY_TEST_CALLS === 'on';
}

const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/** Hosts that every account can use in `return_to`, public or not. */
export function returnAllowedIn(config: Config): string[] {
  const allowed = config.RINGKEY_RETURN_ALLOWED;
  return allowed.length === 0 && isOwnMachine(config) ? LOOPBACK : allowed;
}

export function trunkCredentialsIn(config: Config): SipCredentials | null {
  const { RINGKEY_TRUNK_USERNAME: username, RINGKEY_TRUNK_PASSWORD: password } = config;
  return username === undefined || password === undefined ? null : { username, password };
}

/** The demo's number. Its trunk is the user's own machine, so that callers and softphones there can dial it. */
const DEMO_NUMBER = [parseOwnedNumber('+15550109999=acct_demo:test')].filter((number) => number !== null);
const DEMO_TRUNKS = ['127.0.0.0/8'];

const isOwnDemo = (config: Config) => isOwnMachine(config) && config.RINGKEY_ENGINE === 'builtin';

/** The payment line's own numbers, with their accounts. */
export function transferNumbersIn(config: Config): TransferNumbers {
  const { RINGKEY_TRANSFER_NUMBERS: owned, RINGKEY_TRANSFER_NUMBER: unassigned = null } = config;
  const isUnset = owned.length === 0 && unassigned === null && config.RINGKEY_TRUNKS.length === 0;
  return { owned: isUnset && isOwnDemo(config) ? DEMO_NUMBER : owned, unassigned };
}

/** The addresses of trusted trunks. */
export function trunksIn(config: Config): readonly string[] {
  const trunks = config.RINGKEY_TRUNKS;
  return trunks.length === 0 && isOwnDemo(config) ? DEMO_TRUNKS : trunks;
}

export const accountLimitsOf = (config: Config): AccountLimits => ({
  calls: config.RINGKEY_MAX_CALLS_PER_ACCOUNT,
  lookupsHour: config.RINGKEY_NUMBER_LOOKUPS_PER_HOUR,
  lookupsDay: config.RINGKEY_NUMBER_LOOKUPS_PER_DAY,
  processCalls: config.RINGKEY_MAX_CALLS,
});

const HTTPS_PORT = 443;
const SIPS_PORT = 5061;

/** The service's own addresses whose servers present a certificate: the URLs with https, and the SIP domain with TLS. */
export function tlsPlacesOf(config: Config): { host: string; port: number }[] {
  const { RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL, RINGKEY_SIP_DOMAIN: domain = '' } = config;
  const urls = [RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL].flatMap((url) => (url === undefined ? [] : [new URL(url)]));
  const pages = urls.filter(({ protocol }) => protocol === 'https:').map(({ hostname, port }) => ({ hostname, port }));
  const isSips = config.RINGKEY_SIP_SCHEME === 'sips' || /;transport=tls\b/i.test(domain);
  const [, host, port = ''] = /^(\[[^\]]+\]|[^:;]+)(?::(\d+))?/.exec(domain) ?? [];
  const places = [
    ...pages.map((page) => placeOf(page.hostname, page.port, HTTPS_PORT)),
    ...(isSips && host !== undefined ? [placeOf(host, port, SIPS_PORT)] : []),
  ];
  return [...new Map(places.map((place) => [`${place.host} ${place.port}`, place])).values()];
}

const placeOf = (host: string, port: string, usual: number) => ({
  host: host.replace(/^\[|\]$/g, ''),
  port: port === '' ? usual : Number(port),
});

/** Whether a carrier sends the texts of live mode. Otherwise they are only logged. */
export function hasSmsCarrier(config: Pick<Config, 'RINGKEY_SMS'>): boolean {
  return config.RINGKEY_SMS !== 'log';
}

export function textLimitsOf(config: Config): TextLimits {
  return {
    recipientHour: config.RINGKEY_TEXTS_PER_RECIPIENT_HOUR,
    recipientDay: config.RINGKEY_TEXTS_PER_RECIPIENT_DAY,
    accountHour: config.RINGKEY_TEXTS_PER_ACCOUNT_HOUR,
    accountDay: config.RINGKEY_TEXTS_PER_ACCOUNT_DAY,
  };
}

/** The number lookup service of live mode. */
export function numberLookupOf(
  config: Pick<Config, 'RINGKEY_NUMBER_LOOKUP' | 'RINGKEY_DEMO'>,
): NonNullable<Config['RINGKEY_NUMBER_LOOKUP']> {
  return config.RINGKEY_NUMBER_LOOKUP ?? (config.RINGKEY_DEMO ? 'sandbox' : 'off');
}

/** The operator's OpenID provider for the dashboard; null if none is set. */
export function oidcOf(
  config: Config,
): { issuer: string; clientId: string; clientSecret: string; name: string } | null {
  const { RINGKEY_OIDC_ISSUER: issuer, RINGKEY_OIDC_CLIENT_ID: clientId, RINGKEY_OIDC_NAME: name } = config;
  const clientSecret = config.RINGKEY_OIDC_CLIENT_SECRET;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { issuer, clientId, clientSecret, name };
}
