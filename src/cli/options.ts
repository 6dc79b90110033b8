/** The command lines of `ringkey account`, `ringkey key` and `ringkey merchant`. */
import { parseArgs } from 'node:util';
import { type AccountId, type KeyId, parseId } from '../domain/ids.ts';
import { CURRENCIES, type Currency, MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { type E164, parseE164 } from '../domain/phone-number.ts';
import { POLICY_KINDS } from '../domain/policy.ts';
import type { Mode } from '../domain/session.ts';
import { MAX_OVERLAP_SECONDS } from '../keys/manage.ts';
import { isParseError, UsageError } from './usage-error.ts';
import type { NewMerchantWords } from './merchants.ts';

export type AdminCommand =
  | { kind: 'account list' }
  | { kind: 'account create'; name: string; currency: Currency }
  | { kind: 'key create'; accountId: AccountId; mode: Mode; name: string | null }
  | { kind: 'key list'; accountId: AccountId; modes: Mode[] }
  | { kind: 'key roll'; keyId: KeyId; overlapSeconds: number }
  | { kind: 'key revoke'; keyId: KeyId }
  | ({ kind: 'merchant create' } & NewMerchantWords)
  | { kind: 'merchant list'; accountId: AccountId; modes: Mode[] };

export interface AdminOptions {
  command: AdminCommand;
  json: boolean;
}

export const ADMIN_USAGE = [
  'Usage:',
  '  ringkey account create --name NAME [--currency USD]',
  '  ringkey account list',
  '  ringkey key create --account ID [--mode test|live] [--name NAME]',
  '  ringkey key list --account ID [--mode test|live]',
  '  ringkey key roll KEY_ID [--expires-in 24h]   the old key goes on for 0 to 7d (s, m, h, d)',
  '  ringkey key revoke KEY_ID',
  '  ringkey merchant create --account ID --name NAME [--mode test|live] [--slug SLUG] [--currency USD]',
  '      [--number +15550100001]… [--policy never|optional|always|above] [--threshold CENTS]',
  '  ringkey merchant list --account ID [--mode test|live]',
  '',
  '  --json   print JSON',
].join('\n');

const MODES: readonly Mode[] = ['test', 'live'];
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @param words `['key', 'create', '--account', …]`. @throws UsageError */
export function readAdminOptions(words: readonly string[]): AdminOptions {
  const { values, positionals } = parse(words);
  const [noun, verb, ...rest] = positionals;
  const kind = `${noun} ${verb}`;
  if (rest.length > (kind === 'key roll' || kind === 'key revoke' ? 1 : 0)) throw new UsageError('too many words');
  return { command: commandOf(kind, values, rest[0]), json: values.json };
}

function commandOf(kind: string, values: ReturnType<typeof parse>['values'], id: string | undefined): AdminCommand {
  switch (kind) {
    case 'account list':
      return { kind };
    case 'account create':
      if (values.name === undefined) throw new UsageError('--name is missing');
      return { kind, name: name(values.name), currency: currency(values.currency) ?? 'USD' };
    case 'key create':
      return {
        kind,
        accountId: accountId(values.account),
        mode: oneOf('--mode', MODES, values.mode ?? 'test'),
        name: values.name === undefined ? null : name(values.name),
      };
    case 'key list':
    case 'merchant list':
      return {
        kind,
        accountId: accountId(values.account),
        modes: values.mode === undefined ? [...MODES] : [oneOf('--mode', MODES, values.mode)],
      };
    case 'merchant create':
      return { kind, ...newMerchant(values) };
    case 'key roll':
      return { kind, keyId: keyId(id), overlapSeconds: overlapSeconds(values['expires-in']) };
    case 'key revoke':
      return { kind, keyId: keyId(id) };
    default:
      throw new UsageError('there is no such command');
  }
}

function parse(words: readonly string[]) {
  try {
    return parseWords(words);
  } catch (error) {
    throw isParseError(error) ? new UsageError(error.message) : error;
  }
}

function parseWords(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      currency: { type: 'string' },
      slug: { type: 'string' },
      number: { type: 'string', multiple: true, default: [] },
      policy: { type: 'string' },
      threshold: { type: 'string' },
      account: { type: 'string' },
      mode: { type: 'string' },
      'expires-in': { type: 'string', default: '24h' },
      json: { type: 'boolean', default: false },
    },
  });
}

const MAX_NAME_LENGTH = 100;

function name(text: string): string {
  const trimmed = text.trim();
  // A line of a list, and a field of JSON.
  if (trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw new UsageError(`--name is 1 to ${MAX_NAME_LENGTH} characters on one line`);
}

function newMerchant(values: ReturnType<typeof parse>['values']): NewMerchantWords {
  if (values.name === undefined) throw new UsageError('--name is missing');
  return {
    accountId: accountId(values.account),
    mode: oneOf('--mode', MODES, values.mode ?? 'test'),
    name: name(values.name),
    slug: values.slug === undefined ? undefined : slug(values.slug),
    numbers: values.number.map(number),
    currency: currency(values.currency),
    policy: values.policy === undefined ? undefined : oneOf('--policy', POLICY_KINDS, values.policy),
    thresholdCents: values.threshold === undefined ? undefined : cents(values.threshold),
  };
}

function currency(text: string | undefined): Currency | undefined {
  return text === undefined ? undefined : oneOf('--currency', CURRENCIES, text);
}

/** As REST has it (schemas/merchants.ts). */
function slug(text: string): string {
  if (text.length <= 63 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) return text;
  throw new UsageError('--slug is small letters and digits, with single dashes between them');
}

function number(text: string): E164 {
  const parsed = parseE164(text);
  if (parsed === null) throw new UsageError('--number is a phone number in E.164, +15550100001');
  return parsed;
}

function cents(text: string): number {
  const amount = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (amount >= 1 && amount <= MAX_AMOUNT_CENTS) return amount;
  throw new UsageError(`--threshold is a whole number of minor units, 1 to ${MAX_AMOUNT_CENTS}`);
}

function oneOf<T extends string>(option: string, allowed: readonly T[], text: string): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${option} is one of ${allowed.join(', ')}`);
  return found;
}

function accountId(text = ''): AccountId {
  const id = parseId('Account', text);
  if (id === null) throw new UsageError('--account takes an id, acct_…');
  return id;
}

function keyId(text = ''): KeyId {
  const id = parseId('Key', text);
  if (id === null) throw new UsageError('the id of a key is missing, key_…');
  return id;
}

function overlapSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[(unit ?? 's') as keyof typeof SECONDS];
  if (seconds <= MAX_OVERLAP_SECONDS) return seconds;
  throw new UsageError('--expires-in is a time from 0 to 7d, e.g. 24h');
}
