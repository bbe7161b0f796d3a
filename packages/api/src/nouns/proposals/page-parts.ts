import { ENERGY_KEYS, fromWireQuantities, POWER_KEYS } from '../../wire/prices.ts';
import { totalsOf } from '../ranking/profile.ts';
import type { Answer, Row } from './page-texts.ts';

type Json = Readonly<Record<string, unknown>>;

/** The quantities and fees of a stored question. */
export type PrintedRequest = Parameters<typeof totalsOf>[0] & {
  readonly potencia?: Readonly<Partial<Record<(typeof POWER_KEYS)[number], number>>>;
  readonly fee_energia?: number;
  readonly fee_potencia?: number;
};

/** The question with the sums of its profile, beside which nothing else need be sent. */
export function withSums<Request extends PrintedRequest>(request: Request): Request {
  const totals = totalsOf(request);
  if (totals === null) return request;
  const { consumptionKwh, exportedKwh } = totals;
  if (request.supply_type === 'GAS') return { consumo_gas: consumptionKwh[0], ...request };
  const used = ENERGY_KEYS.map((key, index) => [key, consumptionKwh[index] ?? 0] as const).filter(([, kwh]) => kwh > 0);
  return {
    ...(used.length > 0 && { energia: Object.fromEntries(used) }),
    ...(exportedKwh > 0 && { excedentes: exportedKwh }),
    ...request,
  };
}

/** The prices that were applied to a result, by their names on the wire. */
export const pricesOf = ({ offer, indexada }: Answer['results'][number]): Json => ({ ...offer, ...indexada?.precios });

/** What a line of the cost is made of: the fee with its EUR/MWh, and quantities with the names of their prices. */
function termsOf(part: Part, request: PrintedRequest, dias: number) {
  const energy =
    request.supply_type === 'GAS'
      ? [['gas_energy', request.consumo_gas ?? 0] as const]
      : quantitiesBy(ENERGY_KEYS, request.energia);
  const power = quantitiesBy(POWER_KEYS, request.potencia).map(([key, kw]) => [key, kw * dias] as const);
  const mwh = energy.reduce((sum, [, kwh]) => sum + kwh, 0) / 1000;
  return part === 'energia'
    ? { feeEur: (request.fee_energia ?? 0) * mwh, quantities: energy }
    : { feeEur: (request.fee_potencia ?? 0) * mwh, quantities: power };
}

function quantitiesBy(
  keys: typeof ENERGY_KEYS | typeof POWER_KEYS,
  sent: Parameters<typeof fromWireQuantities>[1],
): readonly (readonly [key: string, quantity: number])[] {
  return fromWireQuantities(keys, sent).map((quantity, index) => [keys[index] ?? '', quantity]);
}

type Part = 'energia' | 'potencia';

/** An amount apart from quantities by printed prices, EUR. Without it a reader could not compute the line. */
export interface Apart {
  readonly feeEur: number;
  /** What a discount takes, or the prices of each month give, beside the printed prices. */
  readonly restEur: number;
  readonly reasons: readonly string[];
}

/** What of a line of the cost is not a quantity by a printed price. @param request - With sums. */
export function apartFrom(part: Part, row: Row, answer: Answer, request: PrintedRequest): Apart {
  const { feeEur, quantities } = termsOf(part, request, answer.dias);
  const result = answer.results.find(({ offer }) => offer.id === row.offer_id);
  const reasons = [
    ...(typeof row.condiciones?.descuento_meses === 'number' ? ['Descuento'] : []),
    ...(part === 'energia' && result?.indexada?.ponderado ? ['Precios de cada mes'] : []),
  ];
  if (result === undefined || reasons.length === 0) return { feeEur, restEur: 0, reasons: [] };
  const prices = pricesOf(result);
  const listEur = quantities.reduce((sum, [key, quantity]) => sum + quantity * Number(prices[key] ?? 0), 0);
  return { feeEur, restEur: row.cost[part] - feeEur - listEur, reasons };
}
