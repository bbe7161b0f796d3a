import { checkAmount, checkPeriods, KW, MAX_DAYS, MAX_KW_OF_2_0TD } from '../bounds.ts';
import type { Day } from '../calendar.ts';
import { MAX_PROFILE_ENTRIES } from '../consumption/profile.ts';
import { periodsOfMonth } from '../consumption/tariff-periods.ts';
import type { Issue } from '../errors.ts';
import { checkMembers, type Kinds } from '../members.ts';
import { type Message, say } from '../messages/message.ts';
import { decimalDigits, isCount } from '../numbers.ts';
import type { Community, Territory } from '../offers/offer.ts';
import type { PerPeriod } from '../periods.ts';
import { TIMES_OF_POWER } from '../plausible.ts';

import { type PowerTariff, powerPeriodsOf } from './regulated-prices.ts';

/** Types of meters (RD 1110/2007, art. 6): what excess of power costs depends on it. */
export const METER_TYPES = [1, 2, 3, 4, 5] as const;
export type MeterType = (typeof METER_TYPES)[number];

/** The demand of a part of the time. */
export interface DemandEntry {
  /** 1 to 12; `null`: a part of a month, or an unknown one. */
  readonly month: number | null;
  /** Whole days, 1 to 1 100. */
  readonly days: number;
  /**
   * kW by period, each 0 to 1e6: the maximum alone, or each hour or quarter-hour; `null`: there was no such period.
   */
  readonly loadsKw: PerPeriod<readonly number[] | null>;
}

/** What is asked about contracted power. Values by period are `null` where none was given; powers are 0 to 1e6 kW. */
export interface PowerQuestion {
  readonly tariff: PowerTariff;
  /** Whose months have which periods; default: the mainland. */
  readonly territory?: Territory | undefined;
  readonly community?: Community | null | undefined;
  /** Contracted today, kW. */
  readonly powerKw: PerPeriod<number | null>;
  /** Default: that of the highest power contracted today. */
  readonly meterType?: MeterType | undefined;
  /** A real day, whose regulated prices hold for the whole time. */
  readonly day: Day;
  /** EUR/kW·day in place of the regulated prices, 0 to 1. */
  readonly pricesEurPerKwDay?: PerPeriod<number | null> | undefined;
  /** What loads are of: `maxima` of bills, one each. */
  readonly measured: 'maxima' | 'hours' | 'quarter_hours';
  /** 1 to 36. */
  readonly entries: readonly DemandEntry[];
  /** The least power to advise, kW. */
  readonly leastKw?: PerPeriod<number | null> | undefined;
  /** Added to each load, kW; default 0. */
  readonly marginKw?: number | undefined;
  /** The rights of extension, kW: no more is advised. */
  readonly rightsKw?: number | undefined;
}

const QUESTION: Kinds<PowerQuestion> = {
  ...{ tariff: 'text', territory: 'text', community: 'text', powerKw: 'numbers', meterType: 'number', day: 'any' },
  ...{ pricesEurPerKwDay: 'numbers', measured: 'text', entries: 'object', leastKw: 'numbers' },
  ...{ marginKw: 'number', rightsKw: 'number' },
};
const ENTRY: Kinds<DemandEntry> = { month: 'number', days: 'number', loadsKw: 'object' };

/** @throws RangeError for a member that is unknown, or of another kind. */
export function checkQuestion(question: PowerQuestion): void {
  checkMembers('power.', question, QUESTION);
  for (const [at, entry] of question.entries.entries()) checkMembers(`power.entries.${at}.`, entry, ENTRY);
}

/** The highest power of each type of meter but the first two, kW (RD 1110/2007, art. 6). */
const KW_OF_TYPES: readonly (readonly [MeterType, number])[] = [
  [5, 15],
  [4, 50],
  [3, 450],
];

/** Whether the excess of this supply is measured by the quarter-hour: a meter of types 1 to 3. */
export function isMeasuredByQuarter({ tariff, meterType, powerKw }: PowerQuestion): boolean {
  const highest = Math.max(...powerKw.map((kw) => kw ?? 0));
  const type = meterType ?? KW_OF_TYPES.find(([, kw]) => highest <= kw)?.[0] ?? 2;
  return tariff !== '2.0TD' && type <= 3;
}

/** Whether a load is so far above every power contracted today that it can only be in W. */
function isInWatts(kw: number, { powerKw }: Pick<PowerQuestion, 'powerKw'>): boolean {
  const highest = decimalDigits(Math.max(...powerKw.map((own) => own ?? 0)), 6);
  return highest > 0n && decimalDigits(kw, 6) >= TIMES_OF_POWER.refused * highest;
}

/** Whether a load, or the power contracted today, is so many times the other that one of them may be in W. */
export function mayBeWatts(highestKw: number, { powerKw }: Pick<PowerQuestion, 'powerKw'>): boolean {
  const today = decimalDigits(Math.max(...powerKw.map((own) => own ?? 0)), 6);
  const sent = decimalDigits(highestKw, 6);
  return sent > 0n && today > 0n && (sent >= TIMES_OF_POWER.asked * today || today >= TIMES_OF_POWER.ofMaxima * sent);
}

/** Loads that can only be W. */
function inWatts(question: PowerQuestion): readonly Issue[] {
  const message = 'is hundreds of times the power contracted today: it is kW, and may have been sent in W' as const;
  const found = question.entries.flatMap(({ loadsKw }, index) =>
    loadsKw.flatMap((loads, period) =>
      loads?.some((kw) => isInWatts(kw, question)) ? [at(`entries.${index}.loadsKw.${period}`, message)] : [],
    ),
  );
  return question.measured === 'maxima' || found.length === 0 ? found : [{ path: 'file', message }];
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The bounds of a price of power that is sent, both included: those of an offer. */
export const SENT_POWER_PRICE = { min: 0, max: 1, unit: 'EUR/kW·day' } as const;
const ENTRIES = { min: 1, max: MAX_PROFILE_ENTRIES, unit: 'entries', isWhole: true } as const;
const MONTHS = { min: 1, max: DAYS_OF_MONTHS.length };
const DAYS = { min: 1, max: MAX_DAYS, unit: 'days', isWhole: true } as const;
const NO_VALUES: readonly null[] = [];

const at = (path: string, message: Message): Issue => ({ path: `power.${path}`, message });

/** What is out of its bounds. Nothing else can be asked of such a question. */
function outOfBounds({ entries, marginKw = 0, rightsKw = 0, ...question }: PowerQuestion): readonly Issue[] {
  const { powerKw, pricesEurPerKwDay, leastKw } = question;
  return [
    ...checkPeriods('power.powerKw', powerKw, KW),
    ...checkPeriods('power.pricesEurPerKwDay', pricesEurPerKwDay ?? NO_VALUES, SENT_POWER_PRICE),
    ...checkPeriods('power.leastKw', leastKw ?? NO_VALUES, KW),
    ...checkAmount('power.marginKw', marginKw, KW),
    ...checkAmount('power.rightsKw', rightsKw, KW),
    ...checkAmount('power.entries', entries.length, ENTRIES),
    ...entries.flatMap(({ month, days, loadsKw }, index) => [
      ...(month === null || isCount(month, MONTHS.max)
        ? []
        : [at(`entries.${index}.month`, say('must be a number from {min} to {max}', MONTHS))]),
      ...checkAmount(`power.entries.${index}.days`, days, DAYS),
      ...loadsKw.flatMap((loads, period) =>
        checkPeriods(`power.entries.${index}.loadsKw.${period}`, loads ?? NO_VALUES, KW),
      ),
    ]),
  ];
}

/**
 * What is wrong with a question, but for what depends on prices. Paths begin with `power.`.
 *
 * @throws DomainError `business_rule` as `tariffCalendar`, where a month is named.
 */
export function powerIssues(question: PowerQuestion): readonly Issue[] {
  const {
    tariff,
    territory = 'peninsula',
    community = null,
    powerKw,
    pricesEurPerKwDay,
    leastKw,
    rightsKw,
    entries,
    measured,
  } = question;
  const unbounded = outOfBounds(question);
  if (unbounded.length > 0) return unbounded;
  const own = powerPeriodsOf(tariff);
  /** Values by period: none where the tariff has no period, and one in each that is needed. */
  const byPeriod = (path: string, values: PerPeriod<unknown>, needed: readonly number[], allowed = own) =>
    values.flatMap((value, period) => {
      if (value === null) return needed.includes(period) ? [at(`${path}.${period}`, 'is needed here')] : [];
      return allowed.includes(period) ? [] : [at(`${path}.${period}`, 'is of a period that is not one here')];
    });
  const mostKw = tariff === '2.0TD' ? MAX_KW_OF_2_0TD : null;
  const above = (path: string, values: PerPeriod<number | null>, most: number | null | undefined) =>
    values.flatMap((kw, period) =>
      kw !== null && most != null && kw > most
        ? [at(`${path}.${period}`, say('must be at most {max}', { max: most }))]
        : [],
    );
  const falling =
    tariff === '2.0TD'
      ? []
      : powerKw.flatMap((kw, period) => {
          const before = powerKw[period - 1] ?? null;
          return kw !== null && before !== null && kw < before
            ? [at(`powerKw.${period}`, 'must not be below that of the period before')]
            : [];
        });
  const inMonths = entries.flatMap(({ month, days, loadsKw }, index) => {
    const isNamed = month !== null && measured === 'maxima';
    const periods = isNamed ? periodsOfMonth({ tariff, territory, community }, month) : own;
    const path = `entries.${index}`;
    const most = DAYS_OF_MONTHS[(month ?? 1) - 1] ?? 0;
    const hasDays = !isNamed || days === most || (month === 2 && days === 29);
    return [
      ...(hasDays
        ? []
        : [
            at(`${path}.days`, say('must be the {days} days of the month: a part of one has no month', { days: most })),
          ]),
      ...byPeriod(`${path}.loadsKw`, loadsKw, isNamed ? periods : [], periods),
    ];
  });
  return [
    ...byPeriod('powerKw', powerKw, own),
    ...falling,
    ...above('powerKw', powerKw, mostKw),
    ...(pricesEurPerKwDay ? byPeriod('pricesEurPerKwDay', pricesEurPerKwDay, own) : []),
    ...inMonths,
    ...inWatts(question),
    ...(leastKw
      ? [
          ...byPeriod('leastKw', leastKw, []),
          ...above('leastKw', leastKw, Math.min(mostKw ?? Infinity, rightsKw ?? Infinity)),
        ]
      : []),
    ...(isMeasuredByQuarter(question) && measured !== 'quarter_hours'
      ? [
          {
            path: measured === 'hours' ? 'file' : 'power.entries',
            message: 'meters of types 1 to 3 pay excess by the quarter-hour: send a curve of quarter-hours' as const,
          },
        ]
      : []),
  ];
}
