import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';

test.each([
  [
    { requested: 'es', session: 'en-US', accepted: 'de' },
    { language: 'es', locale: 'es' },
  ],
  [
    { requested: 'ES-mx', session: null, accepted: undefined },
    { language: 'es', locale: 'es' },
  ],
  [
    { requested: 'xx', session: 'fr-CA', accepted: 'de' },
    { language: 'fr', locale: 'fr-CA' },
  ],
  [
    { requested: 'fr', session: 'fr-CA', accepted: 'de' },
    { language: 'fr', locale: 'fr-CA' },
  ],
  [
    { requested: null, session: 'nl-NL', accepted: 'xx;q=1, de-AT;q=0.7, es;q=0.9' },
    { language: 'es', locale: 'es' },
  ],
  [
    { requested: null, session: null, accepted: 'es;q=0, *' },
    { language: 'en', locale: 'en' },
  ],
  [
    { requested: null, session: null, accepted: ';;;q=,,,' },
    { language: 'en', locale: 'en' },
  ],
])('%j', (wishes, chosen) => {
  expect(chooseLanguage(wishes)).toEqual(chosen);
});
