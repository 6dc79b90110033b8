import { expect, test } from 'vitest';
import { voiceChoices } from './merchant-fields.tsx';

const VOICES = [
  { name: 'google:en-US-1', language: 'en-US' },
  { name: 'google:de-DE-1', language: 'de-DE' },
  { name: 'google:fr-CA-1', language: 'fr-CA' },
  { name: 'openai:coral', language: null },
];
const namesFor = (fields: Record<string, string>) => voiceChoices(fields, VOICES).map(([name]) => name);

test.each([
  ['one language', { language: 'en-GB', second_language: '' }, ['google:en-US-1', 'openai:coral']],
  ['two languages', { language: 'de-AT', second_language: 'fr' }, ['google:de-DE-1', 'google:fr-CA-1', 'openai:coral']],
  ['a language without a voice', { language: 'pt-BR' }, ['openai:coral']],
  ['no language', {}, ['openai:coral']],
])('suggests the voices of %s, and those that speak every language', (_, fields, names) => {
  expect(namesFor(fields)).toEqual(names);
});
