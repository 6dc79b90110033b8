import { expect, test } from 'vitest';
import { type Section, searchSections } from './search.tsx';

const section = (title: string, text: string): Section => ({ title, of: 'Page', href: `/docs#${title}`, text });
const SECTIONS = [
  section('Refunds', 'A refund returns money.'),
  section('Webhooks', 'An endpoint receives a refund event.'),
  section('Test cards', 'No money moves.'),
];
const titles = (query: string) => searchSections(SECTIONS, query).map(({ title }) => title);

test('search finds the sections that contain all words, in any order and case', () => {
  expect(titles('MONEY refund')).toEqual(['Refunds']);
  expect(titles('money')).toEqual(['Refunds', 'Test cards']);
});

test('search lists sections with the words in their title first', () => {
  expect(titles('webhooks event')).toEqual(['Webhooks']);
  expect(titles('refund')).toEqual(['Refunds', 'Webhooks']);
});

test('an empty query and an unknown word find nothing', () => {
  expect(titles('  ')).toEqual([]);
  expect(titles('refund nonsense')).toEqual([]);
});
