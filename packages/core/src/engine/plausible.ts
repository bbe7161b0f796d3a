// What numbers of customers and contracts probably are. A number within its bounds that is beyond these was most likely
// meant in another unit: it is told, or refused where nothing else can be meant.

/** The most that a number of a unit probably is, and by how much one beyond it, up to an end, was most likely multiplied. */
interface Probable {
  /** The greatest number that is probable. */
  readonly most: number;
  /** The greatest number that is a mistake; left out: any. */
  readonly end?: number;
  readonly mistake: 'cents' | 'perYear' | 'watts';
  /** How many times the right number it is. */
  readonly times: number;
}

const PROBABLE = {
  'EUR/kWh': { most: 2, mistake: 'cents', times: 100 },
  'EUR/kW·day': { most: 1, mistake: 'perYear', times: 365 },
  'EUR/month': { most: 100, mistake: 'perYear', times: 12 },
  /** Contracted power of 2.0TD, which has at most 15. */
  kW: { most: 999, end: 15_000, mistake: 'watts', times: 1000 },
} as const satisfies Readonly<Record<string, Probable>>;

/** What a number was most likely meant as. */
export interface Meant {
  readonly mistake: Probable['mistake'];
  /** The number in the unit in which it should be. */
  readonly right: number;
}

/** What a number beyond what is probable was most likely meant as; `null`: it is probable, or of another unit. */
export function meantAs(unit: string, value: number): Meant | null {
  const probable: Probable | null = Object.hasOwn(PROBABLE, unit) ? PROBABLE[unit as keyof typeof PROBABLE] : null;
  if (probable === null || Math.abs(value) <= probable.most || value > (probable.end ?? value)) return null;
  return { mistake: probable.mistake, right: Number((value / probable.times).toPrecision(9)) };
}

/** Hours a year at the contracted power, both included: less or more was meant in another unit, such as MWh or Wh. */
export const PROBABLE_HOURS = [20, 8760] as const;
/** MWh a year below which a home with this contracted power, kW, has sent those of a month. */
export const HOME = { leastMwh: 0.4, kw: 3 } as const;
/** The present cost as a share of the cheapest one, both included: another one is of another time or taxed. */
export const PROBABLE_SHARES = [0.6, 2.5] as const;
/**
 * From how many times the highest power of today on a maximum is asked about, and was sent in W; and from how many times
 * every maximum on the power of today is asked about: a tenth of it may well be all that is used.
 */
export const TIMES_OF_POWER = { asked: 10n, refused: 300n, ofMaxima: 100n } as const;

/** The mean load of a curve, kW, both included: less was meant in MWh or is of an empty place, more in Wh. */
export function probableLoads(tariff: string): readonly [number, number] {
  const most = tariff === '2.0TD' ? 15 : tariff.startsWith('3.0TD') ? 1000 : 20_000;
  return [0.002, most];
}
/** kWh that nobody consumes in an hour of 2.0TD. */
export const MOST_KWH_OF_AN_HOUR_OF_2_0TD = 100;
