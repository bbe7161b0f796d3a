import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUESTION, type Wire } from '../../../test/oracle-questions.ts';
import { OFFER_FIELDS } from '../offers/offer-fields.ts';
import { COST_PARTS } from '../price/rule.ts';
import type { Ranking } from './ranking.ts';

type Amounts = Readonly<Record<string, number>>;

interface Limit {
  readonly campo: string;
  readonly valor: number;
}

interface Answer {
  readonly total: number;
  readonly excluded: readonly { readonly offer_id: number; readonly codigo: string; readonly limite?: Limit }[];
  readonly mas_barata_id: number | null;
  readonly mas_comision_id: number | null;
  readonly mas_eficiente_id: number | null;
  readonly w: number;
  readonly avisos: readonly { readonly codigo: string; readonly umbral_eur_mwh?: number | null }[];
  readonly actual: { readonly cost: Amounts } | null;
  readonly conflicto: {
    readonly euros_cliente_por_euro_comision: number | null;
    readonly mas_eficiente: Amounts;
    readonly mas_comision: Amounts;
  } | null;
  readonly umbrales: readonly { w_desde: number; w_hasta: number; offer_id: number }[] | null;
  readonly results: readonly ({
    readonly offer: { readonly id: number };
    readonly indexada: { readonly ponderado?: boolean } | null;
    readonly cost: Amounts;
    readonly commission: Amounts | null;
    readonly en_frontera: boolean | null;
    readonly ahorro: { readonly eur: number; readonly eur_anual: number; readonly porcentaje: number | null } | null;
  } & { readonly [Figure in 'nota' | 'nota_precio' | Hidden]: number | null })[];
}

type Hidden =
  | 'coste_sin_descuento'
  | 'coste_segundo_anio'
  | 'nota_comision'
  | 'coste_extra'
  | 'comision_extra'
  | 'comision_eur_mwh';

/** The second program: exact fractions, the words of the wire, no code of the engine. */
const oracle: {
  readonly expectedFor: (given: Wire) => { readonly status: number; readonly body: Answer };
  readonly roundingRisks: (given: Wire) => readonly string[];
} = await import(new URL('../../../../../test-fixtures/vectors/oracle/oracle.mjs', import.meta.url).href);

function expectClose(actual: number | undefined | null, expected: number | undefined | null, tolerance: number): void {
  if (typeof expected !== 'number') expect(actual ?? null).toBe(expected ?? null);
  else expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);
}

function expectSameAnswer(ranking: Ranking, answer: Answer): void {
  expect(
    ranking.excluded.map(({ offer, exclusion }) => {
      const isLimit = exclusion.code === 'fuera_de_limites';
      return [offer.id, exclusion.code, ...(isLimit ? [OFFER_FIELDS[exclusion.limit].wire, exclusion.bound] : [])];
    }),
  ).toEqual(
    answer.excluded.map(({ offer_id, codigo, limite }) => [
      offer_id,
      codigo,
      ...(limite ? [limite.campo, limite.valor] : []),
    ]),
  );
  expect(ranking.rankedCount).toBe(answer.total);
  expect([ranking.cheapestId, ranking.bestPaidId]).toEqual([answer.mas_barata_id, answer.mas_comision_id]);
  expect(ranking.mostEfficientId).toBe(answer.mas_eficiente_id);
  expect(ranking.results.map(({ offer }) => offer.id)).toEqual(answer.results.map(({ offer }) => offer.id));
  ranking.results.forEach((result, place) => {
    const wire = answer.results[place];
    const { cost, commission } = result;
    for (const part of COST_PARTS) expectClose(cost[part.name], wire?.cost[part.wire], 1e-6);
    expectClose(cost.ssaaEur, wire?.cost.ssaa, 1e-6);
    expectClose(cost.totalEur, wire?.cost.total, 1e-6);
    expect(result.discounted === undefined).toBe(wire?.coste_sin_descuento === undefined);
    expectClose(result.discounted?.withoutDiscountEur, wire?.coste_sin_descuento, 1e-6);
    expectClose(result.discounted?.secondYearEur, wire?.coste_segundo_anio, 1e-6);
    const paid = [commission?.energyEur, commission?.powerEur, commission?.totalEur];
    ['energia', 'potencia', 'total'].forEach((key, i) => {
      expectClose(paid[i], wire?.commission?.[key], 1e-6);
    });
    expectClose(result.score, wire?.nota, 0.6e-4);
    expectClose(result.priceScore, wire?.nota_precio, 0.6e-4);
    expectClose(result.commissionScore, wire?.nota_comision, 0.6e-4);
    expect(result.isOnFrontier).toBe(wire?.en_frontera);
    const { ponderado } = wire?.indexada ?? {};
    if (ponderado !== undefined) expect(result.origin).toMatchObject({ isWeighted: ponderado });
  });
  expectSameAdvice(ranking, answer);
  expect(ranking.winners?.map(({ offerId }) => offerId)).toEqual(answer.umbrales?.map(({ offer_id }) => offer_id));
  ranking.winners?.forEach(({ fromWeight, toWeight }, i) => {
    expectClose(fromWeight, answer.umbrales?.[i]?.w_desde, 1e-6);
    expectClose(toWeight, answer.umbrales?.[i]?.w_hasta, 1e-6);
  });
}

/** A figure of a year, or one that is divided by MWh or by a commission: the millionth of its total is enlarged. */
function expectNear(actual: number | undefined | null, expected: number | undefined | null): void {
  if (typeof expected !== 'number') expect(actual ?? null).toBe(expected ?? null);
  else
    expect((actual ?? Number.NaN) / Math.max(1, Math.abs(expected))).toBeCloseTo(
      expected / Math.max(1, Math.abs(expected)),
      5,
    );
}

function expectSameAdvice(ranking: Ranking, answer: Answer): void {
  expectClose(ranking.weight, answer.w, 1e-9);
  expect(ranking.warnings.map(({ code, total, offerIds }) => ({ codigo: code, total, offer_ids: offerIds }))).toEqual(
    answer.avisos.map(({ umbral_eur_mwh: _, ...warning }) => warning),
  );
  const mixed = answer.avisos.find(({ codigo }) => codigo === 'ssaa_mezclados');
  expectNear(ranking.ssaaThresholdEurPerMwh, mixed?.umbral_eur_mwh);
  expectClose(ranking.presentCost?.totalEur, answer.actual?.cost.total, 1e-6);
  expectClose(ranking.presentCost?.surplusEur, answer.actual?.cost.excedentes, 1e-6);
  expectNear(ranking.conflict?.customerEurPerCommissionEur, answer.conflicto?.euros_cliente_por_euro_comision);
  for (const [own, wire] of [
    [ranking.conflict?.mostEfficient, answer.conflicto?.mas_eficiente],
    [ranking.conflict?.bestPaid, answer.conflicto?.mas_comision],
  ] as const) {
    expect(own?.offerId).toBe(wire?.offer_id);
    expectNear(own?.costEur, wire?.coste_extra_anual);
    expectClose(own?.commissionEur, wire?.comision_extra, 1e-6);
  }
  ranking.results.forEach(({ extraCostEur, extraCommissionEur, commissionEurPerMwh, saving }, place) => {
    const wire = answer.results[place];
    expectClose(extraCostEur, wire?.coste_extra, 1e-6);
    expectClose(extraCommissionEur, wire?.comision_extra, 1e-6);
    expectNear(commissionEurPerMwh, wire?.comision_eur_mwh);
    expectClose(saving?.eur, wire?.ahorro?.eur, 1e-6);
    expectNear(saving?.eurPerYear, wire?.ahorro?.eur_anual);
    expectClose(saving?.percent, wire?.ahorro?.porcentaje, 0.006);
  });
}

/** The winner of a tolerance has the most of tolerance times commission less annual cost, up to the rounding of notas. */
function expectMostGained(answer: Answer, tolerance: number, days: number): void {
  const gains = answer.results.map(({ cost, commission }) => {
    return tolerance * (commission?.total ?? 0) - ((cost.total ?? 0) * 365) / days;
  });
  const { coste_extra_anual: extra = 0 } = answer.conflicto?.mas_comision ?? {};
  const size = Math.max(1, Math.abs(extra), ...gains.map(Math.abs));
  if (gains.length > 0) expect(gains[0]).toBeGreaterThanOrEqual(Math.max(...gains) - 1e-8 * size);
}

test('A-08, A-72, A-73, A-81, A-82, A-125, A-127: the engine and exact fractions give the same ranking, part by part to a millionth', () => {
  let compared = 0;
  let ranked = 0;
  const excluded = new Set<string>();
  const warned = new Set<string>();
  holds(
    fc.property(QUESTION, ({ entries, request, given }) => {
      const { status, body } = oracle.expectedFor(given);
      if (status !== 200) return;
      if (oracle.roundingRisks(given).length > 0) return;
      const ranking = rankEntries(entries, request);
      const range = ranking.costRangeEur;
      // Over a range of a few millionths the last bit of a cost moves a score.
      if (range && range.max > range.min && range.max - range.min < 1e-3) return;
      expectSameAnswer(ranking, body);
      const { tolerance = null, period } = request;
      if (tolerance !== null && request.seesCommissions) expectMostGained(body, tolerance, period.days);
      for (const { code } of ranking.warnings) warned.add(code);
      for (const { exclusion } of ranking.excluded)
        excluded.add('limit' in exclusion ? exclusion.limit : exclusion.code);
      compared++;
      ranked += ranking.rankedCount;
    }),
    runsOf(300, 1000),
  );
  expect(compared).toBeGreaterThan(runsOf(150, 500));
  expect(ranked).toBeGreaterThan(runsOf(300, 1000));
  for (const reason of ['fuera_de_vigencia', 'minPowerKw', 'maxPowerKw', 'minAnnualKwh', 'maxAnnualKwh'])
    expect(excluded).toContain(reason);
  // Warnings that need a filter or decreasing powers have their own examples.
  expect(warned.size).toBeGreaterThan(8);
});
