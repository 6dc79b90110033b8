/** docker/systemd, read by systemd itself. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTINGS } from '../src/config/settings.ts';

const SOURCE = new URL('../docker/systemd/', import.meta.url).pathname;
const COMMON = 'ringkey-.service.d/common.conf';
const UNITS = ['ringkey-api', 'ringkey-worker', 'ringkey-phone'];
/** Of 100. systemd calls anything below 20 OK or better; a service without hardening has 96. */
const MOST_EXPOSED = 20;

let folder: string;
const read = (file: string) => readFileSync(join(SOURCE, file), 'utf8');
const analyze = (...words: string[]) =>
  spawnSync('systemd-analyze', words, {
    encoding: 'utf8',
    // With systemd's own units, which these name.
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringkey-units-'));
  cpSync(SOURCE, folder, { recursive: true });
  // Programs of this machine, because systemd looks whether they exist.
  const program = join(folder, 'program.js');
  writeFileSync(program, '');
  mkdirSync(join(folder, 'work'));
  const common = read(COMMON)
    .replace('/usr/bin/node /opt/ringkey/dist/main.js', `${process.execPath} ${program}`)
    .replace('=/opt/ringkey\n', `=${folder}/work\n`);
  writeFileSync(join(folder, COMMON), common);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(UNITS)('systemd accepts the unit %s', (unit) => {
  const { status, stdout, stderr } = analyze('verify', '--man=no', join(folder, `${unit}.service`));
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});

test.each(UNITS)('systemd finds little that the process of %s could misuse', (unit) => {
  const { status, stdout } = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED}`, `${unit}.service`);
  expect(stdout).toContain('Overall exposure level');
  expect(status, stdout.split('\n').at(-2)).toBe(0);
});

test('the check of systemd finds a unit that has a fault', () => {
  const broken = join(folder, 'ringkey-broken.service');
  writeFileSync(broken, '[Service]\nTimeoutStopSec=soon\n');
  expect(analyze('verify', '--man=no', broken).stderr).toContain('Failed to parse time value');
});

test('the units set only settings that exist', () => {
  const texts = [COMMON, ...UNITS.map((unit) => `${unit}.service`)].map(read);
  const names = texts.flatMap((text) => [...text.matchAll(/\b(RINGKEY_\w+)=/g)].map(([, name = '']) => name));
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
});

test('systemd waits for the drain, the last sentences and the charges of a phone process', () => {
  const phone = read('ringkey-phone.service');
  const value = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(phone)?.[1]);
  // 20 s for the last sentence and 45 s for an answer of the processor (phone/index.ts), and time to stop.
  expect(value('TimeoutStopSec')).toBeGreaterThanOrEqual(value('RINGKEY_DRAIN_SECONDS') + 20 + 45);
});
