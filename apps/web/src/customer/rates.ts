import type { Tarifario, Taxes } from '@tarifario/client';
import { type BilledSupply, billTerms, DomainError, type Rate } from '@tarifario/core';
import { keepChosen, keptChosen } from '../shell/kept.ts';
import type { Session } from '../shell/session.ts';
import { today } from './day.ts';
import type { CustomerQuestion } from './draft.ts';

type Row = Taxes['filas'][number];
type RateName = keyof NonNullable<NonNullable<CustomerQuestion['impuestos']>['tipos']>;

/** A rate of the bills of a customer that is chosen: the law leaves it open, it is not known, or the question has another. */
export interface OpenRate extends Pick<Row, 'concepto' | 'aplica'> {
  /** Under which name it is sent. */
  readonly name: RateName;
  /** With the law and what it may be; `null`: it is not known. */
  readonly row: Row | null;
  /** What was chosen; `null`: nothing yet. */
  readonly chosen: number | null;
}

const NAMES: Partial<Readonly<Record<Row['concepto'], RateName>>> = {
  impuesto_electrico: 'iee',
  hidrocarburos: 'hidrocarburos',
  financiacion_bono: 'bono_social',
};

/** VAT, IGIC and IPSI have one name, and one more for services. */
const nameOf = ({ concepto, aplica }: Pick<Row, 'concepto' | 'aplica'>): RateName =>
  NAMES[concepto] ?? (aplica === 'servicios' ? 'indirecto_servicios' : 'indirecto');

type Place = Parameters<Tarifario['listTaxes']>[0];

const tables = new WeakMap<Tarifario, Map<string, Promise<Taxes>>>();

/** The rates of a day and a place, which are asked once. */
function ratesAt(api: Tarifario, place: Place): Promise<Taxes> {
  const known = tables.get(api) ?? new Map<string, Promise<Taxes>>();
  tables.set(api, known);
  const name = JSON.stringify([place, document.documentElement.lang]);
  const asked = known.get(name) ?? api.listTaxes(place);
  known.set(name, asked);
  asked.catch(() => known.delete(name));
  return asked;
}

/**
 * The rates without which the bills of a question cannot be computed, by the rule of the service.
 *
 * @throws TarifarioError
 */
export async function openRatesOf(
  { api, accountId }: Pick<Session, 'api' | 'accountId'>,
  { impuestos, territory, supply_type, client_type, potencia = {} }: CustomerQuestion,
): Promise<readonly OpenRate[]> {
  if (!impuestos || !territory) return [];
  const { fecha, uso, uso_gas, vulnerable_severo, financiacion_bono, tipos = {} } = impuestos;
  const { filas } = await ratesAt(api, { fecha, territory, supply_type });
  const kw = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((name) => potencia[name as keyof typeof potencia] ?? 0);
  const customer =
    supply_type === 'GAS'
      ? { supplyType: supply_type, consumptionKwh: 1 }
      : { supplyType: supply_type, consumptionKwh: [1, 0, 0, 0, 0, 0], powerKw: kw, exportedKwh: 0 };
  const supply = { customer, period: { days: 365, months: 12 }, territory, customerType: client_type ?? null };
  const definition = {
    ...{ day: fecha, isDwelling: impuestos.vivienda, use: uso, gasUse: uso_gas },
    ...{ isSeverelyVulnerable: vulnerable_severo, paysSocialBonus: financiacion_bono },
  };
  const chosen = chosenToday(accountId);
  const open = openIn(() => billTerms(definition, supply as BilledSupply, filas.map(rateOf))).map((rate) => {
    const name = nameOf(rate);
    const row = filas.find((one) => one.concepto === rate.concepto && one.aplica === rate.aplica) ?? null;
    return { ...rate, name, row, chosen: tipos[name] ?? chosen[choiceOf({ ...rate, row }, fecha)] ?? null };
  });
  // Those in place of decided ones, of a question that is opened again.
  const others = Object.entries(tipos).flatMap(([name, value]) => {
    const row = filas.find((one) => nameOf(one) === name);
    return row && !open.some((rate) => rate.name === name) ? [{ ...row, name: nameOf(row), row, chosen: value }] : [];
  });
  return [...open, ...others];
}

/** A row of the service as core has it. Of an open one it says no more than that it is open. */
function rateOf({ concepto, aplica, supply_type, territorio, desde, hasta, norma, url, seguro, valor }: Row): Rate {
  const scope = {
    ...{ concept: concepto, kind: aplica, supplyTypes: [supply_type], territories: [territorio] },
    ...{ from: desde, to: hasta, law: norma, url, isCertain: seguro },
  };
  return valor === undefined ? { ...scope, values: [], condition: null } : { ...scope, value: valor };
}

/** What is open where terms cannot be computed. Other refusals are for the service to say. */
function openIn(work: () => unknown): readonly Pick<Row, 'concepto' | 'aplica'>[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError && 'openRates' in error.details) {
      return (error.details.openRates ?? []).map(({ concept, kind }) => ({
        concepto: concept as Row['concepto'],
        aplica: kind as Row['aplica'],
      }));
    }
  }
  return [];
}

const NAME = 'rates';

/** A law leaves its rate open for all days of a row, and a choice is for them all. */
const choiceOf = ({ concepto, aplica, row }: Pick<OpenRate, 'concepto' | 'aplica' | 'row'>, fecha: string) =>
  `${concepto} ${aplica} ${row?.norma ?? fecha}`;

interface Chosen {
  /** When it was chosen: tomorrow the law may be another. */
  readonly day: string;
  readonly rates: Readonly<Record<string, number>>;
}

/** What the advisor of an account has chosen today, for all its customers. */
function chosenToday(account: number): Chosen['rates'] {
  const kept = keptChosen(account, NAME) as Chosen | null;
  return kept?.day === today() ? kept.rates : {};
}

/** Keeps choices in the browser until tomorrow. @param fecha - The day of the bills. */
export function keepRates(account: number, open: readonly OpenRate[], fecha: string): void {
  const chosen = Object.fromEntries(open.map((rate) => [choiceOf(rate, fecha), rate.chosen]));
  keepChosen(account, NAME, { day: today(), rates: { ...chosenToday(account), ...chosen } });
}
