/** The settings of calls: engine, SIP, trunks, capacity, FreeSWITCH, speech. */
import { z } from 'zod';
import { isAddressRange } from '../domain/address-range.ts';
import { RETURN_MODES } from '../domain/merchant.ts';
import { parseCountry, parseE164 } from '../domain/phone-number.ts';
import {
  addressRanges,
  DNS_NAME,
  HOST_PORT,
  isPortRange,
  list,
  oneOf,
  port,
  returnCredentials,
  transferNumbers,
  webUrl,
  wholeNumber,
} from './value-types.ts';

/** The secrets in the daemons' own packages, which are public. */
export const DEFAULT_SECRETS = { DRACHTIO_SECRET: 'cymru', FREESWITCH_SECRET: 'ClueCon' } as const;

export const CALL_SETTINGS = {
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
      "Encryption of callers' audio (SRTP with keys in the SDP): `forbidden`, `optional` or `required`. The built-in engine has none.",
  }),
  RINGKEY_SIP_SCHEME: oneOf(['sip', 'sips'])
    .default('sip')
    .meta({ about: 'The scheme of `transfer_to`: `sip` or `sips`. `sips` needs a SIP server with a certificate.' }),
  RINGKEY_SIP_DOMAIN: z.string().optional().meta({
    about:
      'The part of `transfer_to` after the `@`: the host, the port unless it is 5060, and `;transport=tls` if needed.',
    fallback: 'the SIP address that the engine listens on',
  }),
  RINGKEY_TRUNKS: addressRanges.meta({
    about:
      'Addresses of trusted trunks, whose calls to a number are accepted: CIDR blocks, comma-separated. The calling number or a transfer code identifies the session.',
    fallback: 'none; this machine in a demo on it',
  }),
  RINGKEY_DIRECT_TRUNKS: addressRanges.meta({
    about:
      'The addresses in `RINGKEY_TRUNKS` of trunks on which callers dial the number themselves. The attestation in their INVITEs is trusted (STIR/SHAKEN: `verstat`, `X-Twilio-VerStat`, `Attestation-Info`). Do not list trunks of a platform that forwards callers: its own carrier signs those calls, usually with B or C.',
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
      about: 'The country of trunks that send numbers in the national format: two letters (`GB`).',
      fallback: 'none: trunks send the country code',
    }),
  RINGKEY_TRUNK_TARGET: z
    .string()
    .optional()
    .meta({ about: 'The host that calls to numbers are sent to.', fallback: 'none' }),
  RINGKEY_TRUNK_USERNAME: z
    .string()
    .regex(/^[^":\\\s]+$/, 'a user name without spaces, quotes, backslashes and colons')
    .optional()
    .meta({ about: 'The user name if that host asks for credentials (401, 407).', fallback: 'none' }),
  RINGKEY_TRUNK_PASSWORD: z
    .string()
    .optional()
    .meta({ about: 'The password if that host asks for credentials.', fallback: 'none' }),
  RINGKEY_TRANSFER_NUMBERS: transferNumbers.meta({
    about:
      'Numbers of the payment line (`transfer_to_number`), each with its account and mode: `+15550109999=acct_x:live`, comma-separated.',
    fallback: 'none; `+15550109999=acct_demo:test` in a demo on this machine',
  }),
  RINGKEY_TRANSFER_NUMBER: z
    .string()
    .transform(parseE164)
    .refine((number) => number !== null, 'a phone number in E.164, such as +15550109999')
    .optional()
    .meta({
      about: "The number of the payment line, if there is a single account besides the demo's.",
      fallback: 'none',
    }),
  RINGKEY_NUMBER_UNKNOWN: oneOf(['reject', 'speak']).default('reject').meta({
    about:
      'How to answer a trunk caller who has no open session: `reject` (SIP 404), or `speak`, which says so and ends the call. If open sessions have a transfer code, the call is answered first, and the line listens for one.',
  }),
  RINGKEY_RETURN_ALLOWED: list
    .refine(
      (items) => items.every((item) => isAddressRange(item) || /^(\*\.)?[a-z0-9.-]+$/i.test(item)),
      'host names, IP addresses or CIDR blocks, separated by commas',
    )
    .meta({
      about:
        'Hosts, addresses and CIDR blocks that every account can use in `return_to`, public or not, comma-separated.',
      fallback: 'loopback, if `RINGKEY_PRIVATE_TARGETS` is `on` by default; otherwise none',
    }),
  RINGKEY_RETURN_CREDENTIALS: returnCredentials.meta({
    about:
      'Credentials for hosts in `return_to` that ask for them (401, 407): `host=user:password`, comma-separated. `acct_…@host=user:password` is for the calls of one account.',
    fallback: 'none',
  }),
  RINGKEY_RETURN_MODE: oneOf(RETURN_MODES).default('auto').meta({
    about: "How callers return to the agent: `auto`, `refer` or `bridge`. A merchant's `return_mode` takes precedence.",
  }),
  RINGKEY_SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 60).optional().meta({
    about: 'How long `/readyz` returns 503 before REST stops listening.',
    fallback: '`5`; `0` in a demo on one machine',
  }),
  RINGKEY_DRAIN_SECONDS: wholeNumber(0, 3_600)
    .default(60)
    .meta({ about: 'How long live calls can continue after SIGTERM.' }),
  RINGKEY_MAX_CALLS: wholeNumber(1, 10_000)
    .default(500)
    .meta({ about: 'How many live calls this process takes. Further calls get 503.' }),
  RINGKEY_MAX_LOAD: wholeNumber(20, 100).default(80).meta({
    about:
      'How busy the event loop of a phone process can be, in percent. Beyond that, and while media servers or PostgreSQL respond slowly, new calls get 503. REST returns 503 while its process runs half a second late. With `100`, nothing is refused because of load.',
  }),
  RINGKEY_MAX_CALLS_PER_ACCOUNT: wholeNumber(1, 100_000)
    .default(100)
    .meta({ about: 'How many live calls an account can have, over all processes. Further calls get 503.' }),
  RINGKEY_MAX_BRIDGE_MINUTES: wholeNumber(1, 1_440).default(60).meta({
    about: 'How long a bridge between caller and agent can last. Callers returned by REFER are not affected.',
  }),

  DRACHTIO_HOST: z.string().default('127.0.0.1').meta({ about: 'The host of drachtio-server.' }),
  DRACHTIO_PORT: port(9022).meta({ about: 'The port of drachtio-server for apps.' }),
  DRACHTIO_HOSTS: list
    .refine(
      (hosts) => hosts.every((host) => HOST_PORT.test(host)) && new Set(hosts).size === hosts.length,
      'different entries such as host or host:port, separated by commas',
    )
    .meta({
      about:
        'Several drachtio-servers instead of `DRACHTIO_HOST`: `host` or `host:port`, comma-separated. A phone process takes calls from all of them. If one dies, its calls continue on another.',
      fallback: 'none',
    }),
  DRACHTIO_SECRET: z
    .string()
    .default(DEFAULT_SECRETS.DRACHTIO_SECRET)
    .meta({ about: 'Its secret, the same for all. The default is refused outside a demo.' }),
  FREESWITCH_HOST: z.string().default('127.0.0.1').meta({ about: 'The host of FreeSWITCH.' }),
  FREESWITCH_PORT: port(8021).meta({ about: 'The port of its event socket.' }),
  FREESWITCH_HOSTS: list
    .refine(
      (items) => items.every((item) => HOST_PORT.test(item)),
      'entries such as host or host:port, separated by commas',
    )
    .meta({
      about:
        'Several FreeSWITCH servers instead of `FREESWITCH_HOST`: `host` or `host:port`, comma-separated. The least loaded one takes the next call. If one dies, its calls move to another.',
      fallback: 'none',
    }),
  FREESWITCH_SRV: z.string().regex(DNS_NAME, 'a full DNS name, such as _freeswitch._tcp.example.com').optional().meta({
    about:
      'A DNS name whose SRV records name FreeSWITCH servers (host and event socket port), in addition to `FREESWITCH_HOSTS` and instead of `FREESWITCH_HOST`. Ringkey looks it up every 30 seconds, and when a server is lost.',
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
    about:
      'The port that FreeSWITCH connects back to. Further servers use the ports after it, one each: the lowest that is free.',
    fallback: 'any free port',
  }),
  FREESWITCH_ADVERTISED_ADDRESS: z
    .string()
    .optional()
    .meta({ about: 'That address as FreeSWITCH sees it.', fallback: '`FREESWITCH_LISTEN_ADDRESS`' }),

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
    .meta({ about: 'How much disk space rendered sentences can use, in MiB.' }),
  RINGKEY_SPEECH_ACCOUNT_MB: wholeNumber(1, 1_000_000)
    .default(100)
    .meta({ about: 'How much new speech an account can render in an hour, in MiB. Beyond that, recordings play.' }),
  RINGKEY_SYNTHESIZER: oneOf(['espeak-ng', 'openai', 'google', 'polly', 'elevenlabs', 'none'])
    .default('espeak-ng')
    .meta({
      about:
        'The synthesizer for merchants without a `voice`: `espeak-ng`, `openai`, `google`, `polly` or `elevenlabs`. If it fails, espeak-ng speaks. If that fails too, recordings in the same language play. `none` plays recordings only.',
    }),
  RINGKEY_VOICE: z.string().optional().meta({
    about:
      'The voice for merchants without a `voice`: `<synthesizer>:<voice>`, or a voice of espeak-ng. Not used for calls in another language.',
    fallback: "the language's default voice",
  }),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'The API key for voices `openai:…`. The vendor charges by characters.', fallback: 'none' }),
  RINGKEY_TTS_URL: webUrl()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about:
        "The URL of your own server with OpenAI's speech API (Piper, Kokoro), up to and including `/v1`. `openai` then means that server, and needs no key.",
      fallback: 'none',
    }),
  RINGKEY_TTS_MODEL: z.string().default('gpt-4o-mini-tts').meta({ about: 'The model that `openai` uses.' }),
  GOOGLE_TTS_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'The API key for voices `google:…` of Cloud Text-to-Speech.', fallback: 'none' }),
  ELEVENLABS_API_KEY: z
    .string()
    .optional()
    .meta({ about: 'The API key for voices `elevenlabs:…`. The voice is named by its ID.', fallback: 'none' }),
  RINGKEY_POLLY_REGION: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as us-east-1')
    .optional()
    .meta({ about: 'The AWS region for voices `polly:…`, for example `us-east-1`.', fallback: 'none' }),
  AWS_ACCESS_KEY_ID: z.string().optional().meta({ about: 'The access key for Polly.', fallback: "the machine's role" }),
  AWS_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ about: 'The secret key for Polly.', fallback: "the machine's role" }),
};
