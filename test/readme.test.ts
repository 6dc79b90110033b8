/** The README is short, its links lead somewhere, and every setting is described. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeSettings, SETTINGS } from '../src/config/settings.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');
const readme = read('README.md');

test('the README is at most 8 KB long', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8 * 1024);
});

test('every file that the README links to exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, to = '']) => to).filter((to) => !to.startsWith('http'));
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((to) => !existsSync(ROOT + to))).toEqual([]);
});

test('compose.yaml hands on no setting that does not exist', () => {
  const names = [...read('docker/compose.yaml').matchAll(/^ +(RINGKEY_[A-Z0-9_]+):/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
});

test('every setting has a description and a default', () => {
  expect(describeSettings().map(({ name }) => name)).toEqual(SETTINGS);
  for (const { about, fallback } of describeSettings()) {
    expect(about).toMatch(/\.$/);
    expect(fallback).not.toContain('undefined');
  }
});
