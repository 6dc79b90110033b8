/** The languages whose sentences are rendered at startup. */
import { expect, test } from 'vitest';
import { readMerchantLanguages } from '../../../src/db/merchants/merchants.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();

test('returns the languages of all merchants, second languages included, most common first', async () => {
  const before = await readMerchantLanguages(db.database);
  const merchants = await Promise.all([1, 2, 3].map(() => createTestMerchant(db.database)));
  const spoken = [
    ['fr-CA', 'es'],
    ['es', null],
    ['es', 'de'],
  ];
  for (const [at, { merchantId }] of merchants.entries()) {
    const [language, second] = spoken[at] ?? [];
    await db.database.query('update merchants set language = $2, second_language = $3 where id = $1', [
      merchantId,
      language,
      second,
    ]);
  }
  const languages = await readMerchantLanguages(db.database);
  expect(languages.filter((language) => !before.includes(language))).toEqual(['es', 'de', 'fr-CA']);
});
