import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POWER_NOTICES, REGULATED_PRICES } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'power.md'), 'utf8');
const TABLE = '| price | days | P1 to P6 | law |';

test('the page about power has each row of regulated prices', async () => {
  const rows = REGULATED_PRICES.map(({ concept, tariff, prices, from, to, url }) => {
    const known = prices.filter((price) => price !== null).join(', ');
    return `| ${concept} ${tariff} | ${from}${to === null ? '' : ` to ${to}`} | ${known} | ${url?.split('=')[1]} |`;
  });
  const head = [TABLE, '|---|---|---|---|'];
  const [byHand] = page.split(TABLE);
  await expect(`${byHand?.trimEnd()}\n\n${[...head, ...rows].join('\n')}\n`).toMatchFileSnapshot('power.md');
});

test('the page about power has each notice, in the order of the answer', () => {
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(named).toEqual([...POWER_NOTICES]);
});
