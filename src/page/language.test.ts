import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';

test.each([
  [
    { asked: 'es', merchant: 'en-US', accepted: 'de' },
    { language: 'es', locale: 'es' },
  ],
  [
    { asked: 'ES-mx', merchant: null, accepted: undefined },
    { language: 'es', locale: 'es' },
  ],
  [
    { asked: 'xx', merchant: 'fr-CA', accepted: 'de' },
    { language: 'fr', locale: 'fr-CA' },
  ],
  [
    { asked: 'fr', merchant: 'fr-CA', accepted: 'de' },
    { language: 'fr', locale: 'fr-CA' },
  ],
  [
    { asked: null, merchant: 'nl-NL', accepted: 'xx;q=1, de-AT;q=0.7, es;q=0.9' },
    { language: 'es', locale: 'es' },
  ],
  [
    { asked: null, merchant: null, accepted: 'es;q=0, *' },
    { language: 'en', locale: 'en' },
  ],
  [
    { asked: null, merchant: null, accepted: ';;;q=,,,' },
    { language: 'en', locale: 'en' },
  ],
])('%j', (wishes, chosen) => {
  expect(chooseLanguage(wishes)).toEqual(chosen);
});
