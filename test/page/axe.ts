/** Finds accessibility barriers with axe-core: violations of WCAG 2.2 AA and of axe's best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const OPTIONS = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] });

/** Runs axe through the debugger, so the page's CSP stays in force. @returns each violation with its element */
export async function findBarriers(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(SOURCE);
  const { violations } = (await page.evaluate(`window.axe.run(document, ${OPTIONS})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}
