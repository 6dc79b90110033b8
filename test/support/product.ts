/**
 * The whole product as a user runs it: `dist/main.js start` in a separate process, on this run's PostgreSQL and Redis,
 * with the built-in engine, or (RINGKEY_ENGINE=external) the real daemons that the environment names.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { Config } from '../../src/config/settings.ts';
import { build } from '../../src/local/standalone/setup/build.mjs';
import { createTestDatabase, requestServerUrl, type TestDatabase } from './database.ts';
import { freePort } from './ports.ts';
import { createTestRedis, type TestRedis } from './redis.ts';

export { freePort };

/** One key for all products of a test file, because several may share one database. */
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

export interface TestProduct {
  baseUrl: string;
  config: Config;
  /** RINGKEY_HOME, the folder of everything that the product writes. */
  home: string;
  /** The folder of rendered prompts. */
  speechFolder: string;
  testDatabase: TestDatabase;
  testRedis: TestRedis;
  /** Standard output and error so far. */
  output(): string;
  /** Process ID of the running process. */
  pid(): number;
  /** Rejects with the last lines of the output if the running process ends before {@link stop}. */
  endsByItself(): Promise<never>;
  /** Resolves when the output after this call matches. @throws after three minutes */
  waitForOutput(pattern: RegExp): Promise<void>;
  /** Sends SIGTERM or another signal; resolves to the exit code, or to the signal's name if that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Starts it again after {@link stop}, with the same database and home. */
  startAgain(): Promise<void>;
  /** Stops it and removes its files. For `afterAll`. */
  close(): Promise<void>;
}

const READY_LIMIT_MS = 180_000;
const READY_POLL_MS = 250;
/** How much of the output an error shows, in characters. */
const TAIL_LENGTH = 4_000;
/** Longer than the drain and the time limit of every part of the shutdown together. */
const STOP_LIMIT_MS = 90_000;
const OUTPUT_LIMIT_MS = 180_000;
const ROOT = new URL('../../', import.meta.url).pathname;

export interface ServerUrls {
  databaseUrl: string;
  redisUrl: string;
}

interface ProductPlaces extends ServerUrls {
  /** See {@link TestProduct.home}. */
  home: string;
}

type Settings = Record<string, string>;

/** The program to start. */
interface Program {
  folder: string;
  /** Node's arguments, in that folder. */
  args: readonly string[];
}

const BUILT: Program = { folder: ROOT, args: ['dist/main.js', 'start'] };

/**
 * @param settings environment variables that override the test defaults; a function gets the product's servers and
 *   folder
 * @param program the build of this checkout by default
 */
export async function startProduct(
  settings: Settings | ((places: ProductPlaces) => Settings) = {},
  program = BUILT,
): Promise<TestProduct> {
  if (program === BUILT) build();
  const [testDatabase, testRedis] = [await createTestDatabase(), await createTestRedis()];
  const home = await mkdtemp(join(tmpdir(), 'ringkey-product-'));
  const overrides =
    typeof settings === 'function'
      ? settings({ databaseUrl: testDatabase.url, redisUrl: testRedis.url, home })
      : settings;
  const environment = { ...process.env, ...(await testSettings(home, testDatabase, testRedis.url)), ...overrides };
  const config = readConfig(environment);
  const product = new ProductProcess(program, environment, `http://127.0.0.1:${config.RINGKEY_HTTP_PORT}`);
  const close = async () => {
    await product.stop('SIGTERM');
    await Promise.all([testDatabase.close(), testRedis.close(), rm(home, { recursive: true, force: true })]);
  };
  await product.start().catch((error: unknown) => close().then(() => Promise.reject(error)));
  return {
    baseUrl: product.baseUrl,
    config,
    home,
    speechFolder: config.RINGKEY_MEDIA_DIR ?? join(home, 'speech'),
    testDatabase,
    testRedis,
    output: () => product.output,
    pid: () => product.pid,
    waitForOutput: (pattern) => product.waitForOutput(pattern),
    stop: (signal = 'SIGTERM') => product.stop(signal),
    endsByItself: () => product.endsByItself(),
    startAgain: () => product.start(),
    close,
  };
}

async function testSettings(home: string, database: TestDatabase, redisUrl: string): Promise<Record<string, string>> {
  const [httpPort, sipPort] = await Promise.all([freePort(), freePort()]);
  const external = process.env.RINGKEY_ENGINE === 'external';
  return {
    RINGKEY_HOME: home,
    RINGKEY_DEMO: 'on',
    RINGKEY_INSTANCE: 'test',
    RINGKEY_ENCRYPTION_KEYS: ENCRYPTION_KEY,
    RINGKEY_HTTP_PORT: String(httpPort),
    RINGKEY_DRAIN_SECONDS: '2',
    // Calls must not be refused because the machine is busy with other tests.
    RINGKEY_MAX_LOAD: '100',
    ...database.settings,
    REDIS_URL: redisUrl,
    ...(external ? {} : { RINGKEY_SIP_PORT: String(sipPort), RINGKEY_MEDIA_DIR: await requestServerUrl('/speech') }),
  };
}

class ProductProcess {
  output = '';
  readonly baseUrl: string;
  readonly #program: Program;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  /** Callbacks for an end without {@link stop}. */
  #ended: ((error: Error) => void)[] = [];
  readonly #chunks = new EventEmitter();

  constructor(program: Program, environment: NodeJS.ProcessEnv, baseUrl: string) {
    this.#program = program;
    this.#environment = environment;
    this.baseUrl = baseUrl;
  }

  async start(): Promise<void> {
    const { folder, args } = this.#program;
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: this.#environment,
      stdio: 'pipe',
    });
    this.#child = child;
    this.#ended = [];
    // Also ends it when the test process dies.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    const take = (chunk: Buffer) => {
      this.output += chunk.toString();
      this.#chunks.emit('chunk');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const over = () => child.exitCode !== null || child.signalCode !== null;
    const settled = await vi
      .waitUntil(async () => over() || (await this.#ready()), { timeout: READY_LIMIT_MS, interval: READY_POLL_MS })
      .catch(() => false);
    if (settled && !over()) {
      this.#reportUnexpectedEnd(child);
      return;
    }
    child.kill('SIGKILL');
    throw new Error(`the product did not start:\n${this.output.slice(-TAIL_LENGTH)}`);
  }

  /**
   * Prints its last lines if it ended without {@link stop}, because the tests that then fail only report that it does
   * not answer.
   */
  #reportUnexpectedEnd(child: ChildProcess): void {
    child.once('close', (code, signal) => {
      if (this.#child !== child) return;
      const tail = this.output.slice(-TAIL_LENGTH);
      const message = `the product ended by itself with ${signal ?? `code ${code}`}; its last lines:\n${tail}`;
      console.error(message);
      for (const reject of this.#ended.splice(0)) reject(new Error(message));
    });
  }

  endsByItself(): Promise<never> {
    return new Promise((_resolve, reject) => this.#ended.push(reject));
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  waitForOutput(pattern: RegExp): Promise<void> {
    const from = this.output.length;
    return new Promise((resolve, reject) => {
      const look = () => {
        if (pattern.test(this.output.slice(from))) settle(resolve);
      };
      const limit = setTimeout(
        () => settle(() => reject(new Error(`the product never printed ${pattern}`))),
        OUTPUT_LIMIT_MS,
      );
      const settle = (act: () => void) => {
        clearTimeout(limit);
        this.#chunks.off('chunk', look);
        act();
      };
      this.#chunks.on('chunk', look);
    });
  }

  async stop(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const child = this.#child;
    if (!child) return 0;
    this.#child = null;
    const over = child.exitCode ?? child.signalCode;
    if (over !== null) return over;
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    child.kill(signal);
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    const [code, by] = await exited;
    clearTimeout(limit);
    return code ?? by ?? 'SIGKILL';
  }

  async #ready(): Promise<boolean> {
    const answer = await fetch(`${this.baseUrl}/readyz`).catch(() => null);
    return answer?.ok ?? false;
  }
}
