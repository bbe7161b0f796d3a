import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POWER_NOTICES, REGULATED_PRICES } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'power.md'), 'utf8');
const TABLE = '| price | tariff |';

test('the page about power has each row of regulated prices', async () => {
  const rows = REGULATED_PRICES.map(({ concept, tariff, prices, from, to, url }) =>
    ['', concept, tariff, ...prices.map((price) => price ?? ''), from, to ?? '', url?.split('=')[1], '']
      .join(' | ')
      .trim(),
  );
  const head = [
    `${TABLE} P1 | P2 | P3 | P4 | P5 | P6 | from | to | law |`,
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  const [byHand] = page.split(TABLE);
  await expect(`${byHand?.trimEnd()}\n\n${[...head, ...rows].join('\n')}\n`).toMatchFileSnapshot('power.md');
});

test('the page about power has each notice, in the order of the answer', () => {
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(named).toEqual([...POWER_NOTICES]);
});
