import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RATE_UNITS, RATES } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'bill.md'), 'utf8');
const TABLE = '| rate | supply | unit |';

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** From when a rate has which value, by which law; its last day where the next row does not follow at once. */
function lineOf(row: (typeof RATES)[number], next: (typeof RATES)[number] | undefined): string {
  const values = 'value' in row ? [row.value] : row.values.map(({ value }) => value);
  const follows = next !== undefined && row.to === dayBefore(next.from);
  const until = row.to === null || follows ? '' : ` to ${row.to}`;
  const law = `${row.url?.split('=')[1] ?? row.law}${row.isCertain ? '' : '\\*'}`;
  return `${row.from}${until}: ${values.join(' or ')}, ${law}`;
}

// A new row is written by `npx vitest run docs/bill.test.ts -u`.
test('A-108: the page about bills has each row of the rates', async () => {
  const groups = Map.groupBy(
    RATES,
    ({ concept, kind, supplyTypes }) => `${concept} ${kind} | ${supplyTypes.join(', ')}`,
  );
  const rows = [...groups].map(([name, all]) => {
    const lines = all.map((row, index) => lineOf(row, all[index + 1]));
    return `| ${name} | ${RATE_UNITS[all[0]?.concept ?? 'iva']} | ${lines.join('<br>')} |`;
  });
  const head = [`${TABLE} from: value, law |`, '|---|---|---|---|'];
  const [byHand] = page.split(TABLE);
  await expect(`${byHand?.trimEnd()}\n\n${[...head, ...rows].join('\n')}\n`).toMatchFileSnapshot('bill.md');
});
