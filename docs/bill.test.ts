import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RATE_UNITS, RATES } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'bill.md'), 'utf8');
const TABLE = '| rate | of | supply |';

// A new row is written by `npx vitest run docs/bill.test.ts -u`.
test('A-108: the page about bills has each row of the rates', async () => {
  const rows = RATES.map((row) => {
    const values = 'value' in row ? [row.value] : row.values.map(({ value }) => value);
    const supply = row.supplyTypes.length === 1 ? row.supplyTypes[0] : 'both';
    const law = row.url?.split('=')[1] ?? row.law;
    const cells = [
      ...[row.concept, row.kind, supply, `${values.join(' or ')} ${RATE_UNITS[row.concept]}`],
      ...[row.from, row.to ?? '', law, row.isCertain ? 'yes' : 'no'],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = [`${TABLE} value | from | to | law | read |`, '|---|---|---|---|---|---|---|---|'];
  const [byHand] = page.split(TABLE);
  await expect(`${byHand?.trimEnd()}\n\n${[...head, ...rows].join('\n')}\n`).toMatchFileSnapshot('bill.md');
});
