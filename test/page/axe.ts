/** Looks for barriers with axe-core: what WCAG 2.2 AA asks, and axe's own best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const OPTIONS = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] });

/**
 * The page's own policy stays in force: the debugger runs axe. @returns what is wrong, and where; empty where nothing
 * is
 */
export async function findBarriers(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(SOURCE);
  const { violations } = (await page.evaluate(`window.axe.run(document, ${OPTIONS})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}
