/** The npm package: what `npm pack` makes of this checkout, installed from a registry in an empty folder. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../src/local/standalone/setup/build.mjs';
import { requestServerUrl } from './support/database.ts';
import { freePort, startProduct } from './support/product.ts';
import { startStandInRegistry } from './support/stand-in-registry.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const INSTALL_LIMIT_MS = 600_000;
const MAX_MEGABYTES = 250;
const MAX_PACKAGES = 250;
/** npm's own settings of this run would change what is installed. */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RINGKEY_|NODE_ENV$)/.test(name))),
  npm_config_prefer_offline: 'true',
};

let folder: string;
let installed: string;
const program = () => join(installed, 'node_modules/.bin/ringkey');

beforeAll(async () => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'ringkey-package-'));
  // The private PostgreSQL runs as another user than root, who must be able to enter.
  chmodSync(folder, 0o755);
  const copy = join(folder, 'checkout');
  installed = join(folder, 'installed');
  for (const path of ['package.json', 'README.md', 'LICENSE', 'dist', 'prompts', 'sip', 'docker']) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  const run = (cwd: string, command: string, ...args: string[]) =>
    promisify(execFile)(command, args, { cwd, env: ENVIRONMENT });
  await run(copy, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  mkdirSync(installed);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const { stdout: others } = await run(folder, 'npm', 'config', 'get', 'registry');
  const registry = await startStandInRegistry(join(folder, `ringkey-${version}.tgz`), others.trim());
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', `--registry=${registry.url}`];
  try {
    await run(installed, 'npm', 'install', ...flags, 'ringkey');
  } finally {
    registry.close();
  }
}, INSTALL_LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`is at most ${MAX_MEGABYTES} MB in at most ${MAX_PACKAGES} packages`, () => {
  const [size] = execFileSync('du', ['-sm', join(installed, 'node_modules')], { encoding: 'utf8' }).split('\t');
  expect(Number(size)).toBeLessThanOrEqual(MAX_MEGABYTES);
  const lock = JSON.parse(readFileSync(join(installed, 'node_modules/.package-lock.json'), 'utf8')) as object;
  const packages = Object.keys((lock as { packages: object }).packages);
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES);
});

test('has no package of development and no vendor that few use', () => {
  const unwanted = ['vitest', 'typescript', '@biomejs/biome', 'square', 'openai', '@aws-sdk/client-polly'];
  expect(unwanted.filter((name) => existsSync(join(installed, 'node_modules', name)))).toEqual([]);
});

test('the command ringkey has the version of the package', () => {
  const { stdout } = spawnSync(program(), ['--version'], { env: ENVIRONMENT, encoding: 'utf8' });
  expect(stdout.trim()).toBe('0.3.0');
});

test('the demo takes a payment by phone, and says how to install Square', { timeout: INSTALL_LIMIT_MS }, async () => {
  const home = join(installed, '.ringkey');
  const settings = {
    RINGKEY_HOME: home,
    RINGKEY_DEMO: '',
    RINGKEY_ENCRYPTION_KEYS: '',
    RINGKEY_POSTGRES_PORT: '0',
    RINGKEY_REDIS_PORT: '0',
    RINGKEY_SIP_PORT: String(await freePort()),
    RINGKEY_MEDIA_DIR: await requestServerUrl('/speech'),
    DATABASE_URL: '',
    REDIS_URL: '',
  };
  const product = await startProduct(settings, { folder: installed, args: [program(), 'demo'] });
  try {
    const call = spawnSync(program(), ['call'], {
      env: { ...ENVIRONMENT, RINGKEY_HOME: home },
      encoding: 'utf8',
      timeout: INSTALL_LIMIT_MS,
    });
    expect(call.stdout).toMatch(/outcome at the agent +succeeded/);
    const connected = await fetch(`${product.baseUrl}/v1/merchants/mer_demo_diner/processor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ processor: 'square', credentials: { access_token: 'EAAA', location_id: 'L1' } }),
    });
    expect(await connected.json()).toMatchObject({
      error: { code: 'not_configured', message: expect.stringMatching(/: npm install square@\^\d/) },
    });
  } finally {
    await product.close();
  }
});
