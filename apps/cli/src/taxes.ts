import { bodyIn, regulatedPrices, taxTable } from '@tarifario/api';
import {
  dayNumber,
  dueRows,
  type PlacedRate,
  type RegulatedPrice,
  ratesInForce,
  SUPPLY_TYPES,
  TERRITORIES,
} from '@tarifario/core/service';
import { regulatedRowsFileIn, tablesWith } from '@tarifario/runtime';
import { oneOf, type Run, UsageError } from './command.ts';
import { listed, serviceOf } from './service-asked.ts';
import { type Column, formatTable } from './table.ts';

/** The rates of bills and the regulated prices of power with those of `TAX_ROWS`. @throws ConfigError */
export function operatorTables() {
  return tablesWith(regulatedRowsFileIn(process.env));
}

/** The rates of a day, or what is undecided from then on or ends soon, prices of power too. The database is not needed. */
export const taxes: Run = async (args) => {
  const day = args.value('date') ?? new Date().toISOString().slice(0, 10);
  if (dayNumber(day) === null) throw new UsageError('--date must be a day as YYYY-MM-DD');
  const [territory, supply] = [args.value('territory'), args.value('supply')];
  const at = {
    day,
    territory: territory === null ? null : oneOf(TERRITORIES, territory, '--territory'),
    supplyType: supply === null ? null : oneOf(SUPPLY_TYPES, supply, '--supply'),
  };
  const ask = await serviceOf(args);
  if (ask !== null) {
    const { territory: place, supplyType } = at;
    const query = { fecha: day, ...(place && { territory: place }), ...(supplyType && { supply_type: supplyType }) };
    const answer = listed(await ask((service) => service.listTaxes(query)), 'filas');
    return { json: answer, pretty: `${prettyOf(answer.filas).join('\n')}\n`, records: answer.filas };
  }
  const tables = operatorTables();
  const due = args.flag('due') ? dueRows(tables, at) : null;
  const rows = due?.rates ?? ratesInForce(tables.rates, at);
  // Gas has no contracted power.
  const prices = at.supplyType === 'GAS' ? [] : (due?.prices ?? []);
  const json = tableOf(day, rows);
  const priced = due && { precios_regulados: regulatedPrices.toWire({ fecha: day, rows: prices }).filas };
  const pretty = [...prettyOf(json.filas), ...(prices.length === 0 ? [] : ['', ...formatTable(PRICE_COLUMNS, prices)])];
  return { json: { ...json, ...priced }, pretty: `${pretty.join('\n')}\n`, records: json.filas };
};

const PRICE_COLUMNS: readonly Column<RegulatedPrice>[] = [
  { title: 'price of power', cell: ({ concept }) => concept },
  { title: 'tariff', cell: ({ tariff }) => tariff },
  { title: 'from', cell: ({ from }) => from },
  { title: 'to', cell: ({ to }) => to ?? '' },
  { title: 'law', cell: ({ law }) => law },
];

const tableOf = (day: string, rows: readonly PlacedRate[]) => bodyIn(taxTable.toWire({ day, rows }));
type ShownRate = ReturnType<typeof tableOf>['filas'][number];

const COLUMNS: readonly Column<ShownRate>[] = [
  { title: 'rate', cell: ({ concepto }) => concepto },
  { title: 'of', cell: ({ aplica }) => aplica },
  { title: 'supply', cell: (row) => row.supply_type },
  { title: 'territory', cell: ({ territorio }) => territorio },
  {
    title: 'value',
    cell: ({ valor, valores, unidad }) => `${valores?.map((one) => one.valor).join(' or ') ?? valor} ${unidad}`,
  },
  { title: 'from', cell: ({ desde }) => desde },
  { title: 'to', cell: ({ hasta }) => hasta ?? '' },
  { title: 'read', cell: ({ seguro }) => (seguro ? 'yes' : 'no') },
  { title: 'law', cell: ({ norma }) => norma },
];

/** A table, and below it what decides the rates that are not. */
function prettyOf(rows: readonly ShownRate[]): readonly string[] {
  if (rows.length === 0) return ['(none)'];
  const reasons = rows.flatMap(({ concepto, norma, condicion, valores = [] }) => [
    ...(condicion === null ? [] : [`${norma}: ${condicion}`]),
    ...valores.map((one) => `  ${concepto} ${one.valor}: ${one.condicion}`),
  ]);
  return [...formatTable(COLUMNS, rows), ...(reasons.length === 0 ? [] : ['', ...new Set(reasons)])];
}
