import {
  type AskedReasons,
  askReasons,
  COST_PARTS,
  type CostDifference,
  type CostLine,
  type RankedOffer,
  type Ranking,
  type Retrospective,
  SSAA_PART,
} from '@tarifario/core/service';
import { z } from 'zod';
import { PARTS_IN_SENTENCES, PERIODS_OF_2_0TD } from '../../messages/es.ts';
import { count, id, inBothViews } from '../../wire/answer.ts';
import { toWireEur } from '../../wire/numbers.ts';

/** What a question may ask besides: the answer has more, and nothing else in it changes (A-116). */
export const REASONS_ASKED = {
  explicar: z.boolean().describe('Why each costs more than the cheapest.').optional(),
  frente_a: id.describe('Why it costs more than this one.').optional(),
  umbrales_consumo: z.boolean().describe('The cheapest by consumption.').optional(),
  retrospectiva: z.boolean().describe('Indexed offers in past years.').optional(),
  margen: z.boolean().describe('How far its prices may rise.').optional(),
};

type SentReasons = z.output<z.ZodObject<typeof REASONS_ASKED>>;

/** The reasons that a body asks for; `null` for none. */
export function fromWireReasons(sent: SentReasons): AskedReasons | null {
  const { frente_a, explicar = frente_a !== undefined } = sent;
  const { umbrales_consumo: thresholds = false, retrospectiva: retrospective = false, margen: margin = false } = sent;
  const flags = { thresholds, retrospective, margin };
  const why = explicar ? { againstId: frente_a ?? null } : null;
  return [why, ...Object.values(flags)].some(Boolean) ? askReasons({ why, ...flags }) : null;
}

const concepto = z
  .string()
  .describe(
    'A part of the cost; energy and power by period: `energia_p1` to `energia_p6`, `potencia_p1` to `potencia_p6`.',
  );

const factor = z.number().min(0.25).max(4);
const overPeriod = z.number().nullable();

/** Members of a ranking, where they were asked for. */
export const REASONS = {
  frente_a: id.nullable().describe('The offer that `porque` compares with; only with `explicar`.').optional(),
  umbrales_consumo: z
    .array(
      z.strictObject({
        factor_desde: factor.describe('From so many times the energy and its surplus, included.'),
        factor_hasta: factor.describe('Up to so many times, included.'),
        offer_id: id,
      }),
    )
    .describe('The cheapest offer by consumption, from 0.25 to 4 times without a gap; only where it is asked for.')
    .optional(),
  margen: inBothViews(
    z.array(
      z.strictObject({
        concepto,
        sube_hasta: z
          .number()
          .nullable()
          .describe('The price up to which the first offer is the best, in the unit of an offer; null: at any price.'),
      }),
    ),
    'How far each price of the first offer may rise, one at a time, at the weight w; only where it is asked for.',
    'How far each price of the first offer may rise, one at a time; only where it is asked for.',
  ).optional(),
};

/** Members of a result, where they were asked for. */
export const RESULT_REASONS = {
  porque: z
    .array(
      z.strictObject({
        concepto,
        diferencia: z.number().describe('EUR over the period; below 0 where it is cheaper.'),
      }),
    )
    .describe(
      'Why it costs more than `frente_a`, the largest first; the sum is the difference of the costs. Only with `explicar`.',
    )
    .optional(),
  retrospectiva: z
    .strictObject({
      ventanas: count.describe(
        'How many times 12 consecutive months of the history give a cost; at 0 the rest is null.',
      ),
      minimo: overPeriod.describe('The lowest cost by one of them, in EUR over the period.'),
      mediana: overPeriod.describe('The median cost, in EUR over the period.'),
      maximo: overPeriod.describe('The highest cost, in EUR over the period.'),
      ultimo: overPeriod.describe('The cost by the latest 12 months, in EUR over the period.'),
      veces_mas_barata: count
        .nullable()
        .describe('How often it was cheaper than the cheapest offer that is not indexed.'),
      arrepentimiento_max: overPeriod.describe('The most that it cost beyond that one, in EUR over the period.'),
      ventaja_max: overPeriod.describe('The most that it cost less than that one, in EUR over the period.'),
    })
    .describe('The cost of an indexed offer by each year of its history; only where it is asked for.')
    .optional(),
  porque_texto: z.string().describe('The same in Spanish, with the two largest; only with `explicar`.').optional(),
};

export function toWireReasons({ reasons }: Pick<Ranking, 'reasons'>) {
  const { againstId, thresholds, margin } = reasons ?? {};
  return {
    ...(againstId !== undefined && { frente_a: againstId }),
    ...(thresholds && {
      umbrales_consumo: thresholds.map(({ fromFactor, toFactor, offerId }) => ({
        factor_desde: fromFactor,
        factor_hasta: toFactor,
        offer_id: offerId,
      })),
    }),
    ...(margin && {
      margen: margin.map((line) => ({ concepto: conceptOf(line), sube_hasta: orNull(line.risesTo) })),
    }),
  };
}

function orNull(figure: number | null): number | null {
  return figure === null ? null : toWireEur(figure);
}

/** @param againstId - The offer with which the others are compared. */
export function toWireResultReasons(
  { reasons, offer }: Pick<RankedOffer, 'reasons' | 'offer'>,
  againstId: number | null | undefined,
) {
  const { why, retrospective } = reasons ?? {};
  return {
    ...(why && toWireWhy(why, offer, againstId)),
    ...(retrospective && { retrospectiva: toWireRetrospective(retrospective) }),
  };
}

function toWireRetrospective(past: Retrospective) {
  return {
    ventanas: past.windowCount,
    minimo: orNull(past.lowestEur),
    mediana: orNull(past.medianEur),
    maximo: orNull(past.highestEur),
    ultimo: orNull(past.latestEur),
    veces_mas_barata: past.timesCheapest,
    arrepentimiento_max: orNull(past.mostRegretEur),
    ventaja_max: orNull(past.mostMissedEur),
  };
}

function toWireWhy(
  why: readonly CostDifference[],
  { id, tariffType }: RankedOffer['offer'],
  againstId: number | null | undefined,
) {
  const porque = why.map((line) => ({ concepto: conceptOf(line), diferencia: toWireEur(line.eur) }));
  return { porque, porque_texto: id === againstId ? 'Con ella se comparan las demás' : inWords(why, tariffType) };
}

type Concept = Pick<CostLine, 'part' | 'period'>;

function conceptOf({ part, period }: Concept): string {
  const name = [...COST_PARTS, SSAA_PART].find((one) => one.name === part)?.wire ?? part;
  return period === null ? name : `${name}_p${period}`;
}

function inWords(why: readonly CostDifference[], tariffType: string): string {
  const sum = why.reduce((all, { eur }) => all + eur, 0);
  const largest = why.slice(0, 2).map(({ eur, ...line }) => {
    return `${eur < 0 ? '-' : '+'}${eurText(eur)} por ${nameOf(line, tariffType)}`;
  });
  const total = centsOf(sum) === 0 ? 'Cuesta lo mismo' : `${eurText(sum)} ${sum > 0 ? 'más' : 'menos'}`;
  return largest.length === 0 ? total : `${total}: ${largest.join(', ')}`;
}

function nameOf({ part, period }: Concept, tariffType: string): string {
  const name = PARTS_IN_SENTENCES[part] ?? COST_PARTS.find((one) => one.name === part)?.es.toLowerCase();
  if (period === null) return `${name}`;
  return `${name} en ${(tariffType === '2.0TD' && PERIODS_OF_2_0TD[part]?.[period - 1]) || `P${period}`}`;
}

/** Half a cent is rounded up, from whole millionths: a product of a double may fall short of the half. */
function centsOf(eur: number): number {
  return Math.round(Math.round(Math.abs(eur) * 1e6) / 1e4);
}

function eurText(eur: number): string {
  return `${(centsOf(eur) / 100).toFixed(2).replace('.', ',')} €`;
}
