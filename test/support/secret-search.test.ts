/** The search for secrets finds planted ones. */
import { expect, test } from 'vitest';
import { findSecrets } from './secret-search.ts';

test('the search finds a secret in every spelling, and ignores half of a secret', () => {
  const secret = 'a secret & "more" of it';
  const texts = [
    secret,
    secret.replaceAll(' ', ''),
    encodeURIComponent(secret),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    Buffer.from(`>>>${secret}`).toString('base64'),
    `\\x${Buffer.from(secret).toString('hex')}`,
  ].map((text, place) => ({ place: String(place), text: `before ${text} after` }));
  expect(findSecrets(texts, { it: secret })).toEqual(texts.map(({ place }) => `it in ${place}`));
  expect(findSecrets([{ place: 'none', text: 'a secret' }], { it: secret })).toEqual([]);
});
