/**
 * The command `ringkey` as an operator runs it: output and exit codes. Help and usage errors of single commands run in
 * this process to save time, everything else in a process of its own.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/local/standalone/setup/build.mjs';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { runCommand } from '../../support/run-command.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const LIMIT_MS = 200_000;
const KEY = randomBytes(32).toString('base64');

const testDatabase = useTestDatabase();
beforeAll(async () => {
  build();
});

interface CommandOutput {
  code: number;
  out: string;
  err: string;
}

function ringkey(line: string, settings: Record<string, string> = {}): Promise<CommandOutput> {
  const own = { DATABASE_URL: testDatabase.url, RINGKEY_ENCRYPTION_KEYS: KEY };
  const env = { PATH: process.env.PATH, ...own, ...settings };
  const words = ['dist/main.js', ...line.split(' ').filter((word) => word !== '')];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: ROOT, env, timeout: LIMIT_MS }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
}

describe('help', () => {
  test.each(['', 'help', '--help', '-h'])('lists all commands: ringkey %s', async (line) => {
    const { code, out, err } = await ringkey(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of [
      'start',
      'events',
      'refund',
      'charge',
      'migrate',
      'account',
      'key',
      'merchant',
      'vault',
      'call',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
  });

  test.each([
    'start',
    'migrate',
    'account',
    'key',
    'key roll',
    'merchant',
    'events',
    'refund',
    'refund settle',
    'charge',
    'charge settle',
    'charge capture',
    'charge void',
    'vault',
    'call',
  ])('describes a command: ringkey %s --help', async (command) => {
    const { code, out, err } = await runCommand(`${command} --help`, {});
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: ringkey ${command} `));
  });

  test('shows the version: ringkey --version', async () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
    expect(await ringkey('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

function expectUsageError({ code, out, err }: CommandOutput): void {
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^ringkey: .*\n[\s\S]*Usage: ringkey /);
  expect(err).not.toContain('    at ');
}

describe('a wrong command line', () => {
  test.each([
    'nonsense',
    'start now',
    'migrate --down',
    'key create --account acct_1 --colour red',
    'events resend nonsense',
    // Keys are never arguments, because every user of the machine can read those.
    'events resend evt_1 --key rk_test_0123456789abcdef',
    'refund',
    'refund settle re_1',
    'vault open',
    'charge settle ch_1',
    'charge settle ch_1 --succeeded pi_1 --not-received',
    'charge capture ch_1 --amount 0',
    'charge void re_1',
    'charge settle evt_1 --not-received',
    'call --script nonsense',
    'call --amount none',
    'call --card 4242',
  ])('is a usage error: ringkey %s', async (line) => {
    expectUsageError(await runCommand(line, {}));
  });

  test('is a usage error also in a process of its own', async () => {
    expectUsageError(await ringkey('nonsense'));
  });
});

test('ends with exit code 1 and no stack trace if an object does not exist', async () => {
  for (const line of ['key create --account acct_nobody', 'key revoke key_nobody']) {
    const { code, out, err } = await ringkey(line);
    expect({ line, code, out }).toEqual({ line, code: 1, out: '' });
    expect(err).toMatch(/^ringkey: (account|key) not found\n$/);
  }
  expect(await ringkey('charge settle ch_nobody --not-received')).toEqual({
    code: 1,
    out: '',
    err: 'ringkey: charge not found\n',
  });
  expect(await ringkey('events resend evt_nobody')).toEqual({ code: 1, out: 'evt_nobody  not found\n', err: '' });
});

test('names invalid settings before it does anything', async () => {
  const { code, out, err } = await ringkey('account list', {
    RINGKEY_HTTP_PORT: 'http',
    RINGKEY_API_KEY: 'secret words',
  });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/RINGKEY_HTTP_PORT[\s\S]*RINGKEY_API_KEY/);
  expect(err).not.toContain('secret words');
});

test.each(['migrate', 'account list'])(
  'says what to do on a database of a version before 0.2.0: ringkey %s',
  async (line) => {
    const old = await createTestDatabase();
    await old.database.query(`update migrations set name = '0001_record'`);
    const { code, out, err } = await ringkey(line, { DATABASE_URL: old.url });
    await old.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/before 0\.2\.0[\s\S]*set DATABASE_URL/);
    expect(err).not.toContain('    at ');
  },
);

test('migrates, creates an account, and creates, rolls and revokes a key, with only JSON on standard output', async () => {
  expect(await ringkey('migrate')).toMatchObject({ code: 0, err: '' });
  const json = async (line: string) => {
    const { code, out, err } = await ringkey(`${line} --json`);
    expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
    return JSON.parse(out) as Record<string, string>;
  };
  const { account_id } = await json('account create --name Acme --currency EUR');
  const { key = '', key_id } = await json(`key create --account ${account_id} --mode live`);
  expect(key).toMatch(/^rk_live_[A-Za-z0-9_-]{43}$/);
  const rolled = await json(`key roll ${key_id} --expires-in 0`);
  await json(`key revoke ${rolled.key_id}`);
  const listed = await ringkey(`key list --account ${account_id}`);
  expect(listed.out.trim().split('\n')).toHaveLength(2);
  expect(listed.out).not.toContain(key);
  expect((await ringkey('account list')).out).toContain(`${account_id}  EUR  Acme`);
});
