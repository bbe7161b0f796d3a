import { bodyIn, taxTable } from '@tarifario/api';
import {
  dayNumber,
  inWords,
  type PlacedRate,
  RATE_UNITS,
  ratesInForce,
  SUPPLY_TYPES,
  TERRITORIES,
  undecidedFrom,
} from '@tarifario/core/service';
import { regulatedRowsFileIn, tablesWith } from '@tarifario/runtime';
import { oneOf, type Run, UsageError } from './command.ts';
import { type Column, formatTable } from './table.ts';

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
  return { json, pretty: `${prettyOf(rows).join('\n')}\n`, records: json.filas };
};

const COLUMNS: readonly Column<PlacedRate>[] = [
  { title: 'rate', cell: ({ concept }) => concept },
  { title: 'of', cell: ({ kind }) => kind },
  { title: 'supply', cell: ({ supplyType }) => supplyType },
  { title: 'territory', cell: ({ territory }) => territory },
  {
    title: 'value',
    cell: (row) => {
      const values = 'value' in row ? [row.value] : row.values.map(({ value }) => value);
      return `${values.join(' or ')} ${RATE_UNITS[row.concept]}`;
    },
  },
  { title: 'from', cell: ({ from }) => from },
  { title: 'to', cell: ({ to }) => to ?? '' },
  { title: 'read', cell: ({ isCertain }) => (isCertain ? 'yes' : 'no') },
  { title: 'law', cell: ({ law }) => law },
];

/** A table, and below it what decides the rates that are not. */
function prettyOf(rows: readonly PlacedRate[]): readonly string[] {
  if (rows.length === 0) return ['(none)'];
  const reasons = rows.flatMap((row) =>
    'value' in row
      ? []
      : [
          ...(row.condition === null ? [] : [`${row.law}: ${inWords(row.condition)}`]),
          ...row.values.map(({ value, condition }) => `  ${row.concept} ${value}: ${inWords(condition)}`),
        ],
  );
  return [...formatTable(COLUMNS, rows), ...(reasons.length === 0 ? [] : ['', ...new Set(reasons)])];
}
