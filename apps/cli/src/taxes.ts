import { bodyIn, taxTable } from '@tarifario/api';
import { dayNumber, ratesInForce, SUPPLY_TYPES, TERRITORIES, undecidedFrom } from '@tarifario/core/service';
import { regulatedRowsFileIn, tablesWith } from '@tarifario/runtime';
import { oneOf, type Run, UsageError } from './command.ts';

/** The rates of bills and the regulated prices of power with those of `TAX_ROWS`. @throws ConfigError */
export function operatorTables() {
  return tablesWith(regulatedRowsFileIn(process.env));
}

/** The rates of a day, or what is undecided from then on. The database is not needed. */
export const taxes: Run = async (args) => {
  const day = args.value('date') ?? new Date().toISOString().slice(0, 10);
  if (dayNumber(day) === null) throw new UsageError('--date must be a day as YYYY-MM-DD');
  const [territory, supply] = [args.value('territory'), args.value('supply')];
  const at = {
    day,
    territory: territory === null ? null : oneOf(TERRITORIES, territory, '--territory'),
    supplyType: supply === null ? null : oneOf(SUPPLY_TYPES, supply, '--supply'),
  };
  const { rates: table } = operatorTables();
  const rows = args.flag('due') ? undecidedFrom(table, at) : ratesInForce(table, at);
  const json = bodyIn(taxTable.toWire({ day, rows })) as { readonly filas: readonly unknown[] };
  return { json, records: json.filas };
};
