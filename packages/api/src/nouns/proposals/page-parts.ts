import { ENERGY_KEYS, fromWireQuantities, POWER_KEYS } from '../../wire/prices.ts';
import { totalsOf } from '../ranking/profile.ts';
import { line } from './page-html.ts';
import { type Answer, eur, type Row } from './page-texts.ts';

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
function termsOf(part: 'energia' | 'potencia', request: PrintedRequest, dias: number) {
  const energy =
    request.supply_type === 'GAS'
      ? [['gas_energy', request.consumo_gas ?? 0] as const]
      : quantitiesBy(ENERGY_KEYS, request.energia);
  const power = quantitiesBy(POWER_KEYS, request.potencia).map(([key, kw]) => [key, kw * dias] as const);
  const mwh = energy.reduce((sum, [, kwh]) => sum + kwh, 0) / 1000;
  return part === 'energia'
    ? { place: 'la energía', feeEur: (request.fee_energia ?? 0) * mwh, quantities: energy }
    : { place: 'la potencia', feeEur: (request.fee_potencia ?? 0) * mwh, quantities: power };
}

function quantitiesBy(
  keys: typeof ENERGY_KEYS | typeof POWER_KEYS,
  sent: Parameters<typeof fromWireQuantities>[1],
): readonly (readonly [key: string, quantity: number])[] {
  return fromWireQuantities(keys, sent).map((quantity, index) => [keys[index] ?? '', quantity]);
}

/**
 * The amounts in a line of the cost that are not a quantity by a printed price. A reader needs them to compute the line.
 *
 * @param request - With sums.
 * @param present - The cell of the present contract, where that is known.
 */
export function includedLines(
  part: string,
  answer: Answer,
  {
    request,
    chosen,
    present,
  }: {
    readonly request: PrintedRequest;
    readonly chosen: readonly Row[];
    readonly present: readonly string[];
  },
): readonly string[] {
  if (part !== 'energia' && part !== 'potencia') return [];
  const { place, feeEur, quantities } = termsOf(part, request, answer.dias);
  const rests = chosen.map(({ offer_id, cost, condiciones }) => {
    const result = answer.results.find(({ offer }) => offer.id === offer_id);
    const reasons = [
      ...(typeof condiciones?.descuento_meses === 'number' ? ['descuento'] : []),
      ...(part === 'energia' && result?.indexada?.ponderado ? ['precios de cada mes'] : []),
    ];
    if (result === undefined || reasons.length === 0) return { reasons: [], restEur: null };
    const prices = pricesOf(result);
    const listEur = quantities.reduce((sum, [key, quantity]) => sum + quantity * Number(prices[key] ?? 0), 0);
    return { reasons, restEur: cost[part] - feeEur - listEur };
  });
  const named = (name: string, amounts: readonly (number | null)[]) =>
    amounts.some((amount) => Math.abs(amount ?? 0) >= 0.005)
      ? [line(`De ${place}: ${name}`, [...present, ...amounts.map(eur)])]
      : [];
  const reasons = new Set(rests.flatMap((rest) => rest.reasons));
  return [
    ...named(
      'margen acordado',
      chosen.map(() => feeEur),
    ),
    ...named(
      [...reasons].join(' o '),
      rests.map(({ restEur }) => restEur),
    ),
  ];
}
