import { assert } from '../errors.ts';
import { checkOperatorRow } from '../rows-by-day.ts';
import { RATE_UNITS, RATES, type Rate, type SettledRate } from './rates.ts';

/**
 * The table of rates with those of an operator, who settles days that are undecided or not known here.
 *
 * @throws RangeError for a row that is none, of a rate that does not exist, or of a day that is settled already.
 * @see docs/assumptions.md, A-108
 */
export function withOperatorRates(rows: readonly SettledRate[], table: readonly Rate[] = RATES): readonly Rate[] {
  return rows.reduce<readonly Rate[]>((settled, row) => [row, ...checked(row, settled)], table);
}

function checked(row: SettledRate, table: readonly Rate[]): readonly Rate[] {
  const { concept, kind, from, value } = row;
  const name = `the rate of ${concept} (${kind}) from ${from}`;
  const most = RATE_UNITS[concept] === '%' ? 100 : 1000;
  assert(value >= 0 && value <= most, `${name} is a number from 0 to ${most}`);
  const alike = table.filter(
    (other) =>
      other.concept === concept &&
      other.kind === kind &&
      row.supplyTypes.every((type) => other.supplyTypes.includes(type)) &&
      row.territories.every((territory) => other.territories.includes(territory)),
  );
  assert(alike.length > 0, `${name} does not exist for this supply and territory`);
  const settled = alike.filter((other) => 'value' in other);
  checkOperatorRow(row, name, settled);
  return table;
}
