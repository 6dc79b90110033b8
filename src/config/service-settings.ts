/** The settings of the service: roles, HTTP, screening, texts, sign-in, storage. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LOOKUP_BUDGET } from '../domain/screening.ts';
import { TEXT_LIMITS } from '../domain/texts.ts';
import { parseRedisUrl } from '../lib/redis/redis-url.ts';
import {
  addressRanges,
  email,
  encryptionKeys,
  isOrigin,
  isPublicKey,
  limit,
  oneOf,
  onOff,
  port,
  smtpUrl,
  webUrl,
  wholeNumber,
} from './value-types.ts';

const ROLES = ['phone', 'api', 'worker'] as const;
const ROLES_WORDS = 'phone, api or worker, or several of these separated by commas';

/** The default of RINGKEY_DATABASE_CONNECTIONS. */
export const DATABASE_CONNECTIONS = 20;

export const SERVICE_SETTINGS = {
  RINGKEY_ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, ROLES_WORDS)).min(1, ROLES_WORDS))
    .meta({ about: 'The roles of this process: any of `phone`, `api` and `worker`, comma-separated.' }),
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
      '`on` adds demo data. Requests from this machine without a key act as the demo account. Visitors from outside cannot change the data that visitors share.',
  }),
  RINGKEY_PRIVATE_TARGETS: oneOf(['on', 'off']).optional().meta({
    about:
      '`on` lets webhooks and order sources of test mode use loopback and private addresses. Those of live mode never can.',
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
      about: 'The base URL of `doc_url` in errors.',
      fallback: '`/docs` of `RINGKEY_PUBLIC_URL` or of the address that REST listens on',
    }),
  RINGKEY_TRUSTED_PROXIES: addressRanges.meta({
    about: 'Proxies whose `X-Forwarded-For` is trusted: CIDR blocks, comma-separated.',
    fallback: 'none',
  }),
  RINGKEY_METRICS_FROM: addressRanges.meta({
    about:
      'Addresses that can read `/metrics`: CIDR blocks, comma-separated. Other addresses get a 404, and so do requests forwarded by a proxy that is not in `RINGKEY_TRUSTED_PROXIES`.',
    fallback: 'loopback and private networks',
  }),

  RINGKEY_SAVED_CARDS: onOff('on').meta({
    about:
      'With `off`, no saved cards are offered or charged, whatever screening says. A caller is known by the phone number alone, which can be faked.',
  }),
  RINGKEY_NUMBER_LOOKUP: oneOf(['off', 'sandbox', 'telnyx', 'twilio']).optional().meta({
    about:
      "The service that looks up callers' numbers in live mode: `telnyx`, `twilio` or `off`. Test mode uses the sandbox only. Saved cards are not offered to a number that was ported, or whose SIM was swapped, within seven days.",
    fallback: '`sandbox` in a demo, otherwise `off`',
  }),
  RINGKEY_NUMBER_LOOKUP_SECONDS: wholeNumber(1, 30).default(3).meta({
    about:
      'How long a lookup can take. `create_checkout` waits 0.3 seconds at most, and only if there are saved cards.',
  }),
  RINGKEY_NUMBER_LOOKUPS_PER_HOUR: limit(LOOKUP_BUDGET.hour).meta({
    about:
      'How many lookups an account can use per hour in live mode. Over the limit, the number is not looked up and the session gets a note.',
  }),
  RINGKEY_NUMBER_LOOKUPS_PER_DAY: limit(LOOKUP_BUDGET.day).meta({ about: 'The same per day.' }),

  RINGKEY_RECONCILE: oneOf(['off', 'report', 'fix']).default('report').meta({
    about:
      "Once a day, charges and refunds are compared with the processors' lists. `report` logs each difference, `fix` also settles what is certain, `off` does nothing.",
  }),

  RINGKEY_REQUEST_LOG_DAYS: wholeNumber(0, 400).default(30).meta({
    about:
      'How long `GET /v1/requests` keeps requests. They are stored without secrets, card-like digits and phone numbers. `0` keeps none.',
  }),
  RINGKEY_RETENTION_DAYS: wholeNumber(0, 36_500).default(400).meta({
    about:
      'After this many days, a session without a charge is deleted together with its calls. A session with a charge loses its number, metadata, line items, messages and `return_to`. `0` keeps everything.',
  }),

  RINGKEY_ENCRYPTION_KEYS: encryptionKeys.meta({
    about:
      'Keys that encrypt credentials, signing secrets and handles of saved cards: 32 bytes each, in base64, comma-separated. The first key encrypts, all keys decrypt.',
    fallback: 'a key file in `RINGKEY_HOME` with the private PostgreSQL; required with `DATABASE_URL`',
  }),

  RINGKEY_SMS: oneOf(['log', 'twilio', 'telnyx']).default('log').meta({
    about:
      'The SMS carrier in live mode: `twilio`, `telnyx`, or `log`, which sends no texts. In test mode, texts are only logged.',
  }),
  RINGKEY_SMS_FROM: z.string().optional().meta({
    about: 'The sender of texts: a number in E.164, or a Twilio messaging service (`MG…`).',
    fallback: 'none',
  }),
  RINGKEY_SMTP_URL: smtpUrl.optional().meta({
    about:
      'The mail server for receipts by email in live mode, and for alerts: `smtps://user:password@host:465`, or `smtp://…`, which must offer STARTTLS unless it is on this machine. In test mode, receipts are only logged.',
    fallback: 'none; no emails are sent',
  }),
  RINGKEY_EMAIL_FROM: email.optional().meta({
    about: "The sender's address of receipts by email, which show the merchant's name with it, and of alerts.",
    fallback: 'none',
  }),
  RINGKEY_TEXTS_PER_RECIPIENT_HOUR: limit(TEXT_LIMITS.recipientHour).meta({
    about:
      'How many texts a number can get per hour, over all accounts. Over the limit, `send_link` returns 429 and the line says that no link can be texted. Receipts count, but are always sent.',
  }),
  RINGKEY_TEXTS_PER_RECIPIENT_DAY: limit(TEXT_LIMITS.recipientDay).meta({ about: 'The same per day.' }),
  RINGKEY_TEXTS_PER_ACCOUNT_HOUR: limit(TEXT_LIMITS.accountHour).meta({
    about:
      'How many texts an account can send per hour. At 80%, the audit trail records `account.texts_near_limit`, and a warning is logged.',
  }),
  RINGKEY_TEXTS_PER_ACCOUNT_DAY: limit(TEXT_LIMITS.accountDay).meta({ about: 'The same per day.' }),
  TWILIO_ACCOUNT_SID: z.string().optional().meta({
    about:
      "The Twilio account, for texts or number lookups. Point Twilio's replies at `/hooks/sms/twilio`. Each text names `/hooks/sms/twilio/status` for delivery reports.",
    fallback: 'none',
  }),
  TWILIO_AUTH_TOKEN: z.string().optional().meta({ about: 'The auth token of the Twilio account.', fallback: 'none' }),
  TELNYX_API_KEY: z.string().optional().meta({
    about:
      'The Telnyx API key, for texts or number lookups. Point replies and delivery reports at `/hooks/sms/telnyx`.',
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

  RINGKEY_LINK_URL: webUrl('an http or https URL without a path')
    .refine(isOrigin, 'an http or https URL without a path')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about:
        "Scheme, host and port of pay links, as callers' browsers reach them. Keep it short: it is sent by SMS. If it is missing, or is not https in live mode, `send_link` returns `not_configured`.",
      fallback: '`RINGKEY_PUBLIC_URL`; in a demo, the address that REST listens on',
    }),

  RINGKEY_OIDC_ISSUER: webUrl().optional().meta({
    about:
      'An OpenID provider for signing in to the dashboard, beside passkeys and passwords. A verified email address identifies the user. Register `<RINGKEY_PUBLIC_URL>/dashboard/sign-in/oidc/callback` there. The provider must ask for a second factor. If its ID tokens have no `auth_time`, its users cannot make changes that need a recent sign-in.',
    fallback: 'none',
  }),
  RINGKEY_OIDC_CLIENT_ID: z.string().optional().meta({ about: 'The client ID at that provider.', fallback: 'none' }),
  RINGKEY_OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ about: 'The client secret at that provider.', fallback: 'none' }),
  RINGKEY_REFUND_SIGN_IN_ABOVE_CENTS: wholeNumber(0, 99_999_999).default(0).meta({
    about:
      'Live refunds above this amount, in minor units, need a sign-in within the last 15 minutes. With `0`, all live refunds do.',
  }),
  RINGKEY_OIDC_NAME: z
    .string()
    .max(40, 'a name of at most 40 characters')
    .default('single sign-on')
    .meta({ about: 'The name of the provider on the button *Sign in with …*.' }),

  RINGKEY_APPLE_PAY_ASSOCIATION: z.string().optional().meta({
    about:
      'For Apple Pay at Square: the domain association file that Apple checks on the host of pay links. Square publishes it at `app.squareup.com/digital-wallets/apple-pay/apple-developer-merchantid-domain-association`. Stripe needs none.',
    fallback: 'none',
  }),

  RINGKEY_API_KEY: z
    .string()
    .regex(/^rk_(test|live)_[A-Za-z0-9_-]+$/, 'an API key that begins with rk_test_ or rk_live_')
    .optional()
    .meta({
      about: "An account's key, for commands that call a running service, such as `ringkey refund`.",
      fallback: 'none',
    }),

  DATABASE_URL: z.string().optional().meta({
    about: 'PostgreSQL 15 or newer, or a connection pooler in front of it.',
    fallback: 'a private server',
  }),
  RINGKEY_DATABASE_DIRECT_URL: z.string().optional().meta({
    about:
      'PostgreSQL itself, if `DATABASE_URL` is a connection pooler in transaction mode (PgBouncer 1.21 or newer). Migrations, leases and notifications use it.',
    fallback: '`DATABASE_URL`',
  }),
  RINGKEY_DATABASE_CONNECTIONS: wholeNumber(4, 1_000)
    .default(DATABASE_CONNECTIONS)
    .meta({ about: 'The most connections of this process to `DATABASE_URL`. It has up to two more of its own.' }),
  REDIS_URL: z
    .string()
    .refine(
      (url) => parseRedisUrl(url) !== null,
      'a URL such as redis://host:6379, redis+sentinel://host:26379,host:26379/master-name or redis+cluster://host:6379,host:6379',
    )
    .optional()
    .meta({
      about:
        'Redis 6.2 or newer: `redis://host:6379`, Sentinels (`redis+sentinel://host:26379,host:26379/master-name`) or a cluster (`redis+cluster://host:6379,host:6379`). `rediss…` is with TLS.',
      fallback: 'a private server',
    }),
  RINGKEY_POSTGRES_PORT: port(5480).meta({ about: 'The port of the private PostgreSQL.' }),
  RINGKEY_REDIS_PORT: port(6480).meta({ about: 'The port of the private Redis.' }),
};
