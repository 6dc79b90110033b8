/** What the README lists is what there is. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../src/config.ts';
import { TEST_CARDS } from '../src/payments/sandbox/cards.ts';
import { TEST_NUMBERS } from '../src/screening/sandbox/numbers.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function cellsOf(section: string): string[] {
  const [text = ''] = readme.split(`## ${section}\n`).at(1)?.split('\n## ') ?? [];
  const cells = text.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split(' | ')[0] ?? ''] : []));
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('it lists every setting, and no other', () => {
  expect(cellsOf('Settings').sort()).toEqual([...SETTINGS].sort());
});

test('it lists every test card, and no other', () => {
  expect(cellsOf('Test cards')).toEqual(TEST_CARDS.map(({ number }) => number));
});

test('it lists every test number, and no other', () => {
  expect(cellsOf('Test numbers')).toEqual(TEST_NUMBERS.map(({ number }) => number));
});
