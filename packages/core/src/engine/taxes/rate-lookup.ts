// The rates that a bill looks up on its day, and those that are open then: who asks sends one of the values that they may have.
import type { RateOption, RefusalDetails } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import {
  type Rate,
  type RateConcept,
  type RateKind,
  type RateQuestion,
  ratesOn,
  type SettledRate,
  type UndecidedRate,
} from './rates.ts';

/** Rates in the units of the table: percent up to 100, EUR/kWh up to 10, EUR a year up to 1 000; none is below 0. */
export interface SentRates {
  /** %. */
  readonly electricityTaxPercent?: number | undefined;
  /** %. */
  readonly indirectPercent?: number | undefined;
  /** %. */
  readonly servicesPercent?: number | undefined;
  /** EUR/kWh. */
  readonly hydrocarbonEurPerKwh?: number | undefined;
  /** EUR a year. */
  readonly socialBonusEurPerYear?: number | undefined;
}

/** Looks rates up for one supply and day, and keeps what was used and what is open. */
export function lookupOn(table: readonly Rate[], at: Pick<RateQuestion, 'supplyType' | 'territory' | 'day'>) {
  const rows = new Set<SettledRate>();
  const undecided = new Map<string, OpenRow>();
  const rowFor = (concept: RateConcept, kind: RateKind) => ratesOn(table, { ...at, concept, kind })[0];
  return {
    /** The rate that was sent, else that of the table; 0 where it is open. */
    rate(concept: RateConcept, kind: RateKind, sent?: number): number {
      if (sent !== undefined) return sent;
      const row = rowFor(concept, kind);
      if (row && 'value' in row) {
        rows.add(row);
        return row.value;
      }
      undecided.set(`${concept} ${kind}`, { concept, kind, row: row ?? null });
      return 0;
    },
    isKnown: (concept: RateConcept, kind: RateKind) => rowFor(concept, kind) !== undefined,
    found: () => ({ rows: [...rows], undecided: [...undecided.values()] }),
  };
}

export type Lookup = ReturnType<typeof lookupOn>;

interface OpenRow {
  readonly concept: RateConcept;
  readonly kind: RateKind;
  /** `null`: no row has the day. */
  readonly row: UndecidedRate | null;
}

export function undecidedDetails(open: readonly OpenRow[], sent: SentRates): RefusalDetails<'business_rule'> {
  const rateOptions = optionsOf(open, sent);
  return {
    ...(rateOptions.length > 0 && { rateOptions }),
    issues: open.map(({ concept, kind, row }) => ({ path: 'bill.day', message: openMessage({ concept, kind, row }) })),
    openRates: open.map(({ concept, kind, row }) => ({ concept, kind, values: row?.values ?? [] })),
  };
}

/** Under which name the rate of a row is sent; `null`: it cannot be. */
function sentNameOf({ concept, kind }: OpenRow): keyof SentRates | null {
  switch (concept) {
    case 'impuesto_electrico':
      return 'electricityTaxPercent';
    case 'iva':
    case 'igic':
    case 'ipsi':
      return kind === 'servicios' ? 'servicesPercent' : 'indirectPercent';
    case 'hidrocarburos':
      return 'hydrocarbonEurPerKwh';
    case 'financiacion_bono':
      return 'socialBonusEurPerYear';
    default:
      return null;
  }
}

/** Every choice among the values of open rates, with the rates that were sent; none where a value is not known. */
function optionsOf(open: readonly OpenRow[], sent: SentRates): readonly RateOption[] {
  let options: readonly { readonly rates: SentRates; readonly condition: Message | null }[] = [
    { rates: sent, condition: null },
  ];
  for (const row of open) {
    const name = sentNameOf(row);
    options = options.flatMap(({ rates, condition: first }) =>
      (name === null ? [] : (row.row?.values ?? [])).map(({ value, condition: second }) => ({
        rates: { ...rates, [name ?? '']: value },
        condition: first === null ? second : say('{=first}, and {=second}', { first, second }),
      })),
    );
  }
  return options.flatMap(({ rates, condition }) => (condition === null ? [] : [{ rates: { ...rates }, condition }]));
}

function openMessage({ concept, kind, row }: OpenRow): Message {
  const field = 'rates';
  if (row === null)
    return say('the rate of {concept} ({kind}) is not known on that day: send it in {field}', { concept, kind, field });
  const { law, condition } = row;
  return condition === null
    ? say('the rate of {concept} ({kind}) is undecided: {law}; send it in {field}', { concept, kind, law, field })
    : say('the rate of {concept} ({kind}) is undecided: {law}, on {=condition}; send it in {field}', {
        ...{ concept, kind, law, field },
        condition,
      });
}
