/**
 * The settings: environment variables, which only this file reads. All invalid settings are reported together at the
 * start.
 */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isAddressRange, isWithinRanges } from './domain/address-range.ts';
import { parseCountry, parseE164 } from './domain/phone-number.ts';
import { LOOKUP_BUDGET } from './domain/screening.ts';
import { RETURN_MODES } from './domain/session.ts';
import { parseReturnCredentials, type ReturnCredentials, type SipCredentials } from './domain/sip-credentials.ts';
import { TEXT_LIMITS, type TextLimits } from './domain/text-limits.ts';
import { parseOwnedNumber, type TransferNumbers } from './domain/transfer-number.ts';
import { isLoopbackHost } from './lib/http-client/public-addresses.ts';
import { CannotStart } from './lib/start-error.ts';
import { KEY_BYTES } from './lib/vault/vault.ts';

// The messages of the schema complete the sentence "RINGKEY_… must be …".

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, new Intl.ListFormat('en', { type: 'disjunction' }).format(values));
function wholeNumber(least: number, most: number) {
  const words = `a whole number from ${least} to ${most}`;
  return z.coerce.number(words).int(words).min(least, words).max(most, words);
}
const port = (fallback: number) => wholeNumber(0, 65_535).default(fallback);
const onOff = (fallback: 'on' | 'off') =>
  oneOf(['on', 'off'])
    .default(fallback)
    .transform((value) => value === 'on');
const webUrl = (words = 'an http or https URL') => z.url({ protocol: /^https?$/, error: words });
/** How often something may be done in some time. */
const limit = (fallback: number) => wholeNumber(1, 1_000_000).default(fallback);
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
  .refine(
    (keys) => keys.every((key) => key.length === KEY_BYTES),
    'keys of 32 bytes each in base64, separated by commas',
  );

const isPublicKey = (text: string) => Buffer.from(text, 'base64').length === 32;

const addressRanges = list.refine(
  (items) => items.every(isAddressRange),
  'IP addresses or CIDR blocks, separated by commas',
);

/** No message shows one. */
const returnCredentials = list
  .transform((items) => items.map(parseReturnCredentials))
  .refine(
    (items) => items.every((item) => item !== null),
    'entries such as host=user:password or acct_…@host=user:password, separated by commas',
  )
  .transform((items) => items.filter((item): item is ReturnCredentials => item !== null));
const transferNumbers = list
  .transform((items) => items.map(parseOwnedNumber))
  .refine(
    (numbers) => !numbers.includes(null),
    'numbers, each with its account and mode, such as +15550109999=acct_x:live',
  )
  .transform((numbers) => numbers.filter((number) => number !== null))
  .refine(
    (numbers) => new Set(numbers.map(({ number }) => number)).size === numbers.length,
    'a list that names each number once, with one account and mode',
  );

const ROLES = ['phone', 'api', 'worker'] as const;
const ROLES_WORDS = 'phone, api or worker, or several of these separated by commas';

/** What the daemons' own packages come with, known to everybody. */
const DEFAULT_SECRETS = { DRACHTIO_SECRET: 'cymru', FREESWITCH_SECRET: 'ClueCon' } as const;

const schema = z.object({
  RINGKEY_ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, ROLES_WORDS)).min(1, ROLES_WORDS))
    .meta({ about: 'What this process does: any of `phone`, `api` and `worker`.' }),
  RINGKEY_HOME: z
    .string()
    .default('.ringkey')
    .transform((path) => resolve(path))
    .meta({ about: "The folder for the private servers' data and rendered speech.", fallback: '`.ringkey`' }),
  RINGKEY_INSTANCE: z
    .string()
    .max(100, 'a name of at most 100 characters')
    .default(hostname())
    .meta({ about: 'The name of this process. Each running process needs its own.', fallback: "the host's name" }),
  RINGKEY_LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .meta({ about: '`debug`, `info`, `warn`, `error` or `silent`.' }),
  RINGKEY_DEMO: onOff('off').meta({
    about:
      '`on` adds demo data. Requests from this machine without a key act as the demo account. Visitors from outside cannot change what they share.',
  }),
  /** See {@link isOwnMachine}. */
  RINGKEY_PRIVATE_TARGETS: oneOf(['on', 'off']).optional().meta({
    about:
      'Whether webhooks and order sources of test mode can be at loopback and private addresses. Those of live mode never can.',
    fallback: '`on` in a demo on loopback without a proxy, `RINGKEY_PUBLIC_URL` or `RINGKEY_LINK_URL`, otherwise `off`',
  }),

  RINGKEY_HTTP_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ about: 'The address that REST and the pages listen on. Links show loopback as `localhost`.' }),
  RINGKEY_HTTP_PORT: port(8080).meta({ about: 'The port that REST and the pages listen on.' }),
  RINGKEY_DOCS_URL: z
    .url('a URL')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about: 'The base of `doc_url` in errors.',
      fallback: '`/docs` of `RINGKEY_PUBLIC_URL` or of the address that REST listens on',
    }),
  RINGKEY_TRUSTED_PROXIES: addressRanges.meta({
    about: 'Proxies whose `X-Forwarded-For` is trusted: CIDR blocks, comma-separated.',
    fallback: 'none',
  }),
  RINGKEY_METRICS_FROM: addressRanges.meta({
    about:
      'Who can read `/metrics`: CIDR blocks, comma-separated. Other addresses get a 404, and so do requests forwarded by a proxy that is not in `RINGKEY_TRUSTED_PROXIES`.',
    fallback: 'loopback and private networks',
  }),

  RINGKEY_SAVED_CARDS: onOff('on').meta({
    about:
      '`off` offers and charges no saved cards, whatever screening says. A caller is known by the phone number alone, which can be faked.',
  }),
  /** See {@link numberLookupOf}. */
  RINGKEY_NUMBER_LOOKUP: oneOf(['off', 'sandbox', 'telnyx', 'twilio']).optional().meta({
    about:
      "The service that looks up callers' numbers in live mode: `telnyx`, `twilio` or `off`. Test mode uses the sandbox only. A number that was ported or whose SIM was swapped within seven days is offered no saved card.",
    fallback: '`sandbox` in a demo, otherwise `off`',
  }),
  RINGKEY_NUMBER_LOOKUP_SECONDS: wholeNumber(1, 30).default(3).meta({
    about:
      'How long a lookup can take. `create_checkout` waits 0.3 seconds at most, and only if there are saved cards.',
  }),
  RINGKEY_NUMBER_LOOKUPS_PER_HOUR: limit(LOOKUP_BUDGET.hour).meta({
    about:
      'How many lookups an account can cause in live mode in an hour. Over the limit, the number is not looked up and the session gets a note.',
  }),
  RINGKEY_NUMBER_LOOKUPS_PER_DAY: limit(LOOKUP_BUDGET.day).meta({ about: 'The same for a day.' }),

  RINGKEY_RECONCILE: oneOf(['off', 'report', 'fix']).default('report').meta({
    about:
      "Once a day, charges and refunds are compared with the processors' lists. `report` logs each difference, `fix` also settles what is certain, `off` does nothing.",
  }),

  RINGKEY_REQUEST_LOG_DAYS: wholeNumber(0, 400).default(30).meta({
    about:
      'How long `GET /v1/requests` keeps requests, without secrets, card-like digits and phone numbers. `0` keeps none.',
  }),
  RINGKEY_RETENTION_DAYS: wholeNumber(0, 36_500).default(400).meta({
    about:
      'After this many days, a session without a charge is deleted with its calls. A session with a charge loses its number, metadata, line items, messages and `return_to`. `0` keeps everything.',
  }),

  RINGKEY_ENCRYPTION_KEYS: encryptionKeys.meta({
    about:
      'Keys that encrypt credentials, signing secrets and handles of saved cards: 32 bytes in base64 each, comma-separated. The first key encrypts, all keys decrypt.',
    fallback: 'a key file in `RINGKEY_HOME` with the private PostgreSQL; required with `DATABASE_URL`',
  }),

  RINGKEY_SMS: oneOf(['log', 'twilio', 'telnyx']).default('log').meta({
    about:
      'The carrier of texts in live mode: `twilio`, `telnyx`, or `log`, which sends none. Texts of test mode always go to the log.',
  }),
  RINGKEY_SMS_FROM: z
    .string()
    .optional()
    .meta({ about: 'The sender: a number in E.164, or a Twilio messaging service (`MG…`).', fallback: 'none' }),
  RINGKEY_TEXTS_PER_RECIPIENT_HOUR: limit(TEXT_LIMITS.recipientHour).meta({
    about:
      'How many texts a number can get in an hour, over all accounts. Over the limit, `send_link` returns 429 and the line says that no link can be texted. Receipts count, but are always sent.',
  }),
  RINGKEY_TEXTS_PER_RECIPIENT_DAY: limit(TEXT_LIMITS.recipientDay).meta({ about: 'The same for a day.' }),
  RINGKEY_TEXTS_PER_ACCOUNT_HOUR: limit(TEXT_LIMITS.accountHour).meta({
    about:
      'How many texts an account can send in an hour. At 80%, the audit trail has `account.texts_near_limit`, and the log a warning.',
  }),
  RINGKEY_TEXTS_PER_ACCOUNT_DAY: limit(TEXT_LIMITS.accountDay).meta({ about: 'The same for a day.' }),
  TWILIO_ACCOUNT_SID: z.string().optional().meta({
    about:
      "The Twilio account, for texts or number lookups. Point Twilio's replies at `/hooks/sms/twilio`. Each text names `/hooks/sms/twilio/status` for delivery reports.",
    fallback: 'none',
  }),
  TWILIO_AUTH_TOKEN: z.string().optional().meta({ about: 'The token of that account.', fallback: 'none' }),
  TELNYX_API_KEY: z.string().optional().meta({
    about: 'The Telnyx key, for texts or number lookups. Point replies and delivery reports at `/hooks/sms/telnyx`.',
    fallback: 'none',
  }),
  TELNYX_PUBLIC_KEY: z
    .string()
    .refine(isPublicKey, 'a key of 32 bytes in base64')
    .optional()
    .meta({ about: 'The Ed25519 key (base64) that verifies Telnyx webhooks.', fallback: 'none' }),
  RINGKEY_PUBLIC_URL: webUrl()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about: "The base URL of REST as others reach it. It is part of `doc_url`, and SMS carriers' signatures cover it.",
      fallback: 'none',
    }),

  /** See {@link linkBaseOf}. */
  RINGKEY_LINK_URL: webUrl('an http or https URL without a path')
    .refine(isOrigin, 'an http or https URL without a path')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about:
        "Scheme, host and port of pay links, as callers' browsers reach them. Keep it short: it is sent by SMS. Without it `send_link` returns `not_configured`; in live mode also if it is not https.",
      fallback: '`RINGKEY_PUBLIC_URL`; in a demo, the address that REST listens on',
    }),

  RINGKEY_OIDC_ISSUER: webUrl().optional().meta({
    about:
      'An OpenID provider for signing in to the dashboard, beside passkeys and passwords. A verified e-mail address identifies the user. Register `<RINGKEY_PUBLIC_URL>/dashboard/sign-in/oidc/callback` there. The provider has to ask for a second factor. If its ID tokens have no `auth_time`, its users cannot make changes that need a recent sign-in.',
    fallback: 'none',
  }),
  RINGKEY_OIDC_CLIENT_ID: z.string().optional().meta({ about: 'The client ID at that provider.', fallback: 'none' }),
  RINGKEY_OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ about: 'The client secret at that provider.', fallback: 'none' }),
  RINGKEY_REFUND_SIGN_IN_ABOVE_CENTS: wholeNumber(0, 99_999_999).default(0).meta({
    about:
      'Live refunds of more than this amount in minor units need a sign-in within the last 15 minutes. With `0`, all do.',
  }),
  RINGKEY_OIDC_NAME: z
    .string()
    .max(40, 'a name of at most 40 characters')
    .default('single sign-on')
    .meta({ about: 'The name of the provider on the button *Sign in with …*.' }),

  RINGKEY_APPLE_PAY_ASSOCIATION: z.string().optional().meta({
    about:
      'A file that Apple has to find on the host of pay links, for Apple Pay at Square. Square publishes it at `app.squareup.com/digital-wallets/apple-pay/apple-developer-merchantid-domain-association`. Stripe needs none.',
    fallback: 'none',
  }),

  RINGKEY_API_KEY: z
    .string()
    .regex(/^rk_(test|live)_[A-Za-z0-9_-]+$/, 'an API key that begins with rk_test_ or rk_live_')
    .optional()
    .meta({
      about: "An account's key, for the commands that ask a running service, such as `ringkey refund`.",
      fallback: 'none',
    }),

  DATABASE_URL: z.string().optional().meta({ about: 'PostgreSQL 15 or newer.', fallback: 'a private server' }),
  REDIS_URL: z.string().optional().meta({ about: 'Redis 6.2 or newer.', fallback: 'a private server' }),
  RINGKEY_POSTGRES_PORT: port(5480).meta({ about: 'The port of the private PostgreSQL.' }),
  RINGKEY_REDIS_PORT: port(6480).meta({ about: 'The port of the private Redis.' }),

  RINGKEY_ENGINE: oneOf(['builtin', 'external']).default('builtin').meta({
    about: '`builtin` starts the built-in engine. `external` uses the drachtio-server and FreeSWITCH named below.',
  }),
  RINGKEY_SIP_HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ about: 'The address that the built-in engine listens on, UDP and TCP.' }),
  RINGKEY_SIP_PORT: port(5060).meta({ about: 'The port that the built-in engine listens on.' }),
  RINGKEY_RTP_PORTS: z
    .string()
    .refine(isPortRange, 'two ports, the lower one first, such as 17000-19999')
    .default('17000-19999')
    .meta({ about: 'The RTP ports of the built-in engine. Those of FreeSWITCH are 20000-31999.' }),
  RINGKEY_SRTP: oneOf(['forbidden', 'optional', 'required']).default('forbidden').meta({
    about:
      'Encrypted audio of callers (SRTP with keys in the SDP): `forbidden`, `optional` or `required`. Not with the built-in engine.',
  }),
  RINGKEY_SIP_SCHEME: oneOf(['sip', 'sips'])
    .default('sip')
    .meta({ about: 'The scheme of `transfer_to`: `sip` or `sips`. `sips` needs a SIP server with a certificate.' }),
  RINGKEY_SIP_DOMAIN: z.string().optional().meta({
    about: 'The part of `transfer_to` after the `@`: host, port if it is not 5060, and `;transport=tls` if needed.',
    fallback: 'the SIP address that the engine listens on',
  }),
  RINGKEY_TRUNKS: addressRanges.meta({
    about:
      'Addresses whose calls to a number are trusted: CIDR blocks, comma-separated. The calling number finds the session.',
    fallback: 'none',
  }),
  /** See {@link strangeDirectTrunks}. */
  RINGKEY_DIRECT_TRUNKS: addressRanges.meta({
    about:
      'Those of `RINGKEY_TRUNKS` on which callers dial the number themselves. The attestation in their INVITEs is trusted (STIR/SHAKEN: `verstat`, `X-Twilio-VerStat`, `Attestation-Info`). Do not list trunks of a platform that forwards callers: its own carrier signs those calls, mostly B or C.',
    fallback: 'none',
  }),
  RINGKEY_STIR_ROOTS: z.string().optional().meta({
    about:
      'A file of certificates (PEM). If set, Ringkey checks the Identity header of calls from `RINGKEY_DIRECT_TRUNKS` against these authorities.',
    fallback: 'none',
  }),
  RINGKEY_TRUNK_COUNTRY: z
    .string()
    .transform(parseCountry)
    .refine((country) => country !== null, 'a country code of two letters, such as US or GB')
    .optional()
    .meta({
      about: 'The country of trunks that send national numbers, two letters (`GB`).',
      fallback: 'none: numbers have their country code',
    }),
  RINGKEY_TRUNK_TARGET: z
    .string()
    .optional()
    .meta({ about: 'The host that takes calls to numbers.', fallback: 'none' }),
  RINGKEY_TRUNK_USERNAME: z
    .string()
    .regex(/^[^":\\\s]+$/, 'a user name without spaces, quotes, backslashes and colons')
    .optional()
    .meta({ about: 'The user name for a 401 or 407 of that host.', fallback: 'none' }),
  RINGKEY_TRUNK_PASSWORD: z
    .string()
    .optional()
    .meta({ about: 'The password for a 401 or 407 of that host.', fallback: 'none' }),
  RINGKEY_TRANSFER_NUMBERS: transferNumbers.meta({
    about:
      'Numbers of the payment line (`transfer_to_number`), each with its account and mode: `+15550109999=acct_x:live`, comma-separated.',
    fallback: 'none',
  }),
  /** See {@link transferNumbersIn}. */
  RINGKEY_TRANSFER_NUMBER: z
    .string()
    .transform(parseE164)
    .refine((number) => number !== null, 'a phone number in E.164, such as +15550109999')
    .optional()
    .meta({ about: "The number, if the installation has a single account besides the demo's.", fallback: 'none' }),
  RINGKEY_NUMBER_UNKNOWN: oneOf(['reject', 'speak']).default('reject').meta({
    about:
      'How to answer a trunk caller who has no open session: `reject` (SIP 404), or `speak`, which says so and ends the call.',
  }),
  /** See {@link returnAllowedIn}. */
  RINGKEY_RETURN_ALLOWED: list
    .refine(
      (items) => items.every((item) => isAddressRange(item) || /^(\*\.)?[a-z0-9.-]+$/i.test(item)),
      'host names, IP addresses or CIDR blocks, separated by commas',
    )
    .meta({
      about:
        'Hosts, addresses and CIDR blocks that `return_to` of every account can lead to, public or not, comma-separated.',
      fallback: 'loopback, if `RINGKEY_PRIVATE_TARGETS` is `on` by default; otherwise none',
    }),
  RINGKEY_RETURN_CREDENTIALS: returnCredentials.meta({
    about:
      'Credentials for a 401 or 407 of hosts in `return_to`: `host=user:password`, comma-separated. `acct_…@host=user:password` is for the calls of one account.',
    fallback: 'none',
  }),
  RINGKEY_RETURN_MODE: oneOf(RETURN_MODES)
    .default('auto')
    .meta({ about: "How callers return to the agent: `auto`, `refer` or `bridge`. A merchant's own setting wins." }),
  /** See {@link shutdownDelayMs}. */
  RINGKEY_SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 60).optional().meta({
    about: 'How long `/readyz` returns 503 before REST stops listening.',
    fallback: '`5`; `0` in a demo on one machine',
  }),
  RINGKEY_DRAIN_SECONDS: wholeNumber(0, 3_600)
    .default(60)
    .meta({ about: 'How long live calls can continue after SIGTERM.' }),
  RINGKEY_MAX_CALLS: wholeNumber(1, 10_000)
    .default(500)
    .meta({ about: 'Live calls of this process. Beyond that, calls get 503.' }),
  RINGKEY_MAX_LOAD: wholeNumber(20, 100).default(80).meta({
    about:
      'How busy the event loop of a phone process can be, in percent. Beyond that, and while media servers or PostgreSQL answer slowly, new calls get 503. REST returns 503 while everything in its process is half a second late. `100` refuses nothing because of load.',
  }),
  RINGKEY_MAX_CALLS_PER_ACCOUNT: wholeNumber(1, 100_000)
    .default(100)
    .meta({ about: 'Live calls of an account, over all processes. Beyond that, calls get 503.' }),
  RINGKEY_MAX_BRIDGE_MINUTES: wholeNumber(1, 1_440)
    .default(60)
    .meta({ about: 'How long a bridge holds the caller and the agent. Callers returned by REFER are not affected.' }),

  DRACHTIO_HOST: z.string().default('127.0.0.1').meta({ about: 'The drachtio-server.' }),
  DRACHTIO_PORT: port(9022).meta({ about: 'Its port for apps.' }),
  DRACHTIO_SECRET: z
    .string()
    .default(DEFAULT_SECRETS.DRACHTIO_SECRET)
    .meta({ about: 'Its secret. The default is refused outside a demo.' }),
  FREESWITCH_HOST: z.string().default('127.0.0.1').meta({ about: 'The FreeSWITCH.' }),
  FREESWITCH_PORT: port(8021).meta({ about: 'Its event socket.' }),
  FREESWITCH_HOSTS: list
    .refine(
      (items) => items.every((item) => HOST_PORT.test(item)),
      'entries such as host or host:port, separated by commas',
    )
    .meta({
      about:
        'Several FreeSWITCHes instead of `FREESWITCH_HOST`: `host` or `host:port`, comma-separated. The least loaded takes the next call. If one dies, its calls move to another.',
      fallback: 'none',
    }),
  FREESWITCH_SECRET: z
    .string()
    .default(DEFAULT_SECRETS.FREESWITCH_SECRET)
    .meta({ about: 'Its secret. The default is refused outside a demo.' }),
  FREESWITCH_LISTEN_ADDRESS: z
    .string()
    .default('127.0.0.1')
    .meta({ about: 'The address that FreeSWITCH connects back to for each call.' }),
  FREESWITCH_LISTEN_PORT: port(0).meta({
    about: 'The port that FreeSWITCH connects back to.',
    fallback: 'any free port',
  }),
  FREESWITCH_ADVERTISED_ADDRESS: z
    .string()
    .optional()
    .meta({ about: 'That address as FreeSWITCH sees it.', fallback: '`FREESWITCH_LISTEN_ADDRESS`' }),

  /** See {@link allowsTestCalls}. */
  RINGKEY_TEST_CALLS: oneOf(['on', 'off']).optional().meta({
    about:
      'Whether *Try it* in the dashboard places test calls: a scripted caller on this machine dials the SIP server at `RINGKEY_SIP_DOMAIN`, two calls at a time, in test mode only.',
    fallback: '`on` with the built-in engine, otherwise `off`',
  }),

  RINGKEY_MEDIA_DIR: z.string().optional().meta({
    about: 'The folder of rendered prompts. FreeSWITCH must see the same path.',
    fallback: '`speech` in `RINGKEY_HOME`',
  }),
  RINGKEY_SPEECH_CACHE_MB: wholeNumber(10, 1_000_000)
    .default(1_024)
    .meta({ about: 'How much of the disk rendered sentences can use, in MiB.' }),
  RINGKEY_SPEECH_ACCOUNT_MB: wholeNumber(1, 1_000_000)
    .default(100)
    .meta({ about: 'How much new speech an account can render in an hour, in MiB. Beyond that, recordings play.' }),
  RINGKEY_SYNTHESIZER: oneOf(['espeak-ng', 'openai', 'google', 'polly', 'elevenlabs', 'none'])
    .default('espeak-ng')
    .meta({
      about:
        'Who speaks if no voice is named: `espeak-ng`, `openai`, `google`, `polly` or `elevenlabs`. If it fails, espeak-ng speaks, then recordings of the same language. `none` plays recordings only.',
    }),
  RINGKEY_VOICE: z.string().optional().meta({
    about:
      'The voice of merchants that name none: `<synthesizer>:<voice>`, or a voice of espeak-ng. Not used for calls in another language.',
    fallback: 'the voice of the language',
  }),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'For voices `openai:…`. The vendor charges by characters.', fallback: 'none' }),
  RINGKEY_TTS_URL: webUrl()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about:
        "A server of your own with OpenAI's speech API (Piper, Kokoro), up to `/v1`. `openai` then means that server, and needs no key.",
      fallback: 'none',
    }),
  RINGKEY_TTS_MODEL: z.string().default('gpt-4o-mini-tts').meta({ about: 'The model that `openai` uses.' }),
  GOOGLE_TTS_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'For voices `google:…` of Cloud Text-to-Speech.', fallback: 'none' }),
  ELEVENLABS_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'For voices `elevenlabs:…`, by the ID of the voice.', fallback: 'none' }),
  RINGKEY_POLLY_REGION: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as us-east-1')
    .optional()
    .meta({ about: 'For voices `polly:…`: the region, for example `us-east-1`.', fallback: 'none' }),
  AWS_ACCESS_KEY_ID: z.string().optional().meta({ about: 'The access key for Polly.', fallback: "the machine's role" }),
  AWS_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ about: 'The secret key for Polly.', fallback: "the machine's role" }),
});

export type Config = z.infer<typeof schema>;

/** Whether this is a demo on its user's own machine, which cannot be reached from outside, not even through a proxy. */
export function isOwnMachine(config: Config): boolean {
  const { RINGKEY_DEMO, RINGKEY_HTTP_HOST, RINGKEY_TRUSTED_PROXIES, RINGKEY_PUBLIC_URL } = config;
  const isProxied =
    RINGKEY_TRUSTED_PROXIES.length > 0 || RINGKEY_PUBLIC_URL !== undefined || config.RINGKEY_LINK_URL !== undefined;
  return RINGKEY_DEMO && isLoopbackHost(RINGKEY_HTTP_HOST) && !isProxied;
}

/**
 * Hosts that a demo on loopback answers beside loopback; null: every host, for a proxy that the settings name may use
 * any.
 */
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

/**
 * Whether a caller on this machine may dial the payment line for the dashboard's test calls: with the built-in engine
 * it can.
 */
export function allowsTestCalls({ RINGKEY_TEST_CALLS, RINGKEY_ENGINE }: Config): boolean {
  return RINGKEY_TEST_CALLS === undefined ? RINGKEY_ENGINE === 'builtin' : RINGKEY_TEST_CALLS === 'on';
}

const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/**
 * What every account may put into `return_to`, although it is not public: in a demo on its user's own machine that
 * machine.
 */
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
      (name) => `${name} must not be the default, "${DEFAULT_SECRETS[name]}": set another one here and at the daemon.`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Where programs and libraries are, and how texts are written. */
const OF_CHILDREN = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'LD_LIBRARY_PATH',
  'ESPEAK_DATA_PATH',
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

/** A setting as the docs list it. Texts are one line of Markdown. */
export interface SettingFacts {
  name: string;
  fallback: string;
  about: string;
}

/** Every setting, in the order of its declaration. */
export function describeSettings(): SettingFacts[] {
  return Object.entries(schema.shape).map(([name, declared]) => {
    const { about, fallback } = declared.meta() ?? {};
    if (typeof about !== 'string') throw new Error(`${name} has no description.`);
    return { name, about, fallback: typeof fallback === 'string' ? fallback : `\`${defaultOf(declared)}\`` };
  });
}

/** The declared default, before any transformation. @throws Error for a setting without one */
function defaultOf(declared: z.core.$ZodType): string {
  const { def } = declared._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'default') return String(def.defaultValue);
  if (def.type === 'pipe') return defaultOf(def.in);
  throw new Error('A setting without a default describes its fallback.');
}

/** Variables that are named as ours are, and that nothing reads: the name of a setting may be misspelled. */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(environment).filter((name) => /^ringkey_/i.test(name) && !SETTINGS.includes(name));
}

/**
 * Beside a private PostgreSQL a key is made; an outside database must not hold secrets as they are.
 * @throws ConfigError where there are no keys
 */
export function requireEncryptionKeys({ DATABASE_URL, RINGKEY_ENCRYPTION_KEYS }: Config): void {
  if (DATABASE_URL === undefined || RINGKEY_ENCRYPTION_KEYS.length > 0) return;
  throw new ConfigError([
    'RINGKEY_ENCRYPTION_KEYS must be set when DATABASE_URL is: without it, the database would store secrets in clear. Create a key with `openssl rand -base64 32`.',
  ]);
}

/** Settings that cannot be used: `problems` has one line for each. */
export class ConfigError extends CannotStart {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Invalid settings:\n  ${problems.join('\n  ')}`);
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
    : parsed.error.issues.map(({ path: [name], message }) => `${String(name)} must be ${message}.`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError([...new Set(problems)]);
}

/** The built-in engine encrypts nothing: what asks it to must not seem to work. */
function beyondBuiltInEngine(config: Config): string[] {
  if (config.RINGKEY_ENGINE === 'external') return [];
  const isTls = config.RINGKEY_SIP_SCHEME === 'sips' || /;transport=tls/i.test(config.RINGKEY_SIP_DOMAIN ?? '');
  return [
    ...(config.RINGKEY_SRTP === 'forbidden'
      ? []
      : ['RINGKEY_SRTP must be forbidden unless RINGKEY_ENGINE is external: the built-in engine has no encryption.']),
    ...(isTls
      ? ['RINGKEY_ENGINE must be external for a transfer_to with TLS: the built-in engine has no encryption.']
      : []),
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

/** The limits of texts, of one number and of one account. */
export function textLimitsOf(config: Config): TextLimits {
  return {
    recipientHour: config.RINGKEY_TEXTS_PER_RECIPIENT_HOUR,
    recipientDay: config.RINGKEY_TEXTS_PER_RECIPIENT_DAY,
    accountHour: config.RINGKEY_TEXTS_PER_ACCOUNT_HOUR,
    accountDay: config.RINGKEY_TEXTS_PER_ACCOUNT_DAY,
  };
}

/** Which number look-up there is: the sandbox's in a demo, none elsewhere, unless one is set. */
export function numberLookupOf(
  config: Pick<Config, 'RINGKEY_NUMBER_LOOKUP' | 'RINGKEY_DEMO'>,
): NonNullable<Config['RINGKEY_NUMBER_LOOKUP']> {
  return config.RINGKEY_NUMBER_LOOKUP ?? (config.RINGKEY_DEMO ? 'sandbox' : 'off');
}

const LOOKUP_NEEDS = {
  off: [],
  sandbox: [],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  telnyx: ['TELNYX_API_KEY'],
} as const;

/** The settings that the vendor of `RINGKEY_NUMBER_LOOKUP` needs and that are not set. */
function missingForLookup(config: Config): string[] {
  const vendor = numberLookupOf(config);
  const missing = LOOKUP_NEEDS[vendor].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name} must be set when RINGKEY_NUMBER_LOOKUP is ${vendor}.`);
}

/** The settings that the carrier of `RINGKEY_SMS` needs and that are not set. */
function missingForSms(config: Config): string[] {
  const missing = SMS_NEEDS[config.RINGKEY_SMS].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name} must be set when RINGKEY_SMS is ${config.RINGKEY_SMS}.`);
}

/** The settings of which a synthesizer needs one. */
const SYNTHESIZER_NEEDS = {
  none: [],
  'espeak-ng': [],
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
    ...(isMissing ? [`${needs.join(' or ')} must be set when RINGKEY_SYNTHESIZER is ${chosen}.`] : []),
    ...(isHalf ? ['AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set, or neither.'] : []),
  ];
}

const TRUNK_CREDENTIALS = ['RINGKEY_TRUNK_USERNAME', 'RINGKEY_TRUNK_PASSWORD'] as const;

function missingForTrunk(config: Config): string[] {
  const missing = TRUNK_CREDENTIALS.filter((name) => config[name] === undefined);
  if (missing.length !== 1) return [];
  return missing.map((name) => `${name} must be set when the other part of the trunk's credentials is.`);
}

/** Calls of others are never taken by number: a range that is no trunk's would silently count for nothing. */
function strangeDirectTrunks(config: Config): string[] {
  const strange = config.RINGKEY_DIRECT_TRUNKS.filter((range) => !isWithinRanges(range, config.RINGKEY_TRUNKS));
  const hasRootsForNobody = config.RINGKEY_STIR_ROOTS !== undefined && config.RINGKEY_DIRECT_TRUNKS.length === 0;
  return [
    ...strange.map((range) => `RINGKEY_DIRECT_TRUNKS must be part of RINGKEY_TRUNKS, and ${range} is not.`),
    ...(hasRootsForNobody ? ['RINGKEY_DIRECT_TRUNKS must be set when RINGKEY_STIR_ROOTS is.'] : []),
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
    ...missing.map((name) => `${name} must be set when the other settings of the OpenID provider are.`),
    ...(isPlain ? ['RINGKEY_OIDC_ISSUER must be an https URL, or an http one of this machine.'] : []),
    ...(config.RINGKEY_PUBLIC_URL === undefined && !config.RINGKEY_DEMO
      ? ['RINGKEY_PUBLIC_URL must be set with an OpenID provider, which sends users back to it.']
      : []),
  ];
}
