import { assert } from '../errors.ts';
import { checkOperatorRow } from '../rows-by-day.ts';
import { RATE_UNITS, RATES, type Rate, type SettledRate } from './rates.ts';

//
/**
 * The table of rates with those of an operator, who settles days that are undecided or not known here.
 *
 * @throws RangeError for a row that is none, of a rate that does not exist, or of a day that is settled already.
 */
export function withOperatorRates(rows: readonly SettledRate[], table: readonly Rate[] = RATES): readonly Rate[] {
  return rows.reduce<readonly Rate[]>((settled, row) => [row, ...checked(row, settled)], table);
}

function checked(row: SettledRate, table: readonly Rate[]): readonly Rate[] {
  const { concept, kind, from, value } = row;
  const name = `the rate of ${concept} (${kind}) from ${from}`;
  const most = RATE_UNITS[concept] === '%' ? 100 : 1000;
  assert(value >= 0 && value <= most, `${name} is a number from 0 to ${most}`);
  const alike = (which: 'every' | 'some') =>
    table.filter(
      (other) =>
        other.concept === concept &&
        other.kind === kind &&
        row.supplyTypes[which]((type) => other.supplyTypes.includes(type)) &&
        row.territories[which]((territory) => other.territories.includes(territory)),
    );
  assert(alike('every').length > 0, `${name} does not exist for this supply and territory`);
  // A part that is settled is enough: the row would change what it costs there.
  const settled = alike('some').filter((other) => 'value' in other);
  checkOperatorRow(row, name, settled);
  return table;
}
