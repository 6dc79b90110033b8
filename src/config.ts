/** The settings: environment variables, read here and nowhere else. All that is wrong with them is told at once, at the start. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isAddressRange, isWithinRanges } from './domain/address-range.ts';
import { parseCountry, parseE164 } from './domain/phone-number.ts';
import { RETURN_MODES } from './domain/session.ts';
import { parseReturnCredentials, type ReturnCredentials, type SipCredentials } from './domain/sip-credentials.ts';
import { parseOwnedNumber, type TransferNumbers } from './domain/transfer-number.ts';
import { isLoopbackHost } from './outgoing-http/public-addresses.ts';
import { CannotStart } from './start-error.ts';
import { KEY_BYTES } from './vault/vault.ts';

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(fallback)
    .transform((value) => value === 'on');
const HOST_PORT = /^[\w.-]+(?::\d{1,5})?$/;
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

function isPortRange(text: string): boolean {
  const [, first, last] = (/^(\d+)-(\d+)$/.exec(text) ?? []).map(Number);
  return first !== undefined && last !== undefined && first >= 1 && first < last && last <= 65_535;
}

/** Scheme, host and port alone. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;
}

/** Base64 (or its URL-safe form) of {@link KEY_BYTES} bytes each, comma-separated. No message shows a key. */
const encryptionKeys = list
  .transform((items) => items.map((item) => Buffer.from(item, 'base64')))
  .refine((keys) => keys.every((key) => key.length === KEY_BYTES), 'keys of 32 bytes each, in base64');

const isPublicKey = (text: string) => Buffer.from(text, 'base64').length === 32;

const addressRanges = list.refine((items) => items.every(isAddressRange), 'addresses or CIDR blocks');

/** No message shows one. */
const returnCredentials = list
  .transform((items) => items.map(parseReturnCredentials))
  .refine((items) => items.every((item) => item !== null), 'entries host=user:password, or acct_…@host=user:password')
  .transform((items) => items.filter((item): item is ReturnCredentials => item !== null));
const transferNumbers = list
  .transform((items) => items.map(parseOwnedNumber))
  .refine((numbers) => !numbers.includes(null), 'numbers with their account and mode, +15550109999=acct_x:live')
  .transform((numbers) => numbers.filter((number) => number !== null))
  .refine(
    (numbers) => new Set(numbers.map(({ number }) => number)).size === numbers.length,
    'a number belongs to one account and mode',
  );

const ROLES = ['phone', 'api', 'worker'] as const;

/** What the daemons' own packages come with, known to everybody. */
const DEFAULT_SECRETS = { DRACHTIO_SECRET: 'cymru', FREESWITCH_SECRET: 'ClueCon' } as const;

const schema = z.object({
  RINGKEY_ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES)).min(1)),
  /** The folder for the private servers' data and rendered speech. */
  RINGKEY_HOME: z
    .string()
    .default('.ringkey')
    .transform((path) => resolve(path)),
  RINGKEY_INSTANCE: z.string().min(1).max(100).default(hostname()),
  RINGKEY_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  RINGKEY_DEMO: onOff('off'),
  /** Whether URLs of test mode may lead to loopback and private addresses; where unset, {@link isOwnMachine} decides. */
  RINGKEY_PRIVATE_TARGETS: z.enum(['on', 'off']).optional(),

  RINGKEY_HTTP_HOST: z.string().default('127.0.0.1'),
  RINGKEY_HTTP_PORT: port(8080),
  RINGKEY_DOCS_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Whose `X-Forwarded-For` is believed. */
  RINGKEY_TRUSTED_PROXIES: addressRanges,
  /** Who may read `/metrics`; loopback and private networks where empty. */
  RINGKEY_METRICS_FROM: addressRanges,

  /** `off`: no saved card is offered or charged, whatever screening says. */
  RINGKEY_SAVED_CARDS: onOff('on'),
  /** Who is asked of callers' numbers in live mode; test mode asks the sandbox, unless `off`. See {@link numberLookupOf}. */
  RINGKEY_NUMBER_LOOKUP: z.enum(['off', 'sandbox', 'telnyx', 'twilio']).optional(),
  /** What a look-up may take; then it is a note. No request waits so long. */
  RINGKEY_NUMBER_LOOKUP_SECONDS: z.coerce.number().int().min(1).max(30).default(3),

  /** Days after which sessions are deleted, or cleared of all but the money where they have a charge; 0: never. */
  RINGKEY_REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(400).default(30),
  RINGKEY_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(400),

  /** For processor credentials, signing secrets and card handles; the first one encrypts, all decrypt. */
  RINGKEY_ENCRYPTION_KEYS: encryptionKeys,

  /** The carrier of texts in live mode; `log` sends none. Those of test mode always go to the log. */
  RINGKEY_SMS: z.enum(['log', 'twilio', 'telnyx']).default('log'),
  /** E.164 number, or another sender that the carrier takes. */
  RINGKEY_SMS_FROM: z.string().optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TELNYX_API_KEY: z.string().optional(),
  /** Ed25519; checks the signature of Telnyx' webhooks. */
  TELNYX_PUBLIC_KEY: z.string().refine(isPublicKey, 'base64 of 32 bytes').optional(),
  /** Base of the HTTP surface as others reach it: the signatures of SMS carriers cover it. */
  RINGKEY_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),

  /** What pay links begin with: the address at which callers' browsers reach us. See {@link linkBaseOf}. */
  RINGKEY_LINK_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'scheme, host and port alone')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),

  /** An OpenID provider that users may sign in to the dashboard with: all three, or none. */
  RINGKEY_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  RINGKEY_OIDC_CLIENT_ID: z.string().optional(),
  RINGKEY_OIDC_CLIENT_SECRET: z.string().optional(),
  /** On the button: `Sign in with …`. */
  RINGKEY_OIDC_NAME: z.string().max(40).default('single sign-on'),

  /** A file: Apple Pay's domain association, as the merchants' processor publishes it. Served for Apple to find. */
  RINGKEY_APPLE_PAY_ASSOCIATION: z.string().optional(),

  /** For the commands that ask a running service. No argument of a command: other users of the machine can read those. */
  RINGKEY_API_KEY: z
    .string()
    .regex(/^rk_(test|live)_[A-Za-z0-9_-]+$/, 'an API key, rk_test_… or rk_live_…')
    .optional(),

  /** Outside servers; where they are not set, private ones are started. */
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  RINGKEY_POSTGRES_PORT: port(5480),
  RINGKEY_REDIS_PORT: port(6480),

  /** `builtin` starts the softswitch beside the app; `external` uses the daemons named below. */
  RINGKEY_ENGINE: z.enum(['builtin', 'external']).default('builtin'),
  RINGKEY_SIP_HOST: z.string().default('127.0.0.1'),
  RINGKEY_SIP_PORT: port(5060),
  RINGKEY_RTP_PORTS: z
    .string()
    .refine(isPortRange, 'two ports, the lower one first, e.g. 20000-29999')
    .default('20000-29999'),
  /** Whether callers' audio may be encrypted (SRTP, SDES), or must be. The built-in engine takes plain audio only. */
  RINGKEY_SRTP: z.enum(['forbidden', 'optional', 'required']).default('forbidden'),
  /** Scheme of `transfer_to`; `sips` needs a SIP server that has a certificate. */
  RINGKEY_SIP_SCHEME: z.enum(['sip', 'sips']).default('sip'),
  /** Host (and port, where not 5060, and `;transport=tls`) in `transfer_to`; by default the SIP address we listen on. */
  RINGKEY_SIP_DOMAIN: z.string().optional(),
  /** Whose calls to a number are believed: the calling number finds the session. */
  RINGKEY_TRUNKS: addressRanges,
  /** Those of them whose callers dial us themselves: what they say of a call's attestation counts. See {@link strangeDirectTrunks}. */
  RINGKEY_DIRECT_TRUNKS: addressRanges,
  /** A file of the authorities, in PEM, whose signatures in Identity headers are checked on calls of direct trunks; see app/stir.ts. */
  RINGKEY_STIR_ROOTS: z.string().optional(),
  /** Country of the trunks that write national numbers, two letters; by default numbers have their country code. */
  RINGKEY_TRUNK_COUNTRY: z
    .string()
    .transform(parseCountry)
    .refine((country) => country !== null, 'a country, as US or GB')
    .optional(),
  /** Host of the trunk that takes calls to numbers, e.g. `trunk.example.com`. */
  RINGKEY_TRUNK_TARGET: z.string().optional(),
  /** With which we answer a 401 or 407 of that trunk: both or neither. */
  RINGKEY_TRUNK_USERNAME: z
    .string()
    .regex(/^[^":\\\s]+$/, 'a user name without spaces, quotes and colons')
    .optional(),
  RINGKEY_TRUNK_PASSWORD: z.string().optional(),
  /** Numbers of the payment line, each with the account and mode that it belongs to: `+15550109999=acct_x:live`. */
  RINGKEY_TRANSFER_NUMBERS: transferNumbers,
  /** A number of the payment line in an installation with one account; see {@link transferNumbersIn}. */
  RINGKEY_TRANSFER_NUMBER: z
    .string()
    .transform(parseE164)
    .refine((number) => number !== null, 'a phone number in E.164')
    .optional(),
  /** What a caller without a waiting session gets at such a number: a SIP 404, or an answer that says so. */
  RINGKEY_NUMBER_UNKNOWN: z.enum(['reject', 'speak']).default('reject'),
  /** Hosts, addresses and CIDR blocks that `return_to` of every account may lead to; see {@link returnAllowedIn}. */
  RINGKEY_RETURN_ALLOWED: list.refine(
    (items) => items.every((item) => isAddressRange(item) || /^(\*\.)?[a-z0-9.-]+$/i.test(item)),
    'host names, addresses or CIDR blocks',
  ),
  /** With which we answer a 401 or 407 of hosts in `return_to`: `host=user:password`, for one account `acct_…@host=user:password`. */
  RINGKEY_RETURN_CREDENTIALS: returnCredentials,
  RINGKEY_RETURN_MODE: z.enum(RETURN_MODES).default('auto'),
  /** From a signal to stop until the listener closes: `/readyz` is 503 meanwhile. See {@link shutdownDelayMs}. */
  RINGKEY_SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
  RINGKEY_DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
  RINGKEY_MAX_CALLS: z.coerce.number().int().min(1).max(10_000).default(500),
  /** Live calls of one account, over all processes. */
  RINGKEY_MAX_CALLS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100_000).default(100),
  /** How long a caller and an agent may talk over our bridge. */
  RINGKEY_MAX_BRIDGE_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),

  DRACHTIO_HOST: z.string().default('127.0.0.1'),
  DRACHTIO_PORT: port(9022),
  DRACHTIO_SECRET: z.string().default(DEFAULT_SECRETS.DRACHTIO_SECRET),
  FREESWITCH_HOST: z.string().default('127.0.0.1'),
  FREESWITCH_PORT: port(8021),
  /** Several, instead of FREESWITCH_HOST: `host` or `host:port`. */
  FREESWITCH_HOSTS: list.refine((items) => items.every((item) => HOST_PORT.test(item)), 'hosts, or host:port'),
  FREESWITCH_SECRET: z.string().default(DEFAULT_SECRETS.FREESWITCH_SECRET),
  /** Where FreeSWITCH dials back for the outbound event socket. */
  FREESWITCH_LISTEN_ADDRESS: z.string().default('127.0.0.1'),
  FREESWITCH_LISTEN_PORT: port(0),
  FREESWITCH_ADVERTISED_ADDRESS: z.string().optional(),

  /** Whether the dashboard places test calls; where unset, {@link allowsTestCalls} decides. */
  RINGKEY_TEST_CALLS: z.enum(['on', 'off']).optional(),

  /** Rendered prompts; the media server must see the same files. */
  RINGKEY_MEDIA_DIR: z.string().optional(),
  /** Never more than this of rendered sentences on disk, in MiB. */
  RINGKEY_SPEECH_CACHE_MB: z.coerce.number().int().min(10).max(1_000_000).default(1_024),
  /** New speech of one account in an hour; beyond it recordings stand in. */
  RINGKEY_SPEECH_ACCOUNT_MB: z.coerce.number().int().min(1).max(1_000_000).default(100),
  /** Speaks where no voice is named; `none`: recordings only. Merchants' voices may name all that have what they need below. */
  RINGKEY_SYNTHESIZER: z.enum(['espeak-ng', 'openai', 'google', 'polly', 'elevenlabs', 'none']).default('espeak-ng'),
  RINGKEY_VOICE: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  /** Base URL, up to `/v1`, of a server that speaks as OpenAI's does; `openai` is then that one. */
  RINGKEY_TTS_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  RINGKEY_TTS_MODEL: z.string().default('gpt-4o-mini-tts'),
  GOOGLE_TTS_API_KEY: z.string().optional(),
  ELEVENLABS_API_KEY: z.string().optional(),
  /** Where Amazon Polly is; without the keys the machine's own credentials are used, such as its role. */
  RINGKEY_POLLY_REGION: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as us-east-1')
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
});

export type Config = z.infer<typeof schema>;

/** Whether this is a demo on its user's own machine, which cannot be reached from outside, not even through a proxy. */
export function isOwnMachine(config: Config): boolean {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL } = config;
  const isProxied =
    RINGKEY_TRUSTED_PROXIES.length > 0 || RINGKEY_PUBLIC_URL !== undefined || config.RINGKEY_LINK_URL !== undefined;
  return RINGKEY_DEMO && isLoopbackHost(RINGKEY_HTTP_HOST) && !isProxied;
}

/** Hosts that a demo on loopback answers beside loopback; null: every host, for a proxy that the settings name may use any. */
export function allowedHosts(config: Config): string[] | null {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL } = config;
  if (!RINGKEY_DEMO || !isLoopbackHost(RINGKEY_HTTP_HOST) || RINGKEY_TRUSTED_PROXIES.length > 0) return null;
  return [RINGKEY_PUBLIC_URL, RINGKEY_LINK_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]));
}

const SHUTDOWN_DELAY_SECONDS = 5;

/** How long a load balancer has to see that a process stops; none on one's own machine, nor where no REST is served. */
export function shutdownDelayMs(config: Config): number {
  if (!config.RINGKEY_ROLES.includes('api')) return 0;
  const seconds = config.RINGKEY_SHUTDOWN_DELAY_SECONDS ?? (isOwnMachine(config) ? 0 : SHUTDOWN_DELAY_SECONDS);
  return seconds * 1_000;
}

/** Base of the REST of a service that runs with these settings, for the commands that ask one. */
export function serviceUrl(config: Config): string {
  return `http://${config.RINGKEY_HTTP_HOST}:${config.RINGKEY_HTTP_PORT}`;
}

/** Where the FreeSWITCH servers' event sockets are: at least one. */
export function mediaServersOf(
  config: Pick<Config, 'FREESWITCH_HOST' | 'FREESWITCH_HOSTS' | 'FREESWITCH_PORT'>,
): { address: string; port: number }[] {
  const hosts = config.FREESWITCH_HOSTS.length > 0 ? config.FREESWITCH_HOSTS : [config.FREESWITCH_HOST];
  return hosts.map((host) => {
    const [address = host, port] = host.split(':');
    return { address, port: port === undefined ? config.FREESWITCH_PORT : Number(port) };
  });
}

/** Whether integrators' URLs of test mode may lead to this machine and its network. */
export function allowsPrivateTargets(config: Config): boolean {
  const setting = config.RINGKEY_PRIVATE_TARGETS;
  return setting === undefined ? isOwnMachine(config) : setting === 'on';
}

/** Whether a caller on this machine may dial the payment line for the dashboard's test calls: with the built-in engine it can. */
export function allowsTestCalls({ RINGKEY_TEST_CALLS, RINGKEY_ENGINE }: Config): boolean {
  return RINGKEY_TEST_CALLS === undefined ? RINGKEY_ENGINE === 'builtin' : RINGKEY_TEST_CALLS === 'on';
}

const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/** What every account may put into `return_to`, although it is not public: in a demo on its user's own machine that machine. */
export function returnAllowedIn(config: Config): string[] {
  const allowed = config.RINGKEY_RETURN_ALLOWED;
  return allowed.length === 0 && isOwnMachine(config) ? LOOPBACK : allowed;
}

export function trunkCredentialsIn(config: Config): SipCredentials | null {
  const { RINGKEY_TRUNK_USERNAME: username, RINGKEY_TRUNK_PASSWORD: password } = config;
  return username === undefined || password === undefined ? null : { username, password };
}

/** The payment line's own numbers, and whose they are. */
export function transferNumbersIn(config: Config): TransferNumbers {
  return { owned: config.RINGKEY_TRANSFER_NUMBERS, unassigned: config.RINGKEY_TRANSFER_NUMBER ?? null };
}

/**
 * To be called where calls are to be taken: whoever knows the secret of a daemon can take calls over.
 * @throws ConfigError with the settings that are missing
 */
export function requireEngineSecrets(config: Config): void {
  const isOurs = config.RINGKEY_ENGINE === 'builtin' || !config.RINGKEY_ROLES.includes('phone');
  if (isOurs || config.RINGKEY_DEMO) return;
  const names = Object.keys(DEFAULT_SECRETS) as (keyof typeof DEFAULT_SECRETS)[];
  const problems = names
    .filter((name) => config[name] === DEFAULT_SECRETS[name])
    .map(
      (name) => `${name}: "${DEFAULT_SECRETS[name]}" is known to everybody: set another one, here and at the daemon`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Where programs and libraries are, and how texts are written. */
const OF_CHILDREN = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'LD_LIBRARY_PATH', 'ESPEAK_DATA_PATH'],
];

/** Whether the environment says where the service listens: a default does not. */
export function isServiceAddressSet(environment: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(environment.RINGKEY_HTTP_HOST || environment.RINGKEY_HTTP_PORT);
}

/** What child processes get of our environment: none of the settings, no secret, whoever's it is. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const given = OF_CHILDREN.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape);

/** Settings that cannot be used: `problems` has one line for each. */
export class ConfigError extends CannotStart {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`These settings cannot be used:\n  ${problems.join('\n  ')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the settings. An empty variable counts as unset. @throws ConfigError with every problem. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(set);
  const problems = parsed.success
    ? [
        ...missingForSms(parsed.data),
        ...missingForLookup(parsed.data),
        ...missingForTrunk(parsed.data),
        ...missingForOidc(parsed.data),
        ...strangeDirectTrunks(parsed.data),
        ...missingForSpeech(parsed.data),
        ...beyondBuiltInEngine(parsed.data),
      ]
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError(problems);
}

/** The built-in engine encrypts nothing: what asks it to must not seem to work. */
function beyondBuiltInEngine(config: Config): string[] {
  if (config.RINGKEY_ENGINE === 'external') return [];
  const onlyExternal = 'the built-in engine has no encryption, this needs RINGKEY_ENGINE=external';
  const isTls = config.RINGKEY_SIP_SCHEME === 'sips' || /;transport=tls/i.test(config.RINGKEY_SIP_DOMAIN ?? '');
  return [
    ...(config.RINGKEY_SRTP === 'forbidden' ? [] : [`RINGKEY_SRTP: ${onlyExternal}`]),
    ...(isTls ? [`RINGKEY_SIP_SCHEME, RINGKEY_SIP_DOMAIN: ${onlyExternal}`] : []),
  ];
}

const SMS_NEEDS = {
  log: [],
  twilio: ['RINGKEY_SMS_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'RINGKEY_PUBLIC_URL'],
  telnyx: ['RINGKEY_SMS_FROM', 'TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY'],
} as const;

/** Whether a carrier takes the texts of live mode; else they go to the log only. */
export function hasSmsCarrier(config: Pick<Config, 'RINGKEY_SMS'>): boolean {
  return config.RINGKEY_SMS !== 'log';
}

/** Which number look-up there is: the sandbox's in a demo, none elsewhere, unless one is set. */
export function numberLookupOf(
  config: Pick<Config, 'RINGKEY_NUMBER_LOOKUP' | 'RINGKEY_DEMO'>,
): NonNullable<Config['RINGKEY_NUMBER_LOOKUP']> {
  return config.RINGKEY_NUMBER_LOOKUP ?? (config.RINGKEY_DEMO ? 'sandbox' : 'off');
}

const LOOKUP_NEEDS = {
  ...{ off: [], sandbox: [] },
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  telnyx: ['TELNYX_API_KEY'],
} as const;

/** The settings that the vendor of `RINGKEY_NUMBER_LOOKUP` needs and that are not set. */
function missingForLookup(config: Config): string[] {
  const vendor = numberLookupOf(config);
  const missing = LOOKUP_NEEDS[vendor].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name}: needed with RINGKEY_NUMBER_LOOKUP=${vendor}`);
}

/** The settings that the carrier of `RINGKEY_SMS` needs and that are not set. */
function missingForSms(config: Config): string[] {
  const missing = SMS_NEEDS[config.RINGKEY_SMS].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name}: needed with RINGKEY_SMS=${config.RINGKEY_SMS}`);
}

/** The settings of which a synthesizer needs one. */
const SYNTHESIZER_NEEDS = {
  ...{ none: [], 'espeak-ng': [] },
  openai: ['OPENAI_API_KEY', 'RINGKEY_TTS_URL'],
  google: ['GOOGLE_TTS_API_KEY'],
  polly: ['RINGKEY_POLLY_REGION'],
  elevenlabs: ['ELEVENLABS_API_KEY'],
} as const;

function missingForSpeech(config: Config): string[] {
  const chosen = config.RINGKEY_SYNTHESIZER;
  const needs = SYNTHESIZER_NEEDS[chosen];
  const isMissing = needs.length > 0 && needs.every((name) => config[name] === undefined);
  const keys = [config.AWS_ACCESS_KEY_ID, config.AWS_SECRET_ACCESS_KEY];
  const isHalf = config.RINGKEY_POLLY_REGION !== undefined && new Set(keys.map((key) => key === undefined)).size > 1;
  return [
    ...(isMissing ? [`${needs.join(' or ')}: needed with RINGKEY_SYNTHESIZER=${chosen}`] : []),
    ...(isHalf ? ['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: both or neither'] : []),
  ];
}

const TRUNK_CREDENTIALS = ['RINGKEY_TRUNK_USERNAME', 'RINGKEY_TRUNK_PASSWORD'] as const;

function missingForTrunk(config: Config): string[] {
  const missing = TRUNK_CREDENTIALS.filter((name) => config[name] === undefined);
  return missing.length === 1 ? missing.map((name) => `${name}: the other half of the trunk's credentials is set`) : [];
}

/** Calls of others are never taken by number: a range that is no trunk's would silently count for nothing. */
function strangeDirectTrunks(config: Config): string[] {
  const strange = config.RINGKEY_DIRECT_TRUNKS.filter((range) => !isWithinRanges(range, config.RINGKEY_TRUNKS));
  const hasRootsForNobody = config.RINGKEY_STIR_ROOTS !== undefined && config.RINGKEY_DIRECT_TRUNKS.length === 0;
  return [
    ...strange.map((range) => `RINGKEY_DIRECT_TRUNKS: ${range} is not among RINGKEY_TRUNKS`),
    ...(hasRootsForNobody ? ['RINGKEY_DIRECT_TRUNKS: needed with RINGKEY_STIR_ROOTS'] : []),
  ];
}

/** The operator's OpenID provider for the dashboard; null where none is set. */
export function oidcOf(
  config: Config,
): { issuer: string; clientId: string; clientSecret: string; name: string } | null {
  const { RINGKEY_OIDC_ISSUER: issuer, RINGKEY_OIDC_CLIENT_ID: clientId, RINGKEY_OIDC_NAME: name } = config;
  const clientSecret = config.RINGKEY_OIDC_CLIENT_SECRET;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { issuer, clientId, clientSecret, name };
}

const OIDC_SETTINGS = ['RINGKEY_OIDC_ISSUER', 'RINGKEY_OIDC_CLIENT_ID', 'RINGKEY_OIDC_CLIENT_SECRET'] as const;

function missingForOidc(config: Config): string[] {
  const missing = OIDC_SETTINGS.filter((name) => config[name] === undefined);
  if (missing.length === OIDC_SETTINGS.length) return [];
  const issuer = config.RINGKEY_OIDC_ISSUER;
  const isPlain =
    issuer !== undefined && new URL(issuer).protocol === 'http:' && !isLoopbackHost(new URL(issuer).hostname);
  return [
    ...missing.map((name) => `${name}: needed with the other settings of the OpenID provider`),
    ...(isPlain ? ['RINGKEY_OIDC_ISSUER: https, or http on this machine'] : []),
    ...(config.RINGKEY_PUBLIC_URL === undefined && !config.RINGKEY_DEMO
      ? ['RINGKEY_PUBLIC_URL: needed with an OpenID provider, which sends users back to it']
      : []),
  ];
}
