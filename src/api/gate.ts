/**
 * What every request asks Redis, in one round trip: may it pass (its rate), and whom does its key speak for. Both are
 * conveniences: when Redis is away requests pass and keys are looked up in the record. Requests that came together ask
 * together: on a busy service the asking would cost more than most of what follows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type Result } from 'ioredis';
import { parseId } from '../domain/ids.ts';
import type { Log } from '../observability/log.ts';
import type { ValidKey } from '../db/keys/keys.ts';
import { together } from '../concurrency/batching.ts';

/** A token bucket: `burst` at once, refilled with `perSecond`. */
export interface Limit {
  perSecond: number;
  burst: number;
}

/** Where a request stands in its bucket. */
export interface Allowance {
  limit: Limit;
  allowed: boolean;
  /** What the bucket still holds. */
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Until the next request passes; 0 when it would now. */
  retryAfterSeconds: number;
}

export interface Entry {
  /** Null: Redis is away, so nobody counts. */
  allowance: Allowance | null;
  /** Null: not known here, ask the record. */
  key: ValidKey | null;
}

export interface Forgetting {
  /** Resolves when no process lets the old state pass any more; false when we closed before. Never rejects. */
  everywhere: Promise<boolean>;
}

/** Who is counted: a key, or without one the address that asks. */
export type Caller = { keyHash: Buffer } | { address: string };

export interface Gate {
  /** How often Redis failed to answer, since the start. */
  readonly failures: number;
  /** Takes one from the caller's bucket. Never rejects. */
  enter(caller: Caller, limit: Limit): Promise<Entry>;
  /** Keeps what the record said of a key, for at most 30 s; not while {@link forget} holds. */
  remember(keyHash: Buffer, key: ValidKey): void;
  /**
   * Call it before a key changes in the record: from then on, for a minute, every process asks the record for it. When
   * Redis is away this resolves all the same, and goes on trying until what is cached there has gone by itself.
   */
  forget(keyHash: Buffer): Promise<Forgetting>;
  close(): void;
}

const CACHED_MS = 30_000;
/** Longer than a request that read the record before the change may take to bring its stale news. */
const FORGOTTEN_MS = 60_000;
const COMMAND_LIMIT_MS = 250;
const CONNECT_LIMIT_MS = 2_000;
/** After a failure nobody asks for that long: a Redis that hangs costs one wait a second, not one a request. */
const PAUSE_MS = 1_000;
const FORGET_AGAIN_MS = 200;
const LONGEST_RETRY_MS = 500;

/** Of a line, before its second field. */
const LINE_HEAD = '1 '.length;
const MAX_READ = 10_000;

/** So many ask at once at most: Redis does nothing else meanwhile. */
const MAX_TOGETHER = 100;

/**
 * GCRA: the bucket is one number, when it will be full again. Redis' clock counts, so processes need not agree on theirs.
 * KEYS: for each caller its bucket, its cached key. ARGV: milliseconds a request, milliseconds that the burst is worth.
 * A line for each caller comes back: 1 or 0 whether it may pass, in how many ms its bucket is full, the cached key if any.
 */
const ENTER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local each, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local lines = {}
for at = 1, #KEYS, 2 do
  local full = math.max(tonumber(redis.call('GET', KEYS[at]) or '0'), now)
  local after = full + each
  local allowed = after - now < burst + 0.5
  if allowed then
    full = after
    redis.call('SET', KEYS[at], string.format('%.3f', full), 'PX', math.ceil(full - now))
  end
  local cached = KEYS[at + 1] ~= '' and redis.call('GET', KEYS[at + 1]) or ''
  lines[#lines + 1] = string.format('%d %.3f %s', allowed and 1 or 0, full - now, cached)
end
return lines`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    enterGate(keys: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>;
  }
}

/** The braces keep a caller's two in one place, should Redis ever be several. */
const keyName = (hash: string) => `ringkey:key:{${hash}}`;

/** The bucket, and for a key what is known of it; an address has no such thing. */
function namesOf(caller: Caller): [bucket: string, key: string] {
  if ('address' in caller) return [`ringkey:rate:{${caller.address}}`, ''];
  const hash = caller.keyHash.toString('base64url');
  return [`ringkey:rate:{${hash}}`, keyName(hash)];
}

/**
 * Resolves when it is connected, or soon after when Redis is away.
 * @param url of Redis
 * @param commandLimitMs how long Redis may take to answer before it counts as away
 */
export async function openGate(url: string, log: Log, commandLimitMs = COMMAND_LIMIT_MS): Promise<Gate> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_LIMIT_MS,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RETRY_MS),
  });
  redis.defineCommand('enterGate', { lua: ENTER });
  const gate = new RedisGate(redis, log, commandLimitMs);
  redis.on('error', (error) => gate.failed(error));
  await redis.connect().catch((error: Error) => gate.failed(error));
  return gate;
}

const UNCOUNTED: Entry = { allowance: null, key: null };

class RedisGate implements Gate {
  failures = 0;
  readonly #redis: Redis;
  readonly #log: Log;
  readonly #commandLimitMs: number;
  readonly #closing = new AbortController();
  #pausedUntil = 0;
  #away = false;

  /** What cached texts say: the same few come again and again. */
  readonly #read = new Map<string, ValidKey | null>();

  /** One for each limit. */
  readonly #asking = new WeakMap<Limit, (caller: Caller) => Promise<Entry>>();

  constructor(redis: Redis, log: Log, commandLimitMs: number) {
    this.#redis = redis;
    this.#log = log;
    this.#commandLimitMs = commandLimitMs;
  }

  enter(caller: Caller, limit: Limit): Promise<Entry> {
    if (performance.now() < this.#pausedUntil) return Promise.resolve(UNCOUNTED);
    let ask = this.#asking.get(limit);
    if (ask === undefined) {
      ask = together((all) => this.#enterAll(all, limit), { most: MAX_TOGETHER });
      this.#asking.set(limit, ask);
    }
    return ask(caller);
  }

  /** Never rejects. */
  async #enterAll(all: readonly Caller[], limit: Limit): Promise<Entry[]> {
    const names = all.flatMap(namesOf);
    const msEach = 1_000 / limit.perSecond;
    try {
      const asked = this.#redis.enterGate(names.length, ...names, msEach, msEach * limit.burst);
      const lines = await inTime(asked, this.#commandLimitMs);
      this.#answered();
      return lines.map((line) => this.#entryOf(limit, line));
    } catch (error) {
      this.failed(error);
      return all.map(() => UNCOUNTED);
    }
  }

  /** @param line of {@link ENTER} */
  #entryOf(limit: Limit, line: string): Entry {
    const end = line.indexOf(' ', LINE_HEAD);
    const key = this.#readCached(line.slice(end + 1));
    return {
      allowance: allowanceOf(limit, line.startsWith('1'), Number(line.slice(LINE_HEAD, end))),
      key: key === null || isOver(key) ? null : key,
    };
  }

  /** Null for nothing, and for {@link Gate.forget}'s mark. */
  #readCached(text: string): ValidKey | null {
    if (text === '') return null;
    let key = this.#read.get(text);
    if (key === undefined) {
      key = readCached(text);
      if (this.#read.size >= MAX_READ) this.#read.clear();
      this.#read.set(text, key);
    }
    return key;
  }

  remember(keyHash: Buffer, key: ValidKey): void {
    if (performance.now() < this.#pausedUntil) return;
    const leftMs = key.expiresAt === null ? CACHED_MS : key.expiresAt.getTime() - Date.now();
    const cachedMs = Math.floor(Math.min(CACHED_MS, leftMs));
    if (cachedMs < 1) return;
    // NX: what `forget` put there stays, however late we are with what we read before the change.
    const kept = this.#redis.set(keyName(keyHash.toString('base64url')), writeCached(key), 'PX', cachedMs, 'NX');
    inTime(kept, this.#commandLimitMs).catch((error: unknown) => this.failed(error));
  }

  async forget(keyHash: Buffer): Promise<Forgetting> {
    const isMarked = await this.#mark(keyHash);
    return { everywhere: isMarked ? Promise.resolve(true) : this.#keepMarking(keyHash) };
  }

  async #mark(keyHash: Buffer): Promise<boolean> {
    try {
      await inTime(
        this.#redis.set(keyName(keyHash.toString('base64url')), '', 'PX', FORGOTTEN_MS),
        this.#commandLimitMs,
      );
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  async #keepMarking(keyHash: Buffer): Promise<boolean> {
    const deadline = performance.now() + CACHED_MS;
    const { signal } = this.#closing;
    while (performance.now() < deadline && !signal.aborted) {
      await delay(FORGET_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted && (await this.#mark(keyHash))) return true;
    }
    return !signal.aborted;
  }

  failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.failures += 1;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (this.#away) return;
    this.#away = true;
    this.#log.warn({ error }, 'redis is away: requests are not counted, keys are looked up in the record');
  }

  #answered(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#log.info('redis is back: requests are counted again');
  }

  close(): void {
    this.#closing.abort();
    this.#redis.disconnect();
  }
}

/**
 * Redis' answer, if it comes in time. When the time is over, what lies in the socket is read first:
 * a process that was kept from running for so long must not take its own slowness for Redis'.
 */
function inTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(new Error('Redis did not answer in time'))), limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function allowanceOf(limit: Limit, allowed: boolean, fullInMs: number): Allowance {
  const msEach = 1_000 / limit.perSecond;
  const freeMs = Math.max(0, limit.burst * msEach - fullInMs);
  return {
    limit,
    allowed,
    remaining: Math.floor(freeMs / msEach + 0.05),
    resetSeconds: Math.ceil(fullInMs / 1_000),
    retryAfterSeconds: Math.ceil(Math.max(0, msEach - freeMs) / 1_000),
  };
}

function writeCached(key: ValidKey): string {
  return JSON.stringify([key.id, key.accountId, key.mode, key.expiresAt?.getTime() ?? null]);
}

/** Null for what is not of this version's writing. */
function readCached(text: string): ValidKey | null {
  const [id, accountId, mode, expiresAtMs] = JSON.parse(text) as [string, string, ValidKey['mode'], number | null];
  const [keyId, account] = [parseId('Key', id), parseId('Account', accountId)];
  if (keyId === null || account === null) return null;
  return { id: keyId, accountId: account, mode, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs) };
}

const isOver = ({ expiresAt }: ValidKey) => expiresAt !== null && expiresAt.getTime() <= Date.now();
