import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, ViewportSize } from 'playwright-core';

const require = createRequire(import.meta.url);
const SOURCE = readFileSync(require.resolve('axe-core'), 'utf8');

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: ViewportSize;
}

/** What is wrong with a page at some looks: broken rules of WCAG 2.2 A and AA, and where, or a page wider than the screen. */
export async function faultsOf(page: Page, looks: readonly Look[]): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  const faults: string[] = [];
  for (const look of looks) {
    await showAs(page, look);
    const broken = await page.evaluate<string[]>(`axe.run({ runOnly:
      ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
    if ((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) > 0) broken.push('too wide');
    faults.push(...broken.map((fault) => `${look.viewport.width} px, ${look.colorScheme}: ${fault}`));
  }
  return faults;
}

export async function showAs(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // The page follows the new size before the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}
