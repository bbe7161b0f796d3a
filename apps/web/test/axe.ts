import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const SOURCE = readFileSync(require.resolve('axe-core'), 'utf8');

/** The rules of WCAG 2.2 A and AA that axe finds broken, and where. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  return page.evaluate(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
}
