/** The command lines of `ringkey account` and `ringkey key`. */
import { parseArgs } from 'node:util';
import { type AccountId, type KeyId, parseId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/session.ts';
import { MAX_OVERLAP_SECONDS } from '../keys/manage.ts';
import { isParseError, UsageError } from '../usage-error.ts';

export type AdminCommand =
  | { kind: 'account list' }
  | { kind: 'account create'; name: string; currency: Currency }
  | { kind: 'key create'; accountId: AccountId; mode: Mode; name: string | null }
  | { kind: 'key list'; accountId: AccountId; modes: Mode[] }
  | { kind: 'key roll'; keyId: KeyId; overlapSeconds: number }
  | { kind: 'key revoke'; keyId: KeyId };

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
  '',
  '  --json   print JSON',
].join('\n');

const CURRENCIES: readonly Currency[] = ['USD', 'EUR', 'GBP', 'CAD', 'AUD'];
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
      return { kind, name: name(values.name), currency: oneOf('--currency', CURRENCIES, values.currency) };
    case 'key create':
      return {
        kind,
        accountId: accountId(values.account),
        mode: oneOf('--mode', MODES, values.mode ?? 'test'),
        name: values.name === undefined ? null : name(values.name),
      };
    case 'key list':
      return {
        kind,
        accountId: accountId(values.account),
        modes: values.mode === undefined ? [...MODES] : [oneOf('--mode', MODES, values.mode)],
      };
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
      currency: { type: 'string', default: 'USD' },
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
