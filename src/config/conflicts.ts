/** Settings that contradict each other, or need another setting that is missing. */
import { isWithinRanges } from '../domain/address-range.ts';
import { isLoopbackHost } from '../lib/http-client/public-addresses.ts';
import { numberLookupOf } from './derived.ts';
import type { Config } from './settings.ts';

/** Every problem, in a sentence each. */
export function settingConflicts(config: Config): string[] {
  return [
    smsConflicts,
    emailConflicts,
    lookupConflicts,
    trunkConflicts,
    oidcConflicts,
    attestationConflicts,
    speechConflicts,
    encryptionConflicts,
    databaseConflicts,
  ].flatMap((conflictsOf) => conflictsOf(config));
}

const SMS_NEEDS = {
  log: [],
  twilio: ['RINGKEY_SMS_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'RINGKEY_PUBLIC_URL'],
  telnyx: ['RINGKEY_SMS_FROM', 'TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY'],
} as const;

function smsConflicts(config: Config): string[] {
  const missing = SMS_NEEDS[config.RINGKEY_SMS].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name} must be set when RINGKEY_SMS is ${config.RINGKEY_SMS}.`);
}

const EMAIL_SETTINGS = ['RINGKEY_SMTP_URL', 'RINGKEY_EMAIL_FROM'] as const;

function emailConflicts(config: Config): string[] {
  const missing = EMAIL_SETTINGS.filter((name) => config[name] === undefined);
  return missing.length === 1 ? missing.map((name) => `${name} must be set when the other setting of emails is.`) : [];
}

const LOOKUP_NEEDS = {
  off: [],
  sandbox: [],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  telnyx: ['TELNYX_API_KEY'],
} as const;

function lookupConflicts(config: Config): string[] {
  const vendor = numberLookupOf(config);
  const missing = LOOKUP_NEEDS[vendor].filter((name) => config[name] === undefined);
  return missing.map((name) => `${name} must be set when RINGKEY_NUMBER_LOOKUP is ${vendor}.`);
}

const TRUNK_CREDENTIALS = ['RINGKEY_TRUNK_USERNAME', 'RINGKEY_TRUNK_PASSWORD'] as const;

function trunkConflicts(config: Config): string[] {
  const missing = TRUNK_CREDENTIALS.filter((name) => config[name] === undefined);
  if (missing.length !== 1) return [];
  return missing.map((name) => `${name} must be set when the other of the trunk's credentials is.`);
}

const OIDC_SETTINGS = ['RINGKEY_OIDC_ISSUER', 'RINGKEY_OIDC_CLIENT_ID', 'RINGKEY_OIDC_CLIENT_SECRET'] as const;

function oidcConflicts(config: Config): string[] {
  const missing = OIDC_SETTINGS.filter((name) => config[name] === undefined);
  if (missing.length === OIDC_SETTINGS.length) return [];
  const issuer = config.RINGKEY_OIDC_ISSUER;
  const isPlain =
    issuer !== undefined && new URL(issuer).protocol === 'http:' && !isLoopbackHost(new URL(issuer).hostname);
  const problems = missing.map((name) => `${name} must be set when the other settings of the OpenID provider are.`);
  if (isPlain) problems.push('RINGKEY_OIDC_ISSUER must be an https URL, or an http one of this machine.');
  if (config.RINGKEY_PUBLIC_URL === undefined && !config.RINGKEY_DEMO) {
    problems.push('RINGKEY_PUBLIC_URL must be set with an OpenID provider, which sends users back to it.');
  }
  return problems;
}

/** Attestation is read only on trunks, so a direct trunk outside `RINGKEY_TRUNKS` would have no effect. */
function attestationConflicts(config: Config): string[] {
  const problems = config.RINGKEY_DIRECT_TRUNKS.filter((range) => !isWithinRanges(range, config.RINGKEY_TRUNKS)).map(
    (range) => `RINGKEY_DIRECT_TRUNKS must be part of RINGKEY_TRUNKS, and ${range} is not.`,
  );
  if (config.RINGKEY_STIR_ROOTS !== undefined && config.RINGKEY_DIRECT_TRUNKS.length === 0) {
    problems.push('RINGKEY_DIRECT_TRUNKS must be set when RINGKEY_STIR_ROOTS is.');
  }
  return problems;
}

/** A synthesizer needs one of these settings. */
const SYNTHESIZER_NEEDS = {
  none: [],
  'espeak-ng': [],
  openai: ['OPENAI_API_KEY', 'RINGKEY_TTS_URL'],
  google: ['GOOGLE_TTS_API_KEY'],
  polly: ['RINGKEY_POLLY_REGION'],
  elevenlabs: ['ELEVENLABS_API_KEY'],
} as const;

function speechConflicts(config: Config): string[] {
  const chosen = config.RINGKEY_SYNTHESIZER;
  const needs = SYNTHESIZER_NEEDS[chosen];
  const problems: string[] = [];
  if (needs.length > 0 && needs.every((name) => config[name] === undefined)) {
    problems.push(`${needs.join(' or ')} must be set when RINGKEY_SYNTHESIZER is ${chosen}.`);
  }
  const hasOneKey = (config.AWS_ACCESS_KEY_ID === undefined) !== (config.AWS_SECRET_ACCESS_KEY === undefined);
  if (config.RINGKEY_POLLY_REGION !== undefined && hasOneKey) {
    problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set, or neither.');
  }
  return problems;
}

/** The built-in engine cannot encrypt, and must not seem to. */
function encryptionConflicts(config: Config): string[] {
  if (config.RINGKEY_ENGINE === 'external') return [];
  const problems: string[] = [];
  if (config.RINGKEY_SRTP !== 'forbidden') {
    problems.push(
      'RINGKEY_SRTP must be forbidden unless RINGKEY_ENGINE is external: the built-in engine has no encryption.',
    );
  }
  if (config.RINGKEY_SIP_SCHEME === 'sips' || /;transport=tls/i.test(config.RINGKEY_SIP_DOMAIN ?? '')) {
    problems.push('RINGKEY_ENGINE must be external for a transfer_to with TLS: the built-in engine has no encryption.');
  }
  return problems;
}

function databaseConflicts({ DATABASE_URL: url, RINGKEY_DATABASE_DIRECT_URL: directUrl }: Config): string[] {
  if (directUrl === undefined || url !== undefined) return [];
  return ['DATABASE_URL must be set when RINGKEY_DATABASE_DIRECT_URL is: it names the connection pooler.'];
}
