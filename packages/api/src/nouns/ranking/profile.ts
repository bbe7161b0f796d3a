import {
  type Issue,
  MAX_DAYS,
  MAX_KWH,
  MAX_PROFILE_ENTRIES,
  type Message,
  type ProfileEntry,
  profileTotals,
  say,
} from '@tarifario/core/service';
import { z } from 'zod';
import { numberBetween } from '../../fields.ts';
import { ENERGY_KEYS, fromWireQuantities, misplacedIn } from '../../wire/prices.ts';
import { byPeriod, IN_PERIOD, WORDS } from '../../wire/words.ts';
import { fromWireHourly, hourlyField, yearField } from '../hourly.ts';

// Bounds of, both ends included.
export const kwhField = numberBetween(0, MAX_KWH);
export const daysField = z.int().min(1).max(MAX_DAYS);
export const energyField = z
  .strictObject(byPeriod(ENERGY_KEYS, kwhField, IN_PERIOD.consumed))
  .partial()
  .describe(WORDS.energia)
  .optional();

/** Consumption and surplus by parts of the period. */
export const profileField = z
  .array(
    z.strictObject({
      mes: z.int().min(1).max(12).describe(WORDS['perfil.mes']).optional(),
      dias: daysField.describe(WORDS['perfil.dias']),
      energia: energyField,
      excedentes: kwhField.describe(WORDS['perfil.excedentes']).optional(),
      consumo_gas: kwhField.describe('Consumption of gas in the entry, in kWh.').optional(),
      anio: yearField.optional(),
      indices: hourlyField.optional(),
    }),
  )
  .min(1)
  .max(MAX_PROFILE_ENTRIES)
  .describe(WORDS.perfil);

/** A question with a profile, and the fields that the profile is checked against. */
interface ProfiledBody {
  readonly supply_type: 'LUZ' | 'GAS';
  readonly perfil?: z.output<typeof profileField> | undefined;
  readonly dias?: number | undefined;
  readonly meses?: number | undefined;
  readonly mes?: string | undefined;
  readonly energia?: z.output<typeof energyField>;
  readonly excedentes?: number | undefined;
  readonly consumo_gas?: number | undefined;
}

/** The entries of a question in the quantities of its supply; `null` where it has none. */
export function fromWireProfile({ supply_type, perfil }: ProfiledBody): readonly ProfileEntry[] | null {
  if (!perfil || perfil.length === 0) return null;
  const isGas = supply_type === 'GAS';
  return perfil.map(({ mes = null, dias, energia, excedentes = 0, consumo_gas = 0, anio, indices }) => ({
    month: mes,
    days: dias,
    consumptionKwh: isGas ? [consumo_gas] : fromWireQuantities(ENERGY_KEYS, energia),
    exportedKwh: isGas ? 0 : excedentes,
    ...(anio !== undefined && { year: anio }),
    ...(indices && !isGas && { indices: fromWireHourly(indices) }),
  }));
}

/** How far a sum may differ from the value beside it: a millionth of a kWh, or the precision of doubles. */
function differs(sum: number, sent: number): boolean {
  return Math.abs(sum - sent) > Math.max(1e-6, sum * 1e-14);
}

/** The sums of a profile; `null` where the question has none. */
export function totalsOf(body: ProfiledBody): ReturnType<typeof profileTotals> | null {
  const entries = fromWireProfile(body);
  return entries && profileTotals(entries);
}

/** What is malformed in a profile with these sums, alone and beside the rest of the question. */
export function malformedProfile(body: ProfiledBody, totals: ReturnType<typeof totalsOf>): readonly Issue[] {
  const { perfil, supply_type, energia } = body;
  if (!perfil || !totals) return [];
  const own = supply_type === 'GAS' ? 'consumo_gas' : 'energia';
  const { days, consumptionKwh, exportedKwh } = totals;
  const [gasKwh = 0] = consumptionKwh;
  const sums: readonly (readonly [path: string, sum: number, sent: number | undefined])[] =
    supply_type === 'GAS'
      ? [['consumo_gas', gasKwh, body.consumo_gas]]
      : [
          ...ENERGY_KEYS.map(
            (key, i) => [`energia.${key}`, consumptionKwh[i] ?? 0, energia && (energia[key] ?? 0)] as const,
          ),
          ['excedentes', exportedKwh, body.excedentes],
        ];
  const findings: readonly (readonly [isWrong: boolean, path: string, message: Message])[] = [
    ...perfil.map((entry, i) => {
      return [
        entry[own] === undefined,
        `perfil.${i}.${own}`,
        say('is needed for {supply}', { supply: supply_type }),
      ] as const;
    }),
    ...perfil.map(({ anio, mes }, i) => {
      const message = say('is allowed only beside {field}', { field: 'mes' });
      return [anio !== undefined && mes === undefined, `perfil.${i}.anio`, message] as const;
    }),
    [days > MAX_DAYS, 'perfil', say('has {days} days, and a period at most {max}', { days, max: MAX_DAYS })],
    [sums.some(([, sum]) => sum > MAX_KWH), 'perfil', say('has a sum of more than {max} kWh', { max: MAX_KWH })],
    [body.meses !== undefined, 'meses', say('must not be sent together with {field}', { field: 'perfil' })],
    [
      body.mes !== undefined,
      'mes',
      say('must not be sent together with {field}: its entries have their own', { field: 'perfil' }),
    ],
    [(body.dias ?? days) !== days, 'dias', say('must be the sum of perfil, {sum}, or left out', { sum: days })],
    ...sums.map(([path, sum, sent]) => {
      const message = say('must be the sum of perfil, {sum}, or left out', { sum });
      return [sent !== undefined && differs(sum, sent), path, message] as const;
    }),
  ];
  return findings.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** Fields of the other supply in entries. */
export function misplacedInProfile({ perfil = [], supply_type }: ProfiledBody): readonly Issue[] {
  const others: readonly ('energia' | 'excedentes' | 'indices' | 'consumo_gas')[] =
    supply_type === 'GAS' ? ['energia', 'excedentes', 'indices'] : ['consumo_gas'];
  return perfil.flatMap((entry, i) =>
    misplacedIn(entry, others, supply_type).map(({ path, message }) => ({ path: `perfil.${i}.${path}`, message })),
  );
}
