import { dayNumber } from '../calendar.ts';
import { assert } from '../errors.ts';
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
  const { concept, kind, from, to, value } = row;
  const name = `the rate of ${concept} (${kind}) from ${from}`;
  const isTime = dayNumber(from) !== null && (to === null || (dayNumber(to) !== null && to >= from));
  assert(isTime, `${name} has no days: desde and hasta are YYYY-MM-DD, and hasta may be null`);
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
  const settled = alike.find(
    (other) => 'value' in other && (to === null || other.from <= to) && (other.to === null || other.to >= from),
  );
  const law = settled ? `${settled.law}, from ${settled.from} to ${settled.to ?? 'now on'}` : '';
  assert(settled === undefined, `${name} is settled already: ${law}`);
  return table;
}
