/** Numbers in the words of the overview. */
import { expect, test } from 'vitest';
import { inLanguage } from '../words/language.ts';
import { overviewWords } from './words/index.ts';

test.each([
  ['en', '9,542', '10,282'],
  ['de', '9.542', '10.282'],
  ['es', '9542', '10.282'],
  ['fr', '9 542', '10 282'],
] as const)('are written as %s writes them', (tag, succeeded, completed) => {
  const [rate, lost] = inLanguage(tag, () => {
    const { figures, funnel } = overviewWords();
    return [figures.rateOf(9_542, 10_282), funnel.left.charge(10_282, '5%')];
  }).map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '));
  expect(rate).toContain(succeeded);
  expect(rate).toContain(completed);
  expect(lost).toContain(completed);
});
