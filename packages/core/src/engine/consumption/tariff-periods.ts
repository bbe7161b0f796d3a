import { type Day, dayNumber } from '../calendar.ts';
import { assert, DomainError, refuseIfAny } from '../errors.ts';
import type { Community, Territory } from '../offers/offer.ts';
import { misplacedCommunity } from '../offers/places.ts';

/** Access tariffs of electricity whose hours are known. All but the first have six periods of energy and of power. */
export const MEASURED_TARIFFS = ['2.0TD', '3.0TD', '3.0TDVE', '6.1TD', '6.1TDVE', '6.2TD', '6.3TD', '6.4TD'] as const;
// A-04
/** The access tariffs that exist, by supply; an offer may have another text. */
export const TARIFFS = {
  LUZ: MEASURED_TARIFFS,
  GAS: ['RL.1', 'RL.2', 'RL.3', 'RL.4', 'RL.5', 'RL.6', 'RL.7', 'RL.8', 'RL.9', 'RL.10', 'RL.11'],
} as const;
export type MeasuredTariff = (typeof MEASURED_TARIFFS)[number];

/** The period of each hour of a day, by local time; 0 is P1. */
export interface DayPeriods {
  /** By hour, 0 to 23. */
  readonly energy: readonly number[];
  readonly power: readonly number[];
}

/** The periods of a tariff in a territory (Circular 3/2020, art. 7, BOE-A-2020-1066). */
export interface TariffCalendar {
  readonly energyPeriods: 3 | 6;
  readonly powerPeriods: 2 | 6;
  /** @throws RangeError for a text that is no real day. */
  readonly periodsOf: (day: Day) => DayPeriods;
}

/** One digit for each hour, from midnight on. */
const hours = (digits: string): readonly number[] => [...digits].map((digit) => Number(digit) - 1);

const THREE_PERIODS = hours('333333332211112222111122');
/** Ceuta and Melilla. */
const THREE_PERIODS_LATER = hours('333333332221111222211112');
const TWO_PERIODS = hours('222222221111111111111111');
const OFF_PEAK: DayPeriods = { energy: hours('3'.repeat(24)), power: hours('2'.repeat(24)) };

/**
 * Six periods of working days, by zone: the type of day of each month, January first, and the hours of each type. The
 * types are A (high), B (medium-high), b (medium; B1 in the law) and C (low).
 */
const SIX_PERIODS = {
  peninsula: {
    months: 'AABCCbAbbCBA',
    A: hours('666666662111112222111122'),
    B: hours('666666663222223333222233'),
    b: hours('666666664333334444333344'),
    C: hours('666666665444445555444455'),
  },
  baleares: {
    months: 'bbCCBAAAABCb',
    A: hours('666666662211111222111122'),
    B: hours('666666663322222333222233'),
    b: hours('666666664433333444333344'),
    C: hours('666666665544444555444455'),
  },
  canarias: {
    months: 'bbbCCCAAAABB',
    A: hours('666666663311111333111133'),
    B: hours('666666663322222333222233'),
    b: hours('666666664422222444222244'),
    C: hours('666666665544444555444455'),
  },
  ceuta: {
    months: 'AAbCCCBAABbb',
    A: hours('666666664411111444411114'),
    B: hours('666666663322222333322223'),
    b: hours('666666664422222444422224'),
    C: hours('666666665533333555533335'),
  },
  melilla: {
    months: 'ABCCCbAAAbbB',
    A: hours('666666662211111222211112'),
    B: hours('666666663322222333322223'),
    b: hours('666666664433333444433334'),
    C: hours('666666665544444555544445'),
  },
} as const;
const LAST_PERIOD = hours('6'.repeat(24));

/** National holidays of fixed date, and 6 January. Good Friday and holidays that are moved do not count. */
const HOLIDAYS = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'];

/** Saturdays, Sundays and holidays. */
function isOffPeakDay(day: Day): boolean {
  const number = dayNumber(day);
  assert(number !== null, 'periods are those of a real day');
  // Day 0 was a Thursday.
  return (number + 3) % 7 >= 5 || HOLIDAYS.includes(day.slice(5));
}

// A-79
/**
 * The calendar of a tariff in a territory.
 *
 * @param community - Only needed to tell Ceuta from Melilla.
 * @throws DomainError `business_rule` for a community of another territory, and for six periods in `ceuta_melilla`
 *   without a community.
 */
export function tariffCalendar(
  tariff: MeasuredTariff,
  territory: Territory,
  community: Community | null = null,
): TariffCalendar {
  refuseIfAny(misplacedCommunity(territory, community));
  if (tariff === '2.0TD') {
    const energy = territory === 'ceuta_melilla' ? THREE_PERIODS_LATER : THREE_PERIODS;
    const working = { energy, power: TWO_PERIODS };
    return { energyPeriods: 3, powerPeriods: 2, periodsOf: (day) => (isOffPeakDay(day) ? OFF_PEAK : working) };
  }
  const zone = zoneOf(territory, community);
  const periodsOf = (day: Day): DayPeriods => {
    const periods = isOffPeakDay(day) ? LAST_PERIOD : hoursOfMonth(zone, Number(day.slice(5, 7)));
    return { energy: periods, power: periods };
  };
  return { energyPeriods: 6, powerPeriods: 6, periodsOf };
}

type Zone = keyof typeof SIX_PERIODS;

/** Six periods of a working day. */
function hoursOfMonth(zone: Zone, month: number): readonly number[] {
  const { months, ...types } = SIX_PERIODS[zone];
  return types[months[month - 1] as keyof typeof types];
}

function zoneOf(territory: Territory, community: Community | null): Zone {
  if (territory !== 'ceuta_melilla') return territory;
  if (community === 'ceuta' || community === 'melilla') return community;
  const message = 'ceuta and melilla have different hours: name one of them';
  throw new DomainError('business_rule', { issues: [{ path: 'community', message }] });
}

/**
 * The periods of power that a month has, 0 for P1: weekends are in the last one.
 *
 * @throws DomainError `business_rule` as `tariffCalendar`.
 */
export function periodsOfMonth({ tariff, territory, community }: CalendarTerms, month: number): readonly number[] {
  refuseIfAny(misplacedCommunity(territory, community));
  if (tariff === '2.0TD') return [0, 1];
  return [...new Set([...hoursOfMonth(zoneOf(territory, community), month), ...LAST_PERIOD])].toSorted();
}

/** Whose calendar. */
export interface CalendarTerms {
  readonly tariff: MeasuredTariff;
  readonly territory: Territory;
  /** Only needed to tell Ceuta from Melilla. */
  readonly community: Community | null;
}

const LONGER = { '03': -1, '10': 1 } as const;

/** The last Sunday of March or October, when the clock is changed. */
function clockChange(year: string, month: keyof typeof LONGER): Day {
  // Day 3 was a Sunday.
  return `${year}-${month}-${31 - (((dayNumber(`${year}-${month}-31`) ?? 0) + 4) % 7)}`;
}

const HOUR_MS = 3_600_000;

/** How many hours the local clock is ahead of UTC at a time in milliseconds. Summer is from 1:00 to 1:00 UTC. */
export function hoursAhead(time: number, territory: Territory): number {
  const utc = new Date(time).toISOString();
  const [start, end] = (['03', '10'] as const).map((month) => `${clockChange(utc.slice(0, 4), month)}T01`);
  const isSummer = utc >= String(start) && utc < String(end);
  return (territory === 'canarias' ? 0 : 1) + (isSummer ? 1 : 0);
}

/** The day and the `HH:MM` of the local clock at a time in milliseconds; `null`: it is none. */
export function localTime(time: number, territory: Territory): readonly [day: Day, clock: string] | null {
  if (Number.isNaN(time)) return null;
  const local = new Date(time + hoursAhead(time, territory) * HOUR_MS).toISOString();
  return [local.slice(0, 10), local.slice(11, 16)];
}

/** When a real day begins, in milliseconds. The clock is never changed in the hour before. */
export function startOfDay(day: Day, territory: Territory): number {
  const midnight = Date.parse(day);
  return midnight - hoursAhead(midnight - HOUR_MS, territory) * HOUR_MS;
}

/** Hours that a local day has: 23 and 25 on the last Sunday of March and of October. */
export function hoursIn(day: Day): 23 | 24 | 25 {
  const month = day.slice(5, 7);
  if (month === '03') return day === clockChange(day.slice(0, 4), month) ? 23 : 24;
  return month === '10' && day === clockChange(day.slice(0, 4), month) ? 25 : 24;
}

/** Hours from one day to another, both included. */
export function hoursFrom(first: Day, last: Day): number {
  let hours = ((dayNumber(last) ?? 0) - (dayNumber(first) ?? 0) + 1) * 24;
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
    for (const month of ['03', '10'] as const) {
      const change = clockChange(String(year), month);
      if (change >= first && change <= last) hours += LONGER[month];
    }
  }
  return hours;
}
