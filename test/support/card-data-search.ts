/**
 * Searches everything that a product has written (output, files, tables, Redis) for card data that callers entered:
 * plain, with separators, key by key, in hex and in base64.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Database } from '../../src/db/pool.ts';
import type { TestProduct } from './product.ts';

/** A text that the product wrote, and its place. */
export interface WrittenText {
  place: string;
  text: string;
}

export interface KeyedCard {
  number: string;
  /** MMYY. */
  expiry: string;
  securityCode: string;
}

interface CardDataFinding {
  place: string;
  what: 'number' | 'part of a number' | 'security code' | 'expiry';
}

/**
 * Standard output and error, every file of RINGKEY_HOME and of `folders`, every row of every table, every Redis key and
 * the RDB dump.
 */
export async function collectWrittenTexts(
  product: Pick<TestProduct, 'home' | 'output' | 'testDatabase' | 'testRedis'>,
  folders: readonly string[] = [],
): Promise<WrittenText[]> {
  const files = await Promise.all([product.home, ...folders].map(filesOf));
  return [
    { place: 'output', text: product.output() },
    ...files.flat(),
    ...(await rowsOf(product.testDatabase.database)),
    ...(await keysOf(product.testRedis.redis)),
    await dumpOf(product.testRedis.redis),
  ];
}

async function filesOf(folder: string): Promise<WrittenText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A file that is being rendered is renamed during the search; it contains the words of a prompt.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.part'));
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (place) => ({ place, text: `${place}\n${await readFile(place, 'latin1')}` })));
}

async function rowsOf(database: Database): Promise<WrittenText[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: WrittenText[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    found.push({ place: `table ${name}`, text: rows.map(({ row }) => row).join('\n') });
  }
  return found;
}

/** The Redis keys by value, because the dump contains some values as numbers or compressed. */
async function keysOf(redis: Redis): Promise<WrittenText[]> {
  const found: WrittenText[] = [];
  for await (const keys of redis.scanStream()) {
    for (const key of keys as string[]) {
      found.push({ place: `key ${key}`, text: `${key}\n${JSON.stringify(await contentOf(redis, key))}` });
    }
  }
  return found;
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}

async function dumpOf(redis: Redis): Promise<WrittenText> {
  await redis.config('SET', 'rdbcompression', 'no');
  await redis.save();
  const setting = async (name: string) => String(((await redis.config('GET', name)) as string[])[1]);
  const place = join(await setting('dir'), await setting('dbfilename'));
  return { place, text: await readFile(place, 'latin1') };
}

/** The card data of `cards` found in `texts`. */
export function findCardData(traces: readonly WrittenText[], cards: readonly KeyedCard[]): CardDataFinding[] {
  const patterns = cards.flatMap(patternsOf);
  return traces.flatMap(({ place, text }) => {
    const views = [text, keyByKey(text), ...decodedRuns(text)];
    const matching = patterns.filter(({ pattern }) => views.some((view) => pattern.test(view)));
    return [...new Set(matching.map(({ what }) => what))].map((what) => ({ place, what }));
  });
}

export interface KeyedAccount {
  routingNumber: string;
  accountNumber: string;
}

/** The digits of bank `accounts` found in `traces`. */
export function findAccountData(
  traces: readonly WrittenText[],
  accounts: readonly KeyedAccount[],
): { place: string; what: 'account number' | 'routing number' }[] {
  const patterns = accounts.flatMap(({ routingNumber, accountNumber }) => [
    ...partsOf(accountNumber).map((part) => ({ what: 'account number' as const, pattern: new RegExp(spread(part)) })),
    // Nine digits, so they must be on their own.
    { what: 'routing number' as const, pattern: new RegExp(`(?<![0-9])${spread(routingNumber)}(?![0-9])`) },
  ]);
  return traces.flatMap(({ place, text }) => {
    const views = [text, keyByKey(text), ...decodedRuns(text)];
    const matching = patterns.filter(({ pattern }) => views.some((view) => pattern.test(view)));
    return [...new Set(matching.map(({ what }) => what))].map((what) => ({ place, what }));
  });
}

/** Between digits of a number that is written out: `4242 4242`, `4-2-4-2`, `["4","2"]`. */
const SEPARATOR = '[^0-9A-Za-z]{0,5}';
/** Words next to which three or four digits count as a security code. */
const CODE_WORDS = '(?:cvc|cvv|csc|cid|security|code|digits?|dtmf|keys?|keyed|pin|signal|secret)';
/** The text allowed between such a word and the code. Digits right after a letter are part of an id. */
const BETWEEN = '(?:[^0-9]{0,24}(?<![0-9A-Za-z]))?';
/** The last four digits of a card may be shown; this many in a row may not. */
const PART_LENGTH = 10;
const MIN_DISTINCT = 4;

interface Pattern {
  what: CardDataFinding['what'];
  pattern: RegExp;
}

const spread = (digits: string) => [...digits].join(SEPARATOR);

/** All runs of {@link PART_LENGTH} digits. Ten zeros, for example, occur in many places. */
const partsOf = (number: string) =>
  Array.from({ length: number.length - PART_LENGTH + 1 }, (_, at) => number.slice(at, at + PART_LENGTH)).filter(
    (part) => new Set(part).size >= MIN_DISTINCT,
  );

function patternsOf({ number, expiry, securityCode }: KeyedCard): Pattern[] {
  return [
    { what: 'number', pattern: new RegExp(spread(number)) },
    ...partsOf(number).map((part) => ({ what: 'part of a number' as const, pattern: new RegExp(spread(part)) })),
    {
      what: 'security code',
      pattern: new RegExp(`${CODE_WORDS}${BETWEEN}${spread(securityCode)}(?![0-9A-Za-z])`, 'i'),
    },
    { what: 'security code', pattern: new RegExp(`${spread(expiry)}${SEPARATOR}${spread(securityCode)}(?![0-9])`) },
    { what: 'expiry', pattern: new RegExp(`expir[a-z]*[^0-9]{0,24}${spread(expiry)}(?![0-9])`, 'i') },
  ];
}

/** Digits logged one event at a time, joined. */
function keyByKey(text: string): string {
  const events = text.matchAll(/(?:dtmf|digit|key|signal|event)[^0-9*#\n]{1,12}([0-9*#])(?![0-9])/gi);
  return [...events].map(([, key = '']) => key).join('');
}

/** Runs of hex and base64, decoded. */
export function decodedRuns(text: string): string[] {
  const hex = text.match(/(?:[0-9a-f]{2}){12,}/gi) ?? [];
  const base64 = text.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? [];
  return [
    hex.map((run) => Buffer.from(run, 'hex').toString('latin1')).join('\n'),
    base64.map((run) => Buffer.from(run, 'base64').toString('latin1')).join('\n'),
  ];
}
