import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, ViewportSize } from 'playwright-core';

const require = createRequire(import.meta.url);
const SOURCE = readFileSync(require.resolve('axe-core'), 'utf8');

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors?: 'active';
  readonly viewport: ViewportSize;
}

/** What is wrong with a page at some looks: broken rules of WCAG 2.2 A and AA, and where, a page wider than the screen, or off its scale. */
export async function faultsOf(page: Page, looks: readonly Look[]): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  const faults: string[] = [];
  for (const look of looks) {
    await showAs(page, look);
    // What is scrolled half out of the window would count as small.
    await page.evaluate('scrollTo(0, 0)');
    const broken = await page.evaluate<string[]>(`axe.run({ runOnly:
      ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
    // The system chooses these colours, and axe reads those of the style.
    if (look.forcedColors) broken.splice(0, broken.length, ...broken.filter((fault) => !fault.startsWith('color-')));
    if ((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) > 0) broken.push('too wide');
    broken.push(...(await page.evaluate<string[]>(OFF_SCALE)));
    faults.push(...broken.map((fault) => `${nameOf(look)}: ${fault}`));
  }
  return faults;
}

/** Texts of a size that is none of the page's, and controls in a row that are not of one height. */
const OFF_SCALE = `(() => {
  const seen = [...document.querySelectorAll('#app *')].filter((one) => one.checkVisibility());
  const sizes = ['12px', '14px', '20px', '28px'];
  const texts = seen.filter((one) => [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()));
  const odd = texts.filter((one) => !sizes.includes(getComputedStyle(one).fontSize));
  const rows = seen.filter((one) => one.matches('.row, .view'));
  const uneven = rows.filter((row) => {
    const controls = row.querySelectorAll('select:not([multiple]), input:not([type=checkbox], [type=radio], [type=file]), .chip');
    return new Set([...controls].map((one) => one.offsetHeight).filter((height) => height > 0)).size > 1;
  });
  const names = (all, what) => all.slice(0, 5).map((one) => what + ': ' + one.outerHTML.slice(0, 100));
  return [...names(odd, 'off the scale of type'), ...names(uneven, 'uneven row')];
})()`;

/** The roles of controls without a name in the tree that screen readers get, and how many controls there are. */
export async function namelessIn(page: Page): Promise<{ readonly roles: readonly string[]; readonly count: number }> {
  const tools = await page.context().newCDPSession(page);
  const { nodes } = await tools.send('Accessibility.getFullAXTree');
  await tools.detach();
  const roles = /^(slider|textbox|searchbox|checkbox|radio|button|combobox|listbox|spinbutton|link|date)$/i;
  const controls = nodes.filter(({ ignored, role }) => !ignored && roles.test(String(role?.value)));
  const nameless = controls.filter(({ name }) => String(name?.value ?? '').trim() === '');
  return { roles: nameless.map(({ role }) => String(role?.value)), count: controls.length };
}

const nameOf = ({ viewport, colorScheme, forcedColors }: Look): string =>
  `${viewport.width} px, ${forcedColors ? 'forced colours' : colorScheme}`;

export async function showAs(page: Page, { viewport, colorScheme, forcedColors }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, forcedColors: forcedColors ?? 'none' });
  // The page follows the new size before the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}
