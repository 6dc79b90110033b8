/** The settings: environment variables, read here and nowhere else. All that is wrong with them is told at once, at the start. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isAddressRange } from './domain/address-range.ts';
import { RETURN_MODES } from './domain/session.ts';
import { isLoopbackHost } from './outgoing-http/public-addresses.ts';
import { KEY_BYTES } from './vault/vault.ts';
import { CannotStart } from './start-error.ts';

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

/** Base64 (or its URL-safe form) of {@link KEY_BYTES} bytes each, comma-separated. No message shows a key. */
const encryptionKeys = list
  .transform((items) => items.map((item) => Buffer.from(item, 'base64')))
  .refine((keys) => keys.every((key) => key.length === KEY_BYTES), 'keys of 32 bytes each, in base64');

const isPublicKey = (text: string) => Buffer.from(text, 'base64').length === 32;

const addressRanges = list.refine((items) => items.every(isAddressRange), 'addresses or CIDR blocks');

const ROLES = ['phone', 'api', 'worker'] as const;

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
  /** Host (and port, where not 5060) in `transfer_to`; by default the SIP address we listen on. */
  RINGKEY_SIP_DOMAIN: z.string().optional(),
  /** Whose calls to a number are believed: the calling number finds the session. */
  RINGKEY_TRUNKS: addressRanges,
  /** Host of the trunk that takes calls to numbers, e.g. `trunk.example.com`. */
  RINGKEY_TRUNK_TARGET: z.string().optional(),
  RINGKEY_TRANSFER_NUMBER: z.string().optional(),
  RINGKEY_RETURN_MODE: z.enum(RETURN_MODES).default('auto'),
  RINGKEY_DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
  RINGKEY_MAX_CALLS: z.coerce.number().int().min(1).max(10_000).default(500),

  DRACHTIO_HOST: z.string().default('127.0.0.1'),
  DRACHTIO_PORT: port(9022),
  DRACHTIO_SECRET: z.string().default('cymru'),
  FREESWITCH_HOST: z.string().default('127.0.0.1'),
  FREESWITCH_PORT: port(8021),
  /** Several, instead of FREESWITCH_HOST: `host` or `host:port`. */
  FREESWITCH_HOSTS: list.refine((items) => items.every((item) => HOST_PORT.test(item)), 'hosts, or host:port'),
  FREESWITCH_SECRET: z.string().default('ClueCon'),
  /** Where FreeSWITCH dials back for the outbound event socket. */
  FREESWITCH_LISTEN_ADDRESS: z.string().default('127.0.0.1'),
  FREESWITCH_LISTEN_PORT: port(0),
  FREESWITCH_ADVERTISED_ADDRESS: z.string().optional(),

  /** Rendered prompts; the media server must see the same files. */
  RINGKEY_MEDIA_DIR: z.string().optional(),
  RINGKEY_SYNTHESIZER: z.enum(['espeak-ng', 'none']).default('espeak-ng'),
  RINGKEY_VOICE: z.string().optional(),
});

export type Config = z.infer<typeof schema>;

/** Whether this is a demo on its user's own machine, which cannot be reached from outside, not even through a proxy. */
export function isOwnMachine(config: Config): boolean {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL } = config;
  const isProxied = RINGKEY_TRUSTED_PROXIES.length > 0 || RINGKEY_PUBLIC_URL !== undefined;
  return RINGKEY_DEMO && isLoopbackHost(RINGKEY_HTTP_HOST) && !isProxied;
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
    ? missingForSms(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError(problems);
}

const SMS_NEEDS = {
  log: [],
  twilio: ['RINGKEY_SMS_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'RINGKEY_PUBLIC_URL'],
  telnyx: ['RINGKEY_SMS_FROM', 'TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY'],
} as const;

/** The settings that the carrier of `RINGKEY_SMS` needs and that are not set. */
function missingForSms(config: Config): string[] {
  const missing = SMS_NEEDS[config.RINGKEY_SMS].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name}: needed with RINGKEY_SMS=${config.RINGKEY_SMS}`);
}
