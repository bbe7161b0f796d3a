import {
  COST_PARTS,
  type CostDifference,
  type CostLine,
  type RankedOffer,
  type Ranking,
  type ReasonsAsked,
  SSAA_PART,
} from '@tarifario/core/service';
import { z } from 'zod';
import { id } from './answer.ts';
import { toWireEur } from './numbers.ts';

/** What a question may ask besides: the answer has more, and nothing else in it changes (A-116). */
export const REASONS_ASKED = {
  explicar: z.boolean().describe('Say in `porque` why each result costs more than the cheapest.').optional(),
  frente_a: id.describe('The same beside this ranked offer.').optional(),
};

type SentReasons = z.output<z.ZodObject<typeof REASONS_ASKED>>;

/** The reasons that a body asks for; `null` for none. */
export function fromWireReasons({ frente_a, explicar = frente_a !== undefined }: SentReasons): ReasonsAsked | null {
  return explicar ? { why: { againstId: frente_a ?? null } } : null;
}

const concepto = z
  .string()
  .describe(
    'A part of the cost; energy and power by period: `energia_p1` to `energia_p6`, `potencia_p1` to `potencia_p6`.',
  );

/** Members of a ranking, where they were asked for. */
export const REASONS = {
  frente_a: id.nullable().describe('The offer that `porque` compares with; only with `explicar`.').optional(),
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
  porque_texto: z.string().describe('The same in Spanish, with the two largest; only with `explicar`.').optional(),
};

export function toWireReasons({ reasons }: Pick<Ranking, 'reasons'>) {
  return { ...(reasons?.againstId !== undefined && { frente_a: reasons.againstId }) };
}

export function toWireResultReasons({ reasons, offer }: Pick<RankedOffer, 'reasons' | 'offer'>) {
  const { why } = reasons ?? {};
  if (!why) return {};
  const porque = why.map((line) => ({ concepto: conceptOf(line), diferencia: toWireEur(line.eur) }));
  return { porque, porque_texto: inWords(why, offer.tariffType) };
}

type Concept = Pick<CostLine, 'part' | 'period'>;

function conceptOf({ part, period }: Concept): string {
  const name = [...COST_PARTS, SSAA_PART].find((one) => one.name === part)?.wire ?? part;
  return period === null ? name : `${name}_p${period}`;
}

/** The names of the periods of 2.0TD, which customers know. */
const PERIODS: Readonly<Record<string, readonly string[]>> = {
  energyEur: ['punta', 'llano', 'valle'],
  powerEur: ['punta', 'valle'],
};
const ARTICLES: Readonly<Record<string, string>> = {
  energyEur: 'la energía',
  powerEur: 'la potencia',
  fixedEur: 'el término fijo',
  surplusEur: 'los excedentes',
  servicesEur: 'los servicios',
  ssaaEur: 'los servicios de ajuste',
};

function inWords(why: readonly CostDifference[], tariffType: string): string {
  const cents = Math.round(why.reduce((sum, { eur }) => sum + eur, 0) * 100);
  const largest = why.slice(0, 2).map((one) => `${eurText(one.eur, 'always')} por ${nameOf(one, tariffType)}`);
  const total = cents === 0 ? 'Cuesta lo mismo' : `${eurText(Math.abs(cents) / 100)} ${cents > 0 ? 'más' : 'menos'}`;
  return largest.length === 0 ? total : `${total}: ${largest.join(', ')}`;
}

function nameOf({ part, period }: Concept, tariffType: string): string {
  const name = ARTICLES[part] ?? COST_PARTS.find((one) => one.name === part)?.es.toLowerCase();
  if (period === null) return `${name}`;
  return `${name} en ${(tariffType === '2.0TD' && PERIODS[part]?.[period - 1]) || `P${period}`}`;
}

function eurText(eur: number, sign: 'always' | 'auto' = 'auto'): string {
  const text = `${Math.abs(eur).toFixed(2).replace('.', ',')} €`;
  return `${eur < 0 ? '-' : sign === 'always' ? '+' : ''}${text}`;
}
